// SPDX-License-Identifier: Apache-2.0
// What the operating system and the C library keep per process or per thread, and a UE has changed for
// itself: its working directory, the rights that its new files lack, its locale (libc/process_state).
#pragma once

#include <locale.h>
#include <memory>

namespace rcce::process {

/// The thread's own before any of the job's UEs changed them.
struct Origin;

struct ProcessState {
  static constexpr int unchanged = -1;

  ProcessState() = default;
  ~ProcessState();
  ProcessState(const ProcessState&) = delete;
  ProcessState& operator=(const ProcessState&) = delete;

  std::shared_ptr<const Origin> origin;
  int directory = unchanged;          ///< a descriptor, owned; on threads always `unchanged`
  int mask = unchanged;               ///< value of umask(), or unchanged
  locale_t locale = LC_GLOBAL_LOCALE; ///< in force; owned by the UE's LocaleState or by the program
};

} // namespace rcce::process
