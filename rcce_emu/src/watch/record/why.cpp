// SPDX-License-Identifier: Apache-2.0
// `--why`: the critical path, and what the run would take with one thing changed.
#include "watch/record/why.hpp"

#include "engine/ue/engines.hpp"
#include "engine/ue/job_state.hpp"
#include "mesh_sim/output_file.hpp"
#include "watch/record/code_places.hpp"
#include "watch/record/recorded_run.hpp"
#include "watch/record/rows.hpp"

namespace rcce::record {
namespace {

constexpr RecordingOption why_options[] = {
    {.names = "why",
     .value = "[=FILE]",
     .help = "why the run took so long: its critical path by kind of time, call, link and core, and the "
             "run's time with one thing changed. For the latter, the program first runs five times more, "
             "without output. On stderr, or to FILE, as JSON if it ends in .json",
     .bench_help = "its critical path and what it would take with one thing changed, of a collective "
                   "operation from the "
                   "release to the last end: on stderr, or with --why=FILE to the file, as JSON where that "
                   "ends in .json",
     .of_one_run = true},
    {.names = "what-if",
     .value = "on|off",
     .help = "whether --why also runs the program with one thing changed (default: on)",
     .is_detail = true}};

class WhyRecording final : public Recording {
 public:
  explicit WhyRecording(const JobOptions& job) : Recording(why_row), file_(value_of(job, "why")) {
    need(job, capabilities_of(job).repeatable, "--why", "what has ended a wait is not known");
  }

  void prepare(const JobOptions& job, RunJob run) override {
    if (value_of(job, "what-if") != "off") what_ifs_ = run_alternatives(job, run);
  }
  void begin(RecordedRun& run) override {
    mesh::CriticalPath& path = run.critical_path();
    path.set_distance(run.distance());
    if (run.part() == nullptr) // of a part, calls alone are told
      path.set_place([this, &job = run.job()](int core) {
        const Ue* const ue = job.ue_on(core);
        return ue == nullptr ? -1 : places_.innermost(*ue);
      });
  }
  void end(RecordedRun& run, JobResult& result) override {
    std::vector<std::string> functions;
    const std::vector<CodePlaces::Functions> inlined = places_.functions();
    for (int frame = 0; frame < static_cast<int>(inlined.size()); ++frame) {
      int at = frame; // what rccecc has put in has none: its time is its caller's
      while (at >= 0 && inlined[static_cast<std::size_t>(at)].empty())
        at = places_.frames()[static_cast<std::size_t>(at)].parent;
      functions.push_back(at < 0 ? "?" : inlined[static_cast<std::size_t>(at)].front().function);
    }
    const Why why{run.path(), result, what_ifs_, functions};
    text_ = file_.ends_with(".json") ? why_json(why) : why_text(why);
  }
  void write() const override { mesh::write_text("--why", file_, text_); }

 private:
  std::string file_;
  CodePlaces places_; ///< places of own code outside of calls
  std::vector<WhatIf> what_ifs_;
};

} // namespace

constinit const RecordingRow why_row{"why", why_options, make<WhyRecording>};

} // namespace rcce::record
