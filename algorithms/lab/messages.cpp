// SPDX-License-Identifier: Apache-2.0
#include "lab/messages.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/check.hpp"
#include "lab/compiled_programs.hpp"
#include "lab/job_point.h"
#include "lab/lists.hpp"
#include "lab/result_store.hpp"
#include "lab/sweep.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "rcce_emu/statuses.hpp"

namespace lab {
namespace {

constexpr int chip_columns = 6;
constexpr std::int64_t line_bytes = 32;
/// Host time of a run that checks an algorithm of the user's, and how many such runs there are: the first as
/// it is, the others with cores delayed between any two accesses.
constexpr double most_check_seconds = 60;
constexpr std::uint64_t own_check_runs = 3;
/// By what factor delays can lengthen such a run, on a busy host too: one that takes longer, and longer than
/// the seconds below, has a loop that never ends.
constexpr double most_stretch = 20, least_limit_seconds = 10;

std::string text_in(const nlohmann::json& object, const char* key) {
  const auto& value = object.at(key);
  return value.is_null() ? "" : value.get<std::string>();
}

Parameter parameter_of(const nlohmann::json& object) {
  Parameter result;
  result.name = text_in(object, "name");
  result.unit = text_in(object, "unit");
  result.tried = text_in(object, "tried");
  result.help = text_in(object, "help");
  result.least = object.at("least");
  result.most = object.at("most");
  result.default_value = object.at("default_value");
  if (const std::string words = text_in(object, "words"); !words.empty()) result.words = cut(words, ' ');
  result.fixed = object.at("fixed");
  result.or_file = object.at("or_file");
  return result;
}

Row row_of(const nlohmann::json& object) {
  Row result;
  result.name = text_in(object, "name");
  result.operation = text_in(object, "operation");
  result.summary = text_in(object, "summary");
  result.cost = text_in(object, "cost");
  result.source = text_in(object, "source");
  result.needs_mesh = object.at("needs_mesh");
  result.own_file = object.at("own_file");
  result.fixed_order = object.at("fixed_order");
  result.reads_payload = object.at("reads_payload");
  result.for_auto = !object.at("needs_registers") && !object.at("needs_air") && !result.own_file;
  result.needs_tags = object.at("needs_tags");
  result.exact_ranks = object.at("exact_ranks");
  for (const auto& one : object.at("parameters")) result.parameters.push_back(parameter_of(one));
  return result;
}

/// The core mesh that fills a machine other than the chip, where there is one: "rows=8 columns=16".
std::vector<std::string> mesh_words(const Point& what) {
  const mesh::MeshShape shape = what.machine->config.mesh();
  const bool chip = shape.columns == chip_columns && shape.cores_per_tile == 2;
  if (!what.fills_mesh || !what.row().needs_mesh || chip || what.cores % shape.columns != 0) return {};
  return {fmt::format("columns={}", shape.columns), fmt::format("rows={}", what.cores / shape.columns)};
}

/// A point as the program takes it, with everything that it points to, and with room for what comes back.
class JobPoint {
 public:
  explicit JobPoint(const Point& what)
      : operation_(what.row().operation),
        algorithm_(what.algorithm),
        type_(what.type),
        op_(what.op),
        ranks_(static_cast<std::size_t>(what.cores)),
        spaces_(what.row().own_file ? ranks_ : 0) {
    for (const std::string& word : mesh_words(what)) add_option(word);
    for (const auto& [name, value] : what.options) add_option(name + "=" + value);
    if (!what.spread.is_none())
      for (int repetition = 0; repetition < what.repetitions; ++repetition)
        for (const std::int64_t late : what.spread.delays(what.cores, repetition)) arrivals_.push_back(late);
    before_ = what.warm_up + (what.operation().has_message ? 0 : 1);
    times_.resize(static_cast<std::size_t>(before_ + what.repetitions) * ranks_);
    point_ = {.operation = operation_.c_str(),
              .algorithm = algorithm_.c_str(),
              .options = options_.c_str(),
              .type = type_.c_str(),
              .op = op_.c_str(),
              .bytes = what.bytes,
              .root = what.root,
              .warm_up = what.warm_up,
              .repetitions = what.repetitions,
              .reads = what.reads ? 1 : 0,
              .arrivals = arrivals_.empty() ? nullptr : arrivals_.data(),
              .times = times_.data(),
              .spaces = spaces_.empty() ? nullptr : spaces_.data(),
              .moves_payload = what.moves_payload ? 1 : 0,
              .inexact = 0,
              .choices = nullptr,
              .choice_count = 0,
              .calls = nullptr,
              .call_count = 0,
              .size_count = 0,
              .sizes = nullptr,
              .checked = nullptr,
              .lines = nullptr,
              .line_room = 0,
              .line_count = nullptr};
  }
  JobPoint(const JobPoint&) = delete;
  JobPoint& operator=(const JobPoint&) = delete;

