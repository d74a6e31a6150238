// SPDX-License-Identifier: Apache-2.0
// Reads the text files that a user names: machine files, host files, tables, results.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace mesh {

/// More than a host file of all cores of the largest machine holds.
inline constexpr std::size_t largest_text_file = std::size_t{4} << 20;

/// The file's contents with plain ends of lines, without a byte order mark; nothing where it cannot be read
/// (missing, forbidden, a folder). Throws UserError for what goes on beyond that size, a device for instance:
/// it may never end.
[[nodiscard]] std::optional<std::string> read_text_file(const std::string& path,
                                                        std::size_t largest_bytes = largest_text_file);

} // namespace mesh
