// SPDX-License-Identifier: Apache-2.0
// A program of RCCE's gory interface that is compiled without -DGORY gets warnings about functions that the
// compiler does not know, and hangs later. What has happened can be said in one line.
#pragma once

#include <string>

namespace rcce::compiler {

/// The line, empty where the source calls nothing of that interface, or chooses one itself. `object` is what
/// was made of the source, empty where nothing was.
[[nodiscard]] std::string gory_hint(const std::string& source, const std::string& object);

} // namespace rcce::compiler
