#include "api/messages.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include "api/call.hpp"
#include "api/diagnostics.hpp"
#include "api/flags.hpp"
#include "api/mpb.hpp"
#include "api/on_core.hpp"
#include "api/pieces.hpp"
#include "job_state.hpp"
#include "loader/report.hpp"

namespace rcce::api {
namespace {

using mesh::line_bytes;

MpbPointer plain(const char* buffer) {
  return reinterpret_cast<MpbPointer>(const_cast<char*>(buffer));
}

/// A collective call goes through many messages: reports tell of the present one.
void note_message(Library& library, int peer, std::size_t bytes) {
  library.ue.activity.peer = peer;
  library.ue.activity.bytes = bytes;
}

void check_chunk(Library& library, const Channel& channel) {
  if (channel.chunk < line_bytes) misuse(library, "the chunk is smaller than a line of 32 bytes");
}

void charge_padding(Library& library) {
  library.charge(library.costs.padding + (library.copy == Copy::plain ? library.costs.plain_padding : 0));
}

[[gnu::cold, gnu::noinline]] void tell_mismatch(Library& library, const Outgoing& message, std::size_t size,
                                                int source) {
  library.mismatch_told = true;
  std::fprintf(stderr, "rccerun: %s\n",
               loader::mismatch_text(source, message.bytes, library.rank(), size).c_str());
}

/// The receiver's part in one piece, from the moment at which `sent` is known to be set.
void take_piece(Library& library, const Channel& channel, char* target, std::size_t bytes, int source) {
  flag_write(library, channel.sent, 0, library.rank());
  if (bytes % line_bytes == 0) {
    get(library, plain(target), channel.buffer, static_cast<int>(bytes), source);
  } else {
    alignas(line_bytes) Line padded;
    charge_padding(library);
    line_from_mpb(library, padded, library.core_of(source), own_offset(library, channel.buffer, line_bytes));
    std::memcpy(target, padded.data(), bytes);
    library.core.touch(target, bytes, true);
  }
  flag_write(library, channel.ready, 1, source);
}

} // namespace

void compare_sizes(Library& library, std::size_t size, int source) {
  if (!library.valid_rank(source) || library.mismatch_told) return;
  const Outgoing& message = library.ue.job->ue(source).outgoing;
  if (message.peer == library.rank() && message.bytes != size) tell_mismatch(library, message, size, source);
}

Channel channel(Library& library, int source, int dest) {
  const ImageVariables& image = library.image;
  const auto flag = [&](void* flags, int id) {
    return static_cast<std::byte*>(flags) + static_cast<std::size_t>(id) * image.flag_bytes;
  };
  return {*image.buff_ptr, *image.chunk, flag(image.ready_flag, dest), flag(image.sent_flag, source)};
}

// The results of the copies and flag calls are dropped in both directions, as in the original: a wrong flag
// or buffer of the low-level interface means missing data or a wait for ever, not an error code.
void send_pieces(Library& library, const Channel& channel, const char* buffer, std::size_t size, int dest) {
  note_message(library, dest, size);
  check_chunk(library, channel);
  if (library.extension) library.extension->sending(dest);
  if (const Outgoing message{dest, size}; library.ue.outgoing != message) library.ue.outgoing = message;
  for_each_piece(size, channel.chunk, [&](std::size_t offset, std::size_t bytes) {
    library.charge(library.costs.piece);
    if (bytes % line_bytes == 0) {
      put(library, channel.buffer, plain(buffer + offset), static_cast<int>(bytes), library.rank());
    } else {
      alignas(line_bytes) Line padded{};
      std::memcpy(padded.data(), buffer + offset, bytes);
      library.core.touch(buffer + offset, bytes, false);
      charge_padding(library);
      line_to_mpb(library, library.core_id, own_offset(library, channel.buffer, line_bytes), padded);
    }
    flag_write(library, channel.sent, 1, dest);
    wait_until(library, channel.ready, 1, "ready");
    flag_write(library, channel.ready, 0, library.rank());
    if (library.wall_core != nullptr && bytes > line_bytes) {
      const std::size_t left = size - offset - bytes;
      library.wall_core->regain(own_offset(library, channel.buffer, 0),
                                std::min(left > 0 ? left : size, channel.chunk));
    }
  });
  // Otherwise it stays: what is written for each message goes to and fro between the caches of two threads.
  // With the low-level interface programs send without this function, too.
  if (library.gory()) library.ue.outgoing = {};
}

void receive_pieces(Library& library, const Channel& channel, char* buffer, std::size_t size, int source) {
  note_message(library, source, size);
  check_chunk(library, channel);
  if (library.extension) library.extension->receiving(source);
  for_each_piece(size, channel.chunk, [&](std::size_t offset, std::size_t bytes) {
    library.charge(library.costs.piece);
    if (library.wall_core != nullptr && bytes <= line_bytes)
      library.wall_core->expect(library.core_of(source), own_offset(library, channel.buffer, 0));
    wait_until(library, channel.sent, 1, "sent");
    if (offset == 0) compare_sizes(library, size, source);
    take_piece(library, channel, buffer + offset, bytes, source);
  });
}

bool receive_if_sent(Library& library, const Channel& channel, char* buffer, std::size_t size, int source) {
  if (probe(library, channel.sent) == 0) return false;
  receive_pieces(library, channel, buffer, size, source);
  return true;
}

int send(Library& library, const char* buffer, std::size_t size, int dest) {
  if (!library.valid_rank(dest)) return error_return(library, *library.image.debug_comm, Error::id);
  if (size > 0) send_pieces(library, channel(library, library.rank(), dest), buffer, size, dest);
  return 0;
}

int receive(Library& library, char* buffer, std::size_t size, int source) {
  if (!library.valid_rank(source)) return error_return(library, *library.image.debug_comm, Error::id);
  if (size > 0) receive_pieces(library, channel(library, source, library.rank()), buffer, size, source);
  return 0;
}

} // namespace rcce::api
