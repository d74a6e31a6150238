// SPDX-License-Identifier: Apache-2.0
// What the files of the C surface have in common (entries_*.cpp): the functions that the static part of a
// program image calls (process/image/part/entries.h). Each opens the call and hands over; no exception leaves
// it.
#pragma once

#include "library/protocol/call.hpp"
#include "process/image/part/entries.h"

#define ROCKCREEK_ENTRY(type) extern "C" __attribute__((visibility("default"))) type

/// The same with all that it calls compiled into it: a sixth of the time of a short message was calls and
/// frames.
#define ROCKCREEK_FLAT_ENTRY(type) extern "C" __attribute__((visibility("default"), flatten)) type

namespace rcce::protocol {

/// For calls that may come before RCCE_init.
inline constexpr auto any_time = Call::Needs::nothing;

inline Communicator view(const Library& library, void* comm) {
  return {library.image, comm};
}

} // namespace rcce::protocol
