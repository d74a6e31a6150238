// SPDX-License-Identifier: Apache-2.0
// Where the dynamic linker finds a library.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "image/file.hpp"

namespace rcce::image {

struct FoundLibrary {
  std::string path;
  std::string by; ///< what has led there: "the run path of 'prog'"
};

/// What `loaders` ask for, the innermost first and the program last. Nothing where only the system's own
/// search, by its cache and folders, is left.
[[nodiscard]] std::optional<FoundLibrary> find_library(const std::string& name,
                                                       std::span<const ImageFile* const> loaders);

} // namespace rcce::image
