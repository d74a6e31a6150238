// What the functions that the runtime exports under the C library's names have in common: in a UE's context
// they act on that UE, anywhere else they call the C library.
#pragma once

#include "libc/process.hpp"
#include "libc/real.hpp"

namespace rcce::loader {

/// The UE that is calling, or null: then the C library's own function is wanted. Its call is counted: what a
/// UE does beside polling may be what ends its loop.
[[nodiscard]] inline Ue* calling_ue() noexcept {
  Ue* ue = current_ue();
  if (ue == nullptr || !ue->process || ue->process->c.output == nullptr) return nullptr;
  ue->count_call();
  return ue;
}

/// The per-core state of the C library of the UE that is calling, or null.
[[nodiscard]] inline CLibrary* calling_library() noexcept {
  Ue* ue = calling_ue();
  return ue == nullptr ? nullptr : &ue->process->c;
}

/// Tells the user once per process and cause, on the UE's standard error, what a function refuses to do.
void refuse(Ue& ue, const char* function, const char* reason);

} // namespace rcce::loader
