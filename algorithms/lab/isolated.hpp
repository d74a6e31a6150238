// SPDX-License-Identifier: Apache-2.0
// Code of the user's, in a process of its own: it may hang or crash, and the command goes on.
#pragma once

#include <functional>
#include <string>

namespace lab {

/// What the body returns, run in a copy of this process: to be called where no other thread runs. After
/// `seconds` of wall-clock time the copy ends with what `late` returns then, called on another thread. If the
/// body throws or is ended by a signal, this says so. Throws mesh::UserError where the host gives no process.
[[nodiscard]] std::string isolated(double seconds, const std::function<std::string()>& body,
                                   const std::function<std::string()>& late);

} // namespace lab
