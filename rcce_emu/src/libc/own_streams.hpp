// SPDX-License-Identifier: Apache-2.0
// The C++ library's standard streams (std::cout, std::cin, ...), a set per UE: formatting, state, locale and
// buffer that a UE gives to one of them are that UE's. What a library beside the program writes goes by the
// process's own.
#pragma once

#include <vector>

#include "process/own_variables.hpp"

namespace rcce {
struct Ue;
}

namespace rcce::libc {

/// References of a program to the standard streams.
[[nodiscard]] std::vector<process::VariableReference> stream_references(const image::ImageFile& file);

/// Makes the UE's streams and leads its copy to them. Does nothing where the program names none. Before any
/// of the copy's code runs.
void give_streams(Ue& ue, const std::vector<process::VariableReference>& references);

} // namespace rcce::libc
