// SPDX-License-Identifier: Apache-2.0
#include "buffer_checks.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <utility>

#include "library/protocol/call.hpp"
#include "library/protocol/checks.hpp"
#include "library/protocol/facts.hpp"

namespace rcce::ircce {
namespace {

bool overlap(const Transfer& a, const Transfer& b) {
  return std::less<>{}(a.buffer, b.buffer + b.size) && std::less<>{}(b.buffer, a.buffer + a.size);
}

} // namespace

/// One whose size is not known yet, or that stores nothing, has no buffer; nor have messages of no bytes.
bool BufferChecks::checked(const Transfer& transfer) const {
  return !transfer.any_length && transfer.stores && transfer.size > 0 && !state_.is_dummy(transfer.buffer);
}

check::Side BufferChecks::side_of(const Transfer& transfer) const {
  check::Side side = protocol::side_of(state_.library, state_.library.ue.rank);
  side.call = transfer.call;
  side.peer = transfer.peer;
  side.bytes = transfer.any_length ? 0 : transfer.size;
  side.at = transfer.begin;
  side.traits = transfer.sending ? protocol::sends : protocol::receives;
  return side;
}

BufferChecks::Buffer* BufferChecks::find(const Transfer& transfer) {
  const auto found = std::ranges::find(buffers_, &transfer, &Buffer::transfer);
  return found == buffers_.end() ? nullptr : &*found;
}

void BufferChecks::posted(const Transfer& transfer) {
  const check::Side side = side_of(transfer);
  bool shared = false;
  if (checked(transfer))
    for (Buffer& other : buffers_) {
      if (!checked(*other.transfer) || (transfer.sending && other.transfer->sending)) continue;
      if (!overlap(transfer, *other.transfer)) continue;
      shared = other.shared = true;
      findings_.add(
          "unfinished requests share bytes of their buffers", other.posted, side,
          "finish the first request before its buffer is used by another request, unless both only send");
    }
  if (checked(transfer) && !transfer.sending)
    protocol::tell_fact(state_.library.ue,
                        protocol::ReceiveFact{.kind = protocol::ReceiveFact::Kind::posted,
                                              .request = &transfer,
                                              .buffer = reinterpret_cast<const std::byte*>(transfer.buffer),
                                              .bytes = transfer.size,
                                              .call = side.call,
                                              .peer = side.peer,
                                              .traits = side.traits,
                                              .at = side.at});
  buffers_.push_back({&transfer, side, transfer.offset, shared, {}});
  after_segment(transfer);
}

void BufferChecks::before_segment(const Transfer& transfer) {
  Buffer* const buffer = find(transfer);
  if (buffer == nullptr || buffer->contents.empty()) return;
  std::vector<char>& contents = buffer->contents;
  if (buffer->shared || std::memcmp(contents.data(), transfer.buffer, contents.size()) == 0) return;
  const auto changed = std::mismatch(contents.begin(), contents.end(), transfer.buffer).first;
  check::Side program = protocol::side_of(state_.library, state_.library.ue.rank);
  program.words = fmt::format(", before {}: has changed byte {} of that buffer", program.call,
                              changed - contents.begin());
  program.call = nullptr;
  program.peer = -1;
  program.bytes = 0;
  findings_.add(transfer.sending ? "the buffer of an unfinished send is changed"
                                 : "the buffer of an unfinished receive is changed",
                buffer->posted, program, "do not change a buffer until its request is finished");
  contents.assign(transfer.buffer, transfer.buffer + contents.size());
}

void BufferChecks::after_segment(const Transfer& transfer) {
  Buffer* const buffer = find(transfer);
  if (buffer == nullptr || !checked(transfer)) return;
  std::vector<char>& contents = buffer->contents;
  const std::size_t known = contents.empty() ? 0 : std::exchange(buffer->offset, transfer.offset);
  const std::size_t end = contents.empty() ? transfer.size : transfer.offset;
  contents.resize(transfer.size);
  if (known < end) std::memcpy(contents.data() + known, transfer.buffer + known, end - known);
}

void BufferChecks::left(const Transfer& transfer) {
  std::erase_if(buffers_, [&](const Buffer& one) { return one.transfer == &transfer; });
  protocol::tell_fact(
      state_.library.ue,
      protocol::ReceiveFact{.kind = protocol::ReceiveFact::Kind::finished, .request = &transfer});
}

void BufferChecks::never_posted(bool sending, int finished) {
  check::Side side = protocol::side_of(state_.library, state_.library.ue.rank);
  side.words = fmt::format(": the request's `finished` is {}", finished);
  findings_.add(sending ? "a send request is waited for or tested that was never posted"
                        : "a receive request is waited for or tested that was never posted",
                side, {}, "post a request before it is waited for; set none of its fields");
}

void BufferChecks::unfinished(const Transfer& transfer) {
  check::Side side = side_of(transfer);
  side.words = transfer.begun ? ", partly done" : "";
  // Whoever has not called its part; where it is anybody's, the end itself.
  findings_.add("a request is unfinished at RCCE_finalize", side,
                protocol::side_of(state_.library, transfer.peer), "wait for each request before the end");
}

} // namespace rcce::ircce
