// SPDX-License-Identifier: Apache-2.0
// The ways to end a UE.
#pragma once

namespace rcce {
struct Ue;
namespace image {
class Image;
}
} // namespace rcce

namespace rcce::libc {

/// Ends the UE: runs its exit functions in reverse order, flushes its lines, records status and clock, and
/// leaves its context for good. On its own context.
[[noreturn]] void end_ue(Ue& ue, int status);

/// Runs what a library has registered for the UE's end, last first: it is closed before.
void run_exit_functions_of(Ue& ue, const image::Image& image);

/// Lets the C library's own calls of exit() end the UE that has led to them. Once per process.
void watch_internal_exit();

} // namespace rcce::libc
