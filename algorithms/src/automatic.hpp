// `auto` inside a program: the choice among what has been prepared.
#pragma once

#include "algorithms/collectives.h"
#include "algorithms/table.hpp"

namespace algorithms {

/// The same on every UE, where the root is a rank. Choices are kept: asking again costs nothing. The
/// algorithm is null where none can serve the call.
rockcreek_choice automatic(Operation operation, std::size_t bytes, int root, const rockcreek_options& options,
                           bool (*usable)(const Algorithm&));

/// To be called when more has become usable.
void forget_choices();

} // namespace algorithms
