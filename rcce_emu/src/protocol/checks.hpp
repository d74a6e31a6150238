// SPDX-License-Identifier: Apache-2.0
// What libraries on top of this one find out for `rccerun --check mpb` of their requests.
#pragma once

#include "check/findings.hpp"
#include "protocol/library.hpp"

namespace rcce::protocol {

/// Where findings go; null unless the checker is asked for.
[[nodiscard]] check::Findings* findings_of(const Library& library);

/// What the UE of a rank is doing now; the caller where there is no such rank.
[[nodiscard]] check::Side side_of(const Library& library, int rank);

} // namespace rcce::protocol
