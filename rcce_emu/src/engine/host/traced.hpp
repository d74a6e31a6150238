// SPDX-License-Identifier: Apache-2.0
// Whether somebody looks on.
#pragma once

namespace rcce::host {

/// True if a debugger, or another program by the same means, traces this process now.
[[nodiscard]] bool traced() noexcept;

} // namespace rcce::host
