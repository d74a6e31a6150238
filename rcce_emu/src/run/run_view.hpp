// Gathers what reports tell (report.hpp) from a job while it stands still.
#pragma once

#include "run/report.hpp"

namespace rcce {
class Job;
struct Ue;
} // namespace rcce

namespace rcce::loader {

/// From a core's context, from a hook of the engine or after the run.
[[nodiscard]] RunView view_run(Job& job);
[[nodiscard]] UeView view_ue(Ue& ue);

} // namespace rcce::loader
