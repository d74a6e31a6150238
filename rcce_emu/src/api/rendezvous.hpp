// The rendezvous of RCCE_send and RCCE_recv, piece by piece through the sender's message-passing buffer
// (MPB). Written once, and compiled for each way of reaching flags and buffers: `Access` below.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "api/call.hpp"
#include "api/flags.hpp"
#include "api/messages.hpp"
#include "api/mpb.hpp"
#include "api/pieces.hpp"

namespace rcce::api {

/// For the flags and the machine of this library.
[[nodiscard]] Rendezvous rendezvous_for(const Library& library) noexcept;

/// One side of a message, as Library::rendezvous says.
void pass_to(Library& library, const Channel& channel, const char* buffer, std::size_t size, int dest);
void pass_from(Library& library, const Channel& channel, char* buffer, std::size_t size, int source);

/// Access step by step through the library's calls: any flags, with every check of the low-level interface.
class AccessByCall {
 public:
  /// `own` is the flag that this side waits for, `other` the one that it sets at `peer`.
  AccessByCall(Library& library, const Channel& channel, void* own, void* other, int peer)
      : library_(library), channel_(channel), own_(own), other_(other), peer_(peer) {}

  void put_lines(const char* source, std::size_t bytes) {
    put(library_, channel_.buffer, reinterpret_cast<MpbPointer>(const_cast<char*>(source)),
        static_cast<int>(bytes), library_.rank());
  }
  void get_lines(char* to, std::size_t bytes) {
    get(library_, reinterpret_cast<MpbPointer>(to), channel_.buffer, static_cast<int>(bytes), peer_);
  }
  void store_line(const Line& line) { line_to_mpb(library_, library_.core_id, offset(), line); }
  void load_line(Line& line) { line_from_mpb(library_, line, library_.core_of(peer_), offset()); }
  void touch(const char* memory, std::size_t bytes, bool write) { library_.core.touch(memory, bytes, write); }

  void charge(Cycles cycles) { library_.charge(cycles); }

  void signal() { flag_write(library_, other_, 1, peer_); }
  void wait(const char* name) { wait_until(library_, own_, 1, name); }
  void clear() { flag_write(library_, own_, 0, library_.rank()); }
  void will_get(std::size_t) {}
  void will_put(std::size_t) {}

 private:
  [[nodiscard]] std::size_t offset() const { return own_offset(library_, channel_.buffer, mesh::line_bytes); }

  Library& library_;
  const Channel& channel_;
  void* const own_;
  void* const other_;
  const int peer_;
};

/// Access by places that are looked up once a message: flags of a byte, no checks, at the same cost.
/// `CoreClass` is Core, or a class whose accesses are to be compiled into the calls, and where nothing is
/// charged.
template <class CoreClass>
class AccessByPlace {
 public:
  AccessByPlace(Library& library, CoreClass& core, const Channel& channel, void* own, void* other, int peer)
      : library_(library),
        core_(core),
        buffer_(own_offset(library, channel.buffer, channel.chunk)),
        own_(word_of(library, own).offset),
        other_(word_of(library, other).offset),
        peer_(library.core_of(peer)) {
    write_dummy_line(library); // stays written
  }

  void put_lines(const char* source, std::size_t bytes) {
    charge_copy_as(library_.costs.put);
    core_.put(library_.core_id, buffer_, source, bytes, library_.copy);
  }
  void get_lines(char* to, std::size_t bytes) {
    charge_copy_as(library_.costs.get);
    core_.get(to, peer_, buffer_, bytes, library_.copy);
  }
  void store_line(const Line& line) {
    charge_copy_as(library_.costs.put);
    core_.store(library_.core_id, buffer_, line.data(), line.size());
  }
  void load_line(Line& line) {
    charge_copy_as(library_.costs.get);
    core_.load(peer_, buffer_, line.data(), line.size());
  }
  void touch(const char* memory, std::size_t bytes, bool write) { core_.touch(memory, bytes, write); }
  void charge(Cycles cycles) {
    if constexpr (std::is_same_v<CoreClass, Core>) library_.charge(cycles);
  }

  void signal() { set(peer_, other_, 1); }
  void wait(const char* name) {
    const WaitsFor waiting(library_, name, library_.rank());
    core_.wait(library_.core_id, own_, Condition{0xff, 1}, library_.costs.flag_poll);
  }
  void clear() { set(library_.core_id, own_, 0); }
  /// Ahead of wait(): what comes after it, for a core that hides the host's own latencies behind waiting. Of
  /// several lines the first one comes too early to be whole.
  void will_get(std::size_t bytes) {
    if constexpr (requires { core_.expect(peer_, buffer_); })
      if (bytes <= mesh::line_bytes) core_.expect(peer_, buffer_);
  }
  void will_put(std::size_t bytes) {
    if constexpr (requires { core_.regain(buffer_, bytes); }) core_.regain(buffer_, bytes);
  }

 private:
  void charge_copy_as(Cycles cycles) {
    if constexpr (std::is_same_v<CoreClass, Core>) charge_copy(library_, cycles);
  }
  void set(int core, std::size_t offset, std::uint8_t value) {
    charge(library_.costs.flag_write);
    core_.store(core, offset, &value, 1);
  }

  Library& library_;
  CoreClass& core_;
  const std::size_t buffer_, own_, other_;
  const int peer_;
};

[[nodiscard]] inline Cycles padding_cost(const Library& library) {
  return library.costs.padding + (library.copy == Copy::plain ? library.costs.plain_padding : 0);
}

/// Fills the own buffer.
template <class Access>
void fill(Library& library, Access& access, const char* source, std::size_t bytes) {
  if (bytes % mesh::line_bytes == 0) return access.put_lines(source, bytes);
  alignas(mesh::line_bytes) Line padded{};
  std::memcpy(padded.data(), source, bytes);
  access.touch(source, bytes, false);
  access.charge(padding_cost(library));
  access.store_line(padded);
}

/// Empties the peer's.
template <class Access>
void take(Library& library, Access& access, char* to, std::size_t bytes) {
  if (bytes % mesh::line_bytes == 0) return access.get_lines(to, bytes);
  alignas(mesh::line_bytes) Line padded;
  access.charge(padding_cost(library));
  access.load_line(padded);
  std::memcpy(to, padded.data(), bytes);
  access.touch(to, bytes, true);
}

// The results of the copies and flag calls are dropped in both directions, as in the original: a wrong flag
// or buffer of the low-level interface means missing data or a wait for ever, not an error code.
template <class Access>
void send_over(Library& library, Access&& access, const char* buffer, std::size_t size, std::size_t chunk) {
  for (Piece piece = piece_at(0, size, chunk); piece.bytes > 0; piece = piece_at(piece.end(), size, chunk)) {
    access.charge(library.costs.piece);
    fill(library, access, buffer + piece.offset, piece.bytes);
    access.signal();
    access.wait("ready");
    access.clear();
    const std::size_t left = size - piece.end();
    access.will_put(std::min(left > 0 ? left : size, chunk));
  }
}

template <class Access>
void receive_over(Library& library, Access&& access, char* buffer, std::size_t size, std::size_t chunk,
                  int source) {
  for (Piece piece = piece_at(0, size, chunk); piece.bytes > 0; piece = piece_at(piece.end(), size, chunk)) {
    access.charge(library.costs.piece);
    access.will_get(piece.bytes);
    access.wait("sent");
    if (piece.offset == 0) compare_sizes(library, size, source);
    access.clear();
    take(library, access, buffer + piece.offset, piece.bytes);
    access.signal();
  }
}

} // namespace rcce::api
