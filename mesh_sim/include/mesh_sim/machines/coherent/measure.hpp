// SPDX-License-Identifier: Apache-2.0
// The measurements with which machines are described in the literature, run on a simulated one: what
// validation and tests compare with published figures. Each builds a machine, prepares the states of its
// lines, and returns a time in picoseconds.
#pragma once

#include "mesh_sim/machines/coherent/config.hpp"
#include "mesh_sim/units.hpp"

namespace mesh::coherent {

/// Two cores and the node that answers for the line that they use.
struct Pair {
  int a = 0, b = 1;
  int home = 0;
};

/// The first core at that place as seen from core 0, other than core 0 itself; -1 where there is none.
[[nodiscard]] int core_at(const Config& config, int place);

/// One access by core a to a line that core b has in that state, on an idle machine. Of owned and shared
/// lines a neighbour of b in its node has a copy too, where there is one; else b has it in that state alone.
[[nodiscard]] Picoseconds access_time(const Config& config, Operation operation, State state,
                                      const Pair& pair);

/// Half a round trip of two cores that change one word in turns, each spinning by compare-and-swap.
[[nodiscard]] double cas_half_round_trip(const Config& config, const Pair& pair);

/// A round trip of one-line messages: each side has a line that its sender fills, and its receiver polls and
/// empties.
[[nodiscard]] double message_round_trip(const Config& config, const Pair& pair);

/// Mean time of a request and its answer, one line each, by thread 0 as a server that looks at a line of each
/// client in turn; the other threads, placed node after node, ask without a pause.
[[nodiscard]] double server_round_trip(const Config& config, int threads);

/// Time of one line where threads of node 0 at once go through memory of their own at node `home`, from no
/// cache: reading, or writing. All threads together move a line in that time.
[[nodiscard]] double stream_line(const Config& config, int threads, int home, bool writes);
/// Threads combine two arrays of their node's memory into a third, a[i] = b[i] + 3 c[i], as STREAM's triad:
/// picoseconds a line of either, all together. What is written is counted once, as there.
[[nodiscard]] double triad_line(const Config& config, int threads);

/// One way of a one-line ping-pong: core a loads its line, which is in that state, and writes it to the line
/// that core b has exclusively and polls.
[[nodiscard]] Picoseconds line_one_way(const Config& config, State sender, const Pair& pair);

/// Until the last of `readers` cores has a line that another one has exclusively, all asking at once.
[[nodiscard]] Picoseconds read_by(const Config& config, int readers);

/// A store by core 0 to a line that every core of the machine has a copy of.
[[nodiscard]] Picoseconds store_shared_by_all(const Config& config);

/// Mean time of an addition to one word by so many threads without a pause.
[[nodiscard]] double contended_addition(const Config& config, int threads);

} // namespace mesh::coherent
