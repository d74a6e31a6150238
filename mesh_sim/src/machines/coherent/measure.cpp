// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/measure.hpp"

#include "mesh_sim/machines/coherent/core.hpp"

namespace mesh::coherent {

namespace {

/// After so long nothing of a preparation is under way any more: a millisecond.
constexpr Picoseconds quiet = 1'000'000'000;
constexpr int rounds = 100;

void perform(Core& core, Operation operation, Word word) {
  std::uint64_t expected = 0;
  switch (operation) {
  case Operation::load:
    return (void)core.load(word);
  case Operation::store:
    return core.store(word, 1);
  case Operation::cas:
    return (void)core.compare_exchange(word, expected, 1);
  case Operation::fetch_add:
    return (void)core.fetch_add(word, 1);
  case Operation::test_and_set:
    return (void)core.test_and_set(word);
  case Operation::exchange:
    return (void)core.exchange(word, 1);
  }
}

/// The same program on all threads from `first` on; returns when the last one has come to its end.
template <class Program>
Picoseconds run_all(Machine& machine, int first, const Program& program) {
  Picoseconds end = 0;
  for (int thread = first; thread < machine.threads(); ++thread)
    machine.start(thread, [&](Core& core) {
      program(core);
      end = std::max(end, core.now());
    });
  machine.run();
  return end;
}

/// A core of the same node that is neither of the pair; -1 where there is none.
int neighbour(const Config& config, const Pair& pair) {
  const auto size = static_cast<int>(config.cores_per_node);
  const int first = pair.b / size * size;
  for (int core = first; core < first + size; ++core)
    if (core != pair.a && core != pair.b) return core;
  return -1;
}

} // namespace

int core_at(const Config& config, int place) {
  for (int core = 1; core < config.cores(); ++core)
    if (config.place(0, core / static_cast<int>(config.cores_per_node)) == place) return core;
  return -1;
}

Picoseconds access_time(const Config& config, Operation operation, State state, const Pair& pair) {
  Machine machine(config, config.cores());
  const Word word = machine.words(1, line_size, pair.home)[0];
  const int third = neighbour(config, pair);
  // Without a neighbour nobody else can make the line shared.
  if (third < 0) machine.set_state(word.address, line_size, state, pair.b);
  Picoseconds cost = 0;
  machine.start(pair.a, [&](Core& core) {
    core.meet();
    core.meet();
    core.advance(quiet);
    const Picoseconds begin = core.now();
    perform(core, operation, word);
    core.fence();
    cost = core.now() - begin;
  });
  machine.start(pair.b, [&](Core& core) {
    if (third >= 0 && (state == State::modified || state == State::owned)) core.store(word, 0);
    if (third >= 0 && (state == State::exclusive || state == State::shared)) (void)core.load(word);
    core.meet();
    core.meet();
  });
  if (third >= 0)
    machine.start(third, [&](Core& core) {
      core.meet();
      if (state == State::owned || state == State::shared) (void)core.load(word);
      core.meet();
    });
  machine.run();
  return cost;
}

double cas_half_round_trip(const Config& config, const Pair& pair) {
  Machine machine(config, std::max(pair.a, pair.b) + 1);
  const Word flag = machine.words(1, line_size, pair.home)[0];
  Picoseconds end = 0;
  const auto side = [&](std::uint64_t mine, std::uint64_t theirs) {
    return [&, mine, theirs](Core& core) {
      for (int round = 0; round < rounds; ++round) core.spin_compare_exchange(flag, mine, theirs);
      end = core.now();
    };
  };
  machine.start(pair.a, side(0, 1));
  machine.start(pair.b, side(1, 0));
  machine.run();
  return static_cast<double>(end) / (2 * rounds);
}

namespace {

// Messages of one line: the receiver of the last one has emptied it before the next is sent.
void send(Core& core, Word line) {
  core.store(line, 1);
}
void receive(Core& core, Word line) {
  core.wait(line, [](std::uint64_t value) { return value == 1; });
  core.store(line, 0);
}

} // namespace

double message_round_trip(const Config& config, const Pair& pair) {
  Machine machine(config, std::max(pair.a, pair.b) + 1);
  const auto lines = machine.words(2, line_size, pair.home);
  Picoseconds end = 0;
  machine.start(pair.a, [&](Core& core) {
    for (int round = 0; round < rounds; ++round) {
      send(core, lines[0]);
      receive(core, lines[1]);
    }
    end = core.now();
  });
  machine.start(pair.b, [&](Core& core) {
    for (int round = 0; round < rounds; ++round) {
      receive(core, lines[0]);
      send(core, lines[1]);
    }
  });
  machine.run();
  return static_cast<double>(end) / rounds;
}

double server_round_trip(const Config& config, int threads) {
  Machine machine(config, placement(config, "fill", threads));
  const auto clients = static_cast<std::size_t>(threads - 1);
  const auto requests = machine.words(clients, line_size, machine.node_of(0));
  std::vector<Word> answers;
  for (int client = 1; client < threads; ++client)
    answers.push_back(machine.words(1, line_size, machine.node_of(client))[0]);
  machine.start(0, [&](Core& core) {
    std::size_t client = 0;
    for (std::size_t served = 0; served < clients * rounds; client = (client + 1) % clients) {
      if (core.load(requests[client]) == 0) continue;
      core.store(requests[client], 0);
      send(core, answers[client]);
      ++served;
    }
  });
  double sum = 0;
  (void)run_all(machine, 1, [&](Core& core) {
    const auto own = static_cast<std::size_t>(core.thread() - 1);
    const Picoseconds begin = core.now();
    for (int round = 0; round < rounds; ++round) {
      send(core, requests[own]);
      receive(core, answers[own]);
    }
    sum += static_cast<double>(core.now() - begin) / rounds;
  });
  return sum / static_cast<double>(clients);
}

double stream_line(const Config& config, int threads, int home, bool writes) {
  constexpr std::size_t bytes = std::size_t{4} << 20, segment = 4096;
  Machine machine(config, threads);
  std::vector<Block> memory, own;
  for (int thread = 0; thread < threads; ++thread) {
    memory.push_back(machine.block(bytes, home));
    own.push_back(machine.block(segment, machine.node_of(thread)));
    machine.set_state(own.back().address, segment, State::modified, thread);
  }
  const Picoseconds end = run_all(machine, 0, [&](Core& core) {
    const auto self = static_cast<std::size_t>(core.thread());
    for (std::size_t at = 0; at < bytes; at += segment)
      if (writes)
        core.copy(memory[self].part(at, segment), own[self]);
      else
        core.copy(own[self], memory[self].part(at, segment));
  });
  return static_cast<double>(end) / static_cast<double>(bytes / line_size * memory.size());
}

double triad_line(const Config& config, int threads) {
  constexpr std::size_t bytes = std::size_t{4} << 20;
  Machine machine(config, threads);
  std::vector<Block> blocks;
  for (int thread = 0; thread < threads; ++thread)
    for (int i = 0; i < 3; ++i) blocks.push_back(machine.block(bytes, machine.node_of(thread)));
  const Picoseconds end = run_all(machine, 0, [&](Core& core) {
    const Block* const own = &blocks[3 * static_cast<std::size_t>(core.thread())];
    core.combine<double>(
        own[0], {own + 1, 2}, [](double a, double b) { return a + 3 * b; }, 0.5);
  });
  return static_cast<double>(end) / static_cast<double>(bytes / line_size * blocks.size());
}

Picoseconds line_one_way(const Config& config, State sender, const Pair& pair) {
  Machine machine(config, std::max(pair.a, pair.b) + 1);
  const Word own = machine.words(1, line_size, pair.home)[0],
             target = machine.words(1, line_size, pair.home)[0];
  machine.set_state(own.address, line_size, sender, pair.a);
  machine.set_state(target.address, line_size, State::exclusive, pair.b);
  Picoseconds begin = 0, seen = 0;
  machine.start(pair.a, [&](Core& core) {
    core.advance(quiet);
    begin = core.now();
    core.store(target, core.load(own) + 1);
  });
  machine.start(pair.b, [&](Core& core) {
    core.wait(target, [](std::uint64_t value) { return value != 0; });
    seen = core.now();
  });
  machine.run();
  return seen - begin;
}

Picoseconds read_by(const Config& config, int readers) {
  Machine machine(config, readers + 1);
  const Word word = machine.words(1, line_size)[0];
  machine.set_state(word.address, line_size, State::exclusive, 0);
  return run_all(machine, 1, [&](Core& core) { (void)core.load(word); });
}

Picoseconds store_shared_by_all(const Config& config) {
  Machine machine(config, config.cores());
  const Word word = machine.words(1, line_size, 0)[0];
  Picoseconds cost = 0;
  (void)run_all(machine, 0, [&](Core& core) {
    (void)core.load(word);
    core.meet();
    if (core.thread() != 0) return;
    core.advance(quiet);
    const Picoseconds begin = core.now();
    core.store(word, 1);
    core.fence();
    cost = core.now() - begin;
  });
  return cost;
}

double contended_addition(const Config& config, int threads) {
  Machine machine(config, threads);
  const Word word = machine.words(1, line_size, 0)[0];
  const Picoseconds end = run_all(machine, 0, [&](Core& core) {
    for (int round = 0; round < rounds; ++round) core.fetch_add(word, 1);
  });
  return static_cast<double>(end) / (rounds * threads);
}

} // namespace mesh::coherent
