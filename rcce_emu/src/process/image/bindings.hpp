// SPDX-License-Identifier: Apache-2.0
// Where the references of a UE's copies lead to one another: the program's to its libraries, theirs to the
// program and among them. The dynamic linker does not know which copies belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "process/image/file.hpp"
#include "process/image/image.hpp"

namespace rcce::image {

struct Binding {
  enum class Kind : std::uint8_t {
    address,            ///< `value` relative to the base of the provider's copy
    indirect,           ///< the result of the function at that address
    thread_local_block, ///< the block in the provider's copy
    fixed,              ///< `value`
    required,           ///< the dynamic linker has to have found something
  };
  ImageFile::Address place; ///< virtual address in the file whose reference it is
  Kind kind;
  std::uint64_t value = 0;
  std::size_t provider = 0; ///< index in the scope
};

/// The target of a name that no file of the scope defines; 0: what the dynamic linker found.
using Substitute = std::function<std::uint64_t(std::string_view name)>;

/// The bindings of all references of `file` by name. The scope is searched in its order.
[[nodiscard]] std::vector<Binding> bindings_of(const ImageFile& file, std::span<const ImageFile* const> scope,
                                               const Substitute& substitute);
/// Carries them out in a copy, before any of its code runs. `scope`: the copies of the same UE, in the same
/// order. Throws UserError where something required is defined nowhere.
void bind(Image& image, std::span<const Binding> bindings, std::span<Image* const> scope);

} // namespace rcce::image
