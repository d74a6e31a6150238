// SPDX-License-Identifier: Apache-2.0
// Does every interleaving of an algorithm in shared memory do what it should, and does the explorer find what
// is known to be wrong?
#include <algorithm>

#include "algorithms/explore/rows.hpp"
#include "algorithms/in_memory/exchange/exchanges.hpp"
#include "catch.hpp"

namespace explore = algorithms::explore;
using explore::Memory;

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

explore::Scenario scenario(std::size_t words,
                           std::function<void(Memory::Thread&, const std::vector<Memory::Word>&)> body,
                           std::function<std::string(const explore::Contents&)> at_end = nullptr) {
  return [=](Memory& memory) -> explore::Program {
    const auto all = memory.words(words, 64, 0);
    return {[=](Memory::Thread& thread) { body(thread, all); },
            [=](const explore::Contents& contents) { return at_end ? at_end(contents) : std::string(); }};
  };
}

std::string fault_of(int threads, const explore::Scenario& what) {
  const auto result = explore::search(threads, what);
  return result.fault ? result.fault->what : "";
}

/// Threads and operations with which a search takes a second at most.
std::vector<std::pair<int, int>> sizes_of(const explore::Row& row) {
  const auto is = [&row](const char* part) { return row.name.find(part) != std::string::npos; };
  if (is("dynamic_pair")) return {{1, 3}, {2, 3}, {3, 2}};
  if (is("dynamic_group")) return {{1, 3}, {2, 3}, {3, 1}};
  if (is("lock/")) return {{1, 3}, {2, 2}, {3, 1}};
  if (is("mutex")) return {{1, 3}, {2, 3}, {3, 3}, {4, 1}};
  if (algorithms::find_row(algorithms::in_memory::exchanges<Memory>(), row.name) != nullptr)
    return {{1, 3}, {2, 3}, {3, 2}};
  if (is("reduce/linear")) return {{1, 3}, {2, 3}, {3, 2}};
  return {{1, 3}, {2, 3}, {3, 3}, {4, 1}, {5, 1}};
}

} // namespace

TEST_CASE("every interleaving of every algorithm is right") {
  std::size_t searches = 0;
  for (const explore::Row& row : explore::rows()) {
    if (row.mistake) continue;
    for (const auto& [threads, operations] : sizes_of(row)) {
      const auto result = explore::search(threads, row.make(operations));
      INFO(row.name << ", " << threads << " threads, " << operations << " operations, " << result.states
                    << " states: " << (result.fault ? result.fault->what : "no fault"));
      CHECK(result.complete);
      CHECK(!result.fault);
      ++searches;
    }
  }
  CHECK(searches > 170);
}

TEST_CASE("pairs by order of arrival are right with four threads, and in three operations of three") {
  const auto& rows = explore::rows();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [](const explore::Row& one) { return one.name == "reduce/dynamic_pair"; });
  REQUIRE(row != rows.end());
  for (const auto& [threads, operations] : {std::pair(4, 1), {3, 3}}) {
    const auto result = explore::search(threads, row->make(operations), {.symmetric = true});
    INFO(threads << " threads, " << operations << " operations, " << result.states << " states");
    CHECK(result.complete);
    CHECK(!result.fault);
    CHECK(result.states > 10'000);
  }
}

TEST_CASE("known mistakes are found, and the replay shows them") {
  int mistakes = 0;
  for (const explore::Row& row : explore::rows()) {
    if (!row.mistake) continue;
    ++mistakes;
    INFO(row.name);
    const auto found = explore::search(row.fails_threads, row.make(row.fails_operations));
    REQUIRE(found.fault);
    const auto told =
        explore::replay(row.fails_threads, row.make(row.fails_operations), found.fault->schedule);
    CHECK(told.fault == found.fault->what);
    CHECK(told.steps.size() == found.fault->schedule.size());
    // One operation or one thread less: nothing to find. With four threads that takes minutes.
    if (row.fails_threads > 3) continue;
    if (row.fails_operations > 1)
      CHECK(!explore::search(row.fails_threads, row.make(row.fails_operations - 1)).fault);
    else
      CHECK(!explore::search(row.fails_threads - 1, row.make(row.fails_operations)).fault);
  }
  CHECK(mistakes >= 7);
}

TEST_CASE("threads that are alike stand for each other, and mistakes are found all the same") {
  int alike = 0;
  for (const explore::Row& row : explore::rows()) {
    const bool group = row.name.find("dynamic_group") != std::string::npos;
    if (row.mistake && group) {
      INFO(row.name);
      CHECK(explore::search(row.fails_threads, row.make(row.fails_operations), {.symmetric = true}).fault);
    }
    if (!row.symmetric) continue;
    ++alike;
    const auto all = explore::search(3, row.make(1)),
               first = explore::search(3, row.make(1), {.symmetric = true});
    INFO(row.name << ": " << first.states << " states, else " << all.states);
    CHECK(first.complete);
    CHECK(!first.fault);
    CHECK(first.states * 3 < all.states);
    CHECK(first.longest == all.longest);
  }
  CHECK(alike == 3);
}

TEST_CASE("the reduction by partial order leaves out states, and no end") {
  for (const explore::Row& row : explore::rows()) {
    if (row.mistake) continue;
    const auto [threads, operations] = sizes_of(row)[1];
    const auto reduced = explore::search(threads, row.make(operations)),
               all = explore::search(threads, row.make(operations), {.reduce = false});
    INFO(row.name);
    CHECK(reduced.ends == all.ends);
    CHECK(reduced.states <= all.states);
  }
  // Threads that have nothing to do with each other: a grid of states, or one way through it.
  const auto apart = scenario(3, [](auto& thread, const auto& words) {
    for (int i = 0; i < 4; ++i) thread.store(words[static_cast<std::size_t>(thread.thread())], 1, relaxed);
  });
  CHECK(explore::search(3, apart, {.reduce = false}).states == 5 * 5 * 5);
  CHECK(explore::search(3, apart).states == 1 + 3 * 4);
}

