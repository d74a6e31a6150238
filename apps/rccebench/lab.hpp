// SPDX-License-Identifier: Apache-2.0
// The laboratory (algorithms/lab), by its own names in every command.
#pragma once

#include "lab/backend.hpp"
#include "lab/lists.hpp"
#include "lab/sweep.hpp"

namespace rccebench {
using namespace lab;
} // namespace rccebench
