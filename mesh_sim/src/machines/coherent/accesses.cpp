// SPDX-License-Identifier: Apache-2.0
// One request for one line, from its issue to its effect: the queue at the line, the owner's moment, the
// wake-up of those who poll.
#include "machines/coherent/tag_cache.hpp"
#include "mesh_sim/machines/coherent/machine.hpp"
#include "split_mix.hpp"

namespace mesh::coherent {

namespace {

[[nodiscard]] bool writes(Operation operation) noexcept {
  return operation != Operation::load;
}

} // namespace

bool Machine::hits(const Line& line, int core, Operation operation) const noexcept {
  if (!line.holders.has(core)) return false;
  return !writes(operation) ||
      (line.owner == core && (line.state == State::modified || line.state == State::exclusive));
}

bool Machine::may_hit(const Line& line, int core, Operation operation) const noexcept {
  if (!hits(line, core, operation)) return false;
  const bool wanted = line.first != Line::none || kernel_.now() < line.busy_until;
  return !writes(operation) || !line.spent || !wanted;
}

void Machine::enter(Line& line) {
  const int self = kernel_.current();
  for (;;) {
    if (line.first == Line::none) {
      if (kernel_.now() >= line.busy_until) return;
      line.first = static_cast<std::int16_t>(self);
    } else if (line.first != self) {
      append(line, self);
      kernel_.block();
    }
    while (line.first == self && kernel_.now() < line.busy_until) {
      kernel_.advance_to(line.busy_until);
      kernel_.synchronise();
    }
    if (line.ring) kernel_.block();
    // A spinner that has been served, in vain, while it was in a ring goes to the end of the queue again.
    if (line.first == self && kernel_.now() >= line.busy_until) break;
  }
  line.first = Line::none;
}

void Machine::append(Line& line, int context) noexcept {
  next_of(context) = Line::none;
  (line.queue_tail == Line::none ? line.queue_head : next_of(line.queue_tail)) =
      static_cast<std::int16_t>(context);
  line.queue_tail = static_cast<std::int16_t>(context);
}

void Machine::admit_next(Line& line) {
  if (line.queue_head == Line::none) return;
  const std::int16_t next = line.queue_head;
  line.queue_head = next_of(next);
  if (line.queue_head == Line::none) line.queue_tail = Line::none;
  line.first = next;
  kernel_.wake(next, line.busy_until);
}

Picoseconds Machine::issue_hit(Line& line, int thread, Request& request) {
  const int core = core_of(thread);
  if (!private_caches_.empty()) private_caches_[static_cast<std::size_t>(core)].touch(index_of(line));
  Picoseconds done = kernel_.now() + costs_.hit(request.operation);
  if (tracks_siblings_ && line.writer != thread && line.writer != Line::none &&
      core_of(line.writer) == core) {
    done = std::max(done, kernel_.now() + costs_.sibling);
    line.writer = static_cast<std::int16_t>(thread);
    // Until then the other thread waits for it.
    if (line.owner == core) {
      line.written_at = done;
      line.busy_until = std::max(line.busy_until, done);
    }
  }
  if (writes(request.operation)) line.state = State::modified;
  request.hit = true;
  apply(line, request, thread, done);
  return done;
}

Picoseconds Machine::issue(int thread, Request& request) {
  Line& line = line_of(request.word.address);
  const int core = core_of(thread);
  kernel_.synchronise();
  if (line.ring) dissolve_ring(line);
  // A sibling, or the core's own posted store, may have asked for the line already: it is on its way.
  const bool coming = line.owner == core && kernel_.now() < line.written_at;
  // A spinner of a ring that has dissolved may be the first of the queue already, and leaves it by enter().
  const bool queued = line.first == kernel_.current();
  if (!coming && !queued && may_hit(line, core, request.operation)) return issue_hit(line, thread, request);

  enter(line);
  if (hits(line, core, request.operation)) {
    const Picoseconds done = issue_hit(line, thread, request);
    line.busy_until = done;
    admit_next(line);
    return done;
  }
  ++line_events_;
  request.hit = false;
  const bool write = writes(request.operation);
  const Transfer from = transfer(line, core, request.operation);
  const Picoseconds start = kernel_.now();
  const Picoseconds latency = from.latency + resource_delay(from, costs_.node(core), start, start);
  // The owner keeps what it has just written until the snoop arrives, and effects come in the order of
  // service.
  Picoseconds effect = start;
  if (line.owner != Line::none && line.owner != core)
    effect = std::max<Picoseconds>(
        start, line.written_at + std::llround(costs_.hold * static_cast<double>(from.latency)));
  if (effect <= line.deferred) effect = line.deferred + 1;
  const Picoseconds done = std::max(effect, start + latency);
  line.busy_until = write || costs_.serial_reads ? done : start + std::min(latency, costs_.read_occupancy);
  if (effect > start) line.deferred = effect;
  admit_next(line);
  if (effect > start) {
    kernel_.advance_to(effect);
    kernel_.synchronise();
  }
  take_copy(line, core, write);
  if (write) line.written_at = done;
  apply(line, request, thread, done);
  return done;
}

/// The request's effect on the word, and on those who poll it.
void Machine::apply(Line& line, Request& request, int thread, Picoseconds done) {
  std::uint64_t& value = values_[request.word.slot];
  request.old = value;
  request.changed = true;
  request.at = kernel_.now();
  switch (request.operation) {
  case Operation::load:
    request.changed = false;
    break;
  case Operation::store:
  case Operation::exchange:
  case Operation::test_and_set:
    value = request.operand;
    break;
  case Operation::fetch_add:
    value += request.operand;
    break;
  case Operation::cas:
    request.changed = value == request.expected;
    if (request.changed) value = request.operand;
    break;
  }
  digest_ = split_mix(digest_ ^ static_cast<std::uint64_t>(kernel_.now()) ^
                      (static_cast<std::uint64_t>(thread) << 48) ^ (std::uint64_t{index_of(line)} << 24) ^
                      static_cast<std::uint64_t>(request.operation)) +
      value;
  if (writes(request.operation)) {
    line.spent = request.operation == Operation::store || value != request.old;
    if (tracks_siblings_) line.writer = static_cast<std::int16_t>(thread);
    wake_sleepers(line, done + costs_.poll_gap);
  }
}

void Machine::wake_sleepers(Line& line, Picoseconds at) {
  for (std::int16_t sleeper = line.sleepers; sleeper != Line::none;) {
    const std::int16_t next = next_of(sleeper);
    kernel_.wake(sleeper, at);
    sleeper = next;
  }
  line.sleepers = Line::none;
}

} // namespace mesh::coherent