TEST_CASE("all ends of a race of words are met") {
  // Two threads add 1 to a word by a load and a store: 1 or 2.
  const auto race = [](std::uint64_t wrong) {
    return scenario(
        1,
        [](auto& thread, const auto& words) {
          thread.store(words[0], thread.load(words[0], relaxed) + 1, relaxed);
        },
        [wrong](const explore::Contents& contents) {
          return contents[Memory::Word{0}] == wrong ? std::string("so it is") : std::string();
        });
  };
  CHECK(fault_of(2, race(1)) == "so it is");
  CHECK(fault_of(2, race(2)) == "so it is");
  CHECK(fault_of(2, race(3)).empty());
  CHECK(fault_of(2, race(0)).empty());
}

TEST_CASE("store buffering does not come about") {
  const auto both_see_nothing = scenario(
      4,
      [](auto& thread, const auto& words) {
        const auto self = static_cast<std::size_t>(thread.thread());
        thread.store(words[self], 1, relaxed);
        thread.store(words[2 + self], 1 + thread.load(words[1 - self], relaxed), relaxed);
      },
      [](const explore::Contents& contents) {
        return contents[Memory::Word{2}] == 1 && contents[Memory::Word{3}] == 1 ? std::string("both")
                                                                                : std::string();
      });
  CHECK(fault_of(2, both_see_nothing).empty());
}

TEST_CASE("a deadlock says who waits for what") {
  const auto each_for_the_other = scenario(2, [](auto& thread, const auto& words) {
    const auto self = static_cast<std::size_t>(thread.thread());
    thread.wait(
        words[1 - self], [](std::uint64_t value) { return value == 1; }, relaxed);
    thread.store(words[self], 1, relaxed);
  });
  CHECK(fault_of(2, each_for_the_other) ==
        "nobody can go on: thread 0 waits for word 1, which is 0, thread 1 waits for word 0, which is 0");
  const auto nobody_wakes =
      scenario(1, [](auto& thread, const auto& words) { thread.futex_wait(words[0], 0); });
  CHECK(fault_of(1, nobody_wakes) == "nobody can go on: thread 0 sleeps on word 0");
}

TEST_CASE("a run without an end is told") {
  const auto spins = scenario(1, [](auto& thread, const auto& words) {
    while (thread.load(words[0], relaxed) == 0) {
    }
  });
  CHECK(fault_of(1, spins) == "no end after 4000 steps");
  // With a pause it is a wait: for ever, where nobody writes.
  const auto pauses = scenario(1, [](auto& thread, const auto& words) {
    if (thread.thread() == 1) return thread.store(words[0], 1, relaxed);
    while (thread.load(words[0], relaxed) == 0) thread.pause();
  });
  CHECK(fault_of(1, pauses) == "nobody can go on: thread 0 spins, and nobody changes anything");
  CHECK(fault_of(2, pauses).empty());
}

TEST_CASE("plain bytes that no word keeps apart are found") {
  const auto hands = [](bool waits) -> explore::Scenario {
    return [waits](Memory& memory) -> explore::Program {
      const auto word = memory.words(1, 64, 0)[0];
      const auto value = std::make_shared<algorithms::memory::Mailbox<Memory, std::uint64_t>>(memory, 0);
      return {[=](Memory::Thread& thread) {
                if (thread.thread() == 0) {
                  value->put(thread, 47);
                  thread.store(word, 1, std::memory_order_release);
                  return;
                }
                if (waits)
                  thread.wait(
                      word, [](std::uint64_t now) { return now == 1; }, std::memory_order_acquire);
                if (value->get(thread) != 47) thread.fault("another value");
              },
              [](const explore::Contents&) { return std::string(); }};
    };
  };
  CHECK(fault_of(2, hands(true)).empty());
  CHECK(fault_of(2, hands(false)) ==
        "nothing keeps two threads apart: thread 0 writes bytes 0-8, thread 1 reads bytes 0-8");
}

TEST_CASE("a thread that keeps more than it says is found out") {
  const auto keeps = [](Memory& memory) -> explore::Program {
    const auto words = memory.words(2, 64, 0);
    return {[words](Memory::Thread& thread) {
              if (thread.thread() == 1) return thread.store(words[0], 1, relaxed);
              const std::uint64_t seen = thread.load(words[0], relaxed);
              thread.forget(1);
              thread.store(words[1], seen, relaxed);
            },
            [](const explore::Contents&) { return std::string(); }};
  };
  CHECK_THROWS_AS(explore::search(2, keeps), std::logic_error);
}

TEST_CASE("schedules as texts") {
  CHECK(explore::schedule_text({0, 0, 0, 1, 2, 2}) == "0*3,1,2*2");
  CHECK(explore::parse_schedule("0*3,1,2*2", 3) == explore::Schedule{0, 0, 0, 1, 2, 2});
  CHECK(explore::parse_schedule("", 3) == explore::Schedule{});
  for (const char* const wrong : {"3", "0*", "*3", "0,", ",0", "0 1", "0*99999999", "-1", "0*3x"})
    CHECK(!explore::parse_schedule(wrong, 3));
  const auto apart = scenario(1, [](auto& thread, const auto& words) { thread.store(words[0], 1, relaxed); });
  CHECK_THROWS_AS(explore::replay(2, apart, {0, 0}), std::invalid_argument);
}