  [[nodiscard]] lab_job_point* data() { return &point_; }
  /// Repetitions that differ in when the ranks arrive alone (nanoseconds, by repetition and rank), with
  /// operands whose sum tells the order in which it was made, others in each draw.
  void compare_orders(std::vector<std::int64_t> arrivals, int draw) {
    arrivals_ = std::move(arrivals);
    point_.arrivals = arrivals_.data();
    point_.inexact = 1 + draw;
  }
  /// The plan's calls, whose times ([calls][ranks]) come into `times`; both outlive the run.
  void check(const CheckPlan& plan, std::vector<lab_check_time>& times) {
    times.resize(plan.calls.size() * ranks_);
    point_.calls = plan.calls.data();
    point_.call_count = static_cast<std::int32_t>(plan.calls.size());
    point_.size_count = static_cast<std::int32_t>(plan.sizes.size());
    point_.sizes = plan.sizes.data();
    point_.checked = times.data();
    point_.moves_payload = 1;
  }
  /// Calls for_each(repetition, rank, time); repetitions before the timed ones have numbers below 0.
  template <class Body>
  void each(Body&& body) const {
    for (std::size_t i = 0; i < times_.size(); ++i)
      body(static_cast<int>(i / ranks_) - before_, static_cast<int>(i % ranks_), times_[i]);
  }

 private:
  void add_option(const std::string& word) { options_ += (options_.empty() ? "" : " ") + word; }

