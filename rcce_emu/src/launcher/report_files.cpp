// SPDX-License-Identifier: Apache-2.0
#include "launcher/report_files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "launcher/report_document.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/observe/die.hpp"
#include "mesh_sim/terminal.hpp"
#include "rcce_emu/report_page.hpp"

namespace rcce {
namespace {

namespace fs = std::filesystem;
using Format = mesh::StatisticsFormat;

void check_file(const char* option, const std::string& file, bool overwrite) {
  if (file.empty() || file == standard_output) return;
  std::error_code ignored;
  if (fs::is_directory(file, ignored))
    throw mesh::UserError(fmt::format("{} '{}': this is a folder; name a file in it", option, file));
  if (fs::exists(file, ignored) && !overwrite)
    throw mesh::UserError(fmt::format(
        "{} '{}': the file is there already; choose another, or --force overwrites it", option, file));
  const fs::path folder = fs::absolute(file).parent_path();
  if (!fs::is_directory(folder, ignored) || access(folder.c_str(), W_OK) != 0)
    throw mesh::UserError(
        fmt::format("{} '{}': no file can be written in '{}'", option, file, folder.string()));
}

Format format_of(const std::string& file) {
  return file.ends_with(".csv") ? Format::csv : file.ends_with(".json") ? Format::json : Format::table;
}

void check_apart(const char* option, const std::string& file, const char* other, const std::string& others) {
  if (file.empty() || file != others) return;
  throw mesh::UserError(fmt::format("{} and {} '{}': each wants a file of its own", option, other, file));
}

[[noreturn]] void throw_unwritten(const char* option, const std::string& file, int error) {
  throw mesh::UserError(fmt::format("{} '{}': cannot be written: {}", option, file, std::strerror(error)));
}

void write_file(const char* option, const std::string& file, const std::string& text) {
  if (file == standard_output) {
    if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
      throw_unwritten(option, file, errno);
    return;
  }
  std::FILE* const out = std::fopen(file.c_str(), "w");
  bool written = out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (out != nullptr) written = std::fclose(out) == 0 && written;
  if (!written) throw_unwritten(option, file, errno);
}

/// To the file, without one to standard error.
void write_text(const char* option, const std::string& file, const std::string& text) {
  if (file.empty())
    std::fputs(text.c_str(), stderr);
  else
    write_file(option, file, text);
}

/// A further descriptor, far from the numbers that the program's own files get, which are to stay what they
/// are without it.
int far_from_the_programs(int fd) {
  return fcntl(fd, F_DUPFD_CLOEXEC, 200);
}

std::string die_of(const LaunchOptions& options, const JobResult& result) {
  const mesh::Topology topology = options.job.machine.parameters().topology();
  std::vector<int> ranks(static_cast<std::size_t>(topology.cores()), -1);
  for (const UeResult& ue : result.ues) ranks[static_cast<std::size_t>(ue.core)] = ue.rank;
  return mesh::die_text(topology, result.links, ranks, mesh::takes_colours(STDERR_FILENO),
                        mesh::takes_utf8(STDERR_FILENO));
}

} // namespace

void check_report_files(const LaunchOptions& options) {
  const std::pair<const char*, const std::string&> files[] = {{"--statistics", options.statistics_file},
                                                              {"--matrix", options.matrix_file},
                                                              {"--links", options.links_file},
                                                              {"--trace", options.trace_file},
                                                              {"--why", options.why_file},
                                                              {"--profile", options.profile_file},

                                                              {"--report", options.report_file}};
  if (!options.report_file.empty()) check_report_page("--report");
  for (const auto& [option, file] : files) {
    check_file(option, file, options.overwrite);
    for (const auto& [other, others] : files)
      if (other != option) check_apart(option, file, other, others);
  }
}

int open_trace(const LaunchOptions& options) {
  const std::string& file = options.trace_file;
  if (file.empty()) return -1;
  const bool to_output = file == standard_output;
  const int opened = to_output ? STDOUT_FILENO : open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  const int fd = opened < 0 ? -1 : far_from_the_programs(opened);
  if (fd < 0) throw_unwritten("--trace", file, errno);
  if (to_output)
    dup2(STDERR_FILENO, STDOUT_FILENO);
  else
    close(opened);
  return fd;
}

void drop_empty_trace(const LaunchOptions& options) {
  std::error_code ignored;
  const std::string& file = options.trace_file;
  if (fs::is_regular_file(file, ignored) && fs::is_empty(file, ignored)) fs::remove(file, ignored);
}

int open_report(const LaunchOptions& options) {
  if (options.report_file != standard_output) return -1;
  const int fd = far_from_the_programs(STDOUT_FILENO);
  if (fd < 0) throw_unwritten("--report", options.report_file, errno);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return fd;
}

void write_report(const LaunchOptions& options, const JobResult& result, int fd, const std::string& command) {
  if (options.report_file.empty()) return;
  const std::string page = report_page(report_title(options), report_document(options, result, command));
  if (fd >= 0) dup2(fd, STDOUT_FILENO);
  write_file("--report", options.report_file, page);
}

void write_reports(const LaunchOptions& options, const JobResult& result,
                   const std::vector<WhatIf>& what_ifs) {
  if (result.trace_error != 0) throw_unwritten("--trace", options.trace_file, result.trace_error);
  const std::string& file = options.statistics_file;
  if (!result.statistics.empty()) {
    const Format format = options.statistics_format.value_or(format_of(file));
    write_text("--statistics", file, mesh::write_statistics(result.statistics, format));
  }
  if (options.job.profile) {
    const std::string& to = options.profile_file;
    write_text("--profile", to,
               to.ends_with(".folded") ? result.folded
                                       : mesh::write_statistics(result.profile, format_of(to)));
  }
  if (options.job.why) {
    const std::string text =
        options.why_file.ends_with(".json") ? why_json(result, what_ifs) : why_text(result, what_ifs);
    write_text("--why", options.why_file, text);
  }
  if (!options.matrix_file.empty())
    write_file("--matrix", options.matrix_file,
               mesh::write_statistics(result.matrix, format_of(options.matrix_file)));
  if (options.die) std::fputs(die_of(options, result).c_str(), stderr);
  if (!options.links_file.empty())
    write_file("--links", options.links_file,
               mesh::write_statistics(result.links, format_of(options.links_file)));
}

} // namespace rcce
