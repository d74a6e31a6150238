// SPDX-License-Identifier: Apache-2.0
// Code of the user's, in a process of its own: it may hang or crash, and the command goes on.
#pragma once

#include <functional>
#include <string>

namespace lab {

/// Runs the body in a copy of this process and returns its result. Call it while no other thread runs. After
/// `seconds` of wall-clock time the copy ends with the result of `late`, called on another thread. If the
/// body throws or is ended by a signal, the result says so. Throws mesh::UserError if the host gives no
/// process.
[[nodiscard]] std::string isolated(double seconds, const std::function<std::string()>& body,
                                   const std::function<std::string()>& late);

} // namespace lab
