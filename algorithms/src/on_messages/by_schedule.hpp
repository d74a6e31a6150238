// SPDX-License-Identifier: Apache-2.0
// Carries out schedules: what rows with a file, and reduce/grouped_owners, share.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/algorithm.h"
#include "algorithms/schedules/builder.hpp"
#include "algorithms/schedules/check.hpp"
#include "algorithms/schedules/format.hpp"
#include "algorithms/schedules/plan.hpp"
#include "algorithms/schedules/reader.hpp"
#include "on_messages/flags.hpp"
#include "on_messages/gathered_flags.hpp"
#include "on_messages/meetings.hpp"
#include "on_messages/mpb_copy.hpp"
#include "on_messages/polled_line.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {

/// A schedule of the library.
struct KeptSchedule {
  const char *name, *text;
};

/// A UE's state between calls of one row.
class BySchedule {
 public:
  /// Schedules that the call's parameter names. `kept`: of all operations; ends with one without a name.
  BySchedule(schedule::Operation operation, std::span<const KeptSchedule> kept)
      : operation_(operation), kept_(kept) {}
  /// Those of the plan that a call's parameters ask for, whose programs can be made one by one.
  BySchedule(schedule::Operation operation, const schedule::Plan& (*plan_of)(const rockcreek_call&))
      : operation_(operation), plan_of_(plan_of) {}

  /// The schedule of the library that a call asks for; empty: it asks for a file or a plan.
  [[nodiscard]] std::string kept_name_in(const rockcreek_call& call) const {
    if (plan_of_ != nullptr) return {};
    std::string asked = asked_in(call);
    return find_kept(asked) != nullptr ? asked : std::string();
  }

  int prepare(const rockcreek_call& call) {
    if (RCCE_num_ues() == 1) return RCCE_SUCCESS;
    if (const int error = direct_meetings().allocate()) return error;
    const std::string asked = asked_in(call);
    return name_ == asked ? RCCE_SUCCESS : load(call, asked);
  }

  int run(const rockcreek_call& call) {
    if (call.bytes == 0) return RCCE_SUCCESS;
    if (RCCE_num_ues() == 1) {
      if (combines()) rcce_copy(call.buffer, call.source, call.bytes);
      return RCCE_SUCCESS;
    }
    int error = RCCE_SUCCESS;
    if (const std::string asked = asked_in(call); name_ != asked)
      error = load(call, asked);
    else if (call.root != root_ && calls_ > 0)
      error = clear_flags();
    if (error != RCCE_SUCCESS) return error;
    if (slot_bytes() == 0)
      return rockcreek_refuse(
          "%s: schedule '%s' cuts an MPB into %d slots of a line at least, and %zu bytes are left "
          "for messages; prepare fewer algorithms, or take a schedule with fewer slots or parts",
          call.algorithm->name, name_.c_str(), schedule_.parts * schedule_.slots, area_bytes());
    return carry_out(call, program_for(call));
  }

 private:
  /// Bytes of operands that are got at once: they stay in the first-level cache.
  static constexpr std::size_t batch_bytes = 512;

  [[nodiscard]] bool combines() const { return operation_ != schedule::Operation::bcast; }
  /// Bytes of the MPBs for the schedule's parts.
  [[nodiscard]] std::size_t area_bytes() const {
    return schedule_.own_area ? own_bytes_ : static_cast<std::size_t>(RCCE_chunk);
  }
  [[nodiscard]] t_vcharp area() const { return schedule_.own_area ? own_area_ : RCCE_buff_ptr; }
  [[nodiscard]] std::size_t slot_bytes() const { return schedule_.slot_bytes(area_bytes()); }

  [[nodiscard]] std::string asked_in(const rockcreek_call& call) const {
    if (plan_of_ == nullptr) return rockcreek_text(&call, "schedule");
    const auto& owners = *plan_of_(call).as<schedule::Owners>();
    std::string name = std::to_string(owners.shared);
    for (const int size : owners.sizes) name += " " + std::to_string(size);
    return name;
  }

