// SPDX-License-Identifier: Apache-2.0
// The names of what can be shown, in the three catalogues.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rccebench::show {

/// Where the catalogue has an algorithm: in RCCE messages and buffers, in shared memory, on network cards.
enum class Where : std::uint8_t { messages, memory, cards };

/// Every algorithm that can be shown, each name once.
[[nodiscard]] std::vector<std::string> names();
/// Those of one catalogue.
[[nodiscard]] std::vector<std::string> names_in(Where where);

[[nodiscard]] bool has(const std::vector<std::string>& names, const std::string& name);

/// Of a preset or a machine file.
[[nodiscard]] Where where_of_machine(const std::string& machine);

/// Of `known`: the word itself, or the only name that ends so. Throws mesh::UserError with the nearest one,
/// or with those of the operation that the word names; `machine` is for its text, empty where none was asked
/// for.
[[nodiscard]] std::string full_name(const std::string& word, const std::vector<std::string>& known,
                                    const std::string& machine);

} // namespace rccebench::show
