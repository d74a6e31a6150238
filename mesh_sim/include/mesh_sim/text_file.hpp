// SPDX-License-Identifier: Apache-2.0
// Reads the text files that a user names: machine files, host files.
#pragma once

#include <optional>
#include <string>

namespace mesh {

/// The file's contents; nothing where it cannot be read (missing, forbidden, a folder). Throws UserError for
/// what goes on beyond any such file's size, a device for instance: it may never end.
[[nodiscard]] std::optional<std::string> read_text_file(const std::string& path);

} // namespace mesh
