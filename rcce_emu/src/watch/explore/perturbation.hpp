// SPDX-License-Identifier: Apache-2.0
// The text that names one perturbed run, as --replay takes it and --explore prints it: a seed ("17"), or
// orders of single accesses ("0.12:1.4,2.7:0.9": access 12 of core 0 after access 4 of core 1, ...).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rcce_emu/interference_options.hpp"

namespace rcce::explore {

[[nodiscard]] std::optional<Perturbation> parse_perturbation(std::string_view text);
[[nodiscard]] std::string perturbation_text(const Perturbation& perturbation);

} // namespace rcce::explore
