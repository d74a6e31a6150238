// What is explored of each kind of algorithm: a few operations in a row, with checks that nobody is early,
// nobody is left behind, nothing is lost.
#pragma once

#include <fmt/format.h>

#include "algorithms/explore/search.hpp"
#include "algorithms/in_memory/barriers.hpp"

namespace algorithms::explore {

/// Every thread writes its own count before each barrier and looks at those of all others behind it.
[[nodiscard]] inline Scenario barrier_scenario(std::function<in_memory::Barrier<Memory>(Memory&)> make,
                                               int episodes) {
  return [make = std::move(make), episodes](Memory& memory) -> Program {
    const auto arrived = memory.words(static_cast<std::size_t>(memory.threads()), memory::line, 0);
    const auto barrier = make(memory);
    return {[arrived, barrier, episodes](Memory::Thread& thread) {
              for (std::uint64_t episode = 1; episode <= static_cast<std::uint64_t>(episodes); ++episode) {
                thread.store(arrived[static_cast<std::size_t>(thread.thread())], episode,
                             std::memory_order_relaxed);
                barrier(thread);
                for (std::size_t other = 0; other < arrived.size(); ++other)
                  if (thread.peek(arrived[other]) < episode)
                    thread.fault(fmt::format("thread {} leaves barrier {} before thread {} has come",
                                             thread.thread(), episode, other));
                thread.forget(episode);
              }
            },
            [](const Contents&) { return std::string(); }};
  };
}

/// Every worker writes the number of its region before it arrives; the master looks at all behind the join,
/// when none may have begun the next.
[[nodiscard]] inline Scenario join_scenario(std::function<in_memory::Join<Memory>(Memory&)> make,
                                            int regions) {
  return [make = std::move(make), regions](Memory& memory) -> Program {
    const auto worked = memory.words(static_cast<std::size_t>(memory.threads()), memory::line, 0);
    const auto fork = std::make_shared<in_memory::Fork<Memory>>(memory);
    const auto join = make(memory);
    const auto all = static_cast<std::uint64_t>(regions);
    return {[worked, fork, join, all](Memory::Thread& thread) {
              if (thread.thread() > 0) {
                for (std::uint64_t region = 1; fork->await(thread); ++region) {
                  thread.store(worked[static_cast<std::size_t>(thread.thread())], region,
                               std::memory_order_relaxed);
                  join.arrive(thread);
                  thread.forget(region);
                }
                return;
              }
              for (std::uint64_t region = 1; region <= all; ++region) {
                fork->start(thread);
                join.join(thread);
                for (std::size_t worker = 1; worker < worked.size(); ++worker)
                  if (const std::uint64_t at = thread.peek(worked[worker]); at != region)
                    thread.fault(
                        fmt::format("the master leaves the join of region {} when worker {} is in {}", region,
                                    worker, at));
                thread.forget(region);
              }
              fork->stop(thread);
            },
            [worked, all](const Contents& contents) {
              for (std::size_t worker = 1; worker < worked.size(); ++worker)
                if (contents[worked[worker]] != all)
                  return fmt::format("worker {} has ended after {} of {} regions", worker,
                                     contents[worked[worker]], all);
              return std::string();
            }};
  };
}

} // namespace algorithms::explore
