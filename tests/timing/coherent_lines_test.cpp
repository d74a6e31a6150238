// SPDX-License-Identifier: Apache-2.0
// Does the coherent machine queue, wake and spin at its lines as it says, and the same way every time?
#include <ctime>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"
#include "coherent_support.hpp"

using namespace mesh::coherent;
using mesh::Picoseconds;

TEST_CASE("k cores that change one word take k L") {
  for (const char* const preset : {"opteron-6172", "xeon-phi-5110p", "xeon-e7-8867l"})
    for (const int k : {2, 3, 5, 6}) {
      const Config config = blocking(preset);
      Machine machine(config, k);
      const Word word = machine.words(1, 64, 0)[0];
      constexpr int rounds = 40;
      Picoseconds end = 0;
      run(machine, [&](Core& core) {
        for (int round = 0; round < rounds; ++round) core.fetch_add(word, 1);
        end = std::max(end, core.now());
      });
      INFO(preset << " with " << k);
      CHECK(machine.peek(word) == static_cast<std::uint64_t>(k * rounds));
      const double expected =
          static_cast<double>(table(config, Operation::fetch_add, State::modified, 0)) * k * rounds;
      CHECK(static_cast<double>(end) == Approx(expected).epsilon(0.05));
    }
}

TEST_CASE("an owner whose line is wanted reads and changes it once more after a failed compare-and-swap") {
  const Config config = blocking("opteron-6172");
  Machine machine(config, 3);
  const Word word = machine.words(1, 64, 0)[0];
  machine.poke(word, 5);
  std::vector<std::uint64_t> seen(3);
  bool changed = false;
  // Thread 0 fetches the line in vain; the others' requests are there when it has come.
  machine.start(0, [&](Core& core) {
    std::uint64_t expected = 0;
    core.compare_exchange(word, expected, 1);
    const std::uint64_t now = core.load(word);
    changed = core.compare_exchange(word, expected, 7) && now == 5;
    seen[0] = core.fetch_add(word, 1);
  });
  for (int thread = 1; thread < 3; ++thread)
    machine.start(thread, [&, thread](Core& core) {
      core.advance(1000);
      seen[static_cast<std::size_t>(thread)] = core.fetch_add(word, 1);
    });
  machine.run();
  CHECK(changed);
  CHECK(seen == std::vector<std::uint64_t>{9, 7, 8});
}

TEST_CASE("a poller sees a write one transfer later, and not before it") {
  const Config config = blocking("opteron-6172");
  Machine machine(config, 2);
  const Word flag = machine.words(1, 64, 0)[0];
  Picoseconds written = 0, seen = 0;
  machine.start(0, [&](Core& core) {
    core.advance(10'000'000);
    core.store(flag, 7);
    written = core.now();
  });
  machine.start(1, [&](Core& core) {
    CHECK(core.wait(flag, [](std::uint64_t value) { return value == 7; }) == 7);
    seen = core.now();
  });
  machine.run();
  const Picoseconds gap = machine.costs().poll_gap;
  CHECK(seen == written + gap + machine.costs().latency(Operation::load, State::modified, 0));
}

