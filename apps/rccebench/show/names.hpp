// SPDX-License-Identifier: Apache-2.0
// The names of what can be shown, in the three catalogues.
#pragma once

#include <string>
#include <vector>

#include "lab/own_files.hpp"

namespace rccebench::show {

using lab::World;

/// Every algorithm that can be shown, each name once; those of the files with them (--with).
[[nodiscard]] std::vector<std::string> names(const std::vector<std::string>& files = {});
/// Those for one sort of machine.
[[nodiscard]] std::vector<std::string> names_in(World where, const std::vector<std::string>& files = {});

[[nodiscard]] bool has(const std::vector<std::string>& names, const std::string& name);

/// The world of a preset or a machine file.
[[nodiscard]] World where_of_machine(const std::string& machine);

/// The full name among `known`: the word itself, or the only name that ends so. Throws mesh::UserError with
/// the nearest one, or with those of the operation that the word names; `machine` is for its text, empty if
/// none was asked for.
[[nodiscard]] std::string full_name(const std::string& word, const std::vector<std::string>& known,
                                    const std::string& machine);

} // namespace rccebench::show
