// SPDX-License-Identifier: Apache-2.0
// Copies between private memory and MPBs: iRCCE's, whose routines fetch the lines they are about to write.
#pragma once

#include <cstddef>

#include <iRCCE.h>
#include <RCCE.h>

namespace algorithms {

/// To the MPB of `rank`; `place` is an address in the own one.
inline void put(t_vcharp place, const char* source, std::size_t bytes, int rank) {
  iRCCE_put(place, reinterpret_cast<t_vcharp>(const_cast<char*>(source)), static_cast<int>(bytes), rank);
}

inline void get(char* target, t_vcharp place, std::size_t bytes, int rank) {
  iRCCE_get(reinterpret_cast<t_vcharp>(target), place, static_cast<int>(bytes), rank);
}

/// From the MPB of `rank` to the own one.
inline void get(t_vcharp target, t_vcharp place, std::size_t bytes, int rank) {
  iRCCE_get(target, place, static_cast<int>(bytes), rank);
}

} // namespace algorithms
