// SPDX-License-Identifier: Apache-2.0
#include "records.hpp"

#include <cerrno>
#include <unistd.h>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/observe/die.hpp"
#include "mesh_sim/output_file.hpp"
#include "mesh_sim/terminal.hpp"
#include "rcce_emu/why.hpp"
#include "report.hpp"

namespace rccebench {
namespace {

/// The file of the trace while the run writes to it.
class TraceFile {
 public:
  explicit TraceFile(const std::string& file) : fd_(file.empty() ? -1 : mesh::open_output(file)) {
    if (!file.empty() && fd_ < 0) refuse(file, errno);
  }
  ~TraceFile() {
    if (fd_ >= 0) close(fd_);
  }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  [[nodiscard]] int fd() const noexcept { return fd_; }
  [[noreturn]] static void refuse(const std::string& file, int error) {
    mesh::throw_unwritten("--trace", file, error);
  }

 private:
  int fd_;
};

void write_list(const char* option, const std::string& file, const mesh::Statistics& list) {
  if (!file.empty()) write_text(option, file, mesh::write_statistics(list, statistics_format(file)));
}

std::string die_of(const Machine& machine, const rcce::JobResult& result) {
  const mesh::Topology topology = machine.config.parameters().topology();
  std::vector<int> ranks(static_cast<std::size_t>(topology.cores()), -1);
  for (const rcce::UeResult& ue : result.ues) ranks[static_cast<std::size_t>(ue.core)] = ue.rank;
  return mesh::die_text(topology, result.links, ranks, mesh::takes_colours(STDERR_FILENO),
                        mesh::takes_utf8(STDERR_FILENO));
}

} // namespace

void RecordOptions::add_to(Command& command) {
  command.only_new(command.option(
      "--matrix", matrix_file,
      "messages and bytes by sender and receiver of the one run that is asked for, to the file: .csv, .json, "
      "else a table; of a collective operation its data alone, messages or puts and gets"));
  command.only_new(command.option(
      "--links", links_file,
      "of that run, start and checks included, packets, busy time, queueing and bytes of each link, buffer "
      "port and memory controller, to the file"));
  command.only_new(command.option("--trace", trace_file,
                                  "its timeline as JSON that Perfetto (ui.perfetto.dev) opens, to the file"));
  command.only_new(command.optional_value(
      "--why", why, why_file,
      "its critical path and what it would take with one thing changed, of a collective operation from the "
      "release to the last end: on stderr, or with "
      "--why=FILE to the file, as JSON where that ends in .json"));
  command.only_new(command.optional_value(
      "--profile", profile, profile_file,
      "its time by the algorithm's calls and their source lines, of the same part: on stderr, or with "
      "--profile=FILE to the file: .csv, .json, .folded for flame graphs, else a table"));
  command.flag("--die", die,
               "the die after it, on stderr: ranks on their tiles, load of links, buffer ports and memory "
               "controllers");
}

void check_records(const RecordOptions& options, std::size_t runs, std::string_view advice) {
  if (!options.any() || runs == 1) return;
  throw mesh::UserError(fmt::format("--matrix, --links, --trace, --why, --profile and --die record one run, "
                                    "and {} are asked for: choose {}",
                                    runs, advice));
}

void write_records(const RecordOptions& options, const Machine& machine,
                   const std::function<Output(const Recorded&)>& run) {
  const TraceFile trace(options.trace_file);
  const Output output = run({.matrix = !options.matrix_file.empty(),
                             .links = options.die || !options.links_file.empty(),
                             .why = options.why,
                             .profile = options.profile,
                             .trace_fd = trace.fd()});
  if (output.result.trace_error != 0) TraceFile::refuse(options.trace_file, output.result.trace_error);
  write_list("--matrix", options.matrix_file, output.result.matrix);
  if (!options.links_file.empty())
    write_text("--links", options.links_file,
               mesh::write_links(output.result.links, statistics_format(options.links_file)));
  if (options.profile)
    write_text("--profile", options.profile_file,
               options.profile_file.ends_with(".folded")
                   ? output.result.folded
                   : mesh::write_statistics(output.result.profile, statistics_format(options.profile_file)));
  if (options.die) write_text("--die", "", die_of(machine, output.result));
  if (!options.why) return;
  const bool json = options.why_file.ends_with(".json");
  write_text("--why", options.why_file,
             json ? why_json(output.result, output.what_ifs) : why_text(output.result, output.what_ifs));
}

} // namespace rccebench
