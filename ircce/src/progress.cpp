// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <cstring>

#include <fmt/format.h>

#include "buffer_checks.hpp"
#include "copies.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/flags.hpp"
#include "library/protocol/mpb.hpp"
#include "line_flags.hpp"

namespace rcce::ircce {
namespace {

mesh::Condition set_condition(const State& state, protocol::FlagWord word) {
  const protocol::FlagScheme& scheme = state.library.scheme;
  if (state.any_length) return {word.mask, 0, scheme.word_bytes, true};
  return {word.mask, scheme.single_bit ? word.mask : 1, scheme.word_bytes};
}

void* flag_of(const Transfer& transfer) {
  return transfer.sending ? transfer.channel.ready : transfer.channel.sent;
}

void write_flag(State& state, void* flag, int value, int id) {
  state.library.ue.count_call(); // it is not only looking
  protocol::flag_write(state.library, flag, value, id);
}

Segment present_segment(const Transfer& transfer) {
  return segment_at(transfer.offset, transfer.size, transfer.channel.chunk, transfer.pipelined);
}

void show_segment(const Transfer& transfer, const Segment& segment) {
  const Request& request = transfer.request;
  request.segment_bytes() = segment.bytes;
  request.segment() = transfer.buffer + segment.offset;
  request.label() = label_waits;
}

std::size_t payload_offset(State& state, const Transfer& transfer) {
  return protocol::own_offset(state.library, transfer.channel.buffer, mesh::line_bytes);
}

/// Puts the segment and tells the receiver.
void announce(State& state, Transfer& transfer) {
  const Segment segment = present_segment(transfer);
  put_segment(state, state.library.core_id, payload_offset(state, transfer) + segment.place,
              transfer.buffer + segment.offset, segment.bytes);
  const bool first = !transfer.begun;
  if (first && !transfer.line) state.library.announce({transfer.peer, transfer.size, transfer.call});
  transfer.begun = true;
  const int value = state.any_length ? static_cast<int>(transfer.size) : 1;
  if (first && transfer.tag != nullptr) {
    line_write(state, transfer.channel.sent, value, transfer.peer, transfer.tag, transfer.tag_bytes);
  } else {
    write_flag(state, transfer.channel.sent, value, transfer.peer);
  }
  show_segment(transfer, segment);
}

bool advance_send(State& state, Transfer& transfer, bool seen, bool looks) {
  for (;; seen = false) {
    if (transfer.begun) {
      if (!seen && !(looks && flag_is_set(state, transfer.channel.ready))) return false;
      if (state.checks) state.checks->before_segment(transfer);
      write_flag(state, transfer.channel.ready, 0, state.library.rank());
      transfer.offset = present_segment(transfer).end();
    }
    if (transfer.offset == transfer.size) {
      if (transfer.begun && !transfer.line) state.library.announce({});
      if (transfer.begun)
        protocol::tell_message(state.library, false, transfer.peer, transfer.size, transfer.begin);
      return true;
    }
    if (state.checks && !transfer.begun) state.checks->before_segment(transfer);
    announce(state, transfer);
  }
}

/// The first flag of a message carries its size, where flags do.
void take_size(State& state, Transfer& transfer) {
  const protocol::FlagWord word = protocol::word_of(state.library, transfer.channel.sent);
  int size = 0;
  state.library.core.load_cached(word.offset, &size, sizeof size);
  transfer.size = static_cast<std::size_t>(size);
  const Request& request = transfer.request;
  request.size() = transfer.size;
  request.in_chunks() = transfer.size / transfer.channel.chunk * transfer.channel.chunk;
  request.remainder() = transfer.size % transfer.channel.chunk;
}

bool advance_receive(State& state, Transfer& transfer, bool seen, bool looks) {
  protocol::Library& library = state.library;
  for (; transfer.offset < transfer.size || transfer.any_length; seen = false) {
    if (!seen && !(looks && flag_is_set(state, transfer.channel.sent))) return false;
    if (state.checks) state.checks->before_segment(transfer);
    if (!transfer.begun) {
      if (state.any_length) take_size(state, transfer);
      if (transfer.tag != nullptr) line_tag(state, transfer.channel.sent, transfer.tag, transfer.tag_bytes);
      transfer.any_length = false;
      transfer.begun = true;
      transfer.request.set_started(1);
      // Messages of one line are on their way several at once, and all of one size.
      if (!transfer.line) protocol::compare_sizes(library, transfer.size, transfer.peer);
    }
    const Segment segment = present_segment(transfer);
    show_segment(transfer, segment);
    write_flag(state, transfer.channel.sent, 0, library.rank());
    const bool early = may_answer_early(transfer.size, transfer.channel.chunk, transfer.pipelined, segment);
    if (early) write_flag(state, transfer.channel.ready, 1, transfer.peer);
    if (transfer.stores)
      get_segment(state, transfer.buffer + segment.offset, library.core_of(transfer.peer),
                  payload_offset(state, transfer) + segment.place, segment.bytes);
    if (!early) write_flag(state, transfer.channel.ready, 1, transfer.peer);
    transfer.offset = segment.end();
    if (state.checks) state.checks->after_segment(transfer);
    if (transfer.offset < transfer.size) library.charge(state.costs.segment); // of the next one
  }
  if (transfer.begun) protocol::tell_message(library, true, transfer.peer, transfer.size, transfer.begin);
  return true;
}

/// Enters an any-source receive for a source whose queue is empty.
void enter_source(State& state, Transfer& transfer, int source) {
  state.dequeue(transfer);
  transfer.peer = source;
  transfer.channel = protocol::channel(state.library, source, state.library.rank());
  transfer.request.peer() = source;
  transfer.request.ready() = transfer.channel.ready;
  transfer.request.sent() = transfer.channel.sent;
  state.enqueue(transfer);
}

/// Says in reports what a waiting call waits for.
class Report {
 public:
  Report(State& state, const Transfer* wanted) : activity_(state.library.ue.activity), before_(activity_) {
    if (wanted == nullptr) return;
    activity_.peer = wanted->peer;
    activity_.bytes = wanted->any_length ? 0 : wanted->size;
    activity_.untouched = !wanted->sending && !wanted->begun;
    activity_.flag = wanted->sending ? "ready" : "sent";
    const Transfer* head = state.head_of(*wanted);
    activity_.flag_rank = head != nullptr ? head->peer : state.library.rank();
  }
  ~Report() { activity_ = before_; }
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

