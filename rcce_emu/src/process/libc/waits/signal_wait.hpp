// SPDX-License-Identifier: Apache-2.0
// A UE waits until something comes that no other UE's doing in simulated time can bring: a signal.
#pragma once

#include <functional>

#include "mesh_sim/units.hpp"

namespace rcce {
struct Ue;
}

namespace rcce::libc {

/// Lets the others run until `come` holds, or the UE's clock has reached `end`: false then. Ends the run
/// where neither can happen any more; `call` is what the program has called. `from_outside`: a signal from
/// there may be what it waits for.
bool await_signal(Ue& ue, const char* call, mesh::Picoseconds end, bool from_outside,
                  const std::function<bool()>& come);

/// Calls of the UE's handlers so far, and of those for signals from outside.
[[nodiscard]] unsigned handlers_run(const Ue& ue) noexcept;

} // namespace rcce::libc
