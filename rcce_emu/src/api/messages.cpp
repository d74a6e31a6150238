#include "api/messages.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>

#include "api/call.hpp"
#include "api/diagnostics.hpp"
#include "api/flags.hpp"
#include "api/mpb.hpp"
#include "api/on_core.hpp"
#include "api/pieces.hpp"
#include "job_state.hpp"
#include "run/report.hpp"

namespace rcce::api {
namespace {

using mesh::line_bytes;

MpbPointer plain(const char* buffer) {
  return reinterpret_cast<MpbPointer>(const_cast<char*>(buffer));
}

/// A collective call goes through many messages: reports tell of the present one.
/// Returns when this side of it begins, where somebody wants to know.
Picoseconds begin_message(Library& library, bool received, int peer, std::size_t bytes) {
  Activity& activity = library.ue.activity;
  activity.peer = peer;
  activity.bytes = bytes;
  activity.traits.sends = !received;
  activity.traits.receives = received;
  return library.ue.observers == nullptr ? 0 : library.core.now();
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_message(Library& library, std::size_t size) {
  if (size > PTRDIFF_MAX)
    misuse(library,
           fmt::format("the size is {}, or {} with a sign: sizes count bytes, from 0", size,
                       static_cast<std::ptrdiff_t>(size)));
  misuse(library, "the chunk is smaller than a line of 32 bytes");
}

void check_message(Library& library, const Channel& channel, std::size_t size) {
  if (channel.chunk < line_bytes || size > PTRDIFF_MAX) refuse_message(library, size);
}

[[gnu::cold, gnu::noinline]] void tell_mismatch(Library& library, const Outgoing& message, std::size_t size,
                                                int source) {
  library.mismatch_told = true;
  library.ue.job->note_mismatch();
  const char* const call = library.ue.activity.call;
  std::fprintf(stderr, "rccerun: %s (%s, %s at %s): both have to name the same size, the data are wrong\n",
               run::mismatch_text(source, message.bytes, library.rank(), size).c_str(),
               message.call != nullptr ? message.call : "its call", call != nullptr ? call : "its call",
               run::microseconds(library.core.now()).c_str());
}

/// One side of a message, step by step through the library's calls: on any machine, with any flags. `own` is
/// the flag that this side waits for, `other` the one that it sets at `peer`.
class Side {
 public:
  Side(Library& library, const Channel& channel, void* own, void* other, int peer)
      : library_(library), channel_(channel), own_(own), other_(other), peer_(peer) {}

  /// Fills the own buffer.
  void fill(const char* from, std::size_t bytes) {
    if (bytes % line_bytes == 0) {
      put(library_, channel_.buffer, plain(from), static_cast<int>(bytes), library_.rank());
    } else {
      alignas(line_bytes) Line padded{};
      std::memcpy(padded.data(), from, bytes);
      library_.core.touch(from, bytes, false);
      charge_padding();
      line_to_mpb(library_, library_.core_id, own_offset(library_, channel_.buffer, line_bytes), padded);
    }
  }
  /// Empties the peer's.
  void take(char* to, std::size_t bytes) {
    if (bytes % line_bytes == 0) {
      get(library_, plain(to), channel_.buffer, static_cast<int>(bytes), peer_);
    } else {
      alignas(line_bytes) Line padded;
      charge_padding();
      line_from_mpb(library_, padded, library_.core_of(peer_),
                    own_offset(library_, channel_.buffer, line_bytes));
      std::memcpy(to, padded.data(), bytes);
      library_.core.touch(to, bytes, true);
    }
  }
  void signal() { flag_write(library_, other_, 1, peer_); }
  void wait(const char* name) { wait_until(library_, own_, 1, name); }
  void clear() { flag_write(library_, own_, 0, library_.rank()); }

  void will_take(std::size_t) {}
  void will_fill(std::size_t) {}

 private:
  void charge_padding() {
    library_.charge(library_.costs.padding +
                    (library_.copy == Copy::plain ? library_.costs.plain_padding : 0));
  }

  Library& library_;
  const Channel& channel_;
  void* const own_;
  void* const other_;
  const int peer_;
};

/// The same steps where Library::direct: places are looked up once a message, nothing is charged.
class DirectSide {
 public:
  DirectSide(Library& library, const Channel& channel, void* own, void* other, int peer)
      : library_(library),
        core_(*library.wall_core),
        buffer_(own_offset(library, channel.buffer, channel.chunk)),
        own_(word_of(library, own).offset),
        other_(word_of(library, other).offset),
        peer_(library.core_of(peer)) {
    write_dummy_line(library);
  }

  void fill(const char* from, std::size_t bytes) {
    if (bytes % line_bytes == 0) {
      core_.put(library_.core_id, buffer_, from, bytes, Copy::plain);
    } else {
      alignas(line_bytes) Line padded{};
      std::memcpy(padded.data(), from, bytes);
      core_.store(library_.core_id, buffer_, padded.data(), line_bytes);
    }
  }
  void take(char* to, std::size_t bytes) {
    if (bytes % line_bytes == 0) {
      core_.get(to, peer_, buffer_, bytes, Copy::plain);
    } else {
      alignas(line_bytes) Line padded;
      core_.load(peer_, buffer_, padded.data(), line_bytes);
      std::memcpy(to, padded.data(), bytes);
    }
  }
  void signal() { set(peer_, other_, 1); }
  void wait(const char* name) {
    const WaitsFor waiting(library_, name, library_.rank());
    core_.wait(library_.core_id, own_, Condition{0xff, 1}, 0);
  }
  void clear() { set(library_.core_id, own_, 0); }

  /// Ahead of wait(): what comes after it. Of several lines the first one comes too early to be whole.
  void will_take(std::size_t bytes) {
    if (bytes <= line_bytes) core_.expect(peer_, buffer_);
  }
  void will_fill(std::size_t bytes) { core_.regain(buffer_, bytes); }

 private:
  void set(int core, std::size_t offset, std::uint8_t value) { core_.store(core, offset, &value, 1); }

  Library& library_;
  WallCore& core_;
  const std::size_t buffer_, own_, other_;
  const int peer_;
};

/// act(side), which is compiled for both.
template <class Act>
void with_side(Library& library, const Channel& channel, void* own, void* other, int peer, Act&& act) {
  if (library.direct) {
    DirectSide side(library, channel, own, other, peer);
    act(side);
  } else {
    Side side(library, channel, own, other, peer);
    act(side);
  }
}

} // namespace

[[gnu::cold, gnu::noinline]] void tell_observers(const Library& library, bool received, int peer,
                                                 std::size_t bytes, Picoseconds begin) {
  const OutsideUe outside; // what observers keep is none of the program's memory
  const int core = library.valid_rank(peer) ? library.cores[static_cast<std::size_t>(peer)] : -1;
  library.ue.observers->tell_alone(&mesh::Observer::message, mesh::Told::messages,
                                   mesh::Message{received ? core : library.core_id,
                                                 received ? library.core_id : core, received, bytes, begin,
                                                 library.core.now()});
}

void compare_sizes(Library& library, std::size_t size, int source) {
  if (!library.valid_rank(source) || library.mismatch_told) return;
  const Outgoing& message = library.ue.job->ue(source).outgoing;
  if ((message.peer == library.rank() || message.peer == Outgoing::to_all) && message.bytes != size)
    tell_mismatch(library, message, size, source);
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
  const Picoseconds begin = begin_message(library, false, dest, size);
  check_message(library, channel, size);
  if (library.extension) library.extension->sending(dest);
  if (const Outgoing message{dest, size, library.ue.activity.call}; library.ue.outgoing != message)
    library.ue.outgoing = message;
  with_side(library, channel, channel.ready, channel.sent, dest, [&](auto& side) {
    for_each_piece(size, channel.chunk, [&](std::size_t offset, std::size_t bytes) {
      library.charge(library.costs.piece);
      side.fill(buffer + offset, bytes);
      side.signal();
      side.wait("ready");
      side.clear();
      const std::size_t left = size - offset - bytes;
      side.will_fill(std::min(left > 0 ? left : size, channel.chunk));
    });
  });
  // Otherwise it stays: what is written for each message goes to and fro between the caches of two threads.
  // With the low-level interface programs send without this function, too.
  if (library.gory()) library.ue.outgoing = {};
  tell_message(library, false, dest, size, begin);
}

void receive_pieces(Library& library, const Channel& channel, char* buffer, std::size_t size, int source) {
  const Picoseconds begin = begin_message(library, true, source, size);
  check_message(library, channel, size);
  if (library.extension) library.extension->receiving(source);
  with_side(library, channel, channel.sent, channel.ready, source, [&](auto& side) {
    for_each_piece(size, channel.chunk, [&](std::size_t offset, std::size_t bytes) {
      library.charge(library.costs.piece);
      side.will_take(bytes);
      side.wait("sent");
      if (offset == 0) compare_sizes(library, size, source);
      side.clear();
      side.take(buffer + offset, bytes);
      side.signal();
    });
  });
  tell_message(library, true, source, size, begin);
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
