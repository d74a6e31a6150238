// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/line_queues.hpp"

#include <utility>

#include "mesh_sim/observe/events.hpp"

namespace mesh::coherent {

LineQueues::LineQueues(Kernel& kernel)
    : kernel_(kernel),
      next_(static_cast<std::size_t>(kernel.contexts()), Line::none),
      causes_(next_.size()) {}
LineQueues::~LineQueues() = default;

const Cause& LineQueues::cause(int context) const noexcept {
  return causes_[static_cast<std::size_t>(context)];
}

void LineQueues::enter(Line& line) {
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

void LineQueues::admit_next(Line& line) {
  if (line.queue_head == Line::none) return;
  line.first = line.queue_head;
  line.queue_head = next(line.first);
  if (line.queue_head == Line::none) line.queue_tail = Line::none;
  kernel_.wake(line.first, line.busy_until);
}

void LineQueues::append(Line& line, int context) noexcept {
  next(context) = Line::none;
  (line.queue_tail == Line::none ? line.queue_head : next(line.queue_tail)) =
      static_cast<std::int16_t>(context);
  line.queue_tail = static_cast<std::int16_t>(context);
}

void LineQueues::sleep(Line& line) {
  const int self = kernel_.current();
  next(self) = line.sleepers;
  line.sleepers = static_cast<std::int16_t>(self);
  kernel_.block();
}

void LineQueues::wake_sleepers(Line& line, Picoseconds at, const Cause& cause) {
  for (std::int16_t sleeper = line.sleepers; sleeper != Line::none;) {
    causes_[static_cast<std::size_t>(sleeper)] = cause;
    kernel_.wake(std::exchange(sleeper, next(sleeper)), at);
  }
  line.sleepers = Line::none;
}

} // namespace mesh::coherent
