// SPDX-License-Identifier: Apache-2.0
// The C++ library's standard streams (std::cout, std::cin, ...), a set per UE: formatting, state, locale and
// buffer that a UE gives to one of them are that UE's. What a shared library of the system writes goes
// by the process's own.
#pragma once

#include <vector>

#include "process/own_variables.hpp"

namespace rcce {
struct Ue;
}

namespace rcce::libc {

/// References of a program to the standard streams.
[[nodiscard]] std::vector<process::VariableReference> stream_references(const image::ImageFile& file);

/// Makes the UE's streams and leads a copy to them: of the program, or of a library of its own. Does nothing
/// where that names none. Before any of the copy's code runs.
void give_streams(Ue& ue, image::Image& image, const std::vector<process::VariableReference>& references);

} // namespace rcce::libc
