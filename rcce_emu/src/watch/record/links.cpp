// SPDX-License-Identifier: Apache-2.0
// `--links`, `--die`: the load of links, buffer ports and memory controllers.
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/observe/die.hpp"
#include "mesh_sim/observe/resource_usage.hpp"
#include "mesh_sim/output_file.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "mesh_sim/terminal.hpp"
#include "watch/record/recorded_run.hpp"
#include "watch/record/rows.hpp"

namespace rcce::record {
namespace {

constexpr RecordingOption links_options[] = {
    {.names = "links",
     .value = "FILE",
     .help = "load of each link, buffer port and memory controller: packets, bytes, busy time and its share, "
             "queueing time, worst queue, longest wait; format as with --statistics",
     .bench_help = "of that run, start and checks included, packets, busy time, queueing and bytes of each "
                   "link, buffer "
                   "port and memory controller, to the file",
     .of_one_run = true},
    {.names = "die",
     .help = "draw the die after the run, on stderr: ranks on their tiles, load of links, buffer ports and "
             "memory controllers; in colour on a terminal, unless NO_COLOR is set",
     .bench_help =
         "the die after it, on stderr: ranks on their tiles, load of links, buffer ports and memory "
         "controllers",
     .of_one_run = true}};

class LinksRecording final : public Recording {
 public:
  explicit LinksRecording(const JobOptions& job)
      : Recording(links_row),
        file_(value_of(job, "links")),
        die_(job.recording.records.contains("die")),
        topology_(job.machine.parameters().topology()),
        ranks_(static_cast<std::size_t>(topology_.cores()), -1) {
    const std::string_view option = file_.empty() ? "--die" : "--links";
    need_contended(job, option);
    // Where nobody contends for links nobody counts what passes them.
    constexpr std::string_view contention = "mesh.contention";
    if (job.machine.has(contention) && job.machine.text(contention) == "off")
      throw mesh::UserError(fmt::format("{} with --contention off: links, buffers and controllers are not "
                                        "simulated; leave --contention on",
                                        option));
  }

  void begin(RecordedRun& run) override { resources_ = &run.resources(); }
  void end(RecordedRun& run, JobResult& result) override {
    resources_->report(
        table_, [&](mesh::ResourceId one) { return run.name_of(one); }, run.end());
    for (const UeResult& ue : result.ues) ranks_[static_cast<std::size_t>(ue.core)] = ue.rank;
  }
  void write() const override {
    if (die_)
      mesh::write_error("--die",
                        mesh::die_text(topology_, table_, ranks_, mesh::takes_colours(STDERR_FILENO),
                                       mesh::takes_utf8(STDERR_FILENO)));
    if (!file_.empty())
      mesh::write_output("--links", file_, mesh::write_links(table_, mesh::statistics_format(file_)));
  }

 private:
  std::string file_;
  bool die_;
  mesh::Topology topology_;
  std::vector<int> ranks_; ///< by core; -1: none
  const mesh::ResourceUsage* resources_ = nullptr;
};

} // namespace

constinit const RecordingRow links_row{"links", links_options, make<LinksRecording>};

} // namespace rcce::record
