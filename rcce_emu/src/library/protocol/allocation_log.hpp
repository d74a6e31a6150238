// SPDX-License-Identifier: Apache-2.0
// RCCE_malloc, RCCE_flag_alloc and the calls that free are for all UEs alike: an address or a flag means the
// same place in every buffer. What each UE has allocated, and whether others have allocated the same.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace rcce::protocol {

struct Library;

/// Small: some programs keep hundreds on each of 10,000 UEs.
struct Allocation {
  enum class Kind : std::uint8_t { memory, flag };
  Kind kind = Kind::memory;
  bool frees = false;
  std::uint16_t freed = 0;    ///< with `frees`: number of the allocation that is given back, from 0
  std::uint32_t mask = 0;     ///< bits of a flag in its word
  std::uint32_t offset = 0;   ///< in the own buffer; of a flag: of its word
  std::uint32_t bytes = 0;    ///< bytes of memory
  std::uint32_t barriers = 0; ///< barriers of all UEs that the UE had entered before
};

/// The allocations of one UE, and what gives them back, in their order.
struct AllocationLog {
  /// A program that allocates in each of its rounds would fill the host's memory; what comes later is not
  /// compared.
  static constexpr std::size_t most = 4096;
  bool closed = false; ///< so many have been made, or the program manages the memory anew

  std::vector<Allocation> made;
  std::atomic<std::uint32_t> barriers{0}; ///< barriers of all UEs that the UE has entered
  std::size_t made_before = 0;            ///< the last of them
};

/// The allocation logs of all UEs of a process.
struct AllocationLogs {
  std::mutex mutex;              ///< protects the other members, and the list in each log
  std::vector<Allocation> first; ///< by whoever came first, in the order of the calls
  struct Arrival {
    std::size_t made = 0; ///< by the first UE that has allocated since its last barrier
    int ues = 0, gone = 0;
  };
  std::map<std::uint32_t, Arrival> arrivals; ///< UEs that have allocated before a barrier, by its number
  std::string told;
  std::atomic<bool> differ{false}; ///< two UEs have allocated differently
};

/// A call has allocated or given back, in the own buffer; `bytes` 0: a flag.
void note_allocation(Library& library, std::size_t offset, std::uint32_t mask, std::size_t bytes);
void note_release(Library& library, std::size_t offset, std::uint32_t mask, Allocation::Kind kind);
void note_managed(Library& library); ///< RCCE_malloc_init
/// Around a barrier of all UEs.
void note_barrier(Library& library);
void note_barrier_over(Library& library);

/// A call is about to use a place in the buffer of rank `id`, or to wait for it where that is the own: says
/// so where it is another place there.
void compare_allocations(Library& library, std::size_t offset, std::uint32_t mask, int id);
/// In words, where others have allocated other things than a UE that waits; "" for nothing. For reports.
[[nodiscard]] std::string unlike_allocations(const Library& library);

} // namespace rcce::protocol
