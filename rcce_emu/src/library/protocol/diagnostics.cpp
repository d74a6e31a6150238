// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/diagnostics.hpp"

#include <array>
#include <cstdio>
#include <cstring>

namespace rcce::protocol {
namespace {

constexpr std::array texts = {
#include "rcce_emu/error_strings.h"
};

} // namespace

const char* error_text(int code) {
  if (code == 0) return texts[0];
  const int n = code - error_base;
  return n >= 1 && n < static_cast<int>(texts.size()) ? texts[static_cast<std::size_t>(n)] : nullptr;
}

int error_string(Library& library, int code, char* text, int* length) {
  const char* known = error_text(code);
  std::strcpy(text, known != nullptr ? known : "");
  *length = static_cast<int>(std::strlen(text));
  return known != nullptr ? 0 : error_return(library, *library.image.debug_debug, Error::invalid_error_code);
}

int error_return(Library& library, int debug_switch, int code) {
  if (debug_switch != 0 && code != 0) {
    char text[64];
    int length = 0;
    error_string(library, code, text, &length);
    std::printf("Error on UE %d: %s\n", library.rank(), text);
    std::fflush(nullptr);
  }
  return code;
}

int debug_switch(Library& library, int flag, bool on) {
  constexpr int all = 111111, synch = 111444, comm = 111555, rpc = 111666, debug = 111888; // RCCE_DEBUG_...
  const ImageVariables& image = library.image;
  if (flag != all && flag != synch && flag != comm && flag != rpc && flag != debug) {
    return error_return(library, *image.debug_debug, Error::debug_flag);
  }
  if (flag == all || flag == synch) *image.debug_synch = on;
  if (flag == all || flag == comm) *image.debug_comm = on;
  if (flag == all || flag == rpc) *image.debug_rpc = on;
  if (flag == all || flag == debug) *image.debug_debug = on;
  return 0;
}

} // namespace rcce::protocol
