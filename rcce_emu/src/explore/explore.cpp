#include "explore/explore.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <set>

#include "explore/compare.hpp"
#include "explore/orders.hpp"
#include "explore/perturbation.hpp"
#include "explore/swap.hpp"

namespace rcce::explore {
namespace {

constexpr int status_differ = 1, status_deadlock = 121, signal_base = 128;

/// A run that makes so many times the accesses of the unperturbed one, and some more, is taken for one
/// without end.
constexpr std::uint64_t endless_factor = 20, endless_more = 100'000;
/// Orders of single accesses that are wanted of one run.
constexpr std::size_t most_orders = 12;

/// As a shell takes it for one word.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

class Exploration {
 public:
  Exploration(const Plan& plan, const Start& start) : plan_(plan), start_(start) {}

  int run() {
    ChildRun first = child({}, plan_.wish.all, 0);
    if (Interrupts::signal() != 0) return interrupted();
    if (!first.record) { // it says itself why
      std::fputs(first.errors.c_str(), stderr);
      return first.status;
    }
    base_ = std::move(*first.record);
    most_accesses_ = base_.accesses * endless_factor + endless_more;
    if (base_.outcome == Outcome::deadlock) {
      std::fputs(first.errors.c_str(), stderr);
      say("the unperturbed run deadlocks: there is nothing to compare with\n");
      return status_deadlock;
    }
    if (base_.outcome == Outcome::stopped) {
      std::fputs(first.errors.c_str(), stderr);
      say(fmt::format("the unperturbed run is broken off with status {}: there is nothing to compare with\n",
                      base_.status));
      return base_.status;
    }
    return plan_.wish.all ? every_order() : seeds();
  }

 private:
  static void say(const std::string& text) { std::fputs(("rccerun: " + text).c_str(), stdout); }

  [[nodiscard]] ChildRun child(const Perturbation& perturbation, bool accesses, std::uint64_t most) const {
    return run_child(start_, perturbation, accesses, most);
  }

  int seeds() {
    for (; runs_ < plan_.wish.runs; ++runs_) {
      const Perturbation perturbation{plan_.first_seed + runs_, {}};
      const ChildRun made = child(perturbation, false, most_accesses_);
      if (Interrupts::signal() != 0) return interrupted();
      if (differs(made, perturbation))
        return tell(made, perturbation,
                    fmt::format("run {} of {}, seed {}", runs_ + 1, plan_.wish.runs, perturbation.seed),
                    fmt::format("seed {}", perturbation.seed));
    }
    say(fmt::format("{} agree with the unperturbed one (seeds {} to {}){}\n", count("run"), plan_.first_seed,
                    plan_.first_seed + runs_ - 1, with_status()));
    return 0;
  }

  /// Depth first: each run names the races in it, and each of them turned round is a run to be made.
  int every_order() {
    std::vector<std::vector<mesh::Hold>> open{{}};
    std::set<std::vector<std::string>> planned;
    std::set<std::uint64_t> seen;
    bool deeper = false, traces_full = false;
    const auto expand = [&](const RunRecord& record, const std::vector<mesh::Hold>& orders) {
      traces_full = traces_full || record.trace_full;
      if (!seen.insert(order_hash(record)).second) return;
      std::vector<mesh::Hold> turned = reversals(record);
      std::ranges::reverse(turned); // the first race of the run first
      for (const mesh::Hold& hold : turned) {
        const mesh::Hold opposite{hold.other, hold.other_access, hold.core, hold.access};
        if (std::ranges::find(orders, hold) != orders.end() ||
            std::ranges::find(orders, opposite) != orders.end())
          continue;
        if (orders.size() == most_orders) {
          deeper = true;
          continue;
        }
        std::vector<mesh::Hold> next = orders;
        next.push_back(hold);
        std::vector<std::string> key; // whatever the order in which they were wanted
        for (const mesh::Hold& one : next) key.push_back(perturbation_text({0, {one}}));
        std::ranges::sort(key);
        if (planned.insert(std::move(key)).second) open.push_back(std::move(next));
      }
    };
    open.clear();
    expand(base_, {});
    while (!open.empty() && runs_ < plan_.wish.runs) {
      const Perturbation perturbation{0, std::move(open.back())};
      open.pop_back();
      const ChildRun made = child(perturbation, true, most_accesses_);
      if (Interrupts::signal() != 0) return interrupted();
      ++runs_;
      if (differs(made, perturbation))
        return tell(made, perturbation,
                    fmt::format("run {}, order {}", runs_, perturbation_text(perturbation)), "here");
      if (made.record) expand(*made.record, perturbation.orders);
    }
    const std::string tried =
        fmt::format("{} agree with the unperturbed one{}; {} of racing accesses {} tried", count("run"),
                    with_status(), seen.size() == 1 ? "1 order" : fmt::format("{} orders", seen.size()),
                    seen.size() == 1 ? "was" : "were");
    if (open.empty() && !deeper && !traces_full) {
      say(tried + ", and there are no others\n");
    } else {
      say(fmt::format(
          "{}, not all: {}\n", tried,
          !open.empty() ? fmt::format("{} and more are left after {} runs, the most that --explore "
                                      "all:{} makes",
                                      open.size(), runs_, plan_.wish.runs)
              : deeper  ? fmt::format("orders that differ in more than {} races are left out", most_orders)
                        : std::string("runs make more accesses than are recorded")));
    }
    return 0;
  }

