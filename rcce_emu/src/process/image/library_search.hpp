// SPDX-License-Identifier: Apache-2.0
// Where the dynamic linker finds a library.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "process/image/file.hpp"

namespace rcce::image {

struct FoundLibrary {
  std::string path;
  std::string by; ///< the rule by which it was found: "the run path of 'prog'"
};

/// The library that `loaders` ask for, the innermost first and the program last. Nothing if only the system's
/// own search, by its cache and folders, is left.
[[nodiscard]] std::optional<FoundLibrary> find_library(const std::string& name,
                                                       std::span<const ImageFile* const> loaders);

} // namespace rcce::image