  std::string operation_, algorithm_, options_, type_, op_;
  std::size_t ranks_;
  int before_ = 0;
  std::vector<std::int64_t> arrivals_;
  std::vector<lab_time> times_;
  std::vector<lab_space> spaces_;
  lab_job_point point_{};
};

/// The recorded part of programs/collective.c: released() sleeps until the common release, and after the
/// operation each rank reads the clock. Before the repetitions come those that warm up, and the test of a
/// barrier.
rcce::RecordedPart part_of(const Point& what, int repetition) {
  const int before = what.warm_up + (what.operation().has_message ? 0 : 1);
  return {"rcce_sleep_until", "rcce_picoseconds", before + repetition};
}

/// True if the row says that its sums do not depend on arrival, or gives one to all ranks, and a sum can show
/// in which order it was made.
bool has_an_order(const Point& what) {
  const bool rounds =
      (what.type == "float" || what.type == "double") && (what.op == "sum" || what.op == "prod");
  return (what.row().fixed_order || what.row().operation == "allreduce") && what.operation().combines &&
      rounds && what.cores > 2;
}

/// Leaves of a timeline its critical path, and what the path's ranks did meanwhile if that is not too much
/// for a page of many runs.
void keep_path(nlohmann::ordered_json& timeline) {
  constexpr std::size_t most_slices = 1000;
  std::map<int, std::vector<std::pair<mesh::Picoseconds, mesh::Picoseconds>>> stays; // by rank, in order
  for (const auto& stay : timeline["path"]) {
    const auto from = stay[1].get<mesh::Picoseconds>();
    stays[stay[0].get<int>()].emplace_back(from, from + stay[2].get<mesh::Picoseconds>());
  }
  const auto lies_on_path = [&](const auto& slice) {
    const auto from = slice[2].template get<mesh::Picoseconds>(),
               to = from + slice[3].template get<mesh::Picoseconds>();
    const auto& of_rank = stays[slice[0].template get<int>()];
    const auto stay = std::ranges::upper_bound(of_rank, from, {}, [](const auto& one) { return one.second; });
    return stay != of_rank.end() && stay->first < to;
  };
  auto kept = nlohmann::ordered_json::array();
  if (timeline["left_out"] == 0)
    for (auto& slice : timeline["slices"])
      if (lies_on_path(slice)) kept.push_back(std::move(slice));
  if (kept.size() > most_slices) kept.clear();
  timeline["title"] = "The critical path";
  timeline["note"] = kept.empty()
      ? "What its ranks did meanwhile is too much for this page: --trace records it."
      : "With what its ranks did meanwhile; --trace records all that ranks did.";
  timeline["slices"] = std::move(kept);
  timeline["messages"] = timeline["unfinished"] = nlohmann::ordered_json::array();
  timeline["left_out"] = 0;
}

/// Calls in a row that were not refused.
std::size_t carried_out(const CheckPlan& plan, const std::vector<lab_check_time>& times) {
  const std::size_t ranks = times.size() / plan.calls.size();
  std::size_t done = 0;
  for (std::size_t call = plan.sizes.size(); call < plan.calls.size(); ++call)
    done += times[call * ranks].state == LAB_DONE ? 1 : 0;
  return done;
}

void require_fit(const Point& point) {
  if (const std::string why = point.backend->misfit(point); !why.empty()) throw mesh::UserError(why);
}

/// Throws UserError for what the programs' table cannot see of a row's parameters.
void check_parameters(const Row& row, const std::string& files) {
  const auto refuse = [&](const Parameter& one, const std::string& why) {
    throw mesh::UserError(fmt::format("--with '{}': algorithm '{}' cannot be used: parameter '{}': {}", files,
                                      row.name, one.name, why));
  };
  for (const Parameter& one : row.parameters) {
    if (std::ranges::count(row.parameters, one.name, &Parameter::name) > 1)
      refuse(one, "another has that name; rename one of them");
    try {
      if (!one.tried.empty()) (void)read_values(one, one.tried);
    } catch (const mesh::UserError& error) {
      refuse(one, fmt::format("its .tried as {}", error.what()));
    }
  }
}

} // namespace

std::shared_ptr<const Messages> Messages::with(const std::vector<std::string>& files, Generation generation) {
  static std::map<std::pair<std::vector<std::string>, Generation>, std::shared_ptr<const Messages>> known;
  auto& entry = known[{files, files.empty() ? Generation::rcce20 : generation}];
  if (!entry) entry.reset(new Messages(files, generation));
  return entry;
}

Messages::Messages(const std::vector<std::string>& files, Generation generation) : files_(files) {
  if (!files_.empty()) image_ = compile_with(files_, generation, Size::chip);
  const Machine chip = open_machine("scc");
  Run what = program(chip, generation, 1);
  const Output output = lab::run(chip, what);
  const nlohmann::json table = nlohmann::json::parse(output.text);
  for (const auto& one : table.at("faulty"))
    throw mesh::UserError(fmt::format("--with '{}': algorithm '{}' cannot be used: {}",
                                      fmt::join(files_, "' '"), text_in(one, "name"), text_in(one, "fault")));
  std::size_t own = 0;
  for (const auto& one : table.at("algorithms")) {
    rows_.push_back(row_of(one));
    if (!rows_.back().own_file) continue;
    check_parameters(rows_.back(), fmt::format("{}", fmt::join(files_, "' '")));
    ++own;
  }
  if (own == 0 && !files_.empty())
    throw mesh::UserError(
        fmt::format("--with '{}': there is no algorithm in it; define one by ROCKCREEK_ALGORITHM "
                    "(algorithms/WRITE_YOUR_OWN.md)",
                    fmt::join(files_, "' '")));
}

Run Messages::program(const Machine& machine, Generation generation, int cores) const {
  Run what;
  what.generation = generation;
  what.cores = machine.first_cores(cores);
  if (cores > chip_cores && generation != Generation::rcce20)
    throw mesh::UserError(fmt::format(
        "--rcce 1.0: its flags take a line each and leave no buffer on {} cores; use --rcce 2.0", cores));
  what.program = cores > cores_of_small_buffers ? "collective_larger"
      : cores > chip_cores                      ? "collective_large"
                                                : "collective";
  if (files_.empty()) return what;
  if (cores > cores_of_small_buffers)
    throw mesh::UserError(
        fmt::format("--with '{}': files of your own run on up to {} cores, {} were asked for",
                    fmt::join(files_, "' '"), cores_of_small_buffers, cores));
  if (cores > chip_cores) {
    const std::lock_guard guard(large_mutex_);
    if (large_image_.empty()) large_image_ = compile_with(files_, Generation::rcce20, Size::large);
  }
  what.program = (cores > chip_cores ? large_image_ : image_).string();
  what.place = ProgramSource::compiled;
  return what;
}

Run Messages::program(const Point& what) const {
  Run run = program(*what.machine, what.generation, what.cores);
  run.copies = what.copies;
  run.moves_payload = what.moves_payload;
  if (what.statistics) run.recording.records["statistics"];
  return run;
}

std::string Messages::misfit(const Point& point) const {
  if (std::string why = Backend::misfit(point); !why.empty()) return why;
  if (point.cores > most_program_cores)
    return fmt::format("--cores {}: algorithms on messages run on up to {} cores", point.cores,
                       most_program_cores);
  if (const auto bytes = static_cast<std::int64_t>(point.machine->config.message_buffer_bytes());
      point.cores > cores_of_small_buffers && bytes < large_buffer_bytes)
    return fmt::format(
        "{} cores: RCCE keeps two flags for each core in every message buffer, and those of machine "
        "'{}' have {} bytes; more than {} cores take --set tile.mpb_bytes={}",
        point.cores, point.machine_name, bytes, cores_of_small_buffers, large_buffer_bytes);
  if (!point.moves_payload && point.row().reads_payload)
    return fmt::format("--payload none: {} decides by the data of messages (ROCKCREEK_READS_PAYLOAD), so its "
                       "times would be wrong; leave the option or the algorithm out",
                       point.algorithm);
  return {};
}

int Messages::usual_warm_up(const Point& point) const {
  const Operation& operation = point.operation();
  return operation.in_place && point.reads ? 0 : 1; // others may keep memory for partial results
}

double Messages::weight(const Point& point) const {
  const double lines =
      static_cast<double>(point.bytes) / 32 + 200; // 200: hand-shakes and the start of a core
  return lines * point.cores * (point.warm_up + point.repetitions);
}

Output Messages::recorded(const Point& what, const rcce::Records& records, int repetition) const {
  require_fit(what);
  JobPoint handed(what);
  Run one = program(what);
  one.data = handed.data();
  one.recording.records = records;
  one.recording.part = part_of(what, repetition);
  return lab::run(*what.machine, one);
}

Result Messages::measure(const Point& what,
                         const std::function<std::vector<mesh::Observer*>(mesh::Observers&)>& watch) const {
  require_fit(what);
  const double before = thread_seconds();
  JobPoint handed(what);
  Run made = program(what);
  made.data = handed.data();
  made.recording.watch = watch;
  const bool own = what.row().own_file;
  const Output output = own ? run_to_end(*what.machine, made) : lab::run(*what.machine, made);
  const std::string call = what.call_text();
  const std::string timed =
      "the run that is timed" + (call.empty() ? std::string() : fmt::format(" ({})", call));
  // The other points go on.
  if (const int status = output.result.status; status != 0) {
    return refuted(fmt::format("{}: {}\n{}{}", timed, text_of_status(status, made.most_seconds),
                               output.complaints, output.result.report));
  }
  Result timing;
  timing.checked = what.moves_payload || !what.operation().has_message;
  if (what.statistics)
    timing.statistics = std::make_shared<const mesh::Statistics>(output.result.table("statistics"));
  timing.host_us = (thread_seconds() - before) * 1e6 / (what.warm_up + what.repetitions);

  Summary summary;
  const auto fails = [&](int rank, const std::string& why) {
    throw std::runtime_error(fmt::format("{} on {} cores, {} bytes: rank {} {}", what.algorithm, what.cores,
                                         what.bytes, rank, why));
  };
  std::string refusal; // of a row of the user's: the other rows go on
  handed.each([&](int repetition, int rank, const lab_time& time) {
    if (time.written == 0) fails(rank, fmt::format("left out repetition {}", repetition));
    if (time.wrong == LAB_TOO_LATE)
      fails(rank,
            "heard of the release too late: its message took longer than 20 us a core; either the machine is "
            "that slow, or messages of RCCE do not work behind the algorithm");
    if (time.wrong == LAB_CALL_FAILED && !own) fails(rank, "got an error: " + output.complaints);
    if (time.wrong == LAB_CALL_FAILED) {
      if (refusal.empty())
        refusal =
            fmt::format("{}: rank {} refuses the call, or it failed:\n{}", timed, rank, output.complaints);
      return;
    }
    timing.wrong_bytes += time.wrong;
    if (time.wrong > 0 && !timing.fault)
      timing.fault = Fault{rank, repetition, time.wrong, time.first, time.of_operand};
    if (repetition >= 0) summary.add(repetition, rank, time.arrived, time.done);
  });
  if (!refusal.empty()) return refuted(std::move(refusal));
  summary.write(timing, !what.spread.is_none());
  if (own) {
    timing.printed = output.text + output.complaints;
    if (!what.moves_payload)
      compare_without_payload(what);
    else if (has_an_order(what) && !timing.fault)
      compare_orders(what, timing);
  }
  return timing;
}

namespace {

/// Each element of a minimum or maximum is decided by one rank, in the next call by others. So a short vector
/// has as many further calls in a row as show each rank.
void add_deciding_calls(CheckPlan& plan, const Point& what) {
  if (!can_lack_ranks(what) || what.cores > most_deciding_ranks) return;
  const std::int64_t unit = element_bytes(what.type);
  for (std::size_t size = 0; size < plan.sizes.size(); ++size) {
    if (plan.sizes[size] <= 0) continue; // no element, or as many as a buffer holds
    const std::int64_t elements = (plan.sizes[size] + unit - 1) / unit;
    const int calls = elements < what.cores ? static_cast<int>((what.cores - 1) / elements + 1) : 0;
    for (int call = 0; call < calls; ++call)
      plan.calls.push_back({.size = static_cast<std::int32_t>(size),
                            .root = what.operation().has_root ? call % what.cores : what.root,
                            .late = -1,
                            .sends = 0,
                            .nulls = 0});
  }
}

} // namespace

Verdict Messages::check(const Point& what) const {
  std::vector<std::int64_t> sizes{0};
  if (what.operation().has_message) {
    sizes = {1, line_bytes, LAB_ONE_BUFFER, LAB_OVER_ONE_BUFFER};
    if (what.row().own_file) {
      sizes.insert(sizes.begin(), std::min(what.bytes, most_checked_bytes));
      sizes.push_back(0);
    }
  }
  CheckPlan plan = check_plan(what, std::move(sizes));
  add_deciding_calls(plan, what);
  const std::size_t in_turn = plan.calls.size();
  // A root's payload area is its own again when its call returns: it sends from there at once.
  const int ranks = what.cores;
  if (what.row().own_file && what.operation().has_root && ranks > 1)
    for (std::size_t size = 0; size < plan.sizes.size(); ++size)
      for (const int late : {-1, what.root})
        plan.calls.push_back({.size = static_cast<std::int32_t>(size),
                              .root = late < 0 ? what.root : (what.root + 1) % ranks,
                              .late = late,
                              .sends = 0,
                              .nulls = 0});
  // Programs send other messages between calls, and pass NULL for what a rank has not.
  const bool may_lack = what.operation().only_root_source || what.operation().only_root_target;
  for (std::size_t call = plan.sizes.size(); ranks > 1 && call < plan.calls.size(); ++call) {
    const bool at_once = call >= in_turn || call / 2 % 2 == 0;
    plan.calls[call].sends = plan.calls[call].late >= 0 && at_once ? 1 : 0;
    plan.calls[call].nulls = may_lack && call / 2 % 2 == 1 ? 1 : 0;
  }
  const std::uint64_t runs = what.row().own_file ? own_check_runs : 1;
  Verdict verdict;
  double undisturbed = 0; // seconds
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    std::vector<lab_check_time> times;
    JobPoint handed(what);
    handed.check(plan, times);
    Run made = program(what);
    made.data = handed.data();
    made.moves_payload = true;
    made.recording = {};
    made.perturbation = seed;
    if (what.row().own_file && seed == 0) made.recording.records["check"] = "mpb"; // as rccerun --check
    if (what.row().own_file)
      made.most_seconds = seed == 0
          ? most_check_seconds
          : std::clamp(most_stretch * undisturbed, least_limit_seconds, most_check_seconds);
    const auto begin = std::chrono::steady_clock::now();
    const Output output = run_to_end(*what.machine, made);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (seed == 0) undisturbed = seconds;
    const int status = output.result.status;
    if (seed > 0 && status == rcce::status_timeout && most_stretch * undisturbed > most_check_seconds) {
      verdict.undelayed = true;
      continue;
    }
    // What does not come to a first call is told by the run that is timed.
    if (std::ranges::all_of(times, [](const lab_check_time& one) { return one.state == LAB_NOT_BEGUN; }))
      return {};
    std::string found = fault_in(plan, what.operation(), times, what.cores,
                                 status == 0 ? "" : text_of_status(status, made.most_seconds));
    if (found.empty()) {
      if (seed == 0) verdict.counted = has_counted_calls(what) && carried_out(plan, times) >= counted_calls;
      continue;
    }
    if (seed > 0) found += fmt::format("; that is so with cores delayed at random (seed {})", seed);
    if (status != 0) found += "\n" + output.complaints + output.result.report;
    return {.found = std::move(found)};
  }
  return verdict;
}

