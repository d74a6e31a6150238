// SPDX-License-Identifier: Apache-2.0
// The C library's own function behind a name that the runtime exports.
#pragma once

#include <algorithm>
#include <cstddef>

#include <dlfcn.h>

namespace rcce::host {

/// The next definition of `name` after the runtime's own in the search order of the dynamic linker.
template <typename Function>
[[nodiscard]] Function* real_function(const char* name) noexcept {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// A symbol's name as a template's argument.
template <std::size_t size>
struct Symbol {
  consteval Symbol(const char (&text)[size]) {
    std::copy_n(text, size, name);
  } // NOLINT: a literal stands for it
  char name[size];
};

/// The same, looked up at the first call only.
template <Symbol symbol, typename Function>
[[nodiscard]] Function* library_function() noexcept {
  static auto* const found = real_function<Function>(symbol.name);
  return found;
}

} // namespace rcce::host