  [[nodiscard]] bool differs(const ChildRun& made, const Perturbation&) const {
    return !made.record || !difference(base_, *made.record, "").empty();
  }

  int tell(const ChildRun& made, const Perturbation& perturbation, const std::string& which,
           const std::string& name) {
    const std::string what = made.record ? difference(base_, *made.record, name)
                                         : fmt::format("the process ends with status {}\n", made.status);
    say(fmt::format("{}: {}", which, what));
    const ChildRun before = plan_.wish.all ? ChildRun{} : child({}, true, 0);
    const ChildRun again = plan_.wish.all ? ChildRun{} : child(perturbation, true, most_accesses_);
    const RunRecord* const run = plan_.wish.all ? &base_ : before.record ? &*before.record : nullptr;
    const RunRecord* const other = plan_.wish.all ? (made.record ? &*made.record : nullptr)
        : again.record                            ? &*again.record
                                                  : nullptr;
    if (run != nullptr && other != nullptr) {
      if (const auto swap = find_swap(*run, *other))
        std::fputs(swap_text(*swap, *run, name).c_str(), stdout);
      else
        std::fputs(
            "no two accesses to buffers, locks or counters swapped: what differs comes from plain accesses "
            "to shared memory, from times or from outside\n",
            stdout);
    }
    if (!made.errors.empty()) std::fputs(("what that run reports:\n" + made.errors).c_str(), stdout);
    std::fputs(("replay: " + replay_command(perturbation) + "\n").c_str(), stdout);
    const bool deadlock = made.record && made.record->outcome == Outcome::deadlock;
    return deadlock ? status_deadlock : status_differ;
  }

  [[nodiscard]] std::string replay_command(const Perturbation& perturbation) const {
    std::string text = "rccerun";
    for (const std::string& word : plan_.options) text += ' ' + quoted(word);
    text += " --replay " + perturbation_text(perturbation);
    for (const std::string& word : plan_.program) text += ' ' + quoted(word);
    return text;
  }

  int interrupted() const {
    say(fmt::format("interrupted by signal {}; {} so far agree with the unperturbed one\n",
                    Interrupts::signal(), count("run")));
    return signal_base + Interrupts::signal();
  }

  [[nodiscard]] std::string count(const char* what) const {
    return fmt::format("{} {}{}", runs_, what, runs_ == 1 ? "" : "s");
  }
  [[nodiscard]] std::string with_status() const {
    return base_.status == 0 ? "" : fmt::format(", all with status {}", base_.status);
  }

  const Plan& plan_;
  const Start& start_;
  RunRecord base_;
  std::uint64_t most_accesses_ = 0;
  std::uint64_t runs_ = 0;
};

} // namespace

int explore(const Plan& plan, const Start& start) {
  const Interrupts interrupts;
  return Exploration(plan, start).run();
}

} // namespace rcce::explore
