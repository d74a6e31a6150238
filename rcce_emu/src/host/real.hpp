// The C library's own function behind a name that the runtime exports.
#pragma once

#include <dlfcn.h>

namespace rcce::host {

/// The next definition of `name` after the runtime's own in the search order of the dynamic linker.
template <typename Function>
[[nodiscard]] Function* real_function(const char* name) noexcept {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace rcce::host
