// SPDX-License-Identifier: Apache-2.0
// {fmt}'s compiled part, inside the runtime: texts that the runtime makes while a UE runs are none of the
// UE's heap, from which {fmt} as a library of its own would allocate (process/libc/state/operators.cpp).
#define FMT_HEADER_ONLY 1
#include <fmt/format.h>

namespace rcce {

// Using it brings it here, and all other files of the runtime to it.
[[gnu::used]] std::string (*const formatting)(fmt::string_view, fmt::format_args) = &fmt::vformat;

} // namespace rcce
