// SPDX-License-Identifier: Apache-2.0
// System calls that a UE makes by their numbers.
#pragma once

#include <span>

#include "process/libc/state/own_heap.h"

namespace rcce::libc {

/// By the names of the functions that they stand for.
[[nodiscard]] std::span<const rockcreek_own_function> raw_functions() noexcept;

} // namespace rcce::libc