  [[nodiscard]] const KeptSchedule* find_kept(std::string_view name) const {
    const auto one = std::ranges::find_if(
        kept_, [&](const KeptSchedule& k) { return k.name != nullptr && name == k.name; });
    return one != kept_.end() ? &*one : nullptr;
  }

  /// Flags of rounds, those of a part in as few lines as can be where some are looked at together: so a look
  /// takes as long whatever flags the program has before. Collective.
  int take_round_flags() {
    constexpr auto line = static_cast<unsigned>(RCCE_LINE_SIZE);
    const auto flags = static_cast<unsigned>(schedule_.flags);
    const bool gathers =
        GatheredFlags::of_bytes && iRCCE_wait_tagged != nullptr && !schedule_.readers.empty() && flags > 0;
    flags_of_part_ = schedule_.flags;
    if (gathers) {
      flags_of_part_ =
          static_cast<int>(flags <= line ? std::bit_ceil(flags) : (flags + line - 1) / line * line);
      const auto begins_line = [&] {
        return reinterpret_cast<std::uintptr_t>(place_of(flags_.front())) % line == 0;
      };
      do {
        if (!flags_.empty() && !begins_line()) flags_.clear();
        if (const int error = take_flags(flags_, 1)) return error;
      } while (!begins_line());
    }
    return take_flags(flags_, flags_of_part_ * schedule_.parts);
  }

  /// Takes the flags that are missing. Collective.
  static int take_flags(std::vector<RCCE_FLAG>& flags, int count) {
    for (auto i = static_cast<int>(flags.size()); i < count; ++i) {
      RCCE_FLAG flag;
      if (const int error = RCCE_flag_alloc(&flag)) return error;
      flags.push_back(flag);
    }
    return RCCE_SUCCESS;
  }

  /// An area of its own, at most a quarter of what is left. Collective.
  void take_area() {
    constexpr std::size_t line = RCCE_LINE_SIZE;
    const auto slots = static_cast<std::size_t>(schedule_.parts * schedule_.slots);
    const std::size_t wanted = std::min((schedule_.most_bytes + line - 1) / line * line,
                                        static_cast<std::size_t>(RCCE_chunk) / 4 / slots / line * line) *
        slots;
    if (wanted <= own_bytes_) return;
    own_area_ = iRCCE_malloc(wanted);
    own_bytes_ = own_area_ != nullptr ? wanted : 0;
  }

  /// Lines for as many parts and readers as the schedule has. Collective.
  int take_lines(const char* algorithm) {
    std::size_t readers = 0;
    for (const auto& some : schedule_.readers) readers = std::max(readers, some.size());
    if (readers == 0 || (readers <= line_readers_ && schedule_.parts <= line_parts_)) return RCCE_SUCCESS;
    const std::size_t most_readers = std::max(line_readers_, readers);
    const int most_parts = std::max(line_parts_, schedule_.parts);
    // A program may go on after an error.
    line_readers_ = 0;
    if (const int error = line_.emplace().allocate(algorithm, static_cast<int>(most_readers), most_parts);
        error != RCCE_SUCCESS) {
      line_.reset();
      return error;
    }
    if (!take_memory(0)) return refuse_memory(algorithm);
    line_readers_ = most_readers, line_parts_ = most_parts;
    line_->clear(RCCE_LINE_SIZE);
    return RCCE_SUCCESS;
  }
  static int refuse_memory(const char* algorithm) {
    return rockcreek_refuse("%s: no memory for partial results", algorithm);
  }

  /// Nobody's flag is written before its owner has cleared it. Collective.
  int clear_flags() {
    // Somebody may still tell of the call before.
    if (calls_overlap_) direct_meetings().meet();
    for (auto* flags : {&flags_, &single_flags_})
      for (RCCE_FLAG& flag : *flags)
        if (const int error = RCCE_flag_write(&flag, RCCE_FLAG_UNSET, RCCE_ue())) return error;
    first_number_ += total_rounds_;
    total_rounds_ = calls_ = 0;
    direct_meetings().meet();
    return RCCE_SUCCESS;
  }

