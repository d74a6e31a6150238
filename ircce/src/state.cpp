// SPDX-License-Identifier: Apache-2.0
#include "state.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "buffer_checks.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/checks.hpp"
#include "library/protocol/diagnostics.hpp"

namespace rcce::ircce {
namespace {

constexpr Codes codes_1x{.error = 0, .pending = -1, .reserved = -2, .not_enqueued = -3};
constexpr Codes codes_20{.error = -1, .pending = -2, .reserved = -3, .not_enqueued = -4};

} // namespace

State::State(protocol::Library& of, const ImageInterface& of_image)
    : library(of),
      image(of_image),
      costs(costs_of(of.software)),
      copy(copy_of(of.software)),
      codes(of_image.generation < 20 ? codes_1x : codes_20),
      any_length(of_image.generation >= 20 && of.image.generation < 20 && of.image.smallflags == 0) {
  if (check::Findings* const findings = protocol::findings_of(of))
    checks = std::make_unique<BufferChecks>(*this, *findings);
}

State::~State() = default;

Transfer* State::find(const void* request) {
  const auto found = unfinished_.find(request);
  return found == unfinished_.end() ? nullptr : found->second.get();
}

Transfer* State::head_of(const Transfer& transfer) {
  if (transfer.line) return queues_by_peer(transfer).at(transfer.peer).front();
  if (transfer.sending) return sends.front();
  if (transfer.peer == any_source) return nullptr;
  return receives.at(transfer.peer).front();
}

/// The queues that hold the transfer.
std::map<int, std::deque<Transfer*>>& State::queues_by_peer(const Transfer& transfer) {
  if (!transfer.line) return receives;
  return transfer.sending ? line_sends : line_receives;
}

Transfer& State::enter(Transfer transfer) {
  const Request request = transfer.request;
  if (const Transfer* before = find(request.address()))
    protocol::misuse(
        library,
        fmt::format(
            "the request object is in use: {}, posted at {}, is not finished; wait for it or cancel it, "
            "or give another object",
            name_of(*before), protocol::microseconds(before->begin)));
  const std::size_t chunk = transfer.channel.chunk;
  if (chunk < mesh::line_bytes)
    protocol::misuse(library,
                     "no room for messages is left in the message-passing buffer: iRCCE_malloc, "
                     "communicators and flags have "
                     "taken it; allocate less");
  request.buffer() = transfer.buffer;
  request.mpb_buffer() = const_cast<unsigned char*>(transfer.channel.buffer);
  request.chunk() = chunk;
  request.set_parts(first_segment(chunk), chunk - first_segment(chunk));
  request.ready() = transfer.channel.ready;
  request.sent() = transfer.channel.sent;
  request.size() = transfer.size;
  request.peer() = transfer.peer;
  request.set_copies(transfer.stores);
  request.set_sync(transfer.pipelined);
  request.set_flag_value(any_length ? static_cast<int>(transfer.size) : 1);
  request.in_chunks() = transfer.size / chunk * chunk;
  request.remainder() = transfer.size % chunk;
  request.segment_bytes() = 0;
  request.segment() = transfer.buffer;
  request.label() = label_start;
  request.finished() = 0;
  request.set_started(0);
  request.next() = nullptr;
  std::unique_ptr<Transfer>& record = unfinished_[request.address()];
  record = std::make_unique<Transfer>(transfer);
  if (checks) checks->posted(*record);
  return *record;
}

bool State::enqueue(Transfer& transfer) {
  std::deque<Transfer*>& queue = transfer.line ? queues_by_peer(transfer)[transfer.peer]
      : transfer.sending                       ? sends
      : transfer.peer == any_source            ? unmatched
                                               : receives[transfer.peer];
  if (!queue.empty()) queue.back()->request.next() = transfer.request.address();
  queue.push_back(&transfer);
  show_queue(transfer);
  return queue.size() == 1;
}

void State::dequeue(Transfer& transfer) {
  const auto remove = [&](std::deque<Transfer*>& queue) {
    const auto place = std::find(queue.begin(), queue.end(), &transfer);
    if (place != queue.begin()) (*std::prev(place))->request.next() = transfer.request.next();
    queue.erase(place);
  };
  if (transfer.sending && !transfer.line) {
    remove(sends);
  } else if (transfer.peer == any_source) {
    remove(unmatched);
  } else {
    auto& queues = queues_by_peer(transfer);
    const auto queue = queues.find(transfer.peer);
    remove(queue->second);
    if (queue->second.empty()) queues.erase(queue);
  }
  transfer.request.next() = nullptr;
  show_queue(transfer);
}

/// The program's own pointer to the queue that the request is in.
void State::show_queue(const Transfer& of) {
  const auto front = [](const std::deque<Transfer*>& queue) {
    return queue.empty() ? nullptr : queue.front()->request.address();
  };
  if (of.line) {
    if (!of.sending) return; // programs see none of these
    const auto queue = line_sends.find(of.peer);
    image.isend_queue32[of.peer] = queue == line_sends.end() ? nullptr : front(queue->second);
  } else if (of.sending) {
    *image.isend_queue = front(sends);
  } else if (of.peer == any_source) {
    *image.any_source_queue = front(unmatched);
  } else {
    const auto queue = receives.find(of.peer);
    image.irecv_queue[of.peer] = queue == receives.end() ? nullptr : front(queue->second);
  }
}

void State::finish(Transfer& transfer) {
  const Completed completed{transfer.call, transfer.peer, transfer.size, transfer.begin, library.core.now()};
  (transfer.sending ? library.ue.last_send : library.ue.last_receive) = completed;
  if (!transfer.sending) set_recent(transfer.peer, transfer.size);
  transfer.request.finished() = 1;
  drop(transfer);
}

void State::drop(Transfer& transfer) {
  if (checks) checks->left(transfer);
  dequeue(transfer);
  unfinished_.erase(transfer.request.address());
}

char* State::dummy() {
  if (dummy_ == nullptr) dummy_ = std::make_unique<Dummy>();
  return &dummy_->byte;
}

void State::set_recent(int source, std::size_t length) const {
  if (image.recent_source != nullptr) *image.recent_source = source;
  if (image.recent_length != nullptr) *image.recent_length = static_cast<int>(length);
}

std::string State::name_of(const Transfer& transfer) {
  const std::string peer = transfer.peer == any_source ? "any rank" : fmt::format("rank {}", transfer.peer);
  return fmt::format("{} {} {}, {} byte{}", transfer.call, transfer.sending ? "to" : "from", peer,
                     transfer.size, transfer.size == 1 ? "" : "s");
}

int State::bad_rank() const {
  return protocol::error_return(library, *library.image.debug_comm, protocol::Error::id);
}

int State::bad_size() const {
  return protocol::error_return(library, *library.image.debug_comm, protocol::Error::message_length);
}

void State::warn_once(bool& told, const std::string& what) const {
  if (told) return;
  told = true;
  protocol::tell_user(library, what, "rccerun: warning: ");
}

std::vector<const Transfer*> State::left() const {
  std::vector<const Transfer*> all(sends.begin(), sends.end());
  for (const auto* queues : {&receives, &line_sends, &line_receives})
    for (const auto& [peer, queue] : *queues) all.insert(all.end(), queue.begin(), queue.end());
  all.insert(all.end(), unmatched.begin(), unmatched.end());
  return all;
}

std::vector<OpenMessage> State::open_messages() {
  std::vector<OpenMessage> open;
  if (other != nullptr) open = other->open_messages();
  for (const Transfer* const one : left())
    open.push_back({one->sending, one->peer, one->size, one->begin, one->call});
  return open;
}

void State::finalizing() {
  if (other != nullptr) other->finalizing();
  const std::vector<const Transfer*> left = this->left();
  if (left.empty()) return;
  if (checks)
    for (const Transfer* transfer : left) checks->unfinished(*transfer);
  bool told = false;
  warn_once(told,
            fmt::format("{} request{} unfinished, the first is {}; wait for requests before the end",
                        left.size(), left.size() == 1 ? " is" : "s are", name_of(*left.front())));
}

void State::sending(int dest) {
  if (other != nullptr) other->sending(dest);
  if (sends.empty() || !sends.front()->begun) return;
  warn_once(
      told_overlap,
      fmt::format(
          "a message to rank {} passes through the message-passing buffer in which a segment of {} still "
          "lies, which may be lost; finish non-blocking sends before blocking ones",
          dest, name_of(*sends.front())));
}

void State::receiving(int source) {
  if (other != nullptr) other->receiving(source);
  const auto queue = receives.find(source);
  if (queue == receives.end()) return;
  warn_once(
      told_taken,
      fmt::format("a message from rank {} is received past {}, which was posted before; finish non-blocking "
                  "receives before blocking ones",
                  source, name_of(*queue->second.front())));
}

State& state_of(protocol::Library& library, const ImageInterface& image) {
  if (library.extension == nullptr) library.extension = std::make_unique<State>(library, image);
  auto& first = static_cast<State&>(*library.extension);
  if (&first.image == &image) return first;
  if (first.other == nullptr) first.other = std::make_unique<State>(library, image);
  return *first.other;
}

} // namespace rcce::ircce
