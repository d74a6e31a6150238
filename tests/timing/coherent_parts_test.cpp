// SPDX-License-Identifier: Apache-2.0
// Store buffers, futexes, streams of blocks and caches of limited size on the coherent machine.
#include <string>
#include <vector>

#include "catch.hpp"
#include "coherent_support.hpp"
#include "mesh_sim/machines/coherent/sockets.hpp"
#include "mesh_sim/observe/observers.hpp"

using namespace mesh::coherent;
using mesh::Picoseconds;

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

TEST_CASE("a scan of words sees the core's own posted stores") {
  Config config = blocking("opteron-6172");
  config.store_buffer = 8;
  Machine machine(config, 1);
  const auto words = machine.words(3, 64, 1);
  for (const Word word : words) machine.poke(word, 1);
  Picoseconds scanned = 0;
  machine.start(0, [&](Core& core) {
    for (const Word word : words) core.store(word, 0);
    core.wait_all(words, [](std::uint64_t value) { return value == 0; });
    scanned = core.now();
  });
  machine.run();
  CHECK(scanned == 3 * (machine.costs().hit_store + machine.costs().hit_load));
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
  const Config config = blocking("xeon-e5-2680v2");
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

TEST_CASE("a futex call looks at the word before it goes to sleep, and turns back if woken then") {
  Config config = blocking("xeon-e5-2680v2");
  config.futex_wake = 100;
  Machine machine(config, 2);
  const Word word = machine.words(1, 64)[0];
  const auto& costs = machine.costs();
  Picoseconds began = 0, returned = 0;
  bool slept = false;
  machine.start(0, [&](Core& core) {
    (void)core.load(word);
    began = core.now();
    slept = core.futex_wait(word, 0);
    returned = core.now();
  });
  machine.start(1, [&](Core& core) {
    core.advance(costs.futex_sleep / 2);
    core.store(word, 1);
    core.futex_wake(word, 1);
    CHECK(core.now() < began + costs.futex_sleep);
  });
  machine.run();
  CHECK(slept);
  CHECK(returned == began + costs.hit_load + costs.futex_sleep);
}

TEST_CASE("what changed in a node goes to memory when another node reads it, not when a neighbour does") {
  Config config = blocking("xeon-e7-4830");
  config.write_gbs = 0.001;
  for (const int reader : {1, 8}) {
    Machine machine(config, 9);
    const auto words = machine.words(2, line_size, 0);
    Picoseconds begin = 0, cost = 0;
    machine.start(0, [&](Core& core) {
      core.store(words[0], 1);
      core.meet();
      core.meet();
      begin = core.now();
      (void)core.load(words[1]);
      cost = core.now() - begin;
    });
    for (int thread = 1; thread < 9; ++thread)
      machine.start(thread, [&](Core& core) {
        core.meet();
        if (core.thread() == reader) (void)core.load(words[0]);
        core.meet();
      });
    machine.run();
    INFO("reader " << reader);
    if (reader == 1)
      CHECK(cost == table(config, Operation::load, State::invalid, 0));
    else
      CHECK(cost > 10 * table(config, Operation::load, State::invalid, 0));
  }
}

TEST_CASE("a block is a stream: its first line costs a latency, the others a miss in flight") {
  const Config config = blocking("xeon-phi-5110p");
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

namespace {

/// Core 0 adds up so many blocks of `lines` lines that its neighbour has changed.
Picoseconds combining(const Config& config, std::size_t sources, std::size_t lines) {
  Machine machine(config, 2);
  std::vector<Block> blocks;
  for (std::size_t i = 0; i <= sources; ++i) {
    blocks.push_back(machine.block(lines * line_size));
    machine.set_state(blocks[i].address, blocks[i].bytes, State::modified, i == 0 ? 0 : 1);
  }
  Picoseconds cost = 0;
  machine.start(0, [&](Core& core) {
    core.combine<float>(blocks[0], {blocks.data() + 1, sources}, std::plus<>(), 0);
    cost = core.now();
  });
  machine.run();
  return cost;
}

} // namespace

TEST_CASE("a core's misses in flight are of all blocks that it combines, one block after another") {
  Config config = blocking("xeon-e7-4830");
  config.misses = 4; // so that misses take longer than hits in the target
  constexpr std::size_t lines = 64;
  const auto latency = static_cast<double>(table(config, Operation::load, State::modified, 0));
  const double target = static_cast<double>(lines) * config.hit_line * 1e6 / config.clock_mhz;
  for (const std::size_t sources : {1, 2, 8, 31}) {
    INFO(sources);
    const double misses = static_cast<double>(sources * lines) - 1,
                 passes = static_cast<double>(std::max<std::size_t>(2, sources)) - 1;
    CHECK(static_cast<double>(combining(config, sources, lines)) ==
          Approx(latency * (1 + misses / config.misses) + passes * target).epsilon(0.01));
  }
}

TEST_CASE("nodes have a link to each of their neighbours, and go by way of others to the rest") {
  const auto names = [](const Sockets& sockets, int from, int to) {
    std::string all;
    for (const int link : sockets.route(from, to)) all += sockets.link_name(link) + "; ";
    return all;
  };
  const Sockets quad(load_machine("xeon-e7-4830"));
  CHECK(quad.links() == 4 * 3);
  CHECK(names(quad, 2, 1) == "link of node 2 to 1; ");
  CHECK(names(quad, 1, 1).empty());
  const Sockets square(load_machine("x4440")); // opposite corners are two hops apart
  CHECK(square.links() == 4 * 2);
  CHECK(names(square, 0, 3) == "link of node 0 to 1; link of node 1 to 3; ");
  const Sockets twisted(load_machine("x4600")); // three hops between 0 and 7
  CHECK(names(twisted, 7, 0) == "link of node 7 to 5; link of node 5 to 2; link of node 2 to 0; ");
}

TEST_CASE("nodes that read from one node at once do not share its links") {
  Config config = blocking("xeon-e7-4830");
  config.link_gbs = 0.5; // 128 ns a line
  const auto time = [&](std::initializer_list<int> readers) {
    Machine machine(config, 32);
    Picoseconds last = 0;
    for (const int reader : readers) {
      const Block source = machine.block(64 * 1024, 0), target = machine.block(64 * 1024, reader / 8);
      machine.set_state(source.address, source.bytes, State::modified, 0);
      machine.start(reader, [&last, source, target](Core& core) {
        core.copy(target, source);
        last = std::max(last, core.now());
      });
    }
    machine.run();
    return static_cast<double>(last);
  };
  const double alone = time({8});
  CHECK(alone == Approx(1024 * 128e3).epsilon(0.05));
  CHECK(time({8, 16, 24}) == Approx(alone).epsilon(0.05));
  CHECK(time({8, 9}) == Approx(2 * alone).epsilon(0.05));
}

TEST_CASE("loads and requests for ownership of a block overlap") {
  const Config config = blocking("xeon-phi-5110p");
  // From memory to memory and from the own cache to memory.
  const auto copying = [&](State sources) {
    Machine machine(config, 1);
    const Block source = machine.block(128 * line_size), target = machine.block(128 * line_size);
    machine.set_state(source.address, source.bytes, sources, 0);
    Picoseconds cost = 0;
    machine.start(0, [&](Core& core) {
      core.copy(target, source);
      cost = core.now();
    });
    machine.run();
    return static_cast<double>(cost);
  };
  CHECK(copying(State::invalid) == Approx(copying(State::exclusive)).epsilon(0.1));
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

TEST_CASE("a cache keeps the lines of its size, whether that is a power of two or not") {
  for (const int kilobytes : {64, 96, 160, 192}) {
    const auto lines = static_cast<std::uint32_t>(kilobytes * 1024 / line_size);
    TagCache cache(static_cast<std::size_t>(kilobytes) * 1024, 8);
    const auto fresh = [](std::uint32_t) { return false; };
    for (std::uint32_t line = 0; line < lines; ++line) CHECK(cache.insert(line, fresh) == TagCache::none);
    CHECK(cache.insert(lines, fresh) == 0);
  }
}

TEST_CASE("a core that executes in order scans one word after another, others several at once") {
  Config config = blocking("xeon-phi-5110p");
  const auto time = [&](const char* scans) {
    config.scans = scans;
    Machine machine(config, 2);
    const auto words = machine.words(3, 64, 0);
    for (const Word word : words) machine.set_state(word.address, 8, State::modified, 1);
    Picoseconds scanned = 0;
    machine.start(0, [&](Core& core) {
      core.wait_all(words, [](std::uint64_t value) { return value == 0; });
      scanned = core.now();
    });
    machine.run();
    return scanned;
  };
  const Picoseconds load = mesh::coherent::Costs(config).latency(Operation::load, State::modified, 0);
  CHECK(time("in_order") == 3 * load);
  CHECK(time("overlapping") > load);
  CHECK(time("overlapping") < 2 * load);
  CHECK(load_machine("xeon-phi-5110p").scans == "in_order");
}

TEST_CASE("threads of one core share what it issues: computation takes longer, and nowhere else") {
  const Config config = load_machine("xeon-e5-2680v2");
  CHECK(config.busy_sibling == 2);
  const auto time = [&](int other) {
    const int places[] = {0, other};
    Machine machine(config, places);
    Picoseconds worked = 0;
    machine.start(0, [&](Core& core) {
      core.compute(1000);
      worked = core.now();
    });
    machine.start(1, [](Core&) {});
    machine.run();
    return worked;
  };
  const Picoseconds alone = time(1);
  CHECK(alone == std::llround(1000 * 1e6 / config.clock_mhz));
  CHECK(time(config.cores()) == 2 * alone); // the second thread of core 0
}

TEST_CASE("observers hear of every call and of sleep with its cause, and change nothing") {
  class Keeper final : public mesh::Observer {
   public:
    [[nodiscard]] mesh::EventMask wants() const override {
      return mesh::EventMask::calls | mesh::EventMask::waits;
    }
    void call_begins(const mesh::Call& call) override { begun.push_back(call); }
    void call_ends(const mesh::Call& call) override { ended.push_back(call); }
    void wait_begins(const mesh::Wait& wait) override { asleep.push_back(wait); }
    void wait_ends(const mesh::Wait& wait) override { awake.push_back(wait); }
    std::vector<mesh::Call> begun, ended;
    std::vector<mesh::Wait> asleep, awake;
  };
  struct Outcome {
    std::uint64_t digest;
    Picoseconds end;
  };
  const auto run_with = [](mesh::Observers* observers, bool twice) {
    Machine machine(blocking("opteron-6172"), 3);
    machine.set_observers(observers);
    const auto words = machine.words(1, 64);
    const Block source = machine.block(128), target = machine.block(128);
    machine.poke(words[0], 0);
    machine.start(0, [&](Core& core) {
      core.advance(1'000'000);
      core.fetch_add(words[0], 1); // wakes in vain
      core.copy(target, source);
    });
    machine.start(2, [&](Core& core) {
      core.advance(3'000'000);
      core.store(words[0], 7);
    });
    machine.start(1, [&](Core& core) {
      core.wait(words[0], [](std::uint64_t value) { return value == 7; });
      if (twice) core.wait(words[0], [](std::uint64_t value) { return value == 7; }); // does not sleep
    });
    machine.run();
    return Outcome{machine.digest(), machine.clock(1)};
  };
  for (const bool twice : {false, true}) {
    mesh::Observers observers;
    Keeper keeper;
    observers.add(keeper);
    const Outcome plain = run_with(nullptr, twice), observed = run_with(&observers, twice);
    CHECK(plain.digest == observed.digest);
    CHECK(plain.end == observed.end);
    CHECK(keeper.begun.size() == (twice ? 5U : 4U));
    REQUIRE(keeper.ended.size() == keeper.begun.size());
    std::size_t copied = 0;
    for (const mesh::Call& call : keeper.ended) copied += call.bytes;
    CHECK(copied == 128);
    // One sleep, though it was woken twice.
    REQUIRE(keeper.asleep.size() == 1);
    REQUIRE(keeper.awake.size() == 1);
    const mesh::Wait& wait = keeper.awake.front();
    CHECK(wait.core == 1);
    CHECK(wait.begin == keeper.asleep.front().begin);
    CHECK(wait.cause.core == 2);
    CHECK(wait.cause.kind == mesh::Cause::Kind::store);
    CHECK(wait.cause.at > 3'000'000);
    CHECK(wait.cause.at < wait.end);
    CHECK(wait.end <= plain.end);
  }
}
