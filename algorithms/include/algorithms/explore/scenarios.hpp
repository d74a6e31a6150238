// SPDX-License-Identifier: Apache-2.0
// What is explored of each kind of algorithm: a few operations in a row, with checks that nobody is early,
// nobody is left behind, nothing is lost.
#pragma once

#include <fmt/format.h>

#include "algorithms/explore/search.hpp"
#include "algorithms/in_memory/barrier/barriers.hpp"
#include "algorithms/in_memory/bcast/broadcasts.hpp"
#include "algorithms/in_memory/exchange/exchanges.hpp"
#include "algorithms/in_memory/lock/locks.hpp"
#include "algorithms/in_memory/reduce/reductions.hpp"

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

/// An element that fills a line, so that two threads of a pair have one each.
struct Element {
  std::uint64_t count = 0;
  std::array<std::uint64_t, memory::line / sizeof(std::uint64_t) - 1> rest{};

  friend Element operator+(const Element& a, const Element& b) { return {a.count + b.count, {}}; }
};
/// The contribution of a thread to an operation: a byte of its own, chosen so that no other contributions
/// give the same sum.
[[nodiscard]] constexpr Element contribution(int thread, int operation) {
  return {((std::uint64_t{1} << (operation + 1)) - 1) << (8 * thread), {}};
}

/// Every thread writes its input, reduces, and at once overwrites its input with what it contributes to the
/// next operation: nobody may still read it. Each operation has a result of its own, in which each
/// contribution has to be once; where the result is `for_all`, everybody finds it when its call returns.
[[nodiscard]] inline Scenario
reduce_scenario(std::function<in_memory::Reduction<Memory>(Memory&, const in_memory::Operation<Memory>&,
                                                           std::size_t bytes)>
                    make,
                int elements, int operations, bool for_all = false) {
  return [make = std::move(make), elements, operations, for_all](Memory& memory) -> Program {
    const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(Element);
    std::vector<Memory::Block> inputs, results;
    for (int thread = 0; thread < memory.threads(); ++thread) inputs.push_back(memory.block(bytes, thread));
    for (int operation = 0; operation < operations; ++operation) results.push_back(memory.block(bytes, 0));
    const auto reduce = make(memory, in_memory::operation<Memory, Element>(std::plus<Element>()), bytes);
    return {[inputs, results, reduce, for_all](Memory::Thread& thread) {
              const int self = thread.thread();
              const auto& input = inputs[static_cast<std::size_t>(self)];
              for (int operation = 0; operation < static_cast<int>(results.size()); ++operation) {
                const auto& result = results[static_cast<std::size_t>(operation)];
                thread.fill(input, contribution(self, operation));
                reduce(thread, input, result);
                Element wanted;
                for (int other = 0; other < thread.threads(); ++other)
                  wanted = wanted + contribution(other, operation);
                for (std::size_t at = 0; for_all && at < result.bytes; at += sizeof(Element))
                  if (thread.get<Element>(result.part(at, sizeof(Element))).count != wanted.count)
                    thread.fault(fmt::format("operation {}: thread {} leaves before the result is complete",
                                             operation + 1, self));
                thread.forget(static_cast<std::uint64_t>(operation));
              }
              thread.fill(input, Element{});
            },
            [results, elements, threads = memory.threads()](const Contents& contents) {
              for (std::size_t operation = 0; operation < results.size(); ++operation) {
                Element wanted;
                for (int thread = 0; thread < threads; ++thread)
                  wanted = wanted + contribution(thread, static_cast<int>(operation));
                for (int i = 0; i < elements; ++i)
                  if (const auto got =
                          contents.value<Element>(results[operation], static_cast<std::size_t>(i)).count;
                      got != wanted.count)
                    return fmt::format(
                        "operation {}, element {}: the sum is {:#x} instead of {:#x}, a byte for each thread",
                        operation + 1, i, got, wanted.count);
              }
              return std::string();
            }};
  };
}

