// SPDX-License-Identifier: Apache-2.0
// Is a schedule right for messages of any length, called again and again, however fast its cores are? Carries
// it out without time and keeps for each core what it can know of the others' steps (vector clocks). What
// happens in another order than the schedule demands may happen at once, and is a fault.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/schedules/format.hpp"

namespace algorithms::schedule {

class Checker {
 public:
  /// Empty where the schedule is right, else its first fault: "line 12: core 5, step 3 'g0<12': ...".
  /// A flag has one writer and one reader, and both wait for nothing else: so every order of the cores comes
  /// to the same, and one is enough. Rounds repeat with the parts of a buffer. Calls of every number of
  /// rounds up to where all that a step reaches lies inside of a call, one behind the other, therefore stand
  /// for all.
  [[nodiscard]] static std::string fault_of(const Schedule& schedule) {
    int ahead = 0, behind = 0;
    for (const Program& program : schedule.programs) {
      const Reach one = reach(program);
      ahead = std::max(ahead, one.ahead), behind = std::max(behind, one.behind);
    }
    Checker checker(schedule);
    const int most = schedule.parts + ahead + behind + 1;
    for (int rounds = 1; rounds <= most; ++rounds)
      if (!checker.call(rounds)) return checker.fault_;
    checker.call(1);
    return checker.fault_;
  }

 private:
  /// The time at one core: its steps done so far.
  using Clock = std::vector<std::uint32_t>;
  struct Event {
    int core = -1;
    std::uint32_t at = 0;
  };
  /// Whose operands are combined in a segment, a bit for each core; of a broadcast the root's message alone.
  /// Null: nothing.
  using Operands = std::shared_ptr<const std::vector<std::uint64_t>>;
  struct Slot {
    int segment = -1;
    Operands holds;
    long long round = -1; ///< counted over all calls
    Event written;
    std::vector<Event> read;
  };
  struct Flag {
    int writer = -1;
    bool told = false;
    long long of = -1;       ///< round, or call where it is told once in each
    Clock known;             ///< to the writer when it told
    std::uint32_t heard = 0; ///< when the reader took note of the one before
  };
  struct Line {
    long long round = -1;            ///< counted over all calls
    Clock known;                     ///< to the owner when it was shown
    std::vector<std::uint32_t> seen; ///< by reader: when it looked; 0: not yet
  };
  struct Action {
    const Step* step;
    int number; ///< in the core's line
    int round;
  };
  struct Core {
    Clock clock;
    std::vector<Action> actions;
    std::size_t next = 0;
    std::uint32_t entered = 0; ///< this call
    bool left = false;
    std::vector<std::uint32_t> visited;      ///< by core: its last access to this one's buffer in this call
    std::vector<Operands> has;               ///< [round][segment] of this call
    std::map<int, Flag> flags, single_flags; ///< by number and part; by number
    std::vector<Slot> slots;                 ///< [part][slot]
    std::vector<Line> lines;                 ///< [part]
  };

  explicit Checker(const Schedule& schedule)
      : schedule_(schedule), cores_(static_cast<std::size_t>(schedule.cores)) {
    for (int core = 0; core < schedule.cores; ++core) singles_.push_back(alone(core));
    whole_ = singles_[static_cast<std::size_t>(schedule.root)];
    for (int core = 0; combines() && core < schedule.cores; ++core)
      whole_ = joined(whole_, singles_[static_cast<std::size_t>(core)]);
    for (Core& core : cores_) {
      core.clock.assign(cores_.size(), 0);
      core.slots.resize(static_cast<std::size_t>(schedule.parts * schedule.slots));
      core.lines.resize(static_cast<std::size_t>(schedule.parts));
    }
  }