TEST_CASE("two writers and a poller: memory, and two to four transfers, by order of events") {
  // Ramos, Hoefler, HPDC 2013: R_I + 2, 3 or 4 R_R until the poller has seen both words.
  const Config config = load_machine("xeon-phi-5110p");
  const Picoseconds memory = table(config, Operation::store, State::invalid, 0),
                    transfer = table(config, Operation::store, State::modified, 0);
  std::vector<Picoseconds> times;
  for (const Picoseconds second : {0, 100'000, 300'000, 600'000}) {
    Machine machine(config, 3);
    const auto words = machine.words(2, 8);
    Picoseconds seen = 0;
    machine.start(
        0,
        [&](Core& core) {
          core.wait_all(words, [](std::uint64_t value) { return value == 1; });
          seen = core.now();
        },
        50'000);
    machine.start(1, [&](Core& core) { core.store(words[0], 1); });
    machine.start(
        2, [&](Core& core) { core.store(words[1], 1); }, second);
    machine.run();
    INFO("the second writer comes at " << second);
    CHECK(static_cast<double>(seen) > static_cast<double>(memory + 2 * transfer) * 0.98);
    CHECK(static_cast<double>(seen) < static_cast<double>(memory + 4 * transfer) * 1.05);
  }
}

TEST_CASE("words of one line disturb each other, words of their own lines do not") {
  const Config config = blocking("opteron-6172");
  const auto time = [&](std::size_t stride) {
    Machine machine(config, 2);
    const auto words = machine.words(2, stride, 0);
    Picoseconds end = 0;
    run(machine, [&](Core& core) {
      for (int i = 0; i < 100; ++i) {
        core.store(words[static_cast<std::size_t>(core.thread())], 1);
        core.compute(200);
      }
      end = std::max(end, core.now());
    });
    return end;
  };
  const Picoseconds store = table(config, Operation::store, State::modified, 0);
  CHECK(time(1) - time(64) >= 98 * store);
}

TEST_CASE("spinning read-modify-writes cost no events while nothing else happens") {
  const Config config = blocking("opteron-6172");
  Machine machine(config, 6);
  const Word lock = machine.words(1, 64, 0)[0];
  int holders = 0, most = 0;
  run(machine, [&](Core& core) {
    for (int i = 0; i < 20; ++i) {
      (void)core.spin_exchange(lock, 1);
      most = std::max(most, ++holders);
      core.compute(1e6);
      --holders;
      core.store(lock, 0);
      core.compute(100);
    }
  });
  CHECK(most == 1);
  // A critical section is 1e6 cycles, nine thousand transfers; a release is behind the five that spin at
  // most.
  CHECK(machine.line_events() < 20 * 6 * 40);
  const double sections = 20 * 6 * 1e6 / 2.1e9 * 1e12;
  CHECK(static_cast<double>(machine.clock(0)) < sections * 1.05);
}

TEST_CASE("a release waits for the spinners before it") {
  const Config config = blocking("opteron-6172");
  for (const int spinners : {1, 2, 5}) {
    Machine machine(config, 6);
    const Word lock = machine.words(1, 64, 0)[0];
    machine.poke(lock, 1);
    Picoseconds begin = 0, done = 0;
    machine.start(0, [&](Core& core) {
      core.advance(50'000'123);
      begin = core.now();
      core.store(lock, 0);
      done = core.now();
    });
    for (int thread = 1; thread <= spinners; ++thread)
      machine.start(thread, [&](Core& core) {
        (void)core.spin_exchange(lock, 1);
        core.store(lock, 0);
      });
    machine.run();
    const Picoseconds atomic = table(config, Operation::exchange, State::modified, 0),
                      store = table(config, Operation::store, State::modified, 0);
    INFO(spinners << " spinners");
    CHECK(done - begin >= store + atomic * (spinners - 1));
    CHECK(done - begin <= store + atomic * spinners);
  }
}

TEST_CASE("locks exclude and counters count on every preset, with all its hardware threads at most") {
  for (const auto& preset : mesh::built_in_presets("coherent"))
    for (const int wanted : {2, 3, 7, 48, 1000}) {
      const Config config = load_machine(preset.name);
      const int threads = std::min(wanted, config.threads());
      Machine machine(config, threads);
      const auto lock = machine.words(2, 64), count = machine.words(2, 8);
      int inside = 0, most = 0;
      run(machine, [&](Core& core) {
        std::uint64_t state = static_cast<std::uint64_t>(core.thread()) * 2654435761u + 1;
        for (int i = 0; i < 6; ++i) {
          state = state * 6364136223846793005u + 1442695040888963407u;
          core.fetch_add(count[0], 1);
          // By exchange, or by compare-and-swap after having polled.
          if ((state >> 60) % 2 == 0) {
            (void)core.spin_exchange(lock[0], 1);
          } else {
            core.wait(lock[0], [](std::uint64_t value) { return value == 0; });
            core.spin_compare_exchange(lock[0], 0, 1);
          }
          most = std::max(most, ++inside);
          core.store(count[1], core.load(count[1]) + 1);
          core.compute(static_cast<double>((state >> 40) % 300));
          --inside;
          core.store(lock[0], 0);
        }
        core.spin_compare_exchange(lock[1], static_cast<std::uint64_t>(core.thread()),
                                   static_cast<std::uint64_t>(core.thread()) + 1);
      });
      INFO(preset.name << " with " << threads << " threads");
      const auto all = static_cast<std::uint64_t>(threads);
      CHECK(most == 1);
      CHECK(machine.peek(count[0]) == all * 6);
      CHECK(machine.peek(count[1]) == all * 6);
      CHECK(machine.peek(lock[1]) == all);
    }
}

TEST_CASE("the same program gives the same digest, in whatever order its threads are started") {
  for (const std::int64_t buffer : {0, 8}) {
    Config config = blocking("opteron-6172");
    config.store_buffer = buffer;
    const auto digest = [&](bool backwards, std::uint64_t seed) {
      Machine machine(config, 47);
      const auto words = machine.words(9, 24);
      const auto program = [&](Core& core) {
        std::uint64_t state = seed + static_cast<std::uint64_t>(core.thread());
        for (int i = 0; i < 200; ++i) {
          state = state * 6364136223846793005u + 1442695040888963407u;
          const Word word = words[(state >> 33) % words.size()];
          std::uint64_t expected = 0;
          switch ((state >> 40) % 4) {
          case 0:
            (void)core.load(word);
            break;
          case 1:
            core.store(word, state);
            break;
          case 2:
            core.fetch_add(word, 1);
            break;
          default:
            core.compare_exchange(word, expected, state);
            break;
          }
        }
      };
      for (int i = 0; i < 47; ++i) machine.start(backwards ? 46 - i : i, program);
      machine.run();
      return machine.digest();
    };
    CHECK(digest(false, 1) == digest(false, 1));
    CHECK(digest(false, 1) == digest(true, 1));
    CHECK(digest(false, 1) != digest(false, 2));
  }
}

TEST_CASE("who cannot go on is named") {
  const Config config = blocking("opteron-6172");
  Machine machine(config, 2);
  const Word word = machine.words(1, 64)[0];
  machine.start(0, [&](Core& core) { core.wait(word, [](std::uint64_t value) { return value == 1; }); });
  machine.start(1, [&](Core& core) { core.futex_wait(word, 0); });
  std::string text;
  try {
    machine.run();
  } catch (const std::runtime_error& error) {
    text = error.what();
  }
  CHECK(text == "nobody can go on: thread 0 waits for a write to line 0; thread 1 sleeps on futex word 0;");
}

TEST_CASE("line events in a second of the host, at 48 cores", "[.speed]") {
  const Config config = blocking("opteron-6172");
  const auto measure = [&](const char* what,
                           const std::function<void(Machine&, const std::vector<Word>&)>& body) {
    Machine machine(config, 48);
    const auto words = machine.words(4096, 64);
    const std::clock_t begin = std::clock();
    body(machine, words);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::cout << what << ": " << static_cast<double>(machine.line_events()) / seconds / 1e6 << " M/s, "
              << static_cast<double>(machine.switches()) / static_cast<double>(machine.line_events())
              << " switches each\n";
  };
  measure("loads and changes of many lines", [](Machine& machine, const std::vector<Word>& words) {
    run(machine, [&](Core& core) {
      std::uint64_t state = static_cast<std::uint64_t>(core.thread());
      for (int i = 0; i < 40000; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const Word word = words[(state >> 33) % words.size()];
        if ((state >> 60) % 2 == 0)
          (void)core.load(word);
        else
          core.fetch_add(word, 1);
      }
    });
  });
  measure("changes of one line", [](Machine& machine, const std::vector<Word>& words) {
    run(machine, [&](Core& core) {
      for (int i = 0; i < 20000; ++i) {
        core.fetch_add(words[0], 1);
        core.compute(200);
      }
    });
  });
  measure("a counter that everybody polls", [](Machine& machine, const std::vector<Word>& words) {
    run(machine, [&](Core& core) {
      for (std::uint64_t i = 1; i <= 400; ++i) {
        core.fetch_add(words[0], 1);
        core.wait(words[0], [&](std::uint64_t value) { return value >= 48 * i; });
      }
    });
  });
}
