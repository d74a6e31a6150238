// Does the coherent machine show the published tables on an idle machine, exactly, and queue as it says?
#include <cmath>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/machines/coherent/core.hpp"

using namespace mesh::coherent;
using mesh::Picoseconds;

namespace {

constexpr Operation all_operations[] = {Operation::load,      Operation::store,        Operation::cas,
                                        Operation::fetch_add, Operation::test_and_set, Operation::exchange};

void perform(Core& core, Operation operation, Word word) {
  std::uint64_t expected = 0;
  switch (operation) {
  case Operation::load:
    (void)core.load(word);
    break;
  case Operation::store:
    core.store(word, 1);
    break;
  case Operation::cas:
    core.compare_exchange(word, expected, 1);
    break;
  case Operation::fetch_add:
    core.fetch_add(word, 1);
    break;
  case Operation::test_and_set:
    (void)core.test_and_set(word);
    break;
  case Operation::exchange:
    (void)core.exchange(word, 1);
    break;
  }
}

/// First core of the first node at that place from node 0, other than core 0 itself; -1 where there is none.
int core_at(const Config& config, int place) {
  for (int core = 1; core < config.cores(); ++core)
    if (config.place(0, core / static_cast<int>(config.cores_per_node)) == place) return core;
  return -1;
}

/// What the operation costs core 0 on a line in that state at that place.
Picoseconds measured(const Config& config, Operation operation, State state, int place) {
  const int other = core_at(config, place);
  Machine machine(config, config.cores());
  // The home is where no detour is paid: with the owner, or where that has its price, with the requester.
  const bool at_owner = state == State::invalid || config.home_penalty == 0;
  const Word word = machine.words(1, 64, machine.node_of(at_owner ? other : 0))[0];
  Picoseconds cost = -1;
  for (int thread = 0; thread < machine.threads(); ++thread)
    machine.start(thread, [&, thread](Core& core) {
      if (state == State::owned || state == State::shared) {
        // Changed, or only fetched, by one core; a second one of the same node reads it.
        if (thread == other) {
          if (state == State::owned)
            core.store(word, 0);
          else
            (void)core.load(word);
        }
        core.meet();
        if (thread != other && machine.node_of(thread) == machine.node_of(other) && thread != 0 &&
            (thread == other + 1 || thread == other - 1))
          (void)core.load(word);
      } else if (thread == other && state != State::invalid) {
        if (state == State::modified)
          core.store(word, 0);
        else
          (void)core.load(word);
      }
      core.meet();
      core.advance(1'000'000'000); // nothing of the preparation is under way any more
      if (thread != 0) return;
      const Picoseconds begin = core.now();
      perform(core, operation, word);
      cost = core.now() - begin;
    });
  machine.run();
  return cost;
}

Picoseconds table(const Config& config, Operation operation, State state, int place) {
  return std::llround(config.latency[static_cast<std::size_t>(operation)][static_cast<std::size_t>(state)]
                                    [static_cast<std::size_t>(place)] *
                      1e6 / config.clock_mhz);
}

/// Runs the same program on every thread.
void run(Machine& machine, const std::function<void(Core&)>& program) {
  for (int thread = 0; thread < machine.threads(); ++thread) machine.start(thread, program);
  machine.run();
}

} // namespace

TEST_CASE("every preset reads, and says what it is") {
  for (const Preset& preset : presets()) {
    INFO(preset.name);
    CHECK(preset.title().size() > 10);
    const Config config = load_machine(preset.name);
    CHECK(config.name == preset.name);
    CHECK(config.cores() >= 2);
  }
}

TEST_CASE("an idle machine shows every row of its table") {
  for (const Preset& preset : presets()) {
    const Config config = load_machine(preset.name);
    for (int place = 0; place < config.places(); ++place) {
      if (core_at(config, place) < 0) continue;
      for (const Operation operation : all_operations)
        for (const State state : {State::modified, State::exclusive, State::invalid}) {
          INFO(preset.name << " " << name(operation) << " " << name(state) << " place " << place);
          CHECK(measured(config, operation, state, place) == table(config, operation, state, place));
        }
      // Two copies at the same distance, where a node has two cores beside core 0.
      if (config.cores_per_node < 3) continue;
      for (const Operation operation : all_operations)
        for (const State state : {State::owned, State::shared}) {
          if (state == State::owned && !config.owned) continue;
          INFO(preset.name << " " << name(operation) << " " << name(state) << " place " << place);
          CHECK(measured(config, operation, state, place) == table(config, operation, state, place));
        }
    }
  }
}

TEST_CASE("half a compare-and-swap ping-pong is the latency of one") {
  for (const Preset& preset : presets()) {
    const Config config = load_machine(preset.name);
    for (int place = 0; place < config.places(); ++place) {
      const int other = core_at(config, place);
      if (other < 0) continue;
      INFO(preset.name << " place " << place);
      Machine machine(config, config.cores());
      const Word flag = machine.words(1, 64, 0)[0];
      constexpr int rounds = 100;
      Picoseconds end = 0;
      const auto side = [&](std::uint64_t mine, std::uint64_t theirs) {
        return [&, mine, theirs](Core& core) {
          for (int round = 0; round < rounds; ++round) core.spin_compare_exchange(flag, mine, theirs);
          end = core.now();
        };
      };
      machine.start(0, side(0, 1));
      machine.start(other, side(1, 0));
      machine.run();
      // The side that is not at the flag's home pays the penalty.
      const double penalty = place > 0 ? config.home_penalty * 1e6 / config.clock_mhz / 2 : 0;
      const double expected =
          static_cast<double>(table(config, Operation::cas, State::modified, place)) + penalty;
      CHECK(static_cast<double>(end) / (2.0 * rounds) == Approx(expected).epsilon(0.07));
    }
  }
}

TEST_CASE("on the EPYC the socket away from the home is dear by itself") {
  const Config config = load_machine("epyc-7r13");
  const auto nanoseconds = [&](int a, int b, int home) {
    Machine machine(config, config.cores());
    const Word flag = machine.words(1, 64, home)[0];
    Picoseconds end = 0;
    machine.start(a, [&](Core& core) {
      for (int i = 0; i < 50; ++i) core.spin_compare_exchange(flag, 0, 1);
    });
    machine.start(b, [&](Core& core) {
      for (int i = 0; i < 50; ++i) core.spin_compare_exchange(flag, 1, 0);
      end = core.now();
    });
    machine.run();
    return static_cast<double>(end) / 1000 / 100;
  };
  CHECK(nanoseconds(0, 1, 0) == Approx(22.7).epsilon(0.07));
  CHECK(nanoseconds(0, 8, 0) == Approx(107.6).epsilon(0.07));
  CHECK(nanoseconds(48, 56, 0) == Approx(200.5).epsilon(0.07));
  CHECK(nanoseconds(0, 48, 0) == Approx(197.2).epsilon(0.07));
  CHECK(nanoseconds(48, 56, 6) == Approx(107.6).epsilon(0.07));
}

TEST_CASE("k readers of one line take L + c (k - 1)") {
  const Config config = load_machine("xeon-phi-5110p");
  for (const int readers : {1, 2, 3, 7, 24, 59}) {
    Machine machine(config, config.cores());
    const Word word = machine.words(1, 64)[0];
    machine.set_state(word.address, 8, State::exclusive, 0);
    Picoseconds last = 0;
    for (int reader = 1; reader <= readers; ++reader)
      machine.start(reader, [&](Core& core) {
        (void)core.load(word);
        last = std::max(last, core.now());
      });
    machine.run();
    // The first finds the line exclusive, the others shared.
    const Picoseconds c = machine.costs().read_occupancy;
    const Picoseconds first = machine.costs().latency(Operation::load, State::exclusive, 0);
    const Picoseconds later = machine.costs().latency(Operation::load, State::shared, 0) + c * (readers - 1);
    INFO(readers << " readers");
    CHECK(last == std::max(first, readers > 1 ? later : 0));
  }
}

TEST_CASE("k cores that change one word take k L") {
  for (const char* const preset : {"opteron-6172", "xeon-phi-5110p", "xeon-e7-8867l"})
    for (const int k : {3, 5, 6}) {
      const Config config = load_machine(preset);
      Machine machine(config, k);
      const Word word = machine.words(1, 64, 0)[0];
      constexpr int rounds = 40;
      Picoseconds end = 0;
      run(machine, [&](Core& core) {
        for (int round = 0; round < rounds; ++round) {
          core.fetch_add(word, 1);
          // Longer than the owner keeps the line, shorter than the others' turns.
          core.advance(table(config, Operation::fetch_add, State::modified, 0));
        }
        end = std::max(end, core.now());
      });
      INFO(preset << " with " << k);
      CHECK(machine.peek(word) == static_cast<std::uint64_t>(k * rounds));
      const double expected =
          static_cast<double>(table(config, Operation::fetch_add, State::modified, 0)) * k * rounds;
      CHECK(static_cast<double>(end) == Approx(expected).epsilon(0.05));
    }
}

TEST_CASE("a poller sees a write one transfer later, and not before it") {
  const Config config = load_machine("opteron-6172");
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

TEST_CASE("words of one line disturb each other, words of their own lines do not") {
  const Config config = load_machine("opteron-6172");
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

TEST_CASE("posted stores: the core goes on, others see them later and in order, itself at once") {
  Config config = load_machine("opteron-6172");
  config.store_buffer = 8;
  Machine machine(config, 2);
  const auto words = machine.words(2, 64, 0);
  Picoseconds posted = 0, seen = 0;
  bool ordered = false, forwarded = false;
  machine.start(0, [&](Core& core) {
    (void)core.load(words[0]);
    core.advance(1'000'000);
    const Picoseconds begin = core.now();
    core.store(words[0], 5);
    core.store(words[1], 6);
    forwarded = core.load(words[0]) == 5 && core.load(words[1]) == 6;
    posted = core.now() - begin;
  });
  machine.start(1, [&](Core& core) {
    core.wait(words[1], [](std::uint64_t value) { return value == 6; });
    ordered = core.load(words[0]) == 5;
    seen = core.now();
  });
  machine.run();
  CHECK(forwarded);
  CHECK(ordered);
  CHECK(posted == 2 * machine.costs().hit_store + 2 * machine.costs().hit_load);
  CHECK(seen > 1'000'000 + table(config, Operation::store, State::invalid, 0));
}

TEST_CASE("a full store buffer makes its core wait") {
  Config config = load_machine("opteron-6172");
  const auto time = [&](std::int64_t entries) {
    config.store_buffer = entries;
    Machine machine(config, 1);
    const auto words = machine.words(4, 64, 1);
    Picoseconds posted = 0;
    machine.start(0, [&](Core& core) {
      for (const Word word : words) core.store(word, 1);
      posted = core.now();
    });
    machine.run();
    return posted;
  };
  CHECK(time(4) == 4 * std::llround(1e6 / config.clock_mhz));
  CHECK(time(3) >= table(config, Operation::store, State::invalid, 1));
}

TEST_CASE("a futex sleeps, and wakes when its turnaround has passed") {
  const Config config = load_machine("xeon-e5-2680v2");
  Machine machine(config, 3);
  const Word word = machine.words(1, 64)[0];
  Picoseconds woken = 0, called = 0;
  bool slept = false, refused = true;
  int count = -1;
  machine.start(0, [&](Core& core) {
    core.advance(10'000'000);
    core.store(word, 1);
    called = core.now();
    count = core.futex_wake(word, 10);
  });
  machine.start(1, [&](Core& core) {
    slept = core.futex_wait(word, 0);
    woken = core.now();
  });
  machine.start(2, [&](Core& core) {
    core.advance(20'000'000);
    refused = !core.futex_wait(word, 0);
  });
  machine.run();
  CHECK(slept);
  CHECK(refused);
  CHECK(count == 1);
  CHECK(woken == called + machine.costs().futex_wake + machine.costs().futex_turnaround);
}

TEST_CASE("spinning read-modify-writes cost no events while nothing else happens") {
  const Config config = load_machine("opteron-6172");
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
  const Config config = load_machine("opteron-6172");
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

TEST_CASE("the same program gives the same digest, in whatever order its threads are started") {
  for (const std::int64_t buffer : {0, 8}) {
    Config config = load_machine("opteron-6172");
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

TEST_CASE("a block is a stream: its first line costs a latency, the others a miss in flight") {
  const Config config = load_machine("xeon-phi-5110p");
  for (const std::size_t lines : {std::size_t{1}, std::size_t{8}, std::size_t{32}, std::size_t{128}}) {
    Machine machine(config, 2);
    const Block source = machine.block(lines * 64), target = machine.block(lines * 64);
    machine.set_state(source.address, source.bytes, State::exclusive, 0);
    machine.set_state(target.address, target.bytes, State::exclusive, 1);
    for (std::size_t i = 0; i < source.bytes; ++i) source.data[i] = static_cast<std::byte>(i * 7);
    Picoseconds cost = 0;
    machine.start(0, [&](Core& core) {
      core.copy(target, source);
      cost = core.now();
    });
    machine.run();
    CHECK(std::equal(source.data, source.data + source.bytes, target.data));
    CHECK(machine.state(target.address) == State::modified);
    const auto& costs = machine.costs();
    const Picoseconds latency = costs.latency(Operation::store, State::exclusive, 0);
    const double expected =
        static_cast<double>(latency) * (1 + static_cast<double>(lines - 1) / costs.misses);
    CHECK(static_cast<double>(cost) == Approx(expected).epsilon(0.05));
  }
}

TEST_CASE("a private cache of limited size gives its lines to the shared one, and that to memory") {
  Config config = load_machine("opteron-6172");
  config.private_kb = 64;
  config.shared_kb = 256;
  Machine machine(config, 1);
  const Block block = machine.block(1024 * 1024, 0);
  Picoseconds recent = 0, older = 0, oldest = 0;
  machine.start(0, [&](Core& core) {
    core.copy(block.part(0, 512 * 1024), block.part(512 * 1024, 512 * 1024));
    core.advance(1'000'000'000);
    // The copy took lines of both halves in turns.
    const auto time = [&](std::size_t offset) {
      const Picoseconds begin = core.now();
      (void)core.load({block.address + offset, 0});
      return core.now() - begin;
    };
    recent = time(512 * 1024 - 64);
    older = time(512 * 1024 - 64 * 1024);
    oldest = time(0);
  });
  (void)machine.words(1, 64);
  machine.run();
  CHECK(recent == machine.costs().hit_load);
  CHECK(older == machine.costs().shared_hit);
  CHECK(oldest == table(config, Operation::load, State::invalid, 0));
}

TEST_CASE("who cannot go on is named") {
  const Config config = load_machine("opteron-6172");
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

TEST_CASE("machine files: rows that do not fit the places, and what is guessed") {
  CHECK_THROWS_WITH(
      read_machine("[machine]\nnodes = 2\n[load]\nmodified = 1 2 3\n", "m"),
      "machine 'm': [load] modified has 3 values; the machine has 2 places, and each row one value for "
      "each (or one for all)");
  CHECK_THROWS_WITH(read_machine("[load]\nmodified = 1 x\n", "m"),
                    Catch::Contains("'1 x' is not a list of numbers (cycles) with blanks between them"));
  CHECK(guesses("[hit]\nload = 3 # guess: so\n# guess = 1\nstore = 1  # read\n[queue]\nread = 4 # guess\n") ==
        std::vector<std::string>{"hit.load", "queue.read"});
}

TEST_CASE("line events in a second of the host, at 48 cores", "[.speed]") {
  const Config config = load_machine("opteron-6172");
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
