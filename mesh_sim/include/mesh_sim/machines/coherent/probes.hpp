// SPDX-License-Identifier: Apache-2.0
// The observers of a machine, by thread, with addresses as offsets in shared memory. They hear of accesses as
// these act: of a wait once, by the load that ends it; of a read-modify-write that changes the word as a load
// and a store; of a posted store as it is posted and as it acts; of a block in segments, as the copies of its
// bytes. They hear of what a thread calls (core.hpp), from beginning to end, of its sleep while it polls, and
// of its waits for its turn at a line.
#pragma once

#include <array>
#include <cstdint>

#include "mesh_sim/kernel/kernel.hpp"
#include "mesh_sim/machines/coherent/data.hpp"

namespace mesh {
class Observers; // those of one run: observe/observers.hpp
struct Cause;
} // namespace mesh

namespace mesh::coherent {

/// The calls of a thread.
enum class CoreCall : std::uint8_t {
  load,
  store,
  compare_exchange,
  fetch_add,
  exchange,
  test_and_set,
  fence,
  wait,
  wait_all,
  spin_exchange,
  spin_compare_exchange,
  futex_wait,
  futex_wake,
  copy,
  combine,
  count ///< number of them
};

class ProbeSet {
 public:
  explicit ProbeSet(const Kernel& kernel) noexcept : kernel_(kernel) {}
  /// Before the run; null: nobody.
  void set_observers(Observers* observers);

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

  /// The thread's call begins or ends now; `bytes`: what it moves.
  void begins(int thread, CoreCall what) const {
    if (observers_ != nullptr) tell_begin(thread, what);
  }
  void ends(int thread, CoreCall what, std::size_t bytes) const {
    if (observers_ != nullptr) tell_end(thread, what, bytes);
  }
  /// The thread has found the word not to be as it wishes, and sleeps; since `begin`, now it is.
  void sleeps(int thread, Word word) const;
  void awake(int thread, Word word, Picoseconds begin, const Cause& cause) const;

  /// The running context has waited since then for its turn at the word's line. Posted stores wait unheard.
  void queued(int thread, Word word, Picoseconds since) const {
    if (observers_ != nullptr && kernel_.now() > since && kernel_.current() == thread)
      tell_queued(thread, word, since);
  }

 private:
  void tell_queued(int thread, Word word, Picoseconds since) const;
  void tell_begin(int thread, CoreCall what) const;
  void tell_end(int thread, CoreCall what, std::size_t bytes) const;
  void tell_loaded(int thread, Word word, Picoseconds at) const;
  void tell_stored(int thread, Word word, Picoseconds at, bool posted) const;

  const Kernel& kernel_;
  const Observers* observers_ = nullptr;
  std::array<int, static_cast<std::size_t>(CoreCall::count)> kinds_{}; ///< their numbers
};

/// A call of a thread's, while it lives.
class CallProbe {
 public:
  CallProbe(const ProbeSet& probes, int thread, CoreCall what, std::size_t bytes = 0)
      : probes_(probes), bytes_(bytes), thread_(thread), what_(what) {
    probes_.begins(thread_, what_);
  }
  ~CallProbe() { probes_.ends(thread_, what_, bytes_); }
  CallProbe(const CallProbe&) = delete;
  CallProbe& operator=(const CallProbe&) = delete;

 private:
  const ProbeSet& probes_;
  std::size_t bytes_;
  int thread_;
  CoreCall what_;
};

} // namespace mesh::coherent