void Messages::compare_orders(const Point& what, Result& timing) const {
  // Each rank arrives when the one before it could have finished alone. The root waits for the others, from
  // the nearest or from the farthest on; or they wait for it; or nobody does.
  Point asked = what;
  asked.warm_up = 0;
  asked.repetitions = 4;
  const auto apart = static_cast<std::int64_t>(std::ceil(timing.max_us * 1000));
  const auto ranks = static_cast<std::size_t>(what.cores);
  std::vector<std::int64_t> arrivals(ranks * static_cast<std::size_t>(asked.repetitions));
  for (std::size_t place = 0; place < ranks; ++place) { // behind the root
    const std::size_t rank = (static_cast<std::size_t>(what.root) + place) % ranks;
    arrivals[rank] = static_cast<std::int64_t>(place) * apart;
    arrivals[ranks + rank] = static_cast<std::int64_t>((ranks - place) % ranks) * apart;
    arrivals[2 * ranks + rank] = static_cast<std::int64_t>(ranks - 1 - place) * apart;
  }
  // One element of a few ranks may well be rounded alike in two orders.
  constexpr std::int64_t few = 16;
  const std::int64_t draws = (few - 1) / std::max<std::int64_t>(what.elements(), 1) + 1;
  for (int draw = 0; draw < draws && !timing.fault; ++draw) {
    JobPoint handed(asked);
    handed.compare_orders(arrivals, draw);
    Run made = program(asked);
    made.data = handed.data();
    (void)lab::run(*what.machine, made);
    std::int64_t of_rank_0 = 0;
    handed.each([&](int repetition, int rank, const lab_time& time) {
      if (rank == 0) of_rank_0 = time.result;
      const bool orders = what.row().fixed_order && time.wrong > 0;
      if (!orders && (what.row().operation != "allreduce" || time.result == of_rank_0)) return;
      timing.wrong_bytes += std::max<std::int64_t>(time.wrong, 1);
      using enum Fault::Against;
      if (!timing.fault)
        timing.fault = Fault{rank, repetition, time.wrong, time.first, 0, orders ? other_order : rank_0};
    });
  }
}

