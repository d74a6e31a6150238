// SPDX-License-Identifier: Apache-2.0
// What is alike for all recordings.
#include "rcce_emu/recordings.hpp"

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "engine/ue/engines.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/output_file.hpp"
#include "rcce_emu/report_page.hpp"
#include "watch/record/rows.hpp"

namespace rcce {
namespace {

#define ROCKCREEK_ROW(name) &record::name##_row,
constexpr const RecordingRow* rows[] = {ROCKCREEK_RECORDINGS(ROCKCREEK_ROW)};
#undef ROCKCREEK_ROW

std::string_view first_name(const RecordingOption& option) {
  return option.names.substr(0, option.names.find(' '));
}

const record::Recording* find(const JobResult& result, std::string_view name) {
  const auto found =
      std::ranges::find(result.recordings, name, [](const auto& one) { return one->row().name; });
  return found == result.recordings.end() ? nullptr : found->get();
}

} // namespace

bool writes_file(const RecordingOption& option) noexcept {
  return option.value.ends_with("FILE") || option.value.ends_with("FILE]");
}

bool asks_for(const Records& records, const RecordingRow& row) {
  return records.contains(row.name) || std::ranges::any_of(row.options, [&](const RecordingOption& option) {
           return !option.is_detail && records.contains(first_name(option));
         });
}

std::span<const RecordingRow* const> recording_rows() noexcept {
  return rows;
}

std::vector<RecordingOption> recording_options() {
  std::vector<RecordingOption> all;
  for (const RecordingRow* const row : rows) all.insert(all.end(), row->options.begin(), row->options.end());
  return all;
}

void check_recording_files(const Records& records, bool overwrite) {
  struct Written {
    std::string_view option;
    const std::string& file;
  };
  std::vector<Written> written;
  for (const RecordingOption& option : recording_options()) {
    const auto given = records.find(first_name(option));
    if (!writes_file(option) || given == records.end() || given->second.empty()) continue;
    written.push_back({given->first, given->second});
  }
  if (records.contains("report")) check_report_page("--report");
  for (const Written& one : written) {
    if (const std::string why = mesh::why_not_new(one.file, overwrite); !why.empty())
      throw mesh::UserError(fmt::format("--{} '{}': {}", one.option, one.file, why));
    for (const Written& other : written)
      if (one.option != other.option && mesh::same_file(one.file, other.file))
        throw mesh::UserError(fmt::format("--{} and --{} '{}': both write to the same file; name two files",
                                          one.option, other.option, other.file));
  }
}

std::vector<std::string> write_recordings(const JobResult& result) {
  std::vector<std::string> failures;
  for (const auto& one : result.recordings) try {
      one->write();
    } catch (const mesh::UserError& error) {
      failures.emplace_back(error.what());
    }
  return failures;
}

const mesh::Statistics& JobResult::table(std::string_view recording) const {
  static const mesh::Statistics none;
  const record::Recording* const one = find(*this, recording);
  return one == nullptr ? none : one->table();
}

const std::string& JobResult::text(std::string_view recording) const {
  static const std::string none;
  const record::Recording* const one = find(*this, recording);
  return one == nullptr ? none : one->text();
}

namespace record {

std::string value_of(const JobOptions& job, std::string_view option) {
  const auto given = job.recording.records.find(option);
  return given == job.recording.records.end() ? std::string() : given->second;
}

void need(const JobOptions& job, bool possible, std::string_view option, std::string_view why_not) {
  if (!possible)
    throw mesh::UserError(
        fmt::format("{} with --engine {}: {}; use --engine sim", option, name_of(job.engine.kind), why_not));
}

void need_contended(const JobOptions& job, std::string_view option) {
  need(job, capabilities_of(job).contended, option, "links, buffers and controllers are not simulated");
}

int far_from_the_programs(int fd) {
  return fcntl(fd, F_DUPFD_CLOEXEC, 200);
}

void lend_standard_output(const JobOptions& job) {
  if (!job.output.sink) dup2(STDERR_FILENO, STDOUT_FILENO);
}

} // namespace record
} // namespace rcce