/// Every thread in turn is the root, and overwrites its block when its call has returned; the others read
/// theirs then.
[[nodiscard]] inline Scenario broadcast_scenario(std::function<in_memory::Broadcast<Memory>(Memory&)> make,
                                                 int elements, int operations) {
  return [make = std::move(make), elements, operations](Memory& memory) -> Program {
    const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(Element);
    std::vector<std::vector<Memory::Block>> blocks(static_cast<std::size_t>(operations));
    for (auto& of_one : blocks)
      for (int thread = 0; thread < memory.threads(); ++thread) of_one.push_back(memory.block(bytes, thread));
    const auto broadcast = make(memory);
    return {
        [blocks, broadcast](Memory::Thread& thread) {
          for (std::size_t operation = 0; operation < blocks.size(); ++operation) {
            const int root = static_cast<int>(operation) % thread.threads();
            const auto& mine = blocks[operation][static_cast<std::size_t>(thread.thread())];
            if (thread.thread() == root) thread.fill(mine, contribution(root, static_cast<int>(operation)));
            broadcast(thread, mine, root);
            const std::uint64_t sent = contribution(root, static_cast<int>(operation)).count;
            for (std::size_t at = 0; thread.thread() != root && at < mine.bytes; at += sizeof(Element))
              if (thread.get<Element>(mine.part(at, sizeof(Element))).count != sent)
                thread.fault(fmt::format("operation {}: thread {} leaves before it has what thread {} sends",
                                         operation + 1, thread.thread(), root));
            if (thread.thread() == root) thread.fill(mine, Element{});
            thread.forget(operation);
          }
        },
        [blocks, elements](const Contents& contents) {
          for (std::size_t operation = 0; operation < blocks.size(); ++operation) {
            const std::size_t threads = blocks[operation].size(), root = operation % threads;
            for (std::size_t thread = 0; thread < threads; ++thread)
              for (int i = 0; i < elements; ++i)
                if (thread != root &&
                    contents.value<Element>(blocks[operation][thread], static_cast<std::size_t>(i)).count !=
                        contribution(static_cast<int>(root), static_cast<int>(operation)).count)
                  return fmt::format("operation {}: thread {} has not what thread {} has sent", operation + 1,
                                     thread, root);
          }
          return std::string();
        }};
  };
}

/// Each operation has buffers of its own, of an element for each thread, and the next thread as its root.
/// Every thread looks at its target when its call has returned, and overwrites both: nobody may still read
/// them.
[[nodiscard]] inline Scenario
exchange_scenario(rockcreek_operation what,
                  std::function<in_memory::Exchange<Memory>(Memory&, const in_memory::Operation<Memory>&,
                                                            std::size_t bytes)>
                      make,
                  int operations) {
  return [what, make = std::move(make), operations](Memory& memory) -> Program {
    const int threads = memory.threads();
    const Shares shares(what, static_cast<std::size_t>(threads) * sizeof(Element), sizeof(Element), threads);
    std::vector<std::vector<Memory::Block>> sources(static_cast<std::size_t>(operations)), targets(sources);
    for (int operation = 0; operation < operations; ++operation)
      for (int thread = 0; thread < threads; ++thread) {
        const auto at = static_cast<std::size_t>(operation);
        sources[at].push_back(memory.block(shares.source(thread, operation % threads), thread));
        targets[at].push_back(memory.block(shares.target(thread, operation % threads), thread));
      }
    const auto exchange =
        make(memory, in_memory::operation<Memory, Element>(std::plus<Element>()), shares.bytes());
    return {[shares, sources, targets, exchange](Memory::Thread& thread) {
              const int self = thread.thread();
              for (std::size_t operation = 0; operation < sources.size(); ++operation) {
                const int of = static_cast<int>(operation), root = of % thread.threads();
                const auto& source = sources[operation][static_cast<std::size_t>(self)];
                const auto& target = targets[operation][static_cast<std::size_t>(self)];
                if (source.bytes > 0) thread.fill(source, contribution(self, of));
                exchange(thread, source, target, root);
                std::vector<std::uint64_t> wanted(target.bytes / sizeof(Element));
                for (int sender = 0; sender < thread.threads(); ++sender) {
                  const Transfer transfer = shares.transfer(sender, self, root);
                  for (std::size_t i = 0; i < transfer.bytes / sizeof(Element); ++i)
                    wanted[transfer.to / sizeof(Element) + i] += contribution(sender, of).count;
                }
                for (std::size_t i = 0; i < wanted.size(); ++i)
                  if (const auto got =
                          thread.get<Element>(target.part(i * sizeof(Element), sizeof(Element))).count;
                      got != wanted[i])
                    thread.fault(
                        fmt::format("operation {}: thread {} has {:#x} instead of {:#x} at element {}",
                                    of + 1, self, got, wanted[i], i));
                if (source.bytes > 0) thread.fill(source, Element{});
                if (target.bytes > 0) thread.fill(target, Element{});
                thread.forget(operation);
              }
            },
            [](const Contents&) { return std::string(); }};
  };
}

/// Every thread adds to a plain number under the lock.
[[nodiscard]] inline Scenario lock_scenario(std::function<in_memory::Lock<Memory>(Memory&)> make,
                                            int operations) {
  return [make = std::move(make), operations](Memory& memory) -> Program {
    const auto number = memory.block(sizeof(std::uint64_t), 0);
    const auto lock = make(memory);
    return {[number, lock, operations](Memory::Thread& thread) {
              for (int operation = 0; operation < operations; ++operation) {
                lock.acquire(thread);
                thread.put(number, thread.get<std::uint64_t>(number) + 1);
                lock.release(thread);
              }
            },
            [number,
             wanted = static_cast<std::uint64_t>(memory.threads() * operations)](const Contents& contents) {
              const auto got = contents.value<std::uint64_t>(number, 0);
              return got == wanted ? std::string() : fmt::format("{} of {} additions are there", got, wanted);
            }};
  };
}

} // namespace algorithms::explore
