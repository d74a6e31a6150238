// SPDX-License-Identifier: Apache-2.0
// Whether somebody looks on.
#pragma once

namespace rcce::host {

/// Whether a debugger, or another program by the same means, traces this process at present.
[[nodiscard]] bool traced() noexcept;

} // namespace rcce::host
