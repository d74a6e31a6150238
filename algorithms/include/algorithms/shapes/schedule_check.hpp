// SPDX-License-Identifier: Apache-2.0
// Is a schedule right for messages of any length, called again and again, however fast its cores are? Carries
// it out without time and keeps for each core what it can know of the others' steps (vector clocks). What
// happens in another order than the schedule demands may happen at once, and is a fault.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "algorithms/shapes/schedule.hpp"

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
  struct Slot {
    int segment = -1;
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
    std::vector<std::uint32_t> visited; ///< by core: its last access to this one's buffer in this call
    std::vector<bool> has;              ///< [round][segment] of this call
    std::size_t had = 0;
    std::map<int, Flag> flags, single_flags; ///< by number and part; by number
    std::vector<Slot> slots;                 ///< [part][slot]
  };

  explicit Checker(const Schedule& schedule)
      : schedule_(schedule), cores_(static_cast<std::size_t>(schedule.cores)) {
    for (Core& core : cores_) {
      core.clock.assign(cores_.size(), 0);
      core.slots.resize(static_cast<std::size_t>(schedule.parts * schedule.slots));
    }
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
        if (action.step->kind == Step::hear && !is_told(self, action)) break;
        ++core.clock[static_cast<std::size_t>(self)];
        if (!act(self, action)) return false;
        ++core.next;
        if (action.step->kind == Step::tell) ready.push_back(action.step->core);
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
    walk(program, rounds_, [&](const Step& step, int round) {
      core.actions.push_back({&step, number_of(step), round});
    });
    core.next = 0;
    core.entered = ++core.clock[static_cast<std::size_t>(self)];
    core.left = false;
    core.visited.assign(cores_.size(), 0);
    const auto pieces = static_cast<std::size_t>(rounds_ * schedule_.segments);
    core.has.assign(pieces, self == schedule_.root);
    core.had = self == schedule_.root ? pieces : 0;
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

  [[nodiscard]] Flag& flag_of(int self, int number, int round) {
    if (round < 0) return at(self).single_flags[number];
    const auto part = static_cast<int>((first_round_ + round) % schedule_.parts);
    return at(self).flags[number * schedule_.parts + part];
  }
  [[nodiscard]] long long name_of(int round) const { return round < 0 ? calls_ : first_round_ + round; }
  [[nodiscard]] bool is_told(int self, const Action& action) {
    const Flag& flag = flag_of(self, action.step->number, action.round);
    return flag.told && flag.of == name_of(action.round);
  }

  bool act(int self, const Action& action) {
    const Step& step = *action.step;
    Core& core = at(self);
    const std::uint32_t now = core.clock[static_cast<std::size_t>(self)];
    switch (step.kind) {
    case Step::tell: {
      Flag& flag = flag_of(step.core, step.number, action.round);
      const std::string name =
          "flag " + std::to_string(step.number) + " of core " + std::to_string(step.core);
      if (flag.writer >= 0 && flag.writer != self)
        return fail(self, action,
                    name + " is told by core " + std::to_string(flag.writer) +
                        " too; give each its own flag");
      if (flag.told || !knows(self, {step.core, flag.heard}))
        return fail(self, action,
                    "core " + std::to_string(step.core) + " may not have heard " + name +
                        " of the time before, which it would miss; hear from it first");
      flag = {self, true, name_of(action.round), core.clock, flag.heard};
      return true;
    }
    case Step::hear: {
      Flag& flag = flag_of(self, step.number, action.round);
      flag.told = false;
      flag.heard = now;
      for (std::size_t i = 0; i < core.clock.size(); ++i)
        core.clock[i] = std::max(core.clock[i], flag.known[i]);
      return true;
    }
    case Step::put: {
      if (!core.has[piece(step.number, action.round)])
        return fail(self, action,
                    "it has not got segment " + std::to_string(step.number) + " of that round yet");
      return write(self, action, step.core, step.slot, now);
    }
    case Step::get:
    case Step::copy:
      if (!read(self, action, now)) return false;
      if (step.kind == Step::copy) return write(self, action, self, step.into, now);
      if (const std::size_t which = piece(step.number, action.round); !core.has[which])
        core.has[which] = true, ++core.had;
      return true;
    }
    return true;
  }

  [[nodiscard]] std::size_t piece(int segment, int round) const {
    return static_cast<std::size_t>(round * schedule_.segments + segment);
  }
  [[nodiscard]] Slot& slot_of(int core, int slot, int round) {
    const auto part = static_cast<int>((first_round_ + round) % schedule_.parts);
    return at(core).slots[static_cast<std::size_t>(part * schedule_.slots + slot)];
  }

  /// Its buffer is the broadcast's while it is in the call alone.
  bool visit(int self, const Action& action, int owner, std::uint32_t now) {
    Core& host = at(owner);
    if (owner != self && (!knows(self, {owner, host.entered}) || host.left))
      return fail(self, action,
                  "core " + std::to_string(owner) + " may " + (host.left ? "have left" : "not have entered") +
                      " the call, and its buffer hold something else; " +
                      (host.left ? "it has to hear of this step first" : "hear from it first"));
    host.visited[static_cast<std::size_t>(self)] = now;
    return true;
  }

  bool write(int self, const Action& action, int owner, int number, std::uint32_t now) {
    if (!visit(self, action, owner, now)) return false;
    Slot& slot = slot_of(owner, number, action.round);
    const std::string name = "slot " + std::to_string(number) + " of core " + std::to_string(owner);
    if (!knows(self, slot.written))
      return fail(self, action,
                  name + " may not have been written yet by core " + std::to_string(slot.written.core) +
                      ", which would write over this; hear from it first");
    for (const Event& reader : slot.read)
      if (!knows(self, reader))
        return fail(self, action,
                    name + " is overwritten before core " + std::to_string(reader.core) +
                        " is known to have read it; hear of that first");
    slot = {action.step->number, first_round_ + action.round, {self, now}, {}};
    return true;
  }

  bool read(int self, const Action& action, std::uint32_t now) {
    const Step& step = *action.step;
    if (!visit(self, action, step.core, now)) return false;
    Slot& slot = slot_of(step.core, step.slot, action.round);
    const std::string name = "slot " + std::to_string(step.slot) + " of core " + std::to_string(step.core);
    if (slot.round > first_round_ + action.round)
      return fail(self, action,
                  name + " is overwritten before core " + std::to_string(self) +
                      " is known to have read it; core " + std::to_string(slot.written.core) +
                      " has to hear of that first");
    if (slot.segment != step.number || slot.round != first_round_ + action.round ||
        !knows(self, slot.written))
      return fail(self, action,
                  name + " may not hold segment " + std::to_string(step.number) +
                      " of that round then; hear first that it is there");
    slot.read.push_back({self, now});
    return true;
  }

  bool end(int self) {
    Core& core = at(self);
    for (int other = 0; other < schedule_.cores; ++other)
      if (!knows(self, {other, core.visited[static_cast<std::size_t>(other)]}))
        return fail(self,
                    "leaves while core " + std::to_string(other) +
                        " may still use its buffer; let it hear first that core " + std::to_string(other) +
                        " is done");
    if (core.had != core.has.size()) {
      const auto missing = static_cast<int>(std::ranges::find(core.has, false) - core.has.begin());
      return fail(self, "never gets segment " + std::to_string(missing % schedule_.segments));
    }
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
                               : "core " + std::to_string(teller) + " tells that flag less often than core " +
                            std::to_string(self) + " hears it");
      chain += (chain.empty() ? "" : ", ") + ("core " + std::to_string(self)) + " at '" +
          to_text(*core.actions[core.next].step) + "' for core " + std::to_string(teller);
    }
    Core& core = at(self);
    return fail(self, core.actions[core.next], "waits in a circle: " + chain);
  }
  /// Who tells the flag that a core waits for; -1: nobody.
  int teller_of(int self) {
    const Action& action = at(self).actions[at(self).next];
    for (int other = 0; other < schedule_.cores; ++other) {
      const Program& program = schedule_.programs[static_cast<std::size_t>(other)];
      const auto tells = [&](const std::vector<Step>& steps) {
        return std::ranges::any_of(steps, [&](const Step& step) {
          return step.kind == Step::tell && step.core == self && step.number == action.step->number;
        });
      };
      if (action.round >= 0 ? tells(program.round) : tells(program.begin) || tells(program.end)) return other;
    }
    return -1;
  }

  bool all_heard() {
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
  int rounds_ = 0; ///< of the call
  long long first_round_ = 0, calls_ = 0;
  std::string fault_;
};

} // namespace algorithms::schedule
