// SPDX-License-Identifier: Apache-2.0
// Keys under which results are stored: equal only where the results are.
#pragma once

#include <string>
#include <string_view>

#include "lab/point.hpp"
#include "lab/program.hpp"

namespace lab {

/// 32 hexadecimal digits, by SHA-1.
[[nodiscard]] std::string digest_of(std::string_view bytes);

/// A digest of the machine's parameters, the costs of its software and the cores of its host file.
[[nodiscard]] std::string digest_of(const Machine& machine);

/// The name with what every result depends on: the machine's digest, that of rccebench with all its programs
/// and the files of --with, and the model's revision.
[[nodiscard]] std::string stored_key(const std::string& name, const std::string& machine);
/// Empty where the result must not be stored: times of this host, and points with statistics.
[[nodiscard]] std::string stored_key(const Point& point);
[[nodiscard]] std::string stored_key(const Machine& machine, const Run& run);

} // namespace lab
