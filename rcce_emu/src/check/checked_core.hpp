// A core that tells the checker of each access before or after it passes it on to the engine's.
#pragma once

#include <memory>

#include "rcce_emu/engine.hpp"

namespace rcce {
struct Ue;
}

namespace rcce::check {

class Checker;

/// In place of the core that the UE has now, which stays in use.
[[nodiscard]] std::unique_ptr<Core> make_checked_core(const Ue& ue, Checker& checker);

} // namespace rcce::check
