// SPDX-License-Identifier: Apache-2.0
// dlopen() and its kind for UEs. The program's and its libraries' references lead to these; everybody else's
// to the C library.
#pragma once

#include <span>

#include "process/libc/state/own_heap.h"

namespace rcce::libc {

/// By the names of the functions that they stand for.
[[nodiscard]] std::span<const rockcreek_own_function> dynamic_functions() noexcept;

} // namespace rcce::libc
