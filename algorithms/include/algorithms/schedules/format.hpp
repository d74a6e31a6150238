// SPDX-License-Identifier: Apache-2.0
// A broadcast or a reduction as data: what each core puts, gets, adds and tells in a round. The file's format
// stands in algorithms/SCHEDULES.md. Free of communication; carried out by src/on_messages/by_schedule.hpp,
// read by reader.hpp, checked by check.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "algorithms/shapes/clusters.hpp"

namespace algorithms::schedule {

inline constexpr int version = 1;       ///< version of the format
inline constexpr int most_cores = 4096; ///< bounds keep faulty files from taking the host's memory
inline constexpr int most_number = 255; ///< limit of segments, slots, parts and flags
inline constexpr int most_offset = 8;   ///< rounds that a step runs ahead or behind
/// Readers of a line: as many as it has room to note which of them slept.
inline constexpr int most_readers = 192;
inline constexpr int no_round = std::numeric_limits<int>::min(); ///< the round of steps before and after all

enum class Operation : unsigned char { bcast, reduce, allreduce };
inline constexpr std::array operation_names{"bcast", "reduce", "allreduce"};
[[nodiscard]] constexpr const char* name_of(Operation operation) {
  return operation_names[static_cast<std::size_t>(operation)];
}

/// One thing that a core does. It belongs to the round of its turn, or to a later or earlier one by `offset`.
struct Step {
  enum Kind : unsigned char {
    put,  ///< segments from memory into slots of `core`
    get,  ///< segments from slots of `core` into memory
    copy, ///< a segment from a slot of `core` into the own slot `into`
    tell, ///< sets flag `number` of `core`
    hear, ///< waits for the own flag `number`, or for `count` one behind the other, which it looks at
          ///< together
    add,  ///< segments from slots of `core`, combined with those in memory
    show, ///< tells all readers of the own line at once
    look  ///< waits until `core` shows its line
  };
  Kind kind;
  int number = 0; ///< first segment, or flag
  int core = -1;  ///< -1: hear and show have none
  int slot = 0, into = 0;
  int offset = 0;
  int count = 1; ///< segments one behind the other, in slots one behind the other; or flags
  int times = 1; ///< operands that add takes, each in the slots behind those of the one before

  friend bool operator==(const Step&, const Step&) = default;
};

/// The steps of a core: once before the rounds, in each round, once after them.
struct Program {
  std::vector<Step> begin, round, end;
  int line = 0; ///< line in the file; 0: none
};

struct Schedule {
  Operation operation = Operation::bcast;
  int cores = 0, root = 0;
  std::size_t bytes = 0; ///< size of the message that it was made for; 0: any
  int segments = 1;      ///< segments of a round
  int slots = 1;         ///< slots of a part of a buffer
  int parts = 2;         ///< parts of a buffer, which rounds use in turn
  int flags = 0;         ///< flags of a core that are set in every round
  int single_flags = 0;  ///< that are told once a call
  std::size_t first_bytes = clusters::line, most_bytes = clusters::line; ///< size of a segment
  int growth_percent = 150; ///< size of the next round's segments against the one before, up to the most
  /// The parts of a buffer are an area that nothing else uses: so nobody waits for others before it leaves a
  /// call, and steps that run behind belong to the next call where this one has no such round.
  bool own_area = false;
  /// The digest() for which a check has found no fault; 0: none has been made.
  std::uint64_t checked = 0;
  /// By core: who looks at its line. None of them, or one list for each core.
  std::vector<std::vector<int>> readers;
  std::vector<Program> programs; ///< by core