  /// Rank 0 looks at the whole of a file for all. Empty where it is right.
  [[nodiscard]] std::string fault_of(std::string_view text) const {
    if (RCCE_ue() != 0) return {};
    if (text.empty()) return "there is no such file, or nothing in it";
    schedule::Schedule whole;
    if (std::string fault = schedule::Reader::read(text, whole); !fault.empty()) return fault;
    if (whole.operation != operation_)
      return std::string("it is for ") + name_of(whole.operation) + ", not for " + name_of(operation_);
    return whole.checked == schedule::digest(whole) ? "" : schedule::Checker::fault_of(whole);
  }

  /// All UEs go over to a schedule. Collective.
  int load(const rockcreek_call& call, std::string_view asked) {
    name_.clear();
    root_ = -1;
    text_ = {};
    if (plan_of_ != nullptr) {
      make_program(plan_of_(call), RCCE_ue());
    } else {
      if (const int error = read(call, asked)) return error;
    }
    int error = take_round_flags();
    if (error == RCCE_SUCCESS) error = take_flags(single_flags_, schedule_.single_flags);
    if (error == RCCE_SUCCESS) error = take_lines(call.algorithm->name);
    if (schedule_.own_area) take_area();
    calls_overlap_ = calls_overlap_ || schedule_.own_area;
    if (error == RCCE_SUCCESS) error = clear_flags();
    if (error == RCCE_SUCCESS) name_ = asked;
    return error;
  }

  void make_program(const schedule::Plan& plan, int self) {
    schedule_ = schedule::Builder::schedule_of(plan, self);
    // The others' would take the host's memory, n times on n UEs.
    schedule_.programs = {std::move(schedule_.programs[static_cast<std::size_t>(self)])};
  }

  /// As RCCE_bcast, which takes a communicator by value, as long as RCCE_MAXNP.
  static int from_rank_0(std::span<char> bytes) {
    if (RCCE_ue() != 0) return RCCE_recv(bytes.data(), bytes.size(), 0);
    int error = RCCE_SUCCESS;
    for (int rank = 1; rank < RCCE_num_ues() && error == RCCE_SUCCESS; ++rank)
      error = RCCE_send(bytes.data(), bytes.size(), rank);
    return error;
  }

  /// The schedule of that name.
  int read(const rockcreek_call& call, std::string_view asked) {
    if (const KeptSchedule* const one = find_kept(asked); one != nullptr) {
      text_ = one->text;
    } else if (asked != "plain") {
      std::ifstream file{std::string(asked)};
      file_.assign(std::istreambuf_iterator<char>(file), {});
      text_ = file_;
      // Nobody goes on with a schedule that rank 0 has found wrong.
      const std::string fault = fault_of(text_);
      std::array<char, 4> wrong{fault.empty() ? '\0' : '\1'};
      if (const int error = from_rank_0(wrong)) return error;
      if (wrong[0] != '\0')
        return rockcreek_refuse("%s: schedule '%s': %s", call.algorithm->name, std::string(asked).c_str(),
                                fault.c_str());
    }
    if (text_.empty())
      schedule_ = schedule::Builder::schedule_of(schedule::plain_plan(RCCE_num_ues(), operation_));
    else
      (void)schedule::Reader::read(text_, schedule_, RCCE_ue());
    if (schedule_.operation != operation_)
      return rockcreek_refuse("%s: schedule '%s': it is for %s, not for %s", call.algorithm->name,
                              std::string(asked).c_str(), name_of(schedule_.operation), name_of(operation_));
    if (schedule_.cores != RCCE_num_ues())
      return rockcreek_refuse(
          "%s: schedule '%s' is for %d cores, and the program has %d UEs; rccebench search finds "
          "one for them",
          call.algorithm->name, std::string(asked).c_str(), schedule_.cores, RCCE_num_ues());
    return RCCE_SUCCESS;
  }

  /// Local: this UE's part for the call's root.
  const schedule::Program& program_for(const rockcreek_call& call) {
    const int self = self_ = schedule::role(RCCE_ue(), call.root, schedule_.root);
    if (call.root != root_ && plan_of_ != nullptr) make_program(plan_of_(call), self);
    if (call.root != root_ && !text_.empty()) (void)schedule::Reader::read(text_, schedule_, self);
    root_ = call.root;
    if (plan_of_ != nullptr) return schedule_.programs.front();
    return schedule_.programs[static_cast<std::size_t>(self)];
  }

