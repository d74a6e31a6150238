// SPDX-License-Identifier: Apache-2.0
#include "measuring/cache_lines.hpp"

#include <algorithm>

#include "mesh_sim/machines/coherent/core.hpp"

namespace rccebench::measuring {

using mesh::coherent::Core;
using mesh::coherent::State;

namespace {

constexpr int rounds = 20;

double nanoseconds(mesh::Picoseconds time) {
  return static_cast<double>(time) / 1000;
}

} // namespace

double lines_one_way(const mesh::coherent::Config& config, int lines, State sender) {
  mesh::coherent::Machine machine(config, 2);
  const std::size_t bytes = static_cast<std::size_t>(lines - 1) * mesh::coherent::line_size;
  const auto source = machine.block(bytes + 1), target = machine.block(bytes + 1);
  const auto last_source = machine.words(1, mesh::coherent::line_size)[0],
             last = machine.words(1, mesh::coherent::line_size)[0];
  machine.set_state(source.address, bytes + 1, sender, 0);
  machine.set_state(last_source.address, 1, sender, 0);
  machine.set_state(target.address, bytes + 1, State::exclusive, 1);
  machine.set_state(last.address, 1, State::exclusive, 1);
  mesh::Picoseconds end = 0;
  machine.start(0, [&](Core& core) {
    if (bytes > 0) core.copy(target.part(0, bytes), source.part(0, bytes));
    core.store(last, 1 + core.load(last_source));
  });
  machine.start(1, [&](Core& core) {
    (void)core.wait(last, [](std::uint64_t value) { return value != 0; });
    end = core.now();
  });
  machine.run();
  return nanoseconds(end);
}

double pairs_round_trip(const mesh::coherent::Config& config, int pairs, bool nested) {
  const int threads = nested ? 2 * pairs : (pairs + 1) / 2 * 4;
  mesh::coherent::Machine machine(config, threads);
  std::vector<std::array<mesh::coherent::Word, 2>> words;
  for (int pair = 0; pair < pairs; ++pair)
    words.push_back(
        {machine.words(1, mesh::coherent::line_size)[0], machine.words(1, mesh::coherent::line_size)[0]});
  std::vector<mesh::Picoseconds> ends(static_cast<std::size_t>(pairs));
  const auto play = [&](int pair, bool first) {
    return [&, pair, first](Core& core) {
      const auto& [mine, other] = words[static_cast<std::size_t>(pair)];
      for (std::uint64_t round = 1; round <= rounds; ++round) {
        const auto so = [round](std::uint64_t value) { return value == round; };
        if (first) {
          core.store(other, round);
          (void)core.wait(mine, so);
        } else {
          (void)core.wait(other, so);
          core.store(mine, round);
        }
      }
      if (first) ends[static_cast<std::size_t>(pair)] = core.now();
    };
  };
  for (int pair = 0; pair < pairs; ++pair) {
    const int a = nested ? pairs - 1 - pair : pair / 2 * 4 + pair % 2, b = nested ? pairs + pair : a + 2;
    machine.start(a, play(pair, true));
    machine.start(b, play(pair, false));
  }
  machine.run();
  return nanoseconds(*std::max_element(ends.begin(), ends.end())) / rounds;
}

double two_writers(const mesh::coherent::Config& config, const std::array<double, 3>& start) {
  mesh::coherent::Machine machine(config, 3);
  const auto words = machine.words(2, sizeof(std::uint64_t));
  mesh::Picoseconds end = 0;
  const auto at = [&](std::size_t thread) { return static_cast<mesh::Picoseconds>(start[thread] * 1000); };
  for (std::size_t writer = 0; writer < 2; ++writer)
    machine.start(
        static_cast<int>(writer), [&, writer](Core& core) { core.store(words[writer], 1); }, at(writer));
  machine.start(
      2,
      [&](Core& core) {
        // The word that is written last: a write to the other one wakes the poller, too.
        (void)core.wait(words[1], [](std::uint64_t value) { return value == 1; });
        end = core.now();
      },
      at(2));
  machine.run();
  return nanoseconds(end -
                     static_cast<mesh::Picoseconds>(*std::min_element(start.begin(), start.end()) * 1000));
}

} // namespace rccebench::measuring
