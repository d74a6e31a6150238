#include "launcher/report_files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "mesh_sim/errors.hpp"

namespace rcce {
namespace {

namespace fs = std::filesystem;
using Format = mesh::StatisticsFormat;

void check_file(const char* option, const std::string& file, bool overwrite) {
  if (file.empty()) return;
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

void write_file(const char* option, const std::string& file, const std::string& text) {
  std::FILE* const out = std::fopen(file.c_str(), "w");
  bool written = out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (out != nullptr) written = std::fclose(out) == 0 && written;
  if (!written)
    throw mesh::UserError(fmt::format("{} '{}': cannot be written: {}", option, file, std::strerror(errno)));
}

} // namespace

void check_report_files(const LaunchOptions& options) {
  check_file("--statistics", options.statistics_file, options.overwrite);
  check_file("--matrix", options.matrix_file, options.overwrite);
  if (!options.matrix_file.empty() && options.matrix_file == options.statistics_file)
    throw mesh::UserError(
        fmt::format("--statistics and --matrix '{}': each wants a file of its own", options.matrix_file));
}

void write_reports(const LaunchOptions& options, const JobResult& result) {
  const std::string& file = options.statistics_file;
  if (!result.statistics.empty()) {
    const Format format = options.statistics_format.value_or(format_of(file));
    const std::string text = mesh::write_statistics(result.statistics, format);
    if (file.empty())
      std::fputs(text.c_str(), stderr);
    else
      write_file("--statistics", file, text);
  }
  if (!options.matrix_file.empty())
    write_file("--matrix", options.matrix_file,
               mesh::write_statistics(result.matrix, format_of(options.matrix_file)));
}

} // namespace rcce
