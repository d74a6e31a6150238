// SPDX-License-Identifier: Apache-2.0
// What libraries on top of this one find out for `rccerun --check mpb` of their requests.
#pragma once

#include "library/protocol/library.hpp"
#include "watch/check/findings.hpp"

namespace rcce::protocol {

/// The checker's findings; null if no checker runs.
[[nodiscard]] check::Findings* findings_of(const Library& library);

/// The present activity of a rank's UE; the caller's if there is no such rank.
[[nodiscard]] check::Side side_of(const Library& library, int rank);

} // namespace rcce::protocol
