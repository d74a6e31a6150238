// SPDX-License-Identifier: Apache-2.0
// What a machine may offer beside cores and time. Each capability is an interface of its own, which a machine
// has or has not (capability.hpp); whoever needs one asks for it and says so where it is missing.
//
// All calls act for the core whose context is running, unless they say otherwise. Cores are numbered
// 0 ... cores-1. Memory that is handed in belongs to the caller and is not kept after the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh_sim/parts/access.hpp"
#include "mesh_sim/units.hpp"

namespace mesh {

struct Statistic;
using Statistics = std::vector<Statistic>;

/// Waits whose condition had been met while nobody woke the core, found when nobody could act any more. Only
/// stores that bypass the machine may cause them.
struct Rescues {
  std::uint64_t count = 0;
  int core = -1; ///< the first one found, and when
  Picoseconds at = 0;
};

/// A message-passing buffer (MPB) of the same size for each core, which every core can read and write. Places
/// are (core, byte offset 0 ... mpb_bytes()-1); others throw UserError.
class MessageBuffers {
 public:
  /// Host address of the first byte of a core's buffer. Lives as long as the machine.
  [[nodiscard]] virtual std::byte* mpb(int core) noexcept = 0;
  [[nodiscard]] virtual std::size_t mpb_bytes() const noexcept = 0; ///< buffer bytes of each core

  /// Copies bytes to the buffer of `target`; complete on return.
  virtual void put(int target, std::size_t offset, const void* source, std::size_t bytes, Copy how) = 0;
  /// Copies bytes from the buffer of `source`.
  virtual void get(void* target, int source, std::size_t offset, std::size_t bytes, Copy how) = 0;
  /// Stores at most one line, visible to others some time after return.
  virtual void store(int target, std::size_t offset, const void* data, std::size_t bytes) = 0;
  /// Replaces the bits of `mask` in a byte by those of `value`.
  virtual void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) = 0;
  /// Reads at most one line.
  virtual void load(int source, std::size_t offset, void* data, std::size_t bytes) = 0;
  /// Reads a word again and again until the condition holds; `overhead` core cycles go into each round.
  virtual void wait(int source, std::size_t offset, Condition condition, Cycles overhead) = 0;
  /// Waits for any of several words of one buffer; `overhead` core cycles open each round of looks. Returns
  /// the look that has seen its condition met, at the instant at which the loop goes on after it.
  virtual std::size_t wait_any(int source, std::span<const PollTarget> looks, Cycles overhead) = 0;

  // The program's own loads and stores, which take the core what a get or put of a line takes it whose other
  // side is near; the caller moves the bytes. Nothing where the host's time counts.
  /// It is about to load from a line of the buffer of `source`.
  virtual void own_load([[maybe_unused]] int source, [[maybe_unused]] std::size_t offset) {}
  /// It is about to store to a line. `last`: it waits until the line has arrived, and with it those before.
  virtual void own_store([[maybe_unused]] int target, [[maybe_unused]] std::size_t offset,
                         [[maybe_unused]] bool last) {}
  /// It copies such lines by memcpy(), to or from these bytes: what that takes where they are not near.
  virtual void own_side([[maybe_unused]] const void* address, [[maybe_unused]] std::size_t bytes,
                        [[maybe_unused]] bool write) {}

  /// From then on the payload is not moved: whatever is longer than a line takes its time and stays where it
  /// is. One line holds a flag, or a number with its data, so programs take the same course and the same time
  /// unless they decide by longer data.
  void leave_payload() noexcept { moves_payload_ = false; }
  /// True if the bytes of so long a copy, or of so long a vector in memory, must be those on the chip.
  [[nodiscard]] bool moves(std::size_t bytes) const noexcept { return moves_payload_ || bytes <= line_bytes; }

 protected:
  ~MessageBuffers() = default;

 private:
  bool moves_payload_ = true;
};

/// A test-and-set register for each core, and atomic counters that all share. Others than the machine's throw
/// UserError.
class Registers {
 public:
  /// One read of the register of `core`: true if it was free and is now taken.
  virtual bool lock_try(int core) = 0;
  /// Reads the register until it was free.
  virtual void lock_acquire(int core) = 0;
  virtual void lock_release(int core) = 0;
  /// Returns the counter's value before the access, which writes `value` or increments, or does neither.
  virtual std::uint32_t counter_access(int counter, bool write, std::uint32_t value, bool increment) = 0;
  /// Reads the counter, with pauses between, until it has the value.
  virtual void counter_wait(int counter, std::uint32_t value, Backoff pauses) = 0;

 protected:
  ~Registers() = default;
};

/// Clocks of tiles and voltages of domains that change during a run. Tiles and domains are those of the
/// machine's topology.
class Power {
 public:
  /// The clock that the tiles' dividers divide.
  [[nodiscard]] virtual double global_clock_mhz() const noexcept = 0;
  [[nodiscard]] virtual int tile_divider(int tile) const noexcept = 0;
  virtual void set_tile_divider(int tile, int divider) = 0;
  virtual void set_voltage(int domain, double volt) = 0;
  /// Adds an estimate of the energy spent so far, by voltage domain.
  virtual void energy(Statistics& to) const = 0;

 protected:
  ~Power() = default;
};

} // namespace mesh
