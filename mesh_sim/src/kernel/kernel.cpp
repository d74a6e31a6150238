// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/kernel/kernel.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>

#include "kernel/asan.hpp"

namespace mesh {

Kernel::Kernel(int contexts, std::size_t stack_bytes)
    : stacks_(static_cast<std::size_t>(contexts), stack_bytes),
      slots_(static_cast<std::size_t>(contexts)),
      ready_(slots_.size()),
      id_bits_(static_cast<unsigned>(std::bit_width(static_cast<unsigned>(contexts) + 1))),
      id_mask_((EventTree::Key{1} << id_bits_) - 1),
      latest_(static_cast<Picoseconds>(EventTree::none >> (id_bits_ + 1))) {}

Kernel::~Kernel() = default;

void Kernel::start(int context, std::function<void()> body, Picoseconds at) {
  Slot& slot = slots_.at(static_cast<std::size_t>(context));
  if (slot.state != State::unused)
    throw std::logic_error(fmt::format("context {} has a body already", context));
  slot.body = std::move(body);
  slot.clock = at;
  slot.state = State::ready;
  slot.handle = make_fiber(stacks_.stack(static_cast<std::size_t>(context)), &Kernel::entry);
  ready_.set(static_cast<std::size_t>(context), key(at, context));
  ++alive_;
}

Kernel::End Kernel::run() {
  if (started_) throw std::logic_error("a kernel runs once");
  started_ = true;
  while (!stopping_) {
    const int next = next_fiber();
    if (next < 0) break; // nor where all have ended
    switch_to(next);     // comes back when nobody can act, or at stop()
  }
  if (failure_) std::rethrow_exception(failure_);
  if (stopping_) return End::stopped;
  return alive_ == 0 ? End::finished : End::deadlock;
}

void Kernel::find_mark() noexcept {
  // A delivery at time t comes before every core at t: its key is (t, 0).
  mark_ = deliveries_.empty() ? EventTree::none : key(deliveries_.front().at, -1);
  if (progress_at_ != INT64_MAX) mark_ = std::min(mark_, key(progress_at_, -1));
}

/// Applies the deliveries that precede every core, and none later than `until`.
void Kernel::apply_due(Picoseconds until) {
  if (!ready_.empty()) until = std::min(until, static_cast<Picoseconds>(ready_.top() >> id_bits_));
  while (!deliveries_.empty() && deliveries_.front().at <= until) {
    std::pop_heap(deliveries_.begin(), deliveries_.end());
    const Delivery due = deliveries_.back();
    deliveries_.pop_back();
    find_mark();
    ++delivered_;
    turn_ = key(due.at, -1);
    deliver_(deliver_owner_, due.at, due.token);
    if (!pollers_.empty()) [[unlikely]]
      compare_polled(due.at, due.at);
    if (!ready_.empty()) until = std::min(until, static_cast<Picoseconds>(ready_.top() >> id_bits_));
  }
}

/// The context with the smallest key, after every delivery and mark of progress that precedes it; -1 when
/// nobody can act.
int Kernel::next_context() {
  for (;;) {
    apply_due(INT64_MAX);
    if (!ready_.empty()) {
      report_progress(static_cast<Picoseconds>(ready_.top() >> id_bits_));
      return context_of(ready_.top());
    }
    if (deliveries_.empty() && !(last_call_ != nullptr && alive_ > 0 && last_call_(last_call_owner_)) &&
        !progress_wakes() && !rouse())
      return -1;
  }
}

/// The same with everybody carried who comes before it, taken out of the queue and made the current one.
int Kernel::next_fiber() {
  for (;;) {
    if (!pollers_.empty()) [[unlikely]]
      compare_polled(acted_at_, now_);
    current_ = on_stack_;
    const int next = ready_.top() < mark_ ? context_of(ready_.top()) : next_context();
    if (next < 0 || stopping_) return -1;
    Slot& slot = slots_[static_cast<std::size_t>(next)];
    current_ = next;
    acted_at_ = now_ = slot.clock;
    turn_ = ready_.top();
    if (slot.state == State::carried) {
      if (!step_(step_owner_, next)) {
        check_range();
        slot.clock = now_;
        ready_.set(static_cast<std::size_t>(next), key(now_, next));
        continue;
      }
      slot.state = State::ready;
    }
    ready_.set(static_cast<std::size_t>(next), EventTree::none);
    update_horizon();
    return next;
  }
}

void Kernel::report_progress(Picoseconds earliest) {
  if (earliest < progress_at_ || progress_ == nullptr) return;
  progress_at_ = INT64_MAX;
  progress_at_ = std::min(progress_at_, progress_(progress_owner_, earliest));
  find_mark();
}

/// Nobody can act: time goes on to what the progress function waits for.
bool Kernel::progress_wakes() {
  while (alive_ > 0 && ready_.empty() && progress_at_ != INT64_MAX) {
    const Picoseconds at = progress_at_;
    report_progress(at);
    if (progress_at_ <= at) break;
  }
  return !ready_.empty();
}

void Kernel::wake_progress_at(Picoseconds at) noexcept {
  progress_at_ = std::min(progress_at_, at);
  find_mark();
  update_horizon();
}

void Kernel::out_of_range() const {
  std::fprintf(stderr,
               "rockcreek: simulated time has passed %.0f s, the most that a machine of %d cores can count\n",
               static_cast<double>(latest_) * seconds_per_picosecond, contexts());
  std::abort();
}

void Kernel::reschedule() {
  check_range();
  slots_[static_cast<std::size_t>(current_)].clock = now_;
  if (!pollers_.empty()) [[unlikely]]
    compare_polled(acted_at_, now_);
  apply_due(now_);
  // The caller takes part in the choice like everybody else.
  const EventTree::Key own = key(now_, current_);
  report_progress(static_cast<Picoseconds>(std::min(own, ready_.top()) >> id_bits_));
  const EventTree::Key top = ready_.top();
  if (own < top) {
    update_horizon();
    acted_at_ = now_;
    return;
  }
  const int next = context_of(top);
  if (slots_[static_cast<std::size_t>(next)].state == State::carried) {
    ready_.set(static_cast<std::size_t>(current_), own);
    go_on_with(next_fiber());
    return;
  }
  ready_.set(static_cast<std::size_t>(next), EventTree::none);
  ready_.set(static_cast<std::size_t>(current_), own);
  update_horizon();
  acted_at_ = now_ = slots_[static_cast<std::size_t>(next)].clock;
  turn_ = top;
  switch_to(next);
}

void Kernel::carry() {
  while (key(now_, current_) <= horizon_) {
    turn_ = key(now_, current_);
    if (step_(step_owner_, current_)) return;
  }
  check_range();
  Slot& slot = slots_[static_cast<std::size_t>(current_)];
  slot.clock = now_;
  slot.state = State::carried;
  ready_.set(static_cast<std::size_t>(current_), key(now_, current_));
  go_on_with(next_fiber());
}

/// The caller is in no queue any more: continues whoever is next, or run() when nobody can act.
void Kernel::leave() {
  slots_[static_cast<std::size_t>(current_)].clock = now_;
  go_on_with(stopping_ ? -1 : next_fiber());
}

/// `next` may be the one whose stack this is: it has been carried, or woken by a delivery, meanwhile.
void Kernel::go_on_with(int next) {
  if (next >= 0 && next == on_stack_) return;
  switch_to(next);
}

void Kernel::block() {
  Slot& slot = slots_[static_cast<std::size_t>(current_)];
  slot.state = State::blocked;
  leave();
  if (slot.interrupted) [[unlikely]] {
    slot.interrupted = false;
    interrupt_(interrupt_owner_, current_);
  }
}

bool Kernel::Poller::differs() const noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t value = 0;
    std::memcpy(&value, words[i].address, words[i].bytes);
    if (value != values[i]) return true;
  }
  return false;
}

