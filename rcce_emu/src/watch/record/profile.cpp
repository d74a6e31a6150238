// SPDX-License-Identifier: Apache-2.0
// `--profile`: where the program's time goes. Simulated time by the place of each call of the library, with
// the calls of functions that led there; and the program's own time by the place where it has been counted,
// which is in the function that took it. Time between calls that nothing has counted is the next call's
// place's. What is kept does not grow with the run, but by places.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/ue/engines.hpp"
#include "engine/ue/job_state.hpp"
#include "mesh_sim/observe/lock_usage.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/observe/usage.hpp"
#include "mesh_sim/output_file.hpp"
#include "watch/record/code_places.hpp"
#include "watch/record/recorded_run.hpp"
#include "watch/record/rows.hpp"

namespace rcce::record {
namespace {

constexpr RecordingOption profile_options[] = {
    {.names = "profile",
     .value = "[=FILE]",
     .help = "simulated time of all UEs by library call and source line, and of the program's own code "
             "by function. Without FILE a table on stderr. FILE ending in .folded is for flame graphs "
             "and speedscope; .csv, .json, else a table",
     .bench_help =
         "its time by the algorithm's calls and their source lines, of the same part: on stderr, or with "
         "--profile=FILE to the file: .csv, .json, .folded for flame graphs, else a table",
     .of_one_run = true}};

constexpr mesh::StatisticKind profile_time{"profile.time", "us",
                                           "simulated time of all UEs in calls from this place; with - as "
                                           "call, in the program's own code up to there"},
    profile_share{"profile.share", "%", "that time's part of all"},
    profile_copying{"profile.copying", "us", "part of profile.time: copies to and from message buffers"},
    profile_waiting{"profile.waiting", "us", "part of profile.time: waiting for other UEs"},
    profile_count{"profile.count", "1", "calls from this place, including those that have not returned"},
    profile_hops{
        "profile.hops", "1",
        "links between the core and what its copies and accesses in these calls concern, on average"};

/// In place of a call's number, and back.
constexpr int own_code_before(int call) {
  return -1 - call;
}
constexpr int own_code = std::numeric_limits<int>::min(); ///< that the program has counted

using Functions = CodePlaces::Functions;

std::string place_text(const host::Position& position) {
  return position.line == 0 ? "?" : fmt::format("{}:{}", position.file, position.line);
}

/// The frames' functions, the innermost first, without the program's side of the call itself.
Functions stack_of(const std::vector<Functions>& functions, std::vector<int> frames, std::string_view call) {
  Functions stack;
  for (const int frame : frames) {
    const Functions& inlined = functions[static_cast<std::size_t>(frame)];
    stack.insert(stack.end(), inlined.begin(), inlined.end());
  }
  const auto own =
      std::ranges::find_if_not(stack, [&](const host::Position& one) { return one.function == call; });
  stack.erase(stack.begin(), own);
  return stack;
}

class ProfileRecording final : public Recording, private mesh::Observer {
 public:
  explicit ProfileRecording(const JobOptions& job)
      : Recording(profile_row),
        file_(value_of(job, "profile")),
        embedded_(job.output.sink != nullptr),
        cores_(static_cast<std::size_t>(job.machine.cores())) {}

  void begin(RecordedRun& run) override {
    job_ = &run.job();
    run.hear_here(*this);
    if (!capabilities_of(job_->options()).contended) return;
    times_ = run.usage().times();
    (void)run.locks();
  }
  std::string part(const RecordedRun& run) const override;
  void take(RecordedRun& run, const std::string& part) override;
  /// Finds the names of the places, by addr2line where it is there. The table has profile.time (us),
  /// profile.share (%), profile.count: labels function, place ("ring.c:12"), call; that of the program's own
  /// code before a call is "-". Where the machine adds up what its cores do, profile.copying and
  /// profile.waiting (us) and profile.hops of calls, profile.l2 and profile.memory (us) of own code, and the
  /// locks, too. The text has a line for each stack: "main;exchange;RCCE_send 12345", outermost first,
  /// picoseconds of all UEs.
  void end(RecordedRun& run, JobResult& result) override;
  void write() const override;

 private:
  struct Spent {
    Picoseconds time = 0, copying = 0, waiting = 0;
    std::uint64_t count = 0;
    mesh::AccessTimes::Distance distance = {};
    Picoseconds memory = 0, l2 = 0; ///< time of own code's accesses; l2 is part of memory
    void add(const Spent& other) noexcept {
      time += other.time, copying += other.copying, waiting += other.waiting, count += other.count;
      distance.hops += other.distance.hops, distance.accesses += other.distance.accesses;
      memory += other.memory, l2 += other.l2;
    }
  };
  struct PerCore {
    int depth = 0;
    int frame = -1;                 ///< frame of the present call
    int latest = -1;                ///< frame of the latest call or count of own code
    int kind = -1;                  ///< likewise
    Picoseconds since = 0;          ///< it has begun, or the last one has ended
    Picoseconds counted = 0;        ///< time of the program's own code since
    mesh::AccessTimes before;       ///< the core's times when the present call began
    Picoseconds memory = 0, l2 = 0; ///< times of the program's own code so far
  };