void Messages::compare_without_payload(const Point& what) const {
  constexpr std::int64_t most_bytes = 8192; // a few times what an MPB takes at once
  Point few = what;
  few.bytes = std::min(what.bytes, most_bytes);
  few.warm_up = 0;
  few.repetitions = 1;
  few.statistics = false;
  std::vector<lab_time> times[2];
  for (const bool moves : {false, true}) {
    few.moves_payload = moves;
    JobPoint handed(few);
    Run made = program(few);
    made.data = handed.data();
    (void)lab::run(*what.machine, made);
    handed.each([&](int, int, const lab_time& time) { times[moves ? 1 : 0].push_back(time); });
  }
  if (!std::ranges::equal(times[0], times[1], {}, &lab_time::done, &lab_time::done))
    throw mesh::UserError(
        fmt::format("--payload none: {} takes another time where {} bytes are not moved, so it "
                    "decides by data longer than a line; leave the option out, and add "
                    "ROCKCREEK_READS_PAYLOAD to the row's needs",
                    what.algorithm, few.bytes));
}

nlohmann::ordered_json Messages::figures(const Point& what, int repetition) const {
  JobPoint handed(what);
  Run made = program(what);
  made.data = handed.data();
  made.recording.records["report"];
  made.recording.part = part_of(what, repetition);
  auto figures = nlohmann::ordered_json::array();
  const Output output = lab::run(*what.machine, made);
  for (auto& figure : nlohmann::ordered_json::parse(output.result.text("report"))) {
    if (figure["kind"] == "timeline") keep_path(figure);
    figures.push_back(std::move(figure));
  }
  return figures;
}

