// SPDX-License-Identifier: Apache-2.0
// Does a thread that waits see what was written, whenever it falls asleep, without the look that it takes by
// itself?
#include <array>
#include <atomic>
#include <sched.h>
#include <thread>

#include "catch.hpp"
#include "engine/waiting.hpp"

using rcce::Waiting;

namespace {

/// A word per core; each waits until its own has a value.
struct Words {
  explicit Words(bool crowded) : waiting(made(crowded)) { waiting.begin(2); }

  /// With fewer processors than threads it is the writers who order their stores before their looks.
  Waiting made(bool crowded) {
    cpu_set_t all, one;
    REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
    CPU_ZERO(&one);
    for (int i = 0; CPU_COUNT(&one) == 0; ++i)
      if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
    if (crowded) sched_setaffinity(0, sizeof one, &one);
    struct Restore {
      cpu_set_t& all;
      ~Restore() { sched_setaffinity(0, sizeof all, &all); }
    } const restore{all};
    return {2, [](void* self, int core) { return static_cast<Words*>(self)->met(core); }, this};
  }

  [[nodiscard]] bool met(int core) {
    const auto i = static_cast<std::size_t>(core);
    const bool is = words[i].load(std::memory_order_seq_cst) == wanted[i];
    ++looks[i];
    return is;
  }
  /// Writes once the sleeper has looked for the last time before it sleeps, and tells nobody.
  void write_unheard(int core, int value) {
    const auto i = static_cast<std::size_t>(core);
    while (looks[i] == 0) std::this_thread::yield();
    words[i] = value;
  }
  void write(int core, int value) {
    words[static_cast<std::size_t>(core)].store(value, std::memory_order_relaxed);
    waiting.written(core);
  }
  bool sleep(int core, int value) {
    wanted[static_cast<std::size_t>(core)] = value;
    return waiting.sleep(core, core);
  }

  std::array<std::atomic<int>, 2> words{};
  std::array<std::atomic<int>, 2> looks{};
  std::array<int, 2> wanted{};
  Waiting waiting;
};

} // namespace

TEST_CASE("what was written before the sleeper listed itself is seen before it sleeps") {
  for (const bool crowded : {false, true}) {
    Words words(crowded);
    words.write(0, 1);
    CHECK(words.sleep(0, 1));
    CHECK(words.waiting.rescues().late == 0);
    CHECK(words.waiting.rescues().at_rest == 0);
  }
}

TEST_CASE("two threads that wake each other never both sleep") {
  for (const bool crowded : {false, true}) {
    Words words(crowded);
    constexpr int rounds = 5000;
    std::thread other([&] {
      for (int i = 1; i <= rounds; ++i) {
        static_cast<void>(words.sleep(1, i));
        words.write(0, i);
      }
      words.waiting.end();
    });
    for (int i = 1; i <= rounds; ++i) {
      words.write(1, i);
      REQUIRE(words.sleep(0, i));
    }
    words.waiting.end();
    other.join();
    CHECK(words.waiting.rescues().at_rest == 0);
    CHECK_FALSE(words.waiting.deadlocked());
  }
}

TEST_CASE("a write that nobody tells of is found by the sleeper, though others are awake, and counted") {
  Words words(true);
  std::thread other([&] { CHECK(words.sleep(1, 1)); });
  words.write_unheard(1, 1);
  other.join();
  CHECK(words.waiting.rescues().at_rest == 0);
  CHECK(words.waiting.rescues().late == 1);
}

TEST_CASE("a write that nobody tells of is found when everybody sleeps, and counted") {
  Words words(true);
  std::thread other([&] { CHECK(words.sleep(1, 1)); });
  words.write_unheard(1, 1);
  words.waiting.end();
  other.join();
  CHECK(words.waiting.rescues().at_rest + words.waiting.rescues().late == 1);
  CHECK_FALSE(words.waiting.deadlocked());
}
