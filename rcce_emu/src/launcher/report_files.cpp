// SPDX-License-Identifier: Apache-2.0
#include "launcher/report_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "launcher/report_document.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/observe/die.hpp"
#include "mesh_sim/output_file.hpp"
#include "mesh_sim/terminal.hpp"
#include "rcce_emu/report_page.hpp"

namespace rcce {
namespace {

namespace fs = std::filesystem;
using Format = mesh::StatisticsFormat;

void check_file(const char* option, const std::string& file, bool overwrite) {
  if (file.empty()) return;
  if (const std::string why = mesh::why_not_new(file, overwrite); !why.empty())
    throw mesh::UserError(fmt::format("{} '{}': {}", option, file, why));
}

Format format_of(const std::string& file) {
  return file.ends_with(".csv") ? Format::csv : file.ends_with(".json") ? Format::json : Format::table;
}

/// A device takes the results of several options, one behind the other.
bool is_device(const std::string& file) {
  std::error_code ignored;
  return file != mesh::standard_output && fs::is_character_file(file, ignored);
}

void check_apart(const char* option, const std::string& file, const char* other, const std::string& others) {
  if (file.empty() || file != others || is_device(file)) return;
  throw mesh::UserError(fmt::format("{} and {} '{}': each wants a file of its own", option, other, file));
}

/// To the file, without one to standard error.
void write_text(const char* option, const std::string& file, const std::string& text) {
  if (file.empty())
    mesh::write_error(option, text);
  else
    mesh::write_output(option, file, text);
}

/// Does all that can be done, and tells afterwards of all that has failed.
class Attempts {
 public:
  template <class Body>
  void attempt(const Body& body) {
    try {
      body();
    } catch (const mesh::UserError& error) {
      failures_.emplace_back(error.what());
    }
  }
  void check() const {
    if (!failures_.empty()) throw mesh::UserError(fmt::format("{}", fmt::join(failures_, "\nrccerun: ")));
  }

 private:
  std::vector<std::string> failures_;
};

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
  const int opened = mesh::open_output(file);
  const int fd = opened < 0 ? -1 : far_from_the_programs(opened);
  if (fd < 0) mesh::throw_unwritten("--trace", file, errno);
  close(opened);
  if (file == mesh::standard_output) dup2(STDERR_FILENO, STDOUT_FILENO);
  return fd;
}

void drop_empty_trace(const LaunchOptions& options) {
  std::error_code ignored;
  const std::string& file = options.trace_file;
  if (fs::is_regular_file(file, ignored) && fs::is_empty(file, ignored)) fs::remove(file, ignored);
}

int open_report(const LaunchOptions& options) {
  if (options.report_file != mesh::standard_output) return -1;
  const int fd = far_from_the_programs(STDOUT_FILENO);
  if (fd < 0) mesh::throw_unwritten("--report", options.report_file, errno);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return fd;
}

void write_report(const LaunchOptions& options, const JobResult& result, int fd, const std::string& command) {
  if (options.report_file.empty()) return;
  const std::string page = report_page(report_title(options), report_document(options, result, command));
  if (fd >= 0) dup2(fd, STDOUT_FILENO);
  mesh::write_output("--report", options.report_file, page);
}

namespace {

void check_trace(const LaunchOptions& options, const JobResult& result) {
  if (result.trace_error == 0) return;
  drop_empty_trace(options);
  std::error_code ignored;
  const std::string& file = options.trace_file;
  mesh::throw_unwritten("--trace", file, result.trace_error,
                        fs::is_regular_file(file, ignored) ? "; its last line says where it is cut" : "");
}

void write_statistics(const LaunchOptions& options, const JobResult& result) {
  if (result.statistics.empty()) return;
  const std::string& file = options.statistics_file;
  const Format format = options.statistics_format.value_or(format_of(file));
  write_text("--statistics", file, mesh::write_statistics(result.statistics, format));
}

/// A profile whose places are all unknown says what to do, beside it: the profile itself is for programs.
void tell_missing_places(const JobResult& result) {
  const auto is_known = [](const mesh::Statistic& one) {
    return std::ranges::any_of(one.labels, [](const auto& label) {
      return label.first == "place" && label.second != "?";
    });
  };
  if (result.profile.empty() || std::ranges::any_of(result.profile, is_known)) return;
  std::fputs("rccerun: --profile: the program does not tell its source lines; compile it with rccecc -g\n",
             stderr);
}

void write_profile(const LaunchOptions& options, const JobResult& result) {
  if (!options.job.profile) return;
  const std::string& file = options.profile_file;
  write_text("--profile", file,
             file.ends_with(".folded") ? result.folded
                                       : mesh::write_statistics(result.profile, format_of(file)));
  tell_missing_places(result);
}

void write_why(const LaunchOptions& options, const JobResult& result, const std::vector<WhatIf>& what_ifs) {
  if (!options.job.why) return;
  const bool json = options.why_file.ends_with(".json");
  write_text("--why", options.why_file, json ? why_json(result, what_ifs) : why_text(result, what_ifs));
}

void write_list(const char* option, const std::string& file, const mesh::Statistics& list,
                std::string (*text_of)(const mesh::Statistics&, Format)) {
  if (!file.empty()) mesh::write_output(option, file, text_of(list, format_of(file)));
}

} // namespace

void write_reports(const LaunchOptions& options, const JobResult& result,
                   const std::vector<WhatIf>& what_ifs) {
  Attempts each;
  each.attempt([&] { check_trace(options, result); });
  each.attempt([&] { write_statistics(options, result); });
  each.attempt([&] { write_profile(options, result); });
  each.attempt([&] { write_why(options, result, what_ifs); });
  each.attempt([&] { write_list("--matrix", options.matrix_file, result.matrix, mesh::write_statistics); });
  each.attempt([&] {
    if (options.die) mesh::write_error("--die", die_of(options, result));
  });
  each.attempt([&] { write_list("--links", options.links_file, result.links, mesh::write_links); });
  each.check();
}

} // namespace rcce