std::map<std::int64_t, Choice> Messages::automatic(const Point& like,
                                                   const std::vector<std::int64_t>& sizes) const {
  Run what = program(*like.machine, like.generation, like.cores);
  const std::string operation = like.row().operation;
  std::vector<lab_choice> choices(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) choices[i].bytes = sizes[i];
  lab_job_point asked{};
  asked.operation = operation.c_str();
  asked.root = like.root;
  asked.choices = choices.data();
  asked.choice_count = static_cast<std::int32_t>(choices.size());
  what.data = &asked;
  (void)lab::run(*like.machine, what);
  std::map<std::int64_t, Choice> result;
  for (const lab_choice& one : choices) {
    if (one.algorithm[0] == '\0') continue;
    Choice& choice = result[one.bytes];
    choice.algorithm = one.algorithm;
    if (one.options[0] == '\0') continue;
    for (const std::string& word : cut(one.options, ' ')) {
      const std::size_t equals = word.find('=');
      choice.options[word.substr(0, equals)] = word.substr(equals + 1);
    }
  }
  return result;
}

const Messages& messages_of(const Point& point, const std::string& what) {
  if (const auto* messages = dynamic_cast<const Messages*>(point.backend.get())) return *messages;
  throw mesh::UserError(
      fmt::format("{}: only algorithms on messages show it, and machine '{}' has no message "
                  "buffers; ask for it on a machine that has (rcceinfo machines)",
                  what, point.machine_name));
}

} // namespace lab