 private:
  Activity& activity_;
  Activity before_;
};

Cycles round_cost(const State& state) {
  return state.costs.queue * state.library.size();
}

template <class Done>
void push_until(State& state, const Transfer* wanted, Done&& done) {
  std::vector<Watched> watched;
  while (!done()) {
    watched.clear();
    watch_receives(state, watched);
    watch_sends(state, watched);
    if (done()) return;
    if (wanted == nullptr && !watched.empty())
      await(state, watched, watched.front().transfer, round_cost(state));
    else
      await(state, watched, wanted, round_cost(state));
  }
}

} // namespace

bool flag_is_set(State& state, const void* flag) {
  const protocol::FlagWord word = protocol::word_of(state.library, flag);
  const mesh::Condition condition = set_condition(state, word);
  state.library.charge(state.costs.look);
  std::uint32_t value = 0;
  state.library.core.load(state.library.core_id, word.offset, &value, condition.bytes);
  return condition.holds(value);
}

bool advance(State& state, Transfer& transfer, bool seen, bool looks) {
  return transfer.sending ? advance_send(state, transfer, seen, looks)
                          : advance_receive(state, transfer, seen, looks);
}

bool step(State& state, Transfer& head, bool seen) {
  if (!advance(state, head, seen)) return false;
  state.finish(head);
  return true;
}

bool step_sends(State& state) {
  return state.sends.empty() || step(state, *state.sends.front());
}

bool step_receives(State& state) {
  while (!state.unmatched.empty() && match(state, *state.unmatched.front())) {
  }
  state.library.charge(round_cost(state));
  bool all = true;
  for (auto queue = state.receives.begin(); queue != state.receives.end();) {
    Transfer& head = *queue->second.front();
    ++queue; // the queue is gone once it is empty
    all = step(state, head) && all;
  }
  return all;
}

bool eligible(const State& state, int source) {
  return source != state.library.rank() && !state.receives.contains(source);
}

bool match(State& state, Transfer& unmatched) {
  for (int source = 0; source < state.library.size(); ++source) {
    if (!eligible(state, source)) continue;
    if (!flag_is_set(state, protocol::channel(state.library, source, state.library.rank()).sent)) continue;
    enter_source(state, unmatched, source);
    return true;
  }
  return false;
}

void watch_sends(State& state, std::vector<Watched>& watched) {
  for (auto queue = state.line_sends.begin(); queue != state.line_sends.end();) {
    Transfer& head = *queue->second.front();
    const auto next = std::next(queue);
    const bool last = queue->second.size() == 1;
    if (!head.begun && step(state, head)) { // the next head of this queue, if there is one
      if (last) queue = next;
      continue;
    }
    watched.push_back({&head});
    queue = next;
  }
  while (!state.sends.empty()) {
    Transfer& head = *state.sends.front();
    if (head.begun || !step(state, head)) {
      watched.push_back({&head});
      return;
    }
  }
}

void watch_receives(State& state, std::vector<Watched>& watched) {
  for (auto queue = state.receives.begin(); queue != state.receives.end();) {
    Transfer& head = *queue->second.front();
    if (head.offset == head.size && !head.any_length) { // 1.x: a message of no bytes has become the head
      const auto next = std::next(queue);
      const bool last = queue->second.size() == 1;
      state.finish(head);
      if (last) queue = next;
      continue;
    }
    watched.push_back({&head});
    ++queue;
  }
  for (const auto& [source, queue] : state.line_receives) watched.push_back({queue.front()});
  if (!state.unmatched.empty()) watch_unmatched(state, *state.unmatched.front(), watched);
}

void watch_unmatched(State& state, Transfer& unmatched, std::vector<Watched>& watched) {
  for (int source = 0; source < state.library.size(); ++source)
    if (eligible(state, source)) watched.push_back({&unmatched, source});
}

void await(State& state, const std::vector<Watched>& watched, const Transfer* wanted, Cycles round) {
  protocol::Library& library = state.library;
  if (watched.empty()) {
    const Transfer* head = wanted == nullptr ? nullptr : state.head_of(*wanted);
    protocol::misuse(
        library,
        head != nullptr && head != wanted
            ? fmt::format("{} can never finish: it is queued behind {}, which nobody waits for",
                          State::name_of(*wanted), State::name_of(*head))
            : "waits for a message from any rank, and there is no other rank that it could come from");
  }
  std::vector<void*> flags;
  flags.reserve(watched.size());
  for (const Watched& one : watched)
    flags.push_back(one.source == any_source ? flag_of(*one.transfer)
                                             : protocol::channel(library, one.source, library.rank()).sent);
  std::size_t seen = 0;
  {
    const Report report(state, wanted);
    seen = await_flags(state, flags, round);
  }
  const Watched& one = watched[seen];
  if (one.source != any_source) enter_source(state, *one.transfer, one.source);
  step(state, *one.transfer, true);
}

std::size_t await_flags(State& state, const std::vector<void*>& flags, Cycles round) {
  std::vector<mesh::PollTarget> looks;
  looks.reserve(flags.size());
  for (const void* flag : flags) {
    const protocol::FlagWord word = protocol::word_of(state.library, flag);
    looks.push_back({word.offset, set_condition(state, word), state.costs.look});
  }
  return state.library.core.wait_any(state.library.core_id, looks, round);
}

void pass(State& state, Transfer& transfer) {
  protocol::Library& library = state.library;
  library.ue.activity.peer = transfer.peer;
  library.ue.activity.bytes = transfer.size;
  for (bool seen = false; !advance(state, transfer, seen, false); seen = true) {
    const protocol::WaitsFor waiting(library, transfer.sending ? "ready" : "sent", library.rank());
    await_flags(state, {flag_of(transfer)}, 0);
  }
}

void wait_for(State& state, Transfer& wanted) {
  const void* request = wanted.request.address();
  push_until(state, &wanted, [&] { return state.find(request) == nullptr; });
}

void wait_for_sends(State& state) {
  push_until(state, nullptr, [&] { return state.sends.empty(); });
}

void wait_for_receives(State& state, int source) {
  push_until(state, nullptr, [&] { return !state.receives.contains(source); });
}

void wait_for_all_receives(State& state) {
  push_until(state, nullptr, [&] { return state.receives.empty() && state.unmatched.empty(); });
}

} // namespace rcce::ircce
