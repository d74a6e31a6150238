// SPDX-License-Identifier: Apache-2.0
// `--call-count`: the recording of the test that follows CONTRIBUTING.md.
#include <cstdint>
#include <cstdio>

#include <fmt/format.h>

#include "watch/record/recorded_run.hpp"
#include "watch/record/rows.hpp"

namespace rcce::record {
namespace {

constexpr RecordingOption call_count_options[] = {
    {"call-count", "", "how many calls have returned, on stderr"}};

class CallCount final : public mesh::Observer {
 public:
  [[nodiscard]] mesh::EventMask wants() const override { return mesh::EventMask::calls; }
  void call_ends(const mesh::Call&) override { ++count_; }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  std::uint64_t count_ = 0;
};

class CallCountRecording final : public Recording {
 public:
  explicit CallCountRecording(const JobOptions&) : Recording(call_count_row) {}
  void begin(RecordedRun& run) override { run.hear(calls_); }
  void end(RecordedRun&, JobResult&) override { text_ = fmt::format("calls {}\n", calls_.count()); }
  void write() const override { std::fputs(text_.c_str(), stderr); }

 private:
  CallCount calls_;
};

} // namespace

constinit const RecordingRow call_count_row{"call_count", call_count_options, make<CallCountRecording>};

} // namespace rcce::record
