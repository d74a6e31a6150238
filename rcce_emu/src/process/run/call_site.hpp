// SPDX-License-Identifier: Apache-2.0
// Where a UE stands in its program, and what its next steps depend on, for telling that it goes round in a
// circle: a program that comes to the same place with the same registers and memory, and with nothing else to
// tell it apart, does again what it did.
#pragma once

#include <cstdint>

#include "engine/ue/polling.hpp"

namespace rcce {
class Engine;
class Job;
struct Ue;
} // namespace rcce

namespace rcce::run {

/// The call site of the calling UE, from within a call of the library. Takes some microseconds.
[[nodiscard]] CallSite call_site(const Ue& ue);

/// Hash of the calling UE's memory, its place in streams and its random numbers; never 0. Reads all memory
/// that has been touched.
[[nodiscard]] std::uint64_t contents(const Ue& ue, const CallSite& at);
/// Hash of all message-passing buffers and of shared memory as far as it has been touched.
[[nodiscard]] std::uint64_t shared_contents(Engine& engine);

/// True if an event outside all UEs can reach a program of the job: it handles signals from outside, or has
/// set an alarm.
[[nodiscard]] bool hears_from_outside(Job& job);

} // namespace rcce::run
