// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/rings.hpp"

#include <utility>

namespace mesh::coherent {

bool Rings::only_spinners(const Line& line) const noexcept {
  return queues_.each_waiting(line, [&](int context) {
    if (context >= placement_.threads()) return false;
    const Spinner& one = spinners_[static_cast<std::size_t>(context)];
    return one.spins && &memory_.line_of(one.word.address) == &line && memory_.value(one.word) == one.value;
  });
}

void Rings::form(Line& line, int thread, Operation operation, Picoseconds until) {
  Ring& ring = rings_[memory_.index_of(line)];
  ring = {.members = {thread}, .until = until, .operation = operation};
  queues_.each_waiting(line, [&](int context) {
    ring.members.push_back(context);
    return true;
  });
  line.queue_head = line.queue_tail = Line::none;
  line.ring = true;
}

Picoseconds Rings::step(const Line& line, const Ring& ring, int from, int to) const noexcept {
  const int source = placement_.core_of(from), target = placement_.core_of(to);
  if (from == to) return std::max<Picoseconds>(1, costs_.hit_atomic);
  if (source == target) return std::max<Picoseconds>(1, costs_.sibling);
  const int a = costs_.node(target), b = costs_.node(source);
  return std::max<Picoseconds>(1,
                               costs_.latency(ring.operation, State::modified, costs_.place(a, b)) +
                                   costs_.detour(a, line.home, b));
}

void Rings::dissolve(Line& line) {
  const Ring ring = std::move(rings_[memory_.index_of(line)]);
  rings_.erase(memory_.index_of(line));
  line.ring = false;
  const auto& members = ring.members;
  const std::size_t count = members.size();
  // Who is served at this instant, and until when.
  std::size_t served = 0;
  Picoseconds until = ring.until;
  const Picoseconds now = kernel_.now();
  if (now >= until) {
    const auto step = [&](std::size_t to) {
      return this->step(line, ring, members[(to + count - 1) % count], members[to]);
    };
    Picoseconds round = 0;
    for (std::size_t member = 0; member < count; ++member) round += step(member);
    until += (now - until) / round * round;
    while (now >= until) {
      served = (served + 1) % count;
      until += step(served);
    }
  }
  const int core = placement_.core_of(members[served]);
  if (line.owner != core || !line.holders.has(core)) caches_.take_copy(line, core, true);
  line.writer = static_cast<std::int16_t>(members[served]);
  line.busy_until = line.written_at = until;
  line.first = Line::none;
  for (std::size_t behind = 1; behind < count; ++behind) {
    const int member = members[(served + behind) % count];
    if (behind == 1) {
      line.first = static_cast<std::int16_t>(member);
      if (kernel_.blocked(member)) kernel_.wake(member, until);
      continue;
    }
    queues_.append(line, member);
  }
  if (kernel_.blocked(members[served])) kernel_.wake(members[served], until);
}

} // namespace mesh::coherent