/// The first look that is not before.
Picoseconds Kernel::Poller::look(Picoseconds from) const noexcept {
  return from <= first ? first : first + (from - first + round - 1) / round * round;
}

PollEnd Kernel::poll(std::span<const PolledWord> words, Picoseconds first, Picoseconds round) {
  if (settle_ != nullptr) settle_(settle_owner_, now_); // the words are those of its turn
  Poller& own = pollers_.emplace_back(
      Poller{.context = current_, .count = words.size(), .first = first, .round = round});
  for (std::size_t i = 0; i < words.size(); ++i) {
    own.words[i] = words[i];
    std::memcpy(&own.values[i], words[i].address, words[i].bytes);
  }
  acted_at_ = now_;
  block();
  const auto place = std::ranges::find(pollers_, current_, &Poller::context);
  const PollEnd end = place->end;
  pollers_.erase(place);
  return end;
}

/// Wakes those whose words have been changed by who has acted at `since`, and has now come to `now`.
void Kernel::compare_polled(Picoseconds since, Picoseconds now) {
  if (settle_ != nullptr) settle_(settle_owner_, since);
  for (Poller& one : pollers_) {
    if (!blocked(one.context) || !one.differs()) continue;
    one.end = PollEnd::changed;
    wake(one.context, one.look(stores_unseen_ ? std::max(since, now) : since));
  }
}

