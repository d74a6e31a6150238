// SPDX-License-Identifier: Apache-2.0
// `--digest`: a hash by which two runs are compared.
#include <cstdio>

#include <fmt/format.h>

#include "engine/ue/engines.hpp"
#include "mesh_sim/observe/digest.hpp"
#include "watch/record/recorded_run.hpp"
#include "watch/record/rows.hpp"

namespace rcce::record {
namespace {

constexpr RecordingOption digest_options[] = {
    {"digest", "", "a hash over the order and time of all events, on stderr: the same on every host"}};

class DigestRecording final : public Recording {
 public:
  explicit DigestRecording(const JobOptions& job) : Recording(digest_row) {
    need(job, capabilities_of(job).repeatable, "--digest",
         "cores that act at the same time have no order of events that repeats");
  }
  void begin(RecordedRun& run) override { run.hear(digest_); }
  void end(RecordedRun& run, JobResult& result) override {
    result.digest = digest_.value();
    const ComputeModel compute = run.options().library.compute;
    text_ = counts(compute)
        ? fmt::format("digest {}:{:016x} ({})\n", compute == ComputeModel::blocks ? "blocks" : "cache",
                      result.digest, result.counted_by)
        : fmt::format("digest {:016x}\n", result.digest);
  }
  void write() const override { std::fputs(text_.c_str(), stderr); }

 private:
  mesh::Digest digest_;
};

} // namespace

constinit const RecordingRow digest_row{"digest", digest_options, make<DigestRecording>};

} // namespace rcce::record