  /// The rounds of a message where a slot has room for so many bytes.
  [[nodiscard]] std::vector<clusters::Round> rounds(std::size_t message, std::size_t slot_bytes) const {
    return clusters::rounds(message, segments, std::min(first_bytes, slot_bytes),
                            std::min(most_bytes, slot_bytes), growth_percent / 100.0);
  }
  /// Bytes of a part of a payload area. 0: the area is too small.
  [[nodiscard]] std::size_t part_bytes(std::size_t area) const {
    return area / static_cast<std::size_t>(parts) / clusters::line * clusters::line;
  }
  [[nodiscard]] std::size_t slot_bytes(std::size_t area) const {
    return part_bytes(area) / static_cast<std::size_t>(slots) / clusters::line * clusters::line;
  }
};

/// The core of the file that a rank stands for: where the root is another one than in the file, both change
/// places. Its own inverse.
[[nodiscard]] constexpr int role(int rank, int root, int file_root) {
  return rank == root ? file_root : rank == file_root ? root : rank;
}

/// Rounds that the steps of a program run ahead and behind at most.
struct Reach {
  int ahead = 0, behind = 0;
};
[[nodiscard]] inline Reach reach(const Program& program) {
  Reach result;
  for (const Step& step : program.round) {
    result.ahead = std::max(result.ahead, step.offset);
    result.behind = std::max(result.behind, -step.offset);
  }
  return result;
}

/// A call with that many rounds, after so many in the calls before: visit(step, round) in the order in which
/// the core does them. The round is `no_round` before and after the rounds, and below 0 for one of a call
/// before.
template <class Visit>
void walk(const Schedule& schedule, const Program& program, int rounds, long long before, Visit&& visit) {
  for (const Step& step : program.begin) visit(step, no_round);
  const Reach all = reach(program);
  const int turns = rounds + (schedule.own_area ? 0 : all.behind);
  for (int turn = -all.ahead; turn < turns; ++turn)
    for (const Step& step : program.round) {
      const int round = turn + step.offset;
      const bool of_this_call = round >= 0 && round < rounds,
                 of_one_before = schedule.own_area && turn >= 0 && round < 0 && before + round >= 0;
      if (of_this_call || of_one_before) visit(step, round);
    }
  for (const Step& step : program.end) visit(step, no_round);
}

/// As files have it: "p0>12", "g1-3<12.1", "c0<3>1", "t12.3", "h3..5", "a0*7<12", "s", "l12", each with "+1"
/// or
/// "-2" for an offset.
[[nodiscard]] inline std::string to_text(const Step& step) {
  const auto slot = [](int number) { return number == 0 ? "" : "." + std::to_string(number); };
  const std::string core = std::to_string(step.core);
  std::string number = std::to_string(step.number), text;
  if (step.count > 1)
    number += (step.kind == Step::hear ? ".." : "-") + std::to_string(step.number + step.count - 1);
  if (step.times > 1) number += "*" + std::to_string(step.times);
  switch (step.kind) {
  case Step::put:
    text = "p" + number + ">" + core + slot(step.slot);
    break;
  case Step::get:
    text = "g" + number + "<" + core + slot(step.slot);
    break;
  case Step::add:
    text = "a" + number + "<" + core + slot(step.slot);
    break;
  case Step::copy:
    text = "c" + number + "<" + core + slot(step.slot) + ">" + std::to_string(step.into);
    break;
  case Step::tell:
    text = "t" + core + slot(step.number);
    break;
  case Step::hear:
    text = "h" + number;
    break;
  case Step::show:
    text = "s";
    break;
  case Step::look:
    text = "l" + core;
    break;
  }
  if (step.offset != 0) text += (step.offset > 0 ? "+" : "") + std::to_string(step.offset);
  return text;
}

/// The file's text without comments.
[[nodiscard]] inline std::string to_text(const Schedule& schedule) {
  const auto line = [](const char* name, std::size_t value) {
    return name + (" " + std::to_string(value)) + "\n";
  };
  const auto number = [](int value) { return static_cast<std::size_t>(value); };
  std::string text =
      "schedule " + std::to_string(version) + "\noperation " + name_of(schedule.operation) + "\n";
  text += line("cores", number(schedule.cores)) + line("root", number(schedule.root)) +
      line("bytes", schedule.bytes) + line("segments", number(schedule.segments)) +
      line("slots", number(schedule.slots)) + line("parts", number(schedule.parts)) +
      line("flags", number(schedule.flags)) + line("single_flags", number(schedule.single_flags)) +
      line("first_bytes", schedule.first_bytes) + line("most_bytes", schedule.most_bytes) +
      line("growth_percent", number(schedule.growth_percent));
  // As files had it before there were such: the digests of those hold.
  if (schedule.own_area) text += line("own_area", 1);
  for (int core = 0; core < static_cast<int>(schedule.readers.size()); ++core)
    if (const auto& readers = schedule.readers[static_cast<std::size_t>(core)]; !readers.empty()) {
      text += "readers " + std::to_string(core) + ":";
      for (const int reader : readers) text += " " + std::to_string(reader);
      text += "\n";
    }
  for (int core = 0; core < schedule.cores; ++core) {
    const Program& program = schedule.programs[static_cast<std::size_t>(core)];
    text += "core " + std::to_string(core) + ":";
    const auto add = [&text](const std::vector<Step>& steps) {
      for (const Step& step : steps) text += " " + to_text(step);
    };
    add(program.begin), text += " |", add(program.round), text += " |", add(program.end);
    text += "\n";
  }
  return text;
}

/// A hash of a schedule's text, without the comments of its file: FNV-1a of 64 bits.
[[nodiscard]] inline std::uint64_t digest(const Schedule& schedule) {
  std::uint64_t value = 0xcbf29ce484222325U;
  for (const char c : to_text(schedule)) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return value;
}

/// The text with the note that it has been checked, which takes some time for a thousand cores. A file that
/// is changed by hand has another digest, and is checked again.
[[nodiscard]] inline std::string to_checked_text(const Schedule& schedule) {
  return to_text(schedule) + "checked " + std::to_string(digest(schedule)) + "\n";
}

} // namespace algorithms::schedule
