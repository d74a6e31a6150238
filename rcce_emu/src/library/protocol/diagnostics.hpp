// SPDX-License-Identifier: Apache-2.0
// The library's debug switches and error texts. What the original prints on stdout is printed there word for
// word.
#pragma once

#include "library/protocol/library.hpp"
#include "process/run/report.hpp"

namespace rcce::protocol {

using run::microseconds;

/// The text of a code (RCCE_SUCCESS or RCCE_ERROR_...); null if it has none.
[[nodiscard]] const char* error_text(int code);

/// RCCE_error_string.
int error_string(Library& library, int code, char* text, int* length);
/// RCCE_error_return: gives back the code, printed first if it is one and the switch is on.
[[gnu::noinline]] int error_return(Library& library, int debug_switch, int code);
inline int error_return(Library& library, int debug_switch, Error error) {
  return error == Error::none ? 0 : error_return(library, debug_switch, code(error));
}
/// RCCE_debug_set and RCCE_debug_unset.
int debug_switch(Library& library, int flag, bool on);

} // namespace rcce::protocol
