// SPDX-License-Identifier: Apache-2.0
#include "watch/explore/explore.hpp"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

#include "mesh_sim/counted.hpp"
#include "mesh_sim/progress.hpp"
#include "rcce_emu/statuses.hpp"
#include "watch/explore/child_run.hpp"
#include "watch/explore/compare.hpp"
#include "watch/explore/order_search.hpp"
#include "watch/explore/perturbation.hpp"
#include "watch/explore/swap.hpp"

namespace rcce::explore {
namespace {

/// A run that makes so many times the accesses of the unperturbed one, and some more, is taken for one
/// without end.
constexpr std::uint64_t endless_factor = 20, endless_more = 100'000;
/// Likewise one that takes so many times its host time, and some more.
constexpr double longest_factor = 20, longest_more_seconds = 10;
/// Longer than any delay of a single access, and than what cores wait for in the unperturbed run.
constexpr Picoseconds idle_more = 1'000'000'000'000; // 1 s

/// As a shell takes it for one word.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// "5 runs agree with the unperturbed one".
std::string agreeing(std::uint64_t runs) {
  if (runs == 0) return "the unperturbed run is the only one";
  return mesh::counted(runs, "run") + (runs == 1 ? " agrees" : " agree") + " with the unperturbed one";
}

void show(const std::string& text) {
  std::fputs(text.c_str(), stdout);
}
void say(const std::string& text) {
  show("rccerun: " + text + '\n');
}

/// The record's text about accesses that are not in it.
std::string unseen_accesses(const RunRecord& record) {
  if (!record.pointers) return {};
  if (!record.observed)
    return "the program has pointers to shared memory or buffers and was built without --observe, so its "
           "plain loads and stores are not seen";
  if (record.given_to.empty()) return {};
  return fmt::format(
      "code that was not compiled with --observe ({}) got pointers to shared memory or buffers; "
      "its loads and stores are not seen",
      fmt::join(record.given_to, ", "));
}

/// Accesses that are not in the record, as one cause of a difference among others; empty: there are none.
std::string unseen_cause(const RunRecord& record) {
  if (!record.observed) return "plain accesses to shared memory, from ";
  if (record.given_to.empty()) return {};
  return fmt::format("accesses of {} that are not seen, from ", fmt::join(record.given_to, ", "));
}

/// The values that differ from run to run whatever the order is; empty: none.
std::string values_of_host(const RunRecord& record) {
  return record.host_values.empty()
      ? ""
      : fmt::format("the program asks the host for what differs from run to run ({}), and may depend on it",
                    fmt::join(record.host_values, ", "));
}

/// Files and memory by which UEs can have met past the accesses that are put in order; empty: none.
std::string met_outside(const RunRecord& record) {
  return record.met_outside.empty()
      ? ""
      : fmt::format("UEs share files, memory or queues of the host ({}), accesses to which are not seen",
                    fmt::join(record.met_outside, ", "));
}

/// Files by which runs are not compared; empty: the program writes none.
std::string not_compared(const RunRecord& record) {
  return record.written.empty()
      ? ""
      : fmt::format("; what it may have written to {} is not compared", fmt::join(record.written, ", "));
}

class Exploration {
 public:
  Exploration(const Plan& plan, const Start& start) : plan_(plan), start_(start) {}

  int run() {
    const ChildRun first = run_child(start_, {}, plan_.explored.all, {});
    if (Interrupts::signal() != 0) return interrupted();
    if (first.record && first.record->outcome == Outcome::finished) {
      base_ = *first.record;
      unseen_ = unseen_accesses(base_);
      limits_ = {.accesses = base_.accesses * endless_factor + endless_more,
                 .idle = base_.end + idle_more,
                 .host_seconds = plan_.timeout_seconds > 0
                     ? plan_.timeout_seconds
                     : std::ceil(first.host_seconds * longest_factor + longest_more_seconds)};
      return plan_.explored.all ? every_order() : seeds();
    }
    std::fputs(first.errors.c_str(), stderr);
    if (!first.record) return first.status; // it has not even begun, and says why
    if (first.record->outcome == Outcome::deadlock)
      say("the unperturbed run deadlocks: there is nothing to compare with");
    else
      say(fmt::format("the unperturbed run was ended with status {}: there is nothing to compare with",
                      first.record->status));
    return first.record->status;
  }

 private:
  int seeds() {
    mesh::Progress progress(static_cast<double>(plan_.explored.runs));
    for (; runs_ < plan_.explored.runs; ++runs_) {
      progress.set(static_cast<double>(runs_));
      const Perturbation perturbation{plan_.first_seed + runs_, {}};
      const ChildRun made = run_child(start_, perturbation, false, limits_);
      if (Interrupts::signal() != 0) {
        progress.clear();
        return interrupted();
      }
      if (!differs(made)) {
        if (unseen_.empty()) unseen_ = unseen_accesses(*made.record);
        continue;
      }
      progress.clear();
      const std::string name = fmt::format("seed {}", perturbation.seed);
      tell(made, fmt::format("run {} of {}, {}", runs_ + 1, plan_.explored.runs, name), name);
      // Once more, with their accesses.
      if (made.too_long) return end(made, perturbation);
      const ChildRun usual = run_child(start_, {}, true, {}),
                     again = run_child(start_, perturbation, true, limits_);
      if (usual.record && again.record) tell_swap(*usual.record, "unperturbed", *again.record, name);
      return end(made, perturbation);
    }
    progress.clear();
    say(fmt::format("{} (seeds {} to {}){}{}{}", agreeing(runs_), plan_.first_seed,
                    plan_.first_seed + runs_ - 1, status_of_all(), unseen_.empty() ? "" : "; " + unseen_,
                    not_compared(base_)));
    return 0;
  }

