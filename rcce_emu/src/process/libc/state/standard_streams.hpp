// SPDX-License-Identifier: Apache-2.0
// The process's standard streams, shared by all UEs: which is which, and what they were before.
#pragma once

#include <cstdio>
#include <string_view>

namespace rcce {
struct Ue;
}

namespace rcce::libc {

/// Has the standard streams tell the text of UEs from that of the process itself. Once; stays for good.
void install_standard_streams();

/// Writes out what the process itself has left in its buffers for descriptors 1 and 2.
void flush_process_streams() noexcept;

/// 0, 1 or 2 for a standard stream of the process, before or after the installation; -1 for any other.
[[nodiscard]] int standard_stream_number(FILE* file) noexcept;

/// `stdin`, `stdout` and `stderr` as they were before the installation.
[[nodiscard]] FILE* process_stream(int fd) noexcept;
/// A stream for reading that is at its end: standard input of every rank but 0.
[[nodiscard]] FILE* empty_input() noexcept;

/// Text of a UE for descriptor 1 or 2, from outside stdio: others may run where it ends a line. False where
/// it cannot be written.
bool write_text(Ue& ue, int fd, std::string_view text);

/// Standard input is empty for UEs, as on the chip, but for rank 0, which finds what the launcher was given,
/// as the original emulator's process did.
[[nodiscard]] bool reads_standard_input(const Ue* ue) noexcept;

} // namespace rcce::libc