  int carry_out(const rockcreek_call& call, const schedule::Program& program) {
    rounds_ = schedule_.rounds(call.bytes, slot_bytes());
    if (!(combines() ? take_memory(call, program) : take_memory(0)))
      return refuse_memory(call.algorithm->name);
    int error = RCCE_SUCCESS;
    schedule::walk(schedule_, program, static_cast<int>(rounds_.size()), total_rounds_,
                   [&](const schedule::Step& step, int round) {
                     if (error == RCCE_SUCCESS) error = carry_out(call, step, round);
                   });
    total_rounds_ += static_cast<long long>(rounds_.size());
    ++calls_;
    return error;
  }

  int carry_out(const rockcreek_call& call, const schedule::Step& step, int round) {
    using schedule::Step;
    if (step.kind == Step::tell) return RCCE_flag_write(&flag(step, round), value(round), rank(step.core));
    if (step.kind == Step::hear) return hear(step, round);
    if (step.kind == Step::show || step.kind == Step::look) {
      line_->set_number(static_cast<int>(first_number_ + total_rounds_ + round));
      return step.kind == Step::show ? show() : look(step.core);
    }
    const clusters::Block block = rounds_[static_cast<std::size_t>(round)].blocks(step.number, step.count);
    if (block.bytes == 0) return RCCE_SUCCESS;
    const t_vcharp slot = place(round, step.slot);
    switch (step.kind) {
    case Step::put:
      put_segments(call, step, round);
      return RCCE_SUCCESS;
    case Step::get:
      get(own(call, round, step.number), slot, block.bytes, rank(step.core));
      if (combines()) note(round, step);
      return RCCE_SUCCESS;
    case Step::copy:
      get(place(round, step.into), slot, block.bytes, rank(step.core));
      return RCCE_SUCCESS;
    case Step::add:
      return add(call, step, round, block);
    case Step::tell:
    case Step::hear:
    case Step::show:
    case Step::look:
      break;
    }
    return RCCE_SUCCESS;
  }

  int hear(const schedule::Step& step, int round) {
    schedule::Step one = step;
    t_vcharp of_line = nullptr;
    for (one.count = 1; one.number < step.number + step.count; ++one.number) {
      RCCE_FLAG& own = flag(one, round);
      // A get shows the flags of a line; a poll of each would take as long as so many gets.
      if (step.count > 1 && GatheredFlags::of_bytes && iRCCE_wait_tagged != nullptr) {
        const auto at_line = reinterpret_cast<std::uintptr_t>(place_of(own)) % RCCE_LINE_SIZE;
        if (const t_vcharp begin = place_of(own) - at_line; begin != of_line) {
          get(seen_flags_, begin, RCCE_LINE_SIZE, RCCE_ue());
          of_line = begin;
        }
        if (static_cast<unsigned char>(seen_flags_[at_line]) == value(round)) continue;
      }
      if (const int error = RCCE_wait_until(own, value(round))) return error;
    }
    return RCCE_SUCCESS;
  }

  /// Ranks of a core's readers, by index.
  [[nodiscard]] auto ranks_of(const std::vector<int>& readers) const {
    return [this, &readers](int index) { return rank(readers[static_cast<std::size_t>(index)]); };
  }
  int show() {
    const auto& readers = schedule_.readers[static_cast<std::size_t>(self_)];
    line_->show(0, static_cast<int>(readers.size()), ranks_of(readers));
    return RCCE_SUCCESS;
  }
  int look(int core) {
    const auto& readers = schedule_.readers[static_cast<std::size_t>(core)];
    const auto index = std::ranges::find(readers, self_) - readers.begin();
    // All together take about as long as to wake 47 ranks.
    constexpr int most_looks = 20;
    line_->see(0, rank(core), static_cast<int>(index), most_looks, ranks_of(readers));
    return RCCE_SUCCESS;
  }