  [[nodiscard]] mesh::EventMask wants() const override {
    return mesh::EventMask::calls | mesh::EventMask::code;
  }
  void ran(int core, Picoseconds time) override;
  void call_begins(const mesh::Call& call) override;
  void call_ends(const mesh::Call& call) override;
  void unfinished(const mesh::Unfinished& core) override;
  [[nodiscard]] int innermost_frame(int core) {
    const Ue* const ue = job_->ue_on(core);
    return ue == nullptr ? -1 : places_.stack(*ue);
  }
  /// The present call ends.
  void count_call(int core, Picoseconds at, Picoseconds still_waiting = 0);
  /// Own code behind the last call that nothing has counted, such as loops that look at plain memory.
  void count_rest(const UeResult& ue, Picoseconds end);

  std::string file_;
  bool embedded_; ///< somebody else than a program's own run asks
  Job* job_ = nullptr;
  std::vector<PerCore> cores_;
  std::span<const mesh::AccessTimes> times_; ///< by core; empty where nobody adds them up

  std::set<std::string, std::less<>> files_; ///< files of other processes' frames
  CodePlaces places_;
  std::map<std::pair<int, int>, Spent>
      spent_; ///< by innermost frame and number of the call; own code before it is below 0
};

std::string ProfileRecording::part(const RecordedRun& run) const {
  nlohmann::json part{{"frames", nlohmann::json::array()}, {"spent", nlohmann::json::array()}};
  for (const CodePlaces::Frame& one : places_.frames())
    part["frames"].push_back({one.parent, *one.file, one.offset});
  for (const auto& [where, spent] : spent_)
    part["spent"].push_back({where.first, where.second, spent.time, spent.count});
  part["calls"] = run.observers().call_names();
  for (std::size_t core = 0; core < cores_.size(); ++core)
    if (const PerCore& one = cores_[core]; one.since > 0 || one.depth > 0)
      part["cores"].push_back({core, one.depth, one.frame, one.kind, one.since});
  return part.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void ProfileRecording::take(RecordedRun& run, const std::string& text) {
  const nlohmann::json part = nlohmann::json::parse(text);
  std::vector<int> frames, kinds;
  const auto frame_of = [&](int number) {
    return number < 0 ? -1 : frames[static_cast<std::size_t>(number)];
  };
  const auto kind_of = [&](int number) {
    if (number == own_code) return number;
    const bool own = number < 0;
    const int kind = kinds[static_cast<std::size_t>(own ? own_code_before(number) : number)];
    return own ? own_code_before(kind) : kind;
  };
  for (const auto& one : part["frames"])
    frames.push_back(
        places_.number_of({frame_of(one[0]), &*files_.insert(one[1].get<std::string>()).first, one[2]}));
  for (const auto& one : part["calls"]) kinds.push_back(run.observers().call_kind(one.get<std::string>()));
  for (const auto& one : part["spent"]) {
    Spent& spent = spent_[{frame_of(one[0]), kind_of(one[1])}];
    spent.time += one[2].get<Picoseconds>();
    spent.count += one[3].get<std::uint64_t>();
  }
  for (const auto& one : part.value("cores", nlohmann::json::array())) {
    const int kind = one[3];
    PerCore& core = cores_[one[0].get<std::size_t>()];
    core.depth = one[1];
    core.frame = frame_of(one[2]);
    core.kind = kind < 0 ? -1 : kind_of(kind);
    core.since = one[4];
  }
}

void ProfileRecording::call_begins(const mesh::Call& call) {
  PerCore& one = cores_[static_cast<std::size_t>(call.core)];
  if (one.depth++ > 0) return;
  one.frame = one.latest = innermost_frame(call.core);
  one.kind = call.kind;
  if (!times_.empty()) one.before = times_[static_cast<std::size_t>(call.core)];
  if (const Picoseconds time = call.at - one.since - std::exchange(one.counted, 0); time > 0)
    spent_[{one.frame, own_code_before(call.kind)}].time += time;
  one.since = call.at;
}

void ProfileRecording::ran(int core, Picoseconds time) {
  PerCore& one = cores_[static_cast<std::size_t>(core)];
  const Ue* const ue = job_->ue_on(core);
  const Picoseconds memory = ue == nullptr ? 0 : ue->memory_spent + ue->memory_time,
                    l2 = ue == nullptr ? 0 : ue->l2_spent + ue->l2_time;
  const Spent own{.time = time,
                  .memory = memory - std::exchange(one.memory, memory),
                  .l2 = l2 - std::exchange(one.l2, l2)};
  if (one.depth > 0) return; // a function of the program's that the call has called
  one.latest = innermost_frame(core);
  spent_[{one.latest, own_code}].add(own);
  one.counted += time;
}

void ProfileRecording::call_ends(const mesh::Call& call) {
  PerCore& one = cores_[static_cast<std::size_t>(call.core)];
  if (one.depth > 0 && --one.depth == 0) count_call(call.core, call.at);
}

void ProfileRecording::unfinished(const mesh::Unfinished& core) {
  PerCore& one = cores_[static_cast<std::size_t>(core.core)];
  if (std::exchange(one.depth, 0) > 0) count_call(core.core, core.at, core.waits ? core.at - core.since : 0);
}

void ProfileRecording::count_call(int core, Picoseconds at, Picoseconds still_waiting) {
  PerCore& one = cores_[static_cast<std::size_t>(core)];
  Spent call{.time = at - one.since, .waiting = still_waiting, .count = 1};
  if (!times_.empty()) {
    const mesh::AccessTimes& now = times_[static_cast<std::size_t>(core)];
    call.copying = now.putting + now.getting - one.before.putting - one.before.getting;
    call.waiting += now.waiting - one.before.waiting;
    const auto part = [](const mesh::AccessTimes& times) {
      return mesh::AccessTimes::Distance{times.copies.hops + times.singles.hops,
                                         times.copies.accesses + times.singles.accesses};
    };
    call.distance = {part(now).hops - part(one.before).hops, part(now).accesses - part(one.before).accesses};
  }
  spent_[{one.frame, one.kind}].add(call);
  one.since = at;
}

void ProfileRecording::count_rest(const UeResult& ue, Picoseconds end) {
  const PerCore& one = cores_[static_cast<std::size_t>(ue.core)];
  const Picoseconds time = (ue.ended ? ue.end : end) - one.since - one.counted;
  if (one.depth == 0 && time > 0) spent_[{one.latest, own_code}].time += time;
}

void ProfileRecording::end(RecordedRun& run, JobResult& result) {
  if (!times_.empty() && run.part() == nullptr)
    for (const UeResult& ue : result.ues) count_rest(ue, result.end);
  const std::vector<std::string>& call_names = run.observers().call_names();
  const std::vector<Functions> functions = places_.functions();
  std::map<std::array<std::string, 3>, Spent> lines;
  std::map<std::string, Picoseconds> stacks;
  Picoseconds all = 0;
  for (const auto& [where, spent] : spent_) {
    std::vector<int> frames;
    for (int frame = where.first; frame >= 0;
         frame = places_.frames()[static_cast<std::size_t>(frame)].parent)
      frames.push_back(frame);
    const bool own = where.second < 0;
    const std::string next = where.second == own_code
        ? ""
        : call_names[static_cast<std::size_t>(own ? own_code_before(where.second) : where.second)];
    const std::string call = own ? "-" : next;
    const Functions stack = stack_of(functions, frames, next);
    std::string folded;
    for (std::size_t i = stack.size(); i > 0; --i)
      folded += fmt::format("{}{}", folded.empty() ? "" : ";", stack[i - 1].function);
    if (!own || folded.empty())
      folded += fmt::format("{}{}", folded.empty() ? "" : ";", own ? "program" : call);
    stacks[folded] += spent.time;
    Spent& line = lines[{stack.empty() ? "?" : stack.front().function,
                         stack.empty() ? "?" : place_text(stack.front()), call}];
    line.add(spent);
    all += spent.time;
  }
  const bool l2_known = std::ranges::any_of(result.ues, [](const UeResult& ue) { return ue.l2 >= 0; });
  for (const auto& [where, spent] : lines) {
    const mesh::Labels labels{{"function", where[0]}, {"place", where[1]}, {"call", where[2]}};
    add(table_, profile_time, labels, mesh::microseconds(spent.time));
    add(table_, profile_share, labels,
        all == 0 ? 0 : 100 * static_cast<double>(spent.time) / static_cast<double>(all));
    if (!times_.empty()) {
      add(table_, profile_copying, labels, mesh::microseconds(spent.copying));
      add(table_, profile_waiting, labels, mesh::microseconds(spent.waiting));
    }
    add(table_, profile_count, labels, static_cast<double>(spent.count));
    if (!times_.empty()) add(table_, profile_hops, labels, spent.distance.mean());
    if (!l2_known) continue;
    add(table_, mesh::profile_l2, labels, mesh::microseconds(spent.l2));
    add(table_, mesh::profile_memory, labels, mesh::microseconds(spent.memory - spent.l2));
  }
  if (!times_.empty()) run.locks().report(table_, run.part() == nullptr ? run.end() : run.part()->end());
  for (const auto& [stack, spent] : stacks)
    if (spent > 0) text_ += fmt::format("{} {}\n", stack, spent);
}

void ProfileRecording::write() const {
  mesh::write_text(
      "--profile", file_,
      file_.ends_with(".folded") ? text_ : mesh::write_statistics(table_, mesh::statistics_format(file_)));
  const auto is_known = [](const mesh::Statistic& one) {
    return std::ranges::any_of(
        one.labels, [](const auto& label) { return label.first == "place" && label.second != "?"; });
  };
  // Said beside a profile whose places are all unknown: the profile itself is for programs.
  if (!embedded_ && !table_.empty() && std::ranges::none_of(table_, is_known))
    std::fputs("rccerun: --profile: the program does not tell its source lines; compile it with rccecc -g\n",
               stderr);
}

} // namespace

constinit const RecordingRow profile_row{"profile", profile_options, make<ProfileRecording>};

} // namespace rcce::record
