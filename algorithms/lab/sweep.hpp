// SPDX-License-Identifier: Apache-2.0
// Independent points of a sweep, side by side on all processors, longest first, with a progress line on a
// terminal and an orderly end on Ctrl-C: what is done by then is kept.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/result_store.hpp"

namespace lab {

/// Computes a point on a worker thread and returns what stores its result; that is called on the caller's
/// thread, and never after run() has returned. A task owns all it uses: one that Ctrl-C leaves behind goes on
/// until the process ends.
using Task = std::function<std::function<void()>()>;

/// Most simulations side by side: more than hosts have processors, and half of what one process can hold.
inline constexpr int most_jobs = 128;

class Sweep {
 public:
  /// `weight` is any guess of how long the task takes, against the others.
  void add(double weight, Task task) { tasks_.push_back({weight, std::move(task)}); }

  /// Runs all on `threads` threads (0: one per processor). True when all are done; false after Ctrl-C,
  /// SIGTERM or SIGHUP, with interrupted_status() set. Rethrows what a task throws, after the running ones
  /// have ended.
  [[nodiscard]] bool run(unsigned threads = 0);

 private:
  struct Entry {
    double weight;
    Task task;
  };
  std::vector<Entry> tasks_;
};

/// 128 + the number of the signal that has ended a sweep early; 0 if none has. A process with a status here
/// ends by _exit: simulations may still be running.
[[nodiscard]] int interrupted_status() noexcept;
/// True where a job has been ended by that signal from outside (rcce::JobResult; 0: by none), or its sweep by
/// one. interrupted_status() tells of it from then on.
[[nodiscard]] bool was_interrupted(int signal_of_job) noexcept;

/// Runs measure(item) for every item; results in the order of the items, empty where Ctrl-C came first.
/// `done` is called with each result, on the caller's thread.
template <class Result, class Item>
std::vector<std::optional<Result>> sweep(const std::vector<Item>& items, unsigned threads,
                                         const std::function<double(const Item&)>& weight,
                                         const std::function<Result(const Item&)>& measure,
                                         const std::function<void(const Item&, const Result&)>& done = {}) {
  // Shared, so that a task left behind by Ctrl-C still has it.
  auto results = std::make_shared<std::vector<std::optional<Result>>>(items.size());
  Sweep all;
  for (std::size_t i = 0; i < items.size(); ++i)
    all.add(weight(items[i]), [results, i, item = items[i], measure, done] {
      return [results, i, item, done, result = measure(item)] {
        (*results)[i] = result;
        if (done) done(item, result);
      };
    });
  (void)all.run(threads); // an early end shows in the empty results and in interrupted_status()
  return *results;
}

/// The same with results that are stored under `key`: what the store has is not measured, what is measured is
/// stored at once. Results are empty, too, where another shard measures. Points are `derived` where they
/// follow from results of other points: no shard could know them, and who merges measures them.
template <class Result, class Item>
std::vector<std::optional<Result>> stored_sweep(const std::vector<Item>& items, unsigned threads,
                                                const std::function<double(const Item&)>& weight,
                                                const std::function<Result(const Item&)>& measure,
                                                const std::function<std::string(const Item&)>& key,
                                                bool derived = false) {
  ResultStore& store = result_store();
  if (!store.is_open()) return sweep<Result, Item>(items, threads, weight, measure);
  std::vector<std::string> keys;
  for (const Item& item : items) keys.push_back(key(item));
  std::vector<std::optional<Result>> results(items.size());
  const std::vector<std::size_t> missing = store.look_up(
      keys, [&results](std::size_t i, const nlohmann::json& json) { results[i] = json.get<Result>(); },
      derived);
  const auto shared = std::make_shared<const std::vector<Item>>(items); // for tasks that Ctrl-C leaves behind
  const auto measured = sweep<Result, std::size_t>(
      missing, threads, [&](std::size_t i) { return weight(items[i]); },
      [shared, measure](std::size_t i) { return measure((*shared)[i]); },
      [&store, &keys](std::size_t i, const Result& result) { store.add(keys[i], result); });
  for (std::size_t i = 0; i < missing.size(); ++i) results[missing[i]] = measured[i];
  return results;
}

} // namespace lab