  static constexpr int bits = 64;
  [[nodiscard]] bool combines() const { return schedule_.operation != Operation::bcast; }
  [[nodiscard]] Operands alone(int core) const {
    const auto words = static_cast<std::size_t>((schedule_.cores + bits - 1) / bits);
    auto one = std::make_shared<std::vector<std::uint64_t>>(words);
    (*one)[static_cast<std::size_t>(core / bits)] = std::uint64_t{1} << core % bits;
    return one;
  }
  /// A core of which both have the operand; -1: none.
  [[nodiscard]] static int in_both(const Operands& a, const Operands& b) {
    for (std::size_t i = 0; i < a->size(); ++i)
      if (const std::uint64_t both = (*a)[i] & (*b)[i]; both != 0)
        return static_cast<int>(i) * bits + std::countr_zero(both);
    return -1;
  }
  [[nodiscard]] static Operands joined(const Operands& a, const Operands& b) {
    auto all = std::make_shared<std::vector<std::uint64_t>>(*a);
    for (std::size_t i = 0; i < all->size(); ++i) (*all)[i] |= (*b)[i];
    return all;
  }
  /// A core whose operand `whole` has and `part` lacks; -1: none.
  [[nodiscard]] static int missing_in(const Operands& part, const Operands& whole) {
    for (std::size_t i = 0; i < whole->size(); ++i)
      if (const std::uint64_t lacks = (*whole)[i] & ~(*part)[i]; lacks != 0)
        return static_cast<int>(i) * bits + std::countr_zero(lacks);
    return -1;
  }
  /// The fault at a core that has a result to take.
  [[nodiscard]] std::optional<std::string> fault_of_result(int self) {
    if (schedule_.operation == Operation::reduce && self != schedule_.root) return {};
    const auto& has = at(self).has;
    for (std::size_t i = 0; i < has.size(); ++i) {
      const std::string segment =
          "segment " + std::to_string(i % static_cast<std::size_t>(schedule_.segments));
      if (has[i] == nullptr) return "never gets " + segment;
      if (const int other = missing_in(has[i], whole_); other >= 0)
        return "ends with a result of " + segment + " without the operand of core " + std::to_string(other);
    }
    return {};
  }

  Core& at(int core) { return cores_[static_cast<std::size_t>(core)]; }

  /// False where there is a fault.
  bool call(int rounds) {
    rounds_ = rounds;
    for (int self = 0; self < schedule_.cores; ++self) begin(self);
    // Who has heard nothing new need not be asked again.
    std::deque<int> ready;
    for (int self = 0; self < schedule_.cores; ++self) ready.push_back(self);
    while (!ready.empty()) {
      const int self = ready.front();
      ready.pop_front();
      Core& core = at(self);
      while (core.next < core.actions.size()) {
        const Action& action = core.actions[core.next];
        if (must_wait(self, action)) break;
        ++core.clock[static_cast<std::size_t>(self)];
        if (!act(self, action)) return false;
        ++core.next;
        if (action.step->kind == Step::tell) ready.push_back(action.step->core);
        if (action.step->kind == Step::show)
          ready.insert(ready.end(), readers_of(self).begin(), readers_of(self).end());
      }
      if (core.next == core.actions.size() && !core.left && !end(self)) return false;
    }
    if (!all_left() || !all_heard()) return false;
    first_round_ += rounds;
    ++calls_;
    return true;
  }

  void begin(int self) {
    Core& core = at(self);
    const Program& program = schedule_.programs[static_cast<std::size_t>(self)];
    core.actions.clear();
    const auto number_of = [&](const Step& step) {
      const auto place = [&step](const std::vector<Step>& steps) {
        return !steps.empty() && &step >= steps.data() && &step < steps.data() + steps.size()
            ? static_cast<int>(&step - steps.data())
            : -1;
      };
      const auto first = static_cast<int>(program.begin.size()),
                 second = static_cast<int>(program.round.size());
      if (const int found = place(program.begin); found >= 0) return found + 1;
      if (const int found = place(program.round); found >= 0) return first + found + 1;
      return first + second + place(program.end) + 1;
    };
    walk(schedule_, program, rounds_, first_round_, [&](const Step& step, int round) {
      core.actions.push_back({&step, number_of(step), round});
    });
    core.next = 0;
    core.entered = ++core.clock[static_cast<std::size_t>(self)];
    core.left = false;
    core.visited.assign(cores_.size(), 0);
    const auto count = static_cast<std::size_t>(rounds_ * schedule_.segments);
    const bool has = combines() || self == schedule_.root;
    core.has.assign(count, has ? singles_[static_cast<std::size_t>(self)] : nullptr);
  }

  bool fail(int self, const Action& action, const std::string& why) {
    const Program& program = schedule_.programs[static_cast<std::size_t>(self)];
    fault_ = "line " + std::to_string(program.line) + ": core " + std::to_string(self) + ", step " +
        std::to_string(action.number) + " '" + to_text(*action.step) + "': " + why;
    return false;
  }
  bool fail(int self, const std::string& why) {
    fault_ = "line " + std::to_string(schedule_.programs[static_cast<std::size_t>(self)].line) + ": core " +
        std::to_string(self) + " " + why;
    return false;
  }

