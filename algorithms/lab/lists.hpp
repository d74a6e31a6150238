// SPDX-License-Identifier: Apache-2.0
// Lists on the command line: "8192,190000", ranges with a step or a factor, names with the nearest match in
// errors.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/row.hpp"

namespace lab {

/// A non-negative whole number. `where` begins the message of the UserError that anything else is.
[[nodiscard]] std::int64_t whole_number(const std::string& text, const std::string& where);

[[nodiscard]] std::vector<std::string> cut(const std::string& text, char at);

/// "8,16,256-8192:256": single numbers and ranges with a step; "32-1048576:x2" multiplies, and "32..1024" is
/// "32-1024:x2". `option` is for messages.
[[nodiscard]] std::vector<std::int64_t> read_numbers(const std::string& text, const std::string& option,
                                                     std::int64_t least, std::int64_t most,
                                                     const std::string& unit);

/// The bytes that a message can have at most.
inline constexpr std::int64_t largest_message = std::int64_t{1} << 30;

/// Message sizes: numbers of bytes from `least` to 1 GiB.
[[nodiscard]] std::vector<std::int64_t> read_sizes(const std::string& text, std::int64_t least = 1);

/// The names in the list, each one of `known`, without repetitions. A prefix "bcast/" may be left out:
/// `folder` is "bcast/". Throws UserError with the list of valid names and the nearest one.
[[nodiscard]] std::vector<std::string> read_names(const std::string& text, const std::string& option,
                                                  std::string_view folder,
                                                  std::span<const std::string_view> known);

/// The values of a parameter in a list, each as an algorithm takes it; "both" words of one that takes files,
/// too.
[[nodiscard]] std::vector<std::string> read_values(const Parameter& parameter, const std::string& text);

} // namespace lab
