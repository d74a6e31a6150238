// SPDX-License-Identifier: Apache-2.0
// Written once, as a template over the flags and the class of the core.
#include "library/protocol/rendezvous.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "engine/wall_core.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/flags.hpp"
#include "library/protocol/mpb.hpp"
#include "library/protocol/segments.hpp"

namespace rcce::protocol {
namespace {

/// How flags and buffers are reached.
enum class Flags {
  any,   ///< step by step through the library's calls, with every check of the low-level interface
  bytes, ///< by places that are looked up once a message: flags of a byte, no checks, at the same cost
};

[[nodiscard]] Cycles padding_cost(const Library& library) {
  return library.costs.padding + (library.copy == Copy::plain ? library.costs.plain_padding : 0);
}

/// One side of one message.
struct Side {
  const Channel& channel;
  void* own;   ///< the flag that this side waits for
  void* other; ///< the one that it sets at the peer
  int peer;
  // The same as places, for flags of a byte.
  std::size_t buffer = 0, own_word = 0, other_word = 0;
  int peer_core = -1;
};

/// `CoreClass` is Core, or a class whose accesses are to be compiled into the calls, and where nothing is
/// charged.
template <Flags flags, class CoreClass>
class RendezvousOver final : public Rendezvous {
 public:
  RendezvousOver(Library& library, CoreClass& core) : library_(library), core_(core) {}

  // With all that they call compiled into them: a sixth of the time of a short message was calls and frames.
  // The results of the copies and flag calls are dropped in both directions, as in the original: a wrong flag
  // or buffer of the low-level interface means missing data or a wait for ever, not an error code.

  [[gnu::flatten]] void send(const Channel& channel, const char* buffer, std::size_t size,
                             int dest) override {
    const Side side = side_of({channel, channel.ready, channel.sent, dest});
    const std::size_t chunk = channel.chunk;
    for (Segment segment = segment_at(0, size, chunk); segment.bytes > 0;
         segment = segment_at(segment.end(), size, chunk)) {
      charge(library_.costs.segment);
      fill(side, buffer + segment.offset, segment.bytes);
      signal(side);
      wait(side, "ready");
      clear(side);
      const std::size_t left = size - segment.end();
      will_put(side, std::min(left > 0 ? left : size, chunk));
    }
  }

  [[gnu::flatten]] void receive(const Channel& channel, char* buffer, std::size_t size, int source) override {
    const Side side = side_of({channel, channel.sent, channel.ready, source});
    const std::size_t chunk = channel.chunk;
    for (Segment segment = segment_at(0, size, chunk); segment.bytes > 0;
         segment = segment_at(segment.end(), size, chunk)) {
      charge(library_.costs.segment);
      will_get(side, segment.bytes);
      wait(side, "sent");
      if (segment.offset == 0) compare_sizes(library_, size, source);
      clear(side);
      take(side, buffer + segment.offset, segment.bytes);
      signal(side);
    }
  }

 private:
  Side side_of(Side side) {
    if constexpr (flags == Flags::bytes) {
      side.buffer = own_offset(library_, side.channel.buffer, side.channel.chunk);
      side.own_word = word_of(library_, side.own).offset;
      side.other_word = word_of(library_, side.other).offset;
      side.peer_core = library_.core_of(side.peer);
      write_dummy_line(library_); // stays written
    }
    return side;
  }

  /// Fills the own buffer.
  void fill(const Side& side, const char* source, std::size_t bytes) {
    if (bytes % mesh::line_bytes == 0) return put_lines(side, source, bytes);
    alignas(mesh::line_bytes) Line padded{};
    std::memcpy(padded.data(), source, bytes);
    core_.touch(source, bytes, false);
    charge(padding_cost(library_));
    store_line(side, padded);
  }

  /// Empties the peer's.
  void take(const Side& side, char* to, std::size_t bytes) {
    if (bytes % mesh::line_bytes == 0) return get_lines(side, to, bytes);
    alignas(mesh::line_bytes) Line padded;
    charge(padding_cost(library_));
    load_line(side, padded);
    std::memcpy(to, padded.data(), bytes);
    core_.touch(to, bytes, true);
  }

