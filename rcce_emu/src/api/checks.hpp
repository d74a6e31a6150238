// What libraries on top of this one tell `rccerun --check mpb` of their requests.
#pragma once

#include "api/library.hpp"
#include "check/checker.hpp"
#include "check/findings.hpp"

namespace rcce::api {

/// The job's checker; null unless it is asked for.
[[nodiscard]] inline check::Checker* checker_of(const Library& library) {
  return library.ue.checker;
}

/// What the UE of a rank is doing now; the caller where there is no such rank.
[[nodiscard]] check::Side side_of(const Library& library, int rank);

} // namespace rcce::api
