// SPDX-License-Identifier: Apache-2.0
// What the bytes of each message-passing buffer (MPB) have been allocated for, by the core that owns it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "mesh_sim/observe/facts.hpp"
#include "watch/check/findings.hpp"

namespace rcce::check {

struct Block {
  enum class Kind {
    memory,
    line, ///< a single line of the simplified interface; neighbours make a larger block
    flags,
    payload,
  };
  std::size_t offset = 0, bytes = 0;
  Kind kind = Kind::memory;
  Side by;                    ///< who allocated it; the call is null for the payload area
  std::size_t generation = 0; ///< how many have begun at this place before

  [[nodiscard]] std::size_t end() const { return offset + bytes; }
  [[nodiscard]] bool holds(std::size_t place) const { return offset <= place && place < end(); }
};

/// The blocks of one MPB. The payload area of the simplified interface shrinks as others take from it; only
/// its owner knows its present place.
class Blocks {
 public:
  /// Memory that its owner has given back, until it is taken anew.
  struct Freed {
    Block block;
    Side by;
  };

  void take(Block block);
  /// Nothing happens where no block begins.
  void free(std::size_t offset, const Side& by);
  /// The region is managed anew.
  void clear(std::size_t offset, std::size_t bytes);
  /// Clears all blocks of that kind.
  void clear_kind(Block::Kind kind);
  void set_kind(std::size_t offset, Block::Kind kind);

  [[nodiscard]] bool begins(std::size_t offset) const { return blocks_.contains(offset); }
  /// The block that holds the byte.
  [[nodiscard]] const Block* at(std::size_t place) const;
  /// Memory given back, flags apart, with a byte in [offset, end).
  [[nodiscard]] const Freed* freed(std::size_t offset, std::size_t end) const;
  /// The first block with a byte in [offset, end) that does not hold the byte at `beside`.
  [[nodiscard]] const Block* other_than(std::size_t beside, std::size_t offset, std::size_t end) const;

 private:
  std::map<std::size_t, Block> blocks_;            ///< by offset; they do not overlap
  std::map<std::size_t, Freed> freed_;             ///< likewise
  std::map<std::size_t, std::size_t> generations_; ///< by offset: blocks that have begun there
};

/// The blocks of all MPBs, and of shared memory as each UE has been given it.
class Allocations {
 public:
  Allocations(int ues, int cores)
      : of_cores_(static_cast<std::size_t>(cores)), shared_(static_cast<std::size_t>(ues)) {}

  /// `by`: whose memory it is, and what it is doing.
  void hear(const Side& by, const mesh::MemoryFact& memory);

  [[nodiscard]] const Blocks& of_core(int core) const { return of_cores_[static_cast<std::size_t>(core)]; }
  [[nodiscard]] const Blocks& shared_of(int rank) const { return shared_[static_cast<std::size_t>(rank)]; }

 private:
  std::vector<Blocks> of_cores_, shared_;
};

[[nodiscard]] std::string name_of(const Block& block);

} // namespace rcce::check