  int every_order() {
    OrderSearch search;
    static_cast<void>(search.next()); // the unperturbed run
    search.learn(base_);
    mesh::Progress progress(static_cast<double>(plan_.explored.runs)); // the most
    while (runs_ < plan_.explored.runs) {
      progress.set(static_cast<double>(runs_));
      const std::optional<Orders> orders = search.next();
      if (!orders) break;
      const Perturbation perturbation{0, *orders};
      const ChildRun made = run_child(start_, perturbation, true, limits_);
      if (Interrupts::signal() != 0) {
        progress.clear();
        return interrupted();
      }
      ++runs_;
      if (differs(made)) {
        progress.clear();
        tell(made, fmt::format("run {}, order {}", runs_, perturbation_text(perturbation)), "here");
        tell_last(made, *orders);
        return end(made, perturbation);
      }
      if (unseen_.empty()) unseen_ = unseen_accesses(*made.record);
      search.learn(*made.record);
    }
    progress.clear();
    std::string left;
    for (const std::string& reason :
         {search.what_is_left(), unseen_,
          std::string(base_.knows_time ? "the program reads the time or sets alarms, which differ between "
                                         "orders, and may depend on it"
                                       : ""),
          values_of_host(base_), met_outside(base_)})
      if (!reason.empty()) left += (left.empty() ? "" : "; ") + reason;
    say(fmt::format("{}{}; {} of racing accesses {} tried, {}{}", agreeing(runs_), status_of_all(),
                    mesh::counted(search.tried(), "order"), search.tried() == 1 ? "was" : "were",
                    left.empty() ? "and there are no others" : "not all: " + left, not_compared(base_)));
    return 0;
  }

  [[nodiscard]] bool differs(const ChildRun& made) const {
    return made.too_long || !made.record || !difference(base_, *made.record, "").empty();
  }

  void tell(const ChildRun& made, const std::string& which, const std::string& name) const {
    say(fmt::format("{}: {}", which,
                    made.too_long
                        ? fmt::format("the run does not end within {:g} s of host time", limits_.host_seconds)
                        : made.record ? difference(base_, *made.record, name)
                                      : fmt::format("the process ends with status {}", made.status)));
  }

  /// All was well without the last order, so it is that one which matters.
  void tell_last(const ChildRun& made, Orders orders) const {
    if (!made.record || made.too_long) return;
    const mesh::Hold last = orders.back();
    orders.pop_back();
    if (orders.empty()) return tell_swap(base_, "unperturbed", *made.record, "here", last);
    const ChildRun before = run_child(start_, {0, orders}, true, limits_);
    if (before.record) tell_swap(*before.record, "without the last order", *made.record, "here", last);
  }

  static void tell_swap(const RunRecord& usual, const std::string& usual_name, const RunRecord& other,
                        const std::string& name, const std::optional<mesh::Hold>& last = std::nullopt) {
    auto swap = last ? swap_of(*last, usual, other) : std::nullopt;
    if (!swap) swap = find_swap(usual, other);
    if (swap)
      show(swap_text(*swap, usual, usual_name, name));
    else
      show(fmt::format("no two accesses to buffers, locks or counters swapped: the difference comes from "
                       "{}times or from outside{}\n",
                       unseen_cause(usual), usual.host_values.empty() ? "" : ": " + values_of_host(usual)));
  }

  int end(const ChildRun& made, const Perturbation& perturbation) const {
    if (!made.errors.empty()) show("what that run reports:\n" + made.errors);
    std::string command = "rccerun";
    for (const std::string& word : plan_.options) command += ' ' + quoted(word);
    command += " --replay " + perturbation_text(perturbation);
    for (const std::string& word : plan_.program) command += ' ' + quoted(word);
    show("replay: " + command + '\n');
    const bool deadlock = made.record && made.record->outcome == Outcome::deadlock;
    return deadlock ? status_deadlock : status_differ;
  }

  [[nodiscard]] int interrupted() const {
    say(fmt::format("interrupted by signal {}; {} so far agree with the unperturbed one",
                    Interrupts::signal(), mesh::counted(runs_, "run")));
    return status_signal + Interrupts::signal();
  }

  [[nodiscard]] std::string status_of_all() const {
    return base_.status == 0 ? "" : fmt::format(",{} with status {}", runs_ == 0 ? "" : " all", base_.status);
  }

  const Plan& plan_;
  const Start& start_;
  RunRecord base_;
  std::string unseen_; ///< why accesses of the program may have gone unseen; empty: none has
  Limits limits_;
  std::uint64_t runs_ = 0; ///< made beside the unperturbed one
};

} // namespace

int explore(const Plan& plan, const Start& start) {
  const Interrupts interrupts;
  return Exploration(plan, start).run();
}

} // namespace rcce::explore