  /// Puts segments. A segment that has not been combined with anything lies in the caller's operand.
  void put_segments(const rockcreek_call& call, const schedule::Step& step, int round) {
    const clusters::Round& all = rounds_[static_cast<std::size_t>(round)];
    for (int first = 0, end = 0; first < step.count; first = end) {
      const bool is_own = !combines() || is_made(round, step.number + first);
      while (end < step.count && (!combines() || is_made(round, step.number + end) == is_own)) ++end;
      const clusters::Block block = all.blocks(step.number + first, end - first);
      if (block.bytes > 0)
        put(place(round, step.slot + first),
            is_own ? own(call, round, step.number + first) : call.source + block.offset, block.bytes,
            rank(step.core));
    }
  }

  int add(const rockcreek_call& call, const schedule::Step& step, int round, clusters::Block block) {
    const std::size_t stride =
        static_cast<std::size_t>(step.count) * rounds_[static_cast<std::size_t>(round)].block_bytes;
    char* const sum = own(call, round, step.number);
    const char* const source = call.source + block.offset;
    int made = 0;
    for (int i = 0; i < step.count; ++i) made += is_made(round, step.number + i) ? 1 : 0;
    if (made == 0 && step.times == 1) {
      get(sum, place(round, step.slot), block.bytes, rank(step.core));
      note(round, step);
      return combine_bytes(call, sum, source, block.bytes);
    }
    for (int i = 0; i < step.count; ++i)
      if (!is_made(round, step.number + i)) {
        const clusters::Block one = rounds_[static_cast<std::size_t>(round)].block(step.number + i);
        rcce_copy(own(call, round, step.number + i), call.source + one.offset, one.bytes);
      }
    note(round, step);
    const int at_once = static_cast<int>(std::max<std::size_t>(batch_bytes / stride, 1));
    for (int first = 0; first < step.times; first += at_once) {
      const int last = std::min(first + at_once, step.times);
      get(incoming_, place(round, step.slot + first * step.count),
          static_cast<std::size_t>(last - first - 1) * stride + block.bytes, rank(step.core));
      for (int i = 0; i < last - first; ++i)
        if (const int error =
                combine_bytes(call, sum, incoming_ + static_cast<std::size_t>(i) * stride, block.bytes))
          return error;
    }
    return RCCE_SUCCESS;
  }

  /// For those whose result is nobody's, of the rounds that are under way; and for operands.
  bool take_memory(const rockcreek_call& call, const schedule::Program& program) {
    const schedule::Reach all = schedule::reach(program);
    depth_ = all.ahead + all.behind + 1;
    keeps_result_ = operation_ == schedule::Operation::allreduce || RCCE_ue() == call.root;
    most_block_ = 0;
    for (const clusters::Round& round : rounds_) most_block_ = std::max(most_block_, round.block_bytes);
    const std::size_t segments = static_cast<std::size_t>(schedule_.segments),
                      incoming = pages(std::max(batch_bytes, segments * most_block_)),
                      sums = keeps_result_ ? 0
                                           : pages(static_cast<std::size_t>(depth_) * segments * most_block_);
    if (!take_memory(incoming + sums)) return false;
    sums_ = incoming_ + incoming;
    made_.assign(static_cast<std::size_t>(depth_) * segments, -1);
    return true;
  }
  /// So many bytes from incoming_ on, and behind them what looks take.
  bool take_memory(std::size_t bytes) {
    incoming_ = partial_results(bytes + (line_ ? pages(line_->memory_bytes(RCCE_LINE_SIZE)) : page_bytes));
    if (incoming_ == nullptr) return false;
    seen_flags_ = incoming_ + bytes;
    if (!line_) return true;
    line_->use(incoming_ + bytes);
    seen_flags_ = line_->flags();
    return true;
  }
  [[nodiscard]] static std::size_t pages(std::size_t bytes) {
    return (bytes + page_bytes - 1) / page_bytes * page_bytes;
  }

