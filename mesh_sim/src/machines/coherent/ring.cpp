// SPDX-License-Identifier: Apache-2.0
// Read-modify-writes that are repeated until they succeed. While nobody but such spinners is at a line, and
// the word is as they have all seen it, nothing can change: the line goes round among them, and no event is
// spent on it. The next request of anybody else finds out who is being served at that instant, and queues
// behind those who wait.
#include <fmt/format.h>

#include "mesh_sim/machines/coherent/machine.hpp"

namespace mesh::coherent {

std::uint64_t Machine::spin(int thread, Request request, Succeeded succeeded) {
  Thread& self = state_of_[static_cast<std::size_t>(thread)];
  for (;;) {
    const Picoseconds done = issue(thread, request);
    if (succeeded(request)) {
      self.spins = false;
      tell_change(thread, request);
      kernel_.advance_to(done);
      return request.old;
    }
    self.spins = true;
    self.spin_word = request.word;
    self.spin_value = request.old;
    Line& line = line_of(request.word.address);
    // Another request may have been begun already, whose effect is still to come.
    const bool free = request.hit ? kernel_.now() >= line.busy_until && kernel_.now() > line.deferred
                                  : kernel_.now() >= line.deferred;
    if (free && only_spinners(line)) {
      form_ring(line, thread, request.operation, done);
      kernel_.block(); // until a service, in vain, has ended after the ring's dissolution, or it is the first
    } else {
      kernel_.advance_to(done);
    }
  }
}

bool Machine::only_spinners(const Line& line) const noexcept {
  const auto spins = [&](int context) {
    if (context >= threads_) return false;
    const Thread& thread = state_of_[static_cast<std::size_t>(context)];
    return thread.spins && thread.spin_word.address / line_size == index_of(line) &&
        values_[thread.spin_word.slot] == thread.spin_value;
  };
  if (line.first != Line::none && !spins(line.first)) return false;
  for (std::int16_t context = line.queue_head; context != Line::none;
       context = next_[static_cast<std::size_t>(context)])
    if (!spins(context)) return false;
  return true;
}

void Machine::form_ring(Line& line, int thread, Operation operation, Picoseconds until) {
  Ring& ring = rings_[index_of(line)];
  ring.members = {thread};
  ring.until = until;
  ring.operation = operation;
  if (line.first != Line::none) ring.members.push_back(line.first);
  for (std::int16_t context = line.queue_head; context != Line::none; context = next_of(context))
    ring.members.push_back(context);
  line.queue_head = line.queue_tail = Line::none;
  line.ring = true;
}

Picoseconds Machine::ring_step(const Line& line, const Ring& ring, int from, int to) const noexcept {
  const int source = core_of(from), target = core_of(to);
  if (from == to) return std::max<Picoseconds>(1, costs_.hit_atomic);
  if (source == target) return std::max<Picoseconds>(1, costs_.sibling);
  const int a = costs_.node(target), b = costs_.node(source);
  return std::max<Picoseconds>(1,
                               costs_.latency(ring.operation, State::modified, costs_.place(a, b)) +
                                   costs_.detour(a, line.home, b));
}

void Machine::dissolve_ring(Line& line) {
  const Ring ring = std::move(rings_[index_of(line)]);
  rings_.erase(index_of(line));
  line.ring = false;
  const auto& members = ring.members;
  const std::size_t count = members.size();
  // Who is served at this instant, and until when.
  std::size_t served = 0;
  Picoseconds until = ring.until;
  const Picoseconds now = kernel_.now();
  if (now >= until) {
    const auto step = [&](std::size_t to) {
      return ring_step(line, ring, members[(to + count - 1) % count], members[to]);
    };
    Picoseconds round = 0;
    for (std::size_t member = 0; member < count; ++member) round += step(member);
    until += (now - until) / round * round;
    while (now >= until) {
      served = (served + 1) % count;
      until += step(served);
    }
  }
  const int core = core_of(members[served]);
  if (line.owner != core || !line.holders.has(core)) take_copy(line, core, true);
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
    append(line, member);
  }
  if (kernel_.blocked(members[served])) kernel_.wake(members[served], until);
}

} // namespace mesh::coherent