  [[nodiscard]] bool knows(int self, const Event& event) {
    return event.core < 0 || at(self).clock[static_cast<std::size_t>(event.core)] >= event.at;
  }

  [[nodiscard]] int part_of(int round) const {
    return static_cast<int>((first_round_ + round) % schedule_.parts);
  }
  [[nodiscard]] Flag& flag_of(int self, int number, int round) {
    if (round == no_round) return at(self).single_flags[number];
    return at(self).flags[number * schedule_.parts + part_of(round)];
  }
  [[nodiscard]] Line& line_of(int core, int round) {
    return at(core).lines[static_cast<std::size_t>(part_of(round))];
  }
  [[nodiscard]] const std::vector<int>& readers_of(int core) const {
    return schedule_.readers[static_cast<std::size_t>(core)];
  }
  [[nodiscard]] long long name_of(int round) const {
    return round == no_round ? calls_ : first_round_ + round;
  }
  [[nodiscard]] bool is_told(int self, int number, int round) {
    const Flag& flag = flag_of(self, number, round);
    return flag.told && flag.of == name_of(round);
  }
  /// The first flag that a hear still waits for; -1: none.
  [[nodiscard]] int missing_flag(int self, const Action& action) {
    for (int number = action.step->number; number < action.step->number + action.step->count; ++number)
      if (!is_told(self, number, action.round)) return number;
    return -1;
  }
  [[nodiscard]] bool must_wait(int self, const Action& action) {
    const Step& step = *action.step;
    return step.kind == Step::look ? line_of(step.core, action.round).round != name_of(action.round)
                                   : step.kind == Step::hear && missing_flag(self, action) >= 0;
  }
  void learn(Core& core, const Clock& known) {
    for (std::size_t i = 0; i < core.clock.size(); ++i) core.clock[i] = std::max(core.clock[i], known[i]);
  }

  bool act(int self, const Action& action) {
    const Step& step = *action.step;
    Core& core = at(self);
    const std::uint32_t now = core.clock[static_cast<std::size_t>(self)];
    switch (step.kind) {
    case Step::tell: {
      Flag& flag = flag_of(step.core, step.number, action.round);
      const auto name = [&] { // made where it is said alone: most that are told are right
        return "flag " + std::to_string(step.number) + " of core " + std::to_string(step.core);
      };
      if (flag.writer >= 0 && flag.writer != self)
        return fail(self, action,
                    name() + " is told by core " + std::to_string(flag.writer) +
                        " too; give each its own flag");
      if (flag.told || !knows(self, {step.core, flag.heard}))
        return fail(self, action,
                    "core " + std::to_string(step.core) + " may not have heard " + name() +
                        " of the time before, which it would miss; hear from it first");
      flag = {self, true, name_of(action.round), core.clock, flag.heard};
      return true;
    }
    case Step::hear:
      for (int number = step.number; number < step.number + step.count; ++number) {
        Flag& flag = flag_of(self, number, action.round);
        flag.told = false;
        flag.heard = now;
        learn(core, flag.known);
      }
      return true;
    case Step::show: {
      Line& line = line_of(self, action.round);
      const auto& readers = readers_of(self);
      for (std::size_t i = 0; line.round >= 0 && i < readers.size(); ++i)
        if (line.seen[i] == 0 || !knows(self, {readers[i], line.seen[i]}))
          return fail(
              self, action,
              "core " + std::to_string(readers[i]) +
                  " may not have seen what the line showed before, and would miss it; hear from it first");
      line = {name_of(action.round), core.clock, std::vector<std::uint32_t>(readers.size())};
      return true;
    }
    case Step::look: {
      Line& line = line_of(step.core, action.round);
      const auto& readers = readers_of(step.core);
      const auto reader = std::ranges::find(readers, self);
      if (reader == readers.end())
        return fail(self, action, "it is none of the readers of core " + std::to_string(step.core));
      line.seen[static_cast<std::size_t>(reader - readers.begin())] = now;
      learn(core, line.known);
      return true;
    }
    case Step::put:
      for (int i = 0; i < step.count; ++i) {
        const Operands& has = core.has[index(step.number + i, action.round)];
        if (has == nullptr)
          return fail(self, action,
                      "it has not got segment " + std::to_string(step.number + i) + " of that round yet");
        if (!write(self, action, step.core, step.slot + i, {step.number + i, has}, now)) return false;
      }
      return true;
    case Step::copy: {
      const Slot* const from = read(self, action, step.slot, step.number, now);
      return from != nullptr && write(self, action, self, step.into, {step.number, from->holds}, now);
    }
    case Step::get:
    case Step::add:
      for (int i = 0; i < step.times * step.count; ++i)
        if (!take(self, action, step.slot + i, step.number + i % step.count, now)) return false;
      return true;
    }
    return true;
  }

