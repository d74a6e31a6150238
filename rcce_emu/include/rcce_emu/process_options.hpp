// SPDX-License-Identifier: Apache-2.0
// The options of a job that say what each UE gets from the host (job_options.hpp has all).
#pragma once

#include <cstddef>
#include <cstdint>

namespace rcce {

enum class Loading : std::uint8_t {
  automatic, ///< dlopen copies up to 512 UEs, clones above
  dlopen,
  clone,
};

/// The resources of the host that each UE gets.
struct ProcessOptions {
  Loading loading = Loading::automatic;
  std::size_t heap_bytes = std::size_t{4} << 30; ///< address space reserved per UE, not memory
  /// The next job of this process may have the pages of this one's heaps. For programs that leave the
  /// protection of their memory alone; without check_heap.
  bool keep_pages = false;
  bool check_heap = false;  ///< check the use of heaps; moves blocks, and so changes simulated times a little
  bool check_leaks = false; ///< with check_heap: blocks that are never freed are findings
  bool keep_going_after_crash = false; ///< a crash ends only its UE
};

} // namespace rcce
