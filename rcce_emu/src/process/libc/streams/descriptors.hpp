// SPDX-License-Identifier: Apache-2.0
// What descriptors 0, 1 and 2 of a UE lead to; all others are the process's.
#pragma once

#include <cstdio>

namespace rcce {
struct Ue;
}

namespace rcce::libc {

[[nodiscard]] inline bool is_output(int fd) noexcept {
  return fd == 1 || fd == 2;
}

/// The process's descriptor behind a UE's; -1: the UE has closed it. `empty`: it is standard input that
/// nothing is given to.
[[nodiscard]] int actual_descriptor(Ue& ue, int fd, bool& empty) noexcept;
/// 1 or 2 for a duplicate of the job's output that the UE has kept, else 0.
[[nodiscard]] int kept_stream(const Ue& ue, int fd) noexcept;

/// Sets what descriptor 1 or 2 of the UE leads to: `target` 1 or 2, or 0 for `file`, which it then owns.
void redirect(Ue& ue, int fd, int target, int file);
/// Has descriptor 0 and `stdin` lead to a file, which it then owns; -1: closed.
void redirect_input(Ue& ue, int file);

/// A new descriptor in the lowest number that the UE has free: one of the first three which it has closed.
[[nodiscard]] int take_lowest(Ue& ue, int fd);

} // namespace rcce::libc