  /// Takes from a slot: instead of the core's own part of a segment, or combined with it.
  bool take(int self, const Action& action, int slot, int segment, std::uint32_t now) {
    const Slot* const from = read(self, action, slot, segment, now);
    if (from == nullptr) return false;
    Operands& has = at(self).has[index(segment, action.round)];
    if (action.step->kind == Step::add) {
      if (const int twice = in_both(has, from->holds); twice >= 0)
        return fail(self, action,
                    "the operand of core " + std::to_string(twice) + " is in segment " +
                        std::to_string(segment) + " already, and would be combined twice");
      has = joined(has, from->holds);
      return true;
    }
    if (const int lost = has == nullptr ? -1 : missing_in(from->holds, has); lost >= 0)
      return fail(self, action,
                  "segment " + std::to_string(segment) + " loses the operand of core " +
                      std::to_string(lost) + ", which it had been combined with; add it instead");
    has = from->holds;
    return true;
  }

  [[nodiscard]] std::size_t index(int segment, int round) const {
    return static_cast<std::size_t>(round * schedule_.segments + segment);
  }
  [[nodiscard]] Slot& slot_of(int core, int slot, int round) {
    return at(core).slots[static_cast<std::size_t>(part_of(round) * schedule_.slots + slot)];
  }

  /// Its buffer is the broadcast's while it is in the call alone.
  bool visit(int self, const Action& action, int owner, std::uint32_t now) {
    Core& host = at(owner);
    if (schedule_.own_area) return true;
    if (owner != self && (!knows(self, {owner, host.entered}) || host.left))
      return fail(self, action,
                  "core " + std::to_string(owner) + " may " + (host.left ? "have left" : "not have entered") +
                      " the call, and its buffer hold something else; " +
                      (host.left ? "it has to hear of this step first" : "hear from it first"));
    host.visited[static_cast<std::size_t>(self)] = now;
    return true;
  }

  /// A slot is as long as the round's segments, so those of a part lie elsewhere in other rounds: they are
  /// one place for each other's rounds. Of another round than this; null: none that could be in the way.
  [[nodiscard]] const Slot* slot_in_the_way(int self, int owner, int round, bool is_write) {
    const long long now = first_round_ + round;
    const Slot* const first = &slot_of(owner, 0, round);
    for (const Slot* slot = first; slot < first + schedule_.slots; ++slot) {
      if (slot->round > now) return slot;
      if (!is_write || slot->round == now) continue;
      if (!knows(self, slot->written)) return slot;
      for (const Event& reader : slot->read)
        if (!knows(self, reader)) return slot;
    }
    return nullptr;
  }

  struct Content {
    int segment;
    Operands holds;
  };
  bool write(int self, const Action& action, int owner, int number, const Content& content,
             std::uint32_t now) {
    if (!visit(self, action, owner, now)) return false;
    Slot& slot = slot_of(owner, number, action.round);
    const auto check = [&](const Slot& old) {
      const auto name = [&] {
        return "slot " + std::to_string(&old - &slot + number) + " of core " + std::to_string(owner);
      };
      if (!knows(self, old.written))
        return fail(self, action,
                    name() + " may not have been written yet by core " + std::to_string(old.written.core) +
                        ", which would write over this; hear from it first");
      for (const Event& reader : old.read)
        if (!knows(self, reader))
          return fail(self, action,
                      name() + " is overwritten before core " + std::to_string(reader.core) +
                          " is known to have read it; hear of that first");
      return true;
    };
    if (!check(slot)) return false;
    if (const Slot* const other = slot_in_the_way(self, owner, action.round, true); other != nullptr) {
      if (!check(*other)) return false;
      return fail(self, action,
                  "that part of the buffer of core " + std::to_string(owner) +
                      " is in use for a later round");
    }
    slot = {content.segment, content.holds, first_round_ + action.round, {self, now}, {}};
    return true;
  }

