// Calls to the UE's core by its class where that is known. In the host's time a flag takes less than the
// virtual call to it: what a message consists of goes this way, and is compiled for both.
#pragma once

#include <utility>

#include "api/library.hpp"
#include "engine/thread_core.hpp"

namespace rcce::api {

/// act(core), which is compiled for Core and for WallCore.
template <class Act>
[[gnu::always_inline]] inline decltype(auto) on_core(const Library& library, Act&& act) {
  if (library.wall_core != nullptr) return std::forward<Act>(act)(*library.wall_core);
  return std::forward<Act>(act)(library.core);
}

} // namespace rcce::api
