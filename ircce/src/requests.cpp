// SPDX-License-Identifier: Apache-2.0
#include "requests.hpp"

#include <fmt/format.h>

#include "buffer_checks.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/polling.hpp"
#include "progress.hpp"

namespace rcce::ircce {
namespace {

int report(int* test, bool done, int otherwise) {
  tell(test, done);
  return done ? success : otherwise;
}

/// Requests have been looked at in vain, of which `transfer` is one; null: not known.
void looked_at(State& state, bool sending, const Transfer* transfer) {
  protocol::Library& library = state.library;
  int partner = -1;
  if (transfer != nullptr) {
    partner = transfer->peer;
    library.ue.activity.peer = partner;
    library.ue.activity.bytes = transfer->any_length ? 0 : transfer->size;
  }
  protocol::looked(library, {sending ? "flag ready" : "flag sent", library.rank(), partner});
}

int report_test(State& state, bool sending, const Transfer* transfer, int* test, bool done, int otherwise) {
  if (!done) looked_at(state, sending, transfer);
  return report(test, done, otherwise);
}

const Transfer* first_of(const std::deque<Transfer*>& queue) {
  return queue.empty() ? nullptr : queue.front();
}

const Transfer* first_receive(const State& state) {
  return state.receives.empty() ? first_of(state.unmatched) : first_of(state.receives.begin()->second);
}

int report_push(State& state, bool sending, bool done, int otherwise) {
  if (!done) looked_at(state, sending, sending ? first_of(state.sends) : first_receive(state));
  return done ? success : otherwise;
}

/// iRCCE 2.0: nothing to send or receive. The program finds -1 as the size of a message of 0 bytes.
int nothing_to_do(const Request& request, char* buffer, long size, int peer) {
  request.buffer() = buffer;
  request.size() = static_cast<std::size_t>(size == 0 ? -1 : size);
  request.peer() = peer;
  request.set_started(0);
  request.next() = nullptr;
  request.finished() = 1;
  return success;
}

/// The request is finished as the original's was, so that a program which does not look at the code goes on.
int refuse_size(State& state, const Request& request, char* buffer, long size, int peer) {
  if (request.address() != nullptr) (void)nothing_to_do(request, buffer, size, peer);
  return state.bad_size();
}

/// True if a program's request is finished. A request that was never posted holds arbitrary values.
bool is_finished(State& state, const Request& request, bool sending) {
  const int finished = request.finished();
  if (finished != 0 && finished != 1) {
    if (state.checks) state.checks->never_posted(sending, finished);
    state.warn_once(
        state.told_stray,
        fmt::format("the {} request was never posted: its field `finished` is {}, where the library "
                    "writes 0 or 1; the call takes it for finished; post it first",
                    sending ? "send" : "receive", finished));
  }
  return finished != 0;
}

void warn_stray(State& state, const char* what) {
  state.warn_once(
      state.told_stray,
      fmt::format("the {} request is in no queue: it was never posted, or has been cancelled; post it first",
                  what));
}

[[noreturn]] void endless(State& state, const char* what) {
  protocol::misuse(
      state.library,
      fmt::format("waits for a {} request that is in no queue: it was never posted, or has been cancelled; "
                  "post it first",
                  what));
}

/// A request that has been posted, at whatever place of its queue: puts it there and makes the first step.
int post(State& state, Transfer transfer, int how) {
  state.library.charge(state.costs.request);
  Transfer& posted = state.enter(transfer);
  const bool head = state.enqueue(posted);
  bool active = head && posted.peer != any_source;
  bool done = active && step(state, posted);
  if (!done && posted.peer == any_source && match(state, posted)) {
    active = true;
    done = step(state, posted);
  }
  if (done) return success;
  if ((how & rockcreek_ircce_blocking) == 0) return active ? state.codes.pending : state.codes.reserved;
  wait_for(state, posted);
  return success;
}

} // namespace

Transfer make_transfer(State& state, bool sending, bool pipelined, char* buffer, std::size_t size, int peer,
                       const Request& request) {
  protocol::Library& library = state.library;
  // An any-source receive has no `sent` flag yet; the other words are the same for all sources.
  protocol::Channel channel = sending
      ? protocol::channel(library, library.rank(), peer)
      : protocol::channel(library, peer == any_source ? 0 : peer, library.rank());
  if (peer == any_source) channel.sent = nullptr;
  if (!sending) library.charge(state.costs.segment); // of the first segment: while that is on its way
  return {.request = request,
          .sending = sending,
          .pipelined = pipelined,
          .call = library.ue.activity.call,
          .buffer = buffer,
          .size = size,
          .peer = peer,
          .any_length = false,
          .begin = library.core.now(),
          .channel = channel};
}

int isend(State& state, char* buffer, long size, int dest, void* object, int how) {
  const Request request = state.send_request(object);
  const bool pipelined = (how & rockcreek_ircce_pipelined) != 0;
  if (size < 0) return refuse_size(state, request, buffer, size, dest);
  if (!state.first_generation() && size == 0 && !pipelined) return nothing_to_do(request, buffer, size, dest);
  if (!state.library.valid_rank(dest)) return state.bad_rank();
  if (pipelined && size == 0) buffer = state.dummy(), size = 1;
  return post(state,
              make_transfer(state, true, pipelined, buffer, static_cast<std::size_t>(size), dest, request),
              how);
}

int irecv(State& state, char* buffer, long size, int source, void* object, int how) {
  const Request request = state.receive_request(object);
  const bool pipelined = (how & rockcreek_ircce_pipelined) != 0;
  const bool any_length = state.any_length && size == -1;
  if (size < 0 && !any_length) return refuse_size(state, request, buffer, size, source);
  if (!state.first_generation() && size == 0 && !pipelined)
    return nothing_to_do(request, buffer, size, source);
  const bool wildcard = !state.first_generation() && source == any_source;
  if (!wildcard && !state.library.valid_rank(source)) return state.bad_rank();
  if (pipelined && size == 0) buffer = state.dummy(), size = 1;
  Transfer transfer =
      make_transfer(state, false, pipelined, buffer, static_cast<std::size_t>(size), source, request);
  transfer.any_length = any_length;
  return post(state, transfer, how);
}

int isend_test(State& state, void* object, int* test) {
  if (object == nullptr) {
    step_sends(state);
    return report_test(state, true, first_of(state.sends), test, state.sends.empty(), state.codes.pending);
  }
  if (is_finished(state, state.send_request(object), true)) return report(test, true, success);
  Transfer* transfer = state.find(object);
  if (transfer == nullptr) warn_stray(state, "send");
  const auto is_head = [&] { return transfer != nullptr && state.head_of(*transfer) == transfer; };
  if (!is_head() && !state.first_generation()) step_sends(state);
  if (!is_head()) return report_test(state, true, transfer, test, false, state.codes.reserved);
  const bool done = step(state, *transfer);
  return report_test(state, true, done ? nullptr : transfer, test, done, state.codes.pending);
}

int irecv_test(State& state, void* object, int* test) {
  if (object == nullptr) {
    const bool done = step_receives(state) && state.unmatched.empty();
    return report_test(state, false, first_receive(state), test, done, state.codes.pending);
  }
  if (is_finished(state, state.receive_request(object), false)) return report(test, true, success);
  Transfer* transfer = state.find(object);
  if (transfer == nullptr) warn_stray(state, "receive");
  if (transfer == nullptr || (transfer->peer == any_source && !match(state, *transfer)) ||
      state.head_of(*transfer) != transfer)
    return report_test(state, false, transfer, test, false, state.codes.reserved);
  const bool done = step(state, *transfer);
  return report_test(state, false, done ? nullptr : transfer, test, done, state.codes.pending);
}

int isend_wait(State& state, void* object) {
  if (object == nullptr) {
    wait_for_sends(state);
  } else if (!is_finished(state, state.send_request(object), true)) {
    Transfer* transfer = state.find(object);
    if (transfer == nullptr) endless(state, "send");
    wait_for(state, *transfer);
  }
  return success;
}

int irecv_wait(State& state, void* object) {
  if (object == nullptr) {
    wait_for_all_receives(state);
  } else if (!is_finished(state, state.receive_request(object), false)) {
    Transfer* transfer = state.find(object);
    if (transfer == nullptr) endless(state, "receive");
    wait_for(state, *transfer);
  }
  return success;
}

int line_message(State& state, bool sending, char* buffer, int peer, void* object) {
  protocol::Library& library = state.library;
  if (!library.valid_rank(peer)) return state.bad_rank();
  if (object == nullptr)
    protocol::misuse(library, "the request is null: messages of one line need an object");
  if (*library.image.chunk < mesh::line_bytes * static_cast<std::size_t>(library.size()))
    protocol::misuse(library, "the payload area of the message-passing buffer has not a line for each rank");
  const Request request = sending ? state.send_request(object) : state.receive_request(object);
  Transfer transfer = make_transfer(state, sending, false, buffer, mesh::line_bytes, peer, request);
  const int receiver = sending ? peer : library.rank();
  transfer.line = true;
  transfer.channel.buffer += mesh::line_bytes * static_cast<std::size_t>(receiver);
  transfer.channel.chunk = mesh::line_bytes;
  return post(state, transfer, 0);
}

int push_lines(State& state, bool sending) {
  auto& queues = sending ? state.line_sends : state.line_receives;
  bool all = true;
  for (auto queue = queues.begin(); queue != queues.end();) {
    Transfer& head = *queue->second.front();
    ++queue; // the queue is gone once it is empty
    all = step(state, head) && all;
  }
  return report_push(state, sending, all, state.codes.pending);
}

int isend_push(State& state) {
  return report_push(state, true, step_sends(state), state.codes.pending);
}

int irecv_push(State& state) {
  const bool all = step_receives(state);
  if (!state.unmatched.empty()) return report_push(state, false, false, state.codes.reserved);
  return report_push(state, false, all, state.codes.pending);
}

int isend_cancel(State& state, void* object, int* test) {
  tell(test, 0);
  Transfer* transfer = object == nullptr ? nullptr : state.find(object);
  if (transfer == nullptr) return state.codes.not_enqueued;
  if (transfer->begun) return state.codes.pending;
  // The first of the queue has been announced where it could be; in its turn it would be at the next call.
  if (state.head_of(*transfer) == transfer) return state.codes.pending;
  state.drop(*transfer);
  tell(test, 1);
  return success;
}

int irecv_cancel(State& state, void* object, int* test) {
  tell(test, 0);
  Transfer* transfer = object == nullptr ? nullptr : state.find(object);
  if (transfer == nullptr) return state.codes.not_enqueued;
  if (transfer->begun) return state.codes.pending;
  state.drop(*transfer);
  tell(test, 1);
  return success;
}

int status(State& state, void* send, void* receive) {
  void* object = send != nullptr ? send : receive;
  const Request request = send != nullptr ? state.send_request(object) : state.receive_request(object);
  if (is_finished(state, request, send != nullptr)) return success;
  Transfer* transfer = state.find(object);
  const bool head = transfer != nullptr && state.head_of(*transfer) == transfer;
  looked_at(state, send != nullptr, transfer);
  return head ? state.codes.pending : state.codes.reserved;
}

} // namespace rcce::ircce
