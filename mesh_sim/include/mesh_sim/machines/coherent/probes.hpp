// SPDX-License-Identifier: Apache-2.0
// The observers of a machine, which hear of accesses alone, by thread, with addresses as offsets in shared
// memory: a wait once, by the load that ends it; a read-modify-write that changes the word as a load and a
// store; a posted store as it is posted and as it acts; a block in segments, as the copies of its bytes.
#pragma once

#include "mesh_sim/kernel/kernel.hpp"
#include "mesh_sim/machines/coherent/data.hpp"

namespace mesh {
class Observers; // those of one run: observe/observers.hpp
}

namespace mesh::coherent {

class ProbeSet {
 public:
  explicit ProbeSet(const Kernel& kernel) noexcept : kernel_(kernel) {}
  /// Before the run; null: nobody.
  void set_observers(const Observers* observers) noexcept { observers_ = observers; }

  // Of a word, at the time when the access takes effect.
  void loaded(int thread, Word word, Picoseconds at) const {
    if (observers_ != nullptr) tell_loaded(thread, word, at);
  }
  /// `posted`: earlier, by post().
  void stored(int thread, Word word, Picoseconds at, bool posted) const {
    if (observers_ != nullptr) tell_stored(thread, word, at, posted);
  }
  /// The thread posts a store to the word.
  void posts(int thread, Word word) const;
  /// Bytes of a block are read or written now.
  void segment(int thread, bool write, const Block& block, std::size_t from, std::size_t to) const;

 private:
  void tell_loaded(int thread, Word word, Picoseconds at) const;
  void tell_stored(int thread, Word word, Picoseconds at, bool posted) const;

  const Kernel& kernel_;
  const Observers* observers_ = nullptr;
};

} // namespace mesh::coherent
