// SPDX-License-Identifier: Apache-2.0
// What can be told of a run, as plain data: each event stands for itself, and whoever keeps one copies it.
// Cores are physical core numbers; times are those of the core that acts, in picoseconds from the start.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mesh_sim/parts/resource_id.hpp"
#include "mesh_sim/units.hpp"

namespace mesh {

enum class CallTraits : std::uint8_t; // call_traits.hpp

/// The target of an access to off-chip shared memory rather than to an MPB.
inline constexpr int shared_memory = -1;

/// An access to a message-passing buffer (MPB), to shared memory, to a test-and-set register or to an atomic
/// counter. Of shared memory only those are known that copies make, and those that the program tells.
struct Access {
  enum class Kind : std::uint8_t {
    put,
    get,
    store,
    update,
    load,
    wait, ///< for one word
    look, ///< at one word of several that are waited for together
    lock_try,
    lock_release,
    counter,
  };
  Kind kind = Kind::load;
  bool write = false;              ///< changes what it accesses
  bool done = true;                ///< false: the word looked at is not as wished, the register is taken
  bool more = false;               ///< further segments or attempts of the same access follow; of a load: an
                                   ///< update
  bool waits = false;              ///< counter: the core polls until it has a certain value
  bool delivered = false;          ///< acts without its core; at one time before all cores
  std::uint32_t mask = UINT32_MAX; ///< bits concerned, of the little-endian word that begins at the offset
  int core = -1;
  int target = -1;         ///< whose MPB or register; number of the counter; shared_memory
  std::size_t offset = 0;  ///< when a loop over several words begins: the first word's
  std::size_t bytes = 0;   ///< when a loop over several words begins: their number
  std::uint32_t value = 0; ///< new value of a counter; new bits of an update; bits that a wait or poll is for
  bool unequal = false;    ///< wait or poll: any other value than that
  bool added = false;      ///< a counter is incremented, and the value that it had comes back
  Picoseconds at = 0;
  /// The core's side of a copy, a load or a store: `bytes` bytes, which are there to be written when it sets
  /// out and have been read when it ends. For those moments only: who keeps an event does not keep the bytes.
  std::byte* own = nullptr;
  Picoseconds ahead = 0;   ///< its request has been on its way for so long when it sets out
  Picoseconds memory = 0;  ///< when it ends: what of a copy's time went to caches and private memory
  Picoseconds visible = 0; ///< when it ends: from when on others see what it has written; 0: it has not
};

/// The program uses memory by itself, past the machine, as far as it tells of that.
struct Touch {
  int core = -1;
  const void* memory = nullptr; ///< memory of the host: private, shared, or an MPB
  std::size_t bytes = 0;
  bool write = false;
  Picoseconds at = 0;
};

/// The event that let a sleeping core go on.
struct Cause {
  enum class Kind : std::uint8_t {
    store,        ///< a store of at most a line, or of bits of one, as it becomes visible
    copy,         ///< a copy of several lines, as its last one becomes visible
    plain_store,  ///< the program's own, past the machine: by whom, nobody knows
    lock_release, ///< a test-and-set register is released
    counter,      ///< an access to the atomic counter
    message,      ///< a message's arrival
    turn,         ///< those before it at a line of memory have been served
    interrupt,    ///< none: it does something else, then looks again
  };
  Kind kind = Kind::store;
  int core = -1;      ///< whose doing it was; -1: not known
  Picoseconds at = 0; ///< when that could be seen first
};

/// A core that sleeps until what it looks at again and again is as it wishes. Who finds that at the first
/// look does not wait.
struct Wait {
  enum class Target : std::uint8_t {
    word,    ///< one word of an MPB, or of memory with coherent caches
    words,   ///< any of several of one MPB
    lock,    ///< a test-and-set register
    counter, ///< an atomic counter
    message, ///< a message of a cluster
    line,    ///< its turn at a line of memory with coherent caches
  };
  Target on = Target::word;
  int core = -1;
  int target = -1;        ///< whose MPB or register; number of the counter; shared_memory; the sender
  std::size_t offset = 0; ///< offset of the word, or of the first of several
  Picoseconds begin = 0;
  Picoseconds end = 0; ///< when it goes on; unset while it waits
  Cause cause{};       ///< unset while it waits
};

/// One side of a message of the library above: the sender tells when its buffer is free again, the receiver
/// when all of the data are there.
struct Message {
  int sender = -1, receiver = -1; ///< receiver -1: to all others, which each tell of their own side
  bool received = false;          ///< whose side tells
  std::size_t bytes = 0;
  Picoseconds begin = 0, end = 0; ///< times of this side's part in it
};

/// Packets of one access that a resource serves one after the other.
struct Service {
  ResourceId resource;
  int core = -1; ///< whose access it is
  std::uint32_t packets = 0;
  Picoseconds from = 0;   ///< arrival of the first packet
  Picoseconds to = 0;     ///< from then on the core needs it no more; several packets leave gaps
  Picoseconds busy = 0;   ///< service of all packets
  Picoseconds queued = 0; ///< time that the core waits here for others
  bool beside =
      false; ///< accesses of own code that go beside others: each packet waits alike, not only the first
  std::uint64_t bytes = 0; ///< bytes of all packets; at a link the width of their flits
};

/// A public call of the library above begins or ends. Calls may contain others.
struct Call {
  int core = -1;
  int kind = -1; ///< which call: the observers know its name
  CallTraits traits{};
  int peer = -1;         ///< core of the partner, known when it ends; -1: none, or several
  std::size_t bytes = 0; ///< to or from the peer; without one, moved in memory
  Picoseconds at = 0;
};

/// A core that has not come to its end when the run is over (a deadlock, a time limit, a crash of another),
/// or that has ended within calls. What it has begun and not ended lasts until `at`.
struct Unfinished {
  int core = -1;
  bool waits = false;    ///< asleep; else it was in its own code or in that of a call
  bool crashed = false;  ///< its end has ended the run
  int target = -1;       ///< whose MPB or register it waits for
  Picoseconds since = 0; ///< its clock: nothing has been heard of it after that
  Picoseconds at = 0;    ///< the end of the run; of one that has ended, its own
};

} // namespace mesh