  [[nodiscard]] std::size_t key(int round, int segment) const {
    return static_cast<std::size_t>(round % depth_ * schedule_.segments + segment);
  }
  /// True if the core's segment is more than its operand.
  [[nodiscard]] bool is_made(int round, int segment) const { return made_[key(round, segment)] == round; }
  void note(int round, const schedule::Step& step) {
    for (int i = 0; i < step.count; ++i) made_[key(round, step.number + i)] = round;
  }
  /// The message, or where what has been combined stands. Segments one behind the other stand side by side.
  [[nodiscard]] char* own(const rockcreek_call& call, int round, int segment) const {
    const clusters::Round& all = rounds_[static_cast<std::size_t>(round)];
    if (!combines() || keeps_result_) return call.buffer + all.block(segment).offset;
    return sums_ + static_cast<std::size_t>(round % depth_ * schedule_.segments) * most_block_ +
        static_cast<std::size_t>(segment) * all.block_bytes;
  }

  [[nodiscard]] int rank(int core) const { return schedule::role(core, root_, schedule_.root); }
  [[nodiscard]] int part(int round) const {
    return static_cast<int>((total_rounds_ + round) % schedule_.parts);
  }
  [[nodiscard]] t_vcharp place(int round, int slot) const {
    return area() + static_cast<std::size_t>(part(round)) * schedule_.part_bytes(area_bytes()) +
        static_cast<std::size_t>(slot) * rounds_[static_cast<std::size_t>(round)].block_bytes;
  }
  [[nodiscard]] RCCE_FLAG& flag(const schedule::Step& step, int round) {
    const auto number = static_cast<std::size_t>(step.number);
    return round == schedule::no_round
        ? single_flags_[number]
        : flags_[static_cast<std::size_t>(part(round) * flags_of_part_) + number];
  }
  /// The value of a flag in its present use: turned over each time.
  [[nodiscard]] RCCE_FLAG_STATUS value(int round) const {
    const long long uses = round == schedule::no_round ? calls_ : (total_rounds_ + round) / schedule_.parts;
    return uses % 2 == 0 ? RCCE_FLAG_SET : RCCE_FLAG_UNSET;
  }

  const schedule::Operation operation_;
  const std::span<const KeptSchedule> kept_;
  const schedule::Plan& (*const plan_of_)(const rockcreek_call&) = nullptr;
  std::string name_;            ///< the schedule, or its sizes, for which flags are clear; empty: none
  std::string file_;            ///< its text, where it is one
  std::string_view text_;       ///< empty: the plain schedule
  int root_ = -1;               ///< for whom this UE knows its part; -1: nobody yet
  int self_ = 0;                ///< the core that this UE stands for then
  schedule::Schedule schedule_; ///< with this UE's program alone, but for the plain one
  std::vector<RCCE_FLAG> flags_, single_flags_; ///< [part][number]; by number
  int flags_of_part_ = 0;                       ///< and some that are not used
  long long total_rounds_ = 0, calls_ = 0;      ///< since flags were clear; all UEs count alike
  long long first_number_ = 1;                  ///< number of the first message in a line: none comes twice
  bool calls_overlap_ = false;                  ///< true if calls overlap in one of the schedules so far
  std::optional<PolledLine> line_;              ///< the line of schedules that have one
  std::size_t line_readers_ = 0;
  int line_parts_ = 0;
  t_vcharp own_area_ = nullptr; ///< the area of schedules that have one
  std::size_t own_bytes_ = 0;

  // Of the present call:
  std::vector<clusters::Round> rounds_;
  int depth_ = 1; ///< rounds under way
  bool keeps_result_ = false;
  std::size_t most_block_ = 0;
  std::vector<int> made_; ///< [round under way][segment]: the round in which it is more than an operand
  char *incoming_ = nullptr, *sums_ = nullptr, *seen_flags_ = nullptr;
};

/// The functions of a row, whose states `make` makes; per UE, as every variable of a program. Schedules of
/// the library have one each, for `auto` goes from one to another; files and plans share one.
template <auto make>
struct RowBySchedule {
  static BySchedule& state(const rockcreek_call& call) {
    static BySchedule shared = make();
    static std::map<std::string, BySchedule, std::less<>> kept;
    const std::string name = shared.kept_name_in(call);
    if (name.empty()) return shared;
    const auto known = kept.find(name);
    return known != kept.end() ? known->second : kept.emplace(name, make()).first->second;
  }
  static int prepare(const rockcreek_call* call) { return state(*call).prepare(*call); }
  static int run(const rockcreek_call* call) { return state(*call).run(*call); }
};

} // namespace algorithms
