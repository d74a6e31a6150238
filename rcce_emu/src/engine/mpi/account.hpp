// SPDX-License-Identifier: Apache-2.0
// What each process of a job leaves in the memory that all can reach: its register, what it waits for, what
// its UE does. Fixed layout: all processes run the same library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sched.h>
#include <type_traits>

#include "rcce_emu/engine.hpp"
#include "rcce_emu/job_memory.hpp"

namespace rcce::mpi {

/// The name of a call or of a flag, which lies elsewhere in every process.
class Text {
 public:
  Text() = default;
  explicit Text(const char* text) noexcept;
  /// The same text in this process, for as long as it lives; null for none.
  [[nodiscard]] const char* here() const;
  [[nodiscard]] bool is(const char* text) const noexcept;

 private:
  static constexpr std::size_t most = 40; ///< longer ones are cut
  char text_[most] = {};                  ///< "": none
};

enum class State : std::uint32_t {
  running, ///< or waiting for so short a time that it has not been written down
  waits,
  over, ///< its UE has ended
};

/// In Slot::stop: all processes wait, or are over, so all of them come to the run's end.
inline constexpr std::uint32_t all_wait = 1U << 16;

/// The message that a process sends, or has sent last.
struct Sent {
  std::int32_t peer = -1;
  std::uint32_t unused = 0;
  std::uint64_t bytes = 0;
  Text call;
};
static_assert(std::is_trivially_copyable_v<Sent> && sizeof(Sent) % sizeof(std::uint32_t) == 0);

/// One process.
struct alignas(64) Slot {
  std::uint32_t taken = 0;    ///< test-and-set register of its core
  std::uint32_t stop = 0;     ///< 1 + status with which the run is to end; 0: it goes on; all_wait may be set
  std::uint32_t departed = 0; ///< in rank 0's slot: number of UEs that take part in nothing any more
  std::int32_t lock_holder = -1;
  std::uint32_t set_by_neighbours = 0; ///< words of its buffer, by others of its host, in a job of several
  std::int64_t origin = 0;             ///< start of its clock, in nanoseconds of the host's
  std::int32_t process = 0;            ///< its number on its host; 0: not known yet
  Sent sent;
  Departure departure;
  cpu_set_t processors; ///< that it may run on

  // Written by its process alone, read when a run is judged:
  alignas(64) State state = State::running;
  std::uint32_t run_is_over = 0; ///< for it; what is left is to write results
  std::uint32_t leaves = 0;      ///< it waits for the ends of the others only
  std::uint64_t changes = 0;     ///< number of changes of the state
  std::uint64_t beats = 0;       ///< so often it has looked for all that it waits for, and found nothing
  BlockedCore blocked;
  Account account;
  Text call, flag; ///< those of the account
};
static_assert(std::is_trivially_copyable_v<Slot>);

} // namespace rcce::mpi