  /// Null where there is a fault.
  const Slot* read(int self, const Action& action, int number, int segment, std::uint32_t now) {
    const Step& step = *action.step;
    if (!visit(self, action, step.core, now)) return nullptr;
    Slot& slot = slot_of(step.core, number, action.round);
    const std::string name = "slot " + std::to_string(number) + " of core " + std::to_string(step.core);
    if (const Slot* const other = slot_in_the_way(self, step.core, action.round, false); other != nullptr) {
      fail(self, action,
           name + " is overwritten before core " + std::to_string(self) + " is known to have read it; core " +
               std::to_string(other->written.core) + " has to hear of that first");
      return nullptr;
    }
    if (slot.segment != segment || slot.round != first_round_ + action.round || !knows(self, slot.written)) {
      fail(self, action,
           name + " may not hold segment " + std::to_string(segment) +
               " of that round then; hear first that it is there");
      return nullptr;
    }
    slot.read.push_back({self, now});
    return &slot;
  }

  bool end(int self) {
    Core& core = at(self);
    for (int other = 0; other < schedule_.cores; ++other)
      if (!knows(self, {other, core.visited[static_cast<std::size_t>(other)]}))
        return fail(self,
                    "leaves while core " + std::to_string(other) +
                        " may still use its buffer; let it hear first that core " + std::to_string(other) +
                        " is done");
    if (const auto fault = fault_of_result(self)) return fail(self, *fault);
    core.left = true;
    return true;
  }

  /// Else nobody can go on: whoever waits names another one that does, until one comes again.
  bool all_left() {
    int self = 0;
    while (self < schedule_.cores && at(self).left) ++self;
    if (self == schedule_.cores) return true;
    std::vector<bool> seen(cores_.size(), false);
    std::string chain;
    for (; !seen[static_cast<std::size_t>(self)]; self = teller_of(self)) {
      seen[static_cast<std::size_t>(self)] = true;
      Core& core = at(self);
      const int teller = teller_of(self);
      if (teller < 0 || at(teller).left)
        return fail(self, core.actions[core.next],
                    teller < 0 ? "nobody tells that flag"
                        : core.actions[core.next].step->kind == Step::look
                        ? "core " + std::to_string(teller) + " does not show its line in that round"
                        : "core " + std::to_string(teller) + " tells that flag less often than core " +
                            std::to_string(self) + " hears it");
      chain += (chain.empty() ? "" : ", ") + ("core " + std::to_string(self)) + " at '" +
          to_text(*core.actions[core.next].step) + "' for core " + std::to_string(teller);
    }
    Core& core = at(self);
    return fail(self, core.actions[core.next], "waits in a circle: " + chain);
  }
  /// Who tells the flag or shows the line that a core waits for; -1: nobody.
  int teller_of(int self) {
    const Action& action = at(self).actions[at(self).next];
    if (action.step->kind == Step::look) return action.step->core;
    const int number = missing_flag(self, action);
    for (int other = 0; other < schedule_.cores; ++other) {
      const Program& program = schedule_.programs[static_cast<std::size_t>(other)];
      const auto tells = [&](const std::vector<Step>& steps) {
        return std::ranges::any_of(steps, [&](const Step& step) {
          return step.kind == Step::tell && step.core == self && step.number == number;
        });
      };
      if (action.round != no_round ? tells(program.round) : tells(program.begin) || tells(program.end))
        return other;
    }
    return -1;
  }

  /// Finds flags that nobody hears. Those for the next call are found when they are set again.
  bool all_heard() {
    if (schedule_.own_area) return true;
    for (int self = 0; self < schedule_.cores; ++self)
      for (const auto* flags : {&at(self).flags, &at(self).single_flags})
        for (const auto& [number, flag] : *flags)
          if (flag.told)
            return fail(self,
                        "never hears " + std::string(flags == &at(self).flags ? "flag " : "single flag ") +
                            std::to_string(flags == &at(self).flags ? number / schedule_.parts : number) +
                            ", which core " + std::to_string(flag.writer) + " tells");
    return true;
  }

  const Schedule& schedule_;
  std::vector<Core> cores_;
  std::vector<Operands> singles_; ///< by core
  Operands whole_;                ///< a result
  int rounds_ = 0;                ///< rounds of the call
  long long first_round_ = 0, calls_ = 0;
  std::string fault_;
};

} // namespace algorithms::schedule