  void put_lines(const Side& side, const char* source, std::size_t bytes) {
    if constexpr (flags == Flags::any) {
      put(library_, side.channel.buffer, reinterpret_cast<MpbPointer>(const_cast<char*>(source)),
          static_cast<int>(bytes), library_.rank());
    } else {
      charge_copy_as(library_.costs.put);
      core_.put(library_.core_id, side.buffer, source, bytes, library_.copy);
    }
  }
  void get_lines(const Side& side, char* to, std::size_t bytes) {
    if constexpr (flags == Flags::any) {
      get(library_, reinterpret_cast<MpbPointer>(to), side.channel.buffer, static_cast<int>(bytes),
          side.peer);
    } else {
      charge_copy_as(library_.costs.get);
      core_.get(to, side.peer_core, side.buffer, bytes, library_.copy);
    }
  }
  void store_line(const Side& side, const Line& line) {
    if constexpr (flags == Flags::any) {
      line_to_mpb(library_, library_.core_id, own_offset(library_, side.channel.buffer, line.size()), line);
    } else {
      charge_copy_as(library_.costs.put);
      core_.store(library_.core_id, side.buffer, line.data(), line.size());
    }
  }
  void load_line(const Side& side, Line& line) {
    if constexpr (flags == Flags::any) {
      line_from_mpb(library_, line, library_.core_of(side.peer),
                    own_offset(library_, side.channel.buffer, line.size()));
    } else {
      charge_copy_as(library_.costs.get);
      core_.load(side.peer_core, side.buffer, line.data(), line.size());
    }
  }

  void signal(const Side& side) {
    if constexpr (flags == Flags::any)
      flag_write(library_, side.other, 1, side.peer);
    else
      set(side.peer_core, side.other_word, 1);
  }
  void wait(const Side& side, const char* name) {
    if constexpr (flags == Flags::any) {
      wait_until(library_, side.own, 1, name);
    } else {
      const WaitsFor waiting(library_, name, library_.rank());
      core_.wait(library_.core_id, side.own_word, Condition{0xff, 1}, library_.costs.flag_poll);
    }
  }
  void clear(const Side& side) {
    if constexpr (flags == Flags::any)
      flag_write(library_, side.own, 0, library_.rank());
    else
      set(library_.core_id, side.own_word, 0);
  }
  void set(int core, std::size_t offset, std::uint8_t value) {
    charge(library_.costs.flag_write);
    core_.store(core, offset, &value, 1);
  }

  // Ahead of wait(): what comes after it, for a core that hides the host's own latencies behind waiting.

  /// Announces a get. For several lines this would come too early: the first one could not be whole.
  void will_get(const Side& side, std::size_t bytes) {
    if constexpr (requires { core_.expect(side.peer_core, side.buffer); })
      if (bytes <= mesh::line_bytes) core_.expect(side.peer_core, side.buffer);
  }
  void will_put(const Side& side, std::size_t bytes) {
    if constexpr (requires { core_.regain(side.buffer, bytes); }) core_.regain(side.buffer, bytes);
  }

  void charge(Cycles cycles) {
    if constexpr (std::is_same_v<CoreClass, Core>) library_.charge(cycles);
  }
  void charge_copy_as(Cycles cycles) {
    if constexpr (std::is_same_v<CoreClass, Core>) charge_copy(library_, cycles);
  }

  Library& library_;
  CoreClass& core_;
};

/// For flags of a byte, by the class of the core.
class ByClassOfCore final : public CoreVisitor {
 public:
  explicit ByClassOfCore(Library& library) : library_(library) {}
  void visit(Core& core) override { made = over(core); }
  void visit(WallCore& core) override { made = over(core); }

  std::unique_ptr<Rendezvous> made;

 private:
  template <class CoreClass>
  [[nodiscard]] std::unique_ptr<Rendezvous> over(CoreClass& core) const {
    return std::make_unique<RendezvousOver<Flags::bytes, CoreClass>>(library_, core);
  }

  Library& library_;
};

} // namespace

std::unique_ptr<Rendezvous> make_rendezvous(Library& library) {
  const bool bytes = !library.scheme.single_bit && !library.scheme.whole_line;
  if (library.gory() || !bytes || library.ue.facts != nullptr)
    return std::make_unique<RendezvousOver<Flags::any, Core>>(library, library.core);
  ByClassOfCore chosen(library);
  library.core.accept(chosen);
  return std::move(chosen.made);
}

} // namespace rcce::protocol
