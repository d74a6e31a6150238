// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/accesses.hpp"

#include "mesh_sim/observe/events.hpp"
#include "split_mix.hpp"

namespace mesh::coherent {

/// True if the core may answer by itself now. The owner of a line that others wait for changes it once.
bool Accesses::may_hit(const Line& line, int core, Operation operation) const noexcept {
  if (!Caches::hits(line, core, operation)) return false;
  const bool wanted = line.first != Line::none || kernel_.now() < line.busy_until;
  return !writes(operation) || !line.spent || !wanted;
}

Picoseconds Accesses::issue_hit(Line& line, int thread, Request& request) {
  const int core = placement_.core_of(thread);
  caches_.touch(line, core);
  Picoseconds done = kernel_.now() + costs_.hit(request.operation);
  if (tracks_siblings_ && line.writer != thread && line.writer != Line::none &&
      placement_.core_of(line.writer) == core) {
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

Picoseconds Accesses::issue(int thread, Request& request) {
  Line& line = memory_.line_of(request.word.address);
  const int core = placement_.core_of(thread);
  kernel_.synchronise();
  if (line.ring) rings_.dissolve(line);
  // A sibling, or the core's own posted store, may have asked for the line already: it is on its way.
  const bool coming = line.owner == core && kernel_.now() < line.written_at;
  // A spinner of a ring that has dissolved may be the first of the queue already, and leaves it by enter().
  const bool queued = line.first == kernel_.current();
  if (!coming && !queued && may_hit(line, core, request.operation)) return issue_hit(line, thread, request);

  const Picoseconds came = kernel_.now();
  queues_.enter(line);
  probes_.queued(thread, request.word, came);
  if (Caches::hits(line, core, request.operation)) {
    const Picoseconds done = issue_hit(line, thread, request);
    line.busy_until = done;
    queues_.admit_next(line);
    return done;
  }
  request.hit = false;
  const bool write = writes(request.operation);
  const Caches::Transfer from = caches_.transfer(line, core, request.operation);
  const Picoseconds start = kernel_.now();
  const Picoseconds latency = from.latency + caches_.resource_delay(from, costs_.node(core), start, start);
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
  queues_.admit_next(line);
  if (effect > start) {
    kernel_.advance_to(effect);
    kernel_.synchronise();
  }
  caches_.take_copy(line, core, write);
  if (write) line.written_at = done;
  apply(line, request, thread, done);
  return done;
}

/// The request's effect on the word, and on those who poll it.
void Accesses::apply(Line& line, Request& request, int thread, Picoseconds done) {
  std::uint64_t& value = memory_.value(request.word);
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
  digest_ =
      split_mix(digest_ ^ static_cast<std::uint64_t>(kernel_.now()) ^
                (static_cast<std::uint64_t>(thread) << 48) ^ (std::uint64_t{memory_.index_of(line)} << 24) ^
                static_cast<std::uint64_t>(request.operation)) +
      value;
  if (writes(request.operation)) {
    line.spent = request.operation == Operation::store || value != request.old;
    if (tracks_siblings_) line.writer = static_cast<std::int16_t>(thread);
    queues_.wake_sleepers(line, done + costs_.poll_gap, {Cause::Kind::store, thread, done});
  }
}

Request Accesses::modify(int thread, Request request) {
  access(thread, request);
  notify_change(thread, request);
  return request;
}

void Accesses::notify_change(int thread, const Request& request) const {
  if (memory_.value(request.word) == request.old) return;
  probes_.loaded(thread, request.word, request.at);
  probes_.stored(thread, request.word, request.at, false);
}

std::uint64_t Accesses::spin(int thread, Request request, Succeeded succeeded) {
  for (;;) {
    const Picoseconds done = issue(thread, request);
    if (succeeded(request)) {
      rings_.succeeded(thread);
      notify_change(thread, request);
      kernel_.advance_to(done);
      return request.old;
    }
    rings_.failed(thread, request.word, request.old);
    Line& line = memory_.line_of(request.word.address);
    // Another request may have been begun already, whose effect is still to come.
    const bool free = request.hit ? kernel_.now() >= line.busy_until && kernel_.now() > line.deferred
                                  : kernel_.now() >= line.deferred;
    if (free && rings_.only_spinners(line)) {
      rings_.form(line, thread, request.operation, done);
      kernel_.block(); // until a service, in vain, has ended after the ring's dissolution, or it is the first
    } else {
      kernel_.advance_to(done);
    }
  }
}

} // namespace mesh::coherent
