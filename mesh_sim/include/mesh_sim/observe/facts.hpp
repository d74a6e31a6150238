// SPDX-License-Identifier: Apache-2.0
// What a machine cannot tell of a run, since the library above it alone knows: what memory, flags, requests
// and collective calls are for, and what the program says of its own loads and stores. Plain data: pointers
// and texts are there while the fact is told, and who keeps one copies it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "mesh_sim/observe/events.hpp"

namespace mesh {

/// Memory of the core's own MPB, or of shared memory if the name says so, is given out or comes back.
struct MemoryFact {
  enum class Kind : std::uint8_t {
    allocated,
    line_allocated, ///< a single line; neighbours make a larger block
    released,
    managed, ///< the region is given out anew
    flags,   ///< the block at the offset holds flags from now on
    payload, ///< the place of the library's messages from now on; no bytes: none
    shared_allocated,
    shared_released,
    shared_managed,     ///< all that the core has been given
    elsewhere_released, ///< by an `address` in no memory that the call can give back: nothing happens
  };
  Kind kind = Kind::allocated;
  std::size_t offset = 0, bytes = 0; ///< a release has no bytes
  const void* address = nullptr;
};

/// A flag: bits of a word at the same place of every MPB.
struct FlagFact {
  enum class Kind : std::uint8_t {
    allocated,
    freed,
    refused,       ///< a call was given an object that means no flag
    written,       ///< is about to be written, as `value`: the access that follows says how
    read,          ///< has been found to be `value`
    awaited,       ///< until it is `value`; of several at once: not told
    seen,          ///< it is the `value` that was waited for
    change_begins, ///< under the lock of its core, maybe by storing again the line that it lies in
    change_ends,
    clear_begins, ///< lines of flags, which is the library's own business
    clear_ends,
  };
  Kind kind = Kind::written;
  const void* object = nullptr; ///< the program's flag object, if it is allocated, freed or refused
  int target = -1;              ///< whose MPB
  std::size_t offset = 0;       ///< offset of the word
  std::uint32_t mask = 0;       ///< bits of the word: a byte, all, or one
  int value = 0;                ///< as programs know it: a flag of one bit is 0 or 1
  bool by_program = false;      ///< used by the program's own call, not inside another
};

/// A receive that is not finished when its call returns.
struct ReceiveFact {
  enum class Kind : std::uint8_t { posted, finished };
  Kind kind = Kind::posted;
  const void* request = nullptr;
  const std::byte* buffer = nullptr;
  std::size_t bytes = 0;
  const char* call = nullptr; ///< that has posted it; its name lives as long as the run
  int peer = -1;              ///< rank
  CallTraits traits{};        ///< traits of that call
  Picoseconds at = 0;         ///< when it was posted
};

/// A member enters a collective call.
struct CollectiveFact {
  std::string_view group; ///< the same for all of its members, and for no others
  std::size_t members = 0;
  std::string_view call, parameters; ///< on which all members have to agree
};

/// An action of the program's own code that the library notices.
struct ProgramFact {
  enum class Kind : std::uint8_t {
    loops,         ///< its own waiting loop goes round: it may have looked at any memory
    drops_lines,   ///< the MPB's lines in its first-level cache
    has_pointers,  ///< by which it can reach memory that cores share
    tells_accesses ///< PlainAccess: of addresses from *begin on, *bytes of them, which may be changed
  };
  Kind kind = Kind::loops;
  unsigned long *begin = nullptr, *bytes = nullptr;
};

/// A load or store of the program's own, as code compiled to tell of it does before it acts.
struct PlainAccess {
  const std::byte* address = nullptr;
  std::size_t bytes = 0;
  bool write = false;
  bool look = false;      ///< a read that a loop makes again and again to decide something
  bool wait = false;      ///< ... of a loop that does nothing else
  std::uint64_t loop = 0; ///< number of the wait's loop among those of this core, from 1
  unsigned read = 0;      ///< number of the wait's read in that loop
  bool atomic = false;    ///< with `write`: both
  bool known = false;     ///< the written bytes are known: `value`, `source`, or all are `filled`
  std::optional<std::uint64_t> value = {};
  const std::byte* source = nullptr;
  std::byte filled{};
  std::uintptr_t code = 0; ///< place in the program file; 0: not known

  /// The bytes that are written; null: all are `filled`.
  [[nodiscard]] const std::byte* written() const noexcept {
    return value ? reinterpret_cast<const std::byte*>(&*value) : source;
  }
};

struct Fact {
  int core = -1; ///< whose doing it is
  std::variant<MemoryFact, FlagFact, ReceiveFact, CollectiveFact, ProgramFact, PlainAccess> what;
};

} // namespace mesh