bool Kernel::polls(int context) const noexcept {
  return blocked(context) && std::ranges::find(pollers_, context, &Poller::context) != pollers_.end();
}

bool Kernel::rouse() {
  bool any = false;
  for (Poller& one : pollers_) {
    if (!blocked(one.context)) continue;
    one.end = PollEnd::roused;
    wake(one.context, one.look(now_));
    any = true;
  }
  return any;
}

void Kernel::interrupt(int context, Picoseconds at) {
  slots_[static_cast<std::size_t>(context)].interrupted = true;
  wake(context, at);
}

void Kernel::wake(int context, Picoseconds at) {
  Slot& slot = slots_[static_cast<std::size_t>(context)];
  if (slot.state != State::blocked) throw std::logic_error(fmt::format("context {} is not blocked", context));
  slot.state = State::ready;
  if (at > slot.clock) slot.clock = at;
  ready_.set(static_cast<std::size_t>(context), key(slot.clock, context));
  horizon_ = std::min(horizon_, key(slot.clock, context));
}

void Kernel::hasten(int context, Picoseconds at) {
  Slot& slot = slots_[static_cast<std::size_t>(context)];
  const EventTree::Key earlier = key(at, context);
  ready_.set(static_cast<std::size_t>(context), earlier);
  slot.clock = at;
  horizon_ = std::min(horizon_, earlier);
}

void Kernel::post(Picoseconds at, std::uint32_t token) {
  deliveries_.push_back({at, sequence_++, token});
  std::push_heap(deliveries_.begin(), deliveries_.end());
  mark_ = std::min(mark_, key(at, -1));
  horizon_ = std::min(horizon_, mark_);
}

void Kernel::stop() {
  stopping_ = true;
  if (current_ >= 0) slots_[static_cast<std::size_t>(current_)].clock = now_; // it is asked for after the run
  if (on_stack_ >= 0) switch_to(-1);
}

void Kernel::switch_to(int next) {
  const int self = on_stack_;
  previous_ = self;
  current_ = on_stack_ = next;
  ++switches_;
  if (switch_ != nullptr) switch_(switch_owner_, self, next);
  const FiberHandle to = next < 0 ? outside_ : slots_[static_cast<std::size_t>(next)].handle;
  asan::Departure departure;
  if (next < 0)
    departure.to_outside();
  else
    departure.to_stack(stacks_.stack(static_cast<std::size_t>(next)));
  const FiberJump back = jump(to, this);
  departure.returned();
  (previous_ < 0 ? outside_ : slots_[static_cast<std::size_t>(previous_)].handle) = back.from;
}

void Kernel::entry(FiberJump from) {
  auto* kernel = static_cast<Kernel*>(from.data);
  asan::first_arrival(kernel->previous_ < 0);
  (kernel->previous_ < 0 ? kernel->outside_
                         : kernel->slots_[static_cast<std::size_t>(kernel->previous_)].handle) = from.from;
  kernel->run_body();
}

void Kernel::run_body() {
  try {
    slots_[static_cast<std::size_t>(current_)].body();
  } catch (...) {
    failure_ = std::current_exception();
    stopping_ = true;
  }
  exit();
}

void Kernel::exit() {
  slots_[static_cast<std::size_t>(current_)].state = State::ended;
  --alive_;
  leave();
  std::abort(); // nobody continues an ended context
}

} // namespace mesh
