// SPDX-License-Identifier: Apache-2.0
// Text made without the heap: in handlers of crashes, and while the heap at hand is the program's.
#pragma once

#include <cstddef>
#include <span>

#include <fmt/core.h>

namespace mesh {

/// Writes what fits of the formatted values, without a zero at the end; returns how many characters that are.
std::size_t format_into(std::span<char> to, fmt::string_view format, fmt::format_args values);

} // namespace mesh
