// SPDX-License-Identifier: Apache-2.0
// Functions that read what the calling UE's `stdin` leads to, and those that scan: what a conversion "%ms"
// allocates comes from the UE's heap.
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <cwchar>

#include "process/libc/exports.hpp"
#include "process/libc/state/malloc.hpp"
#include "process/libc/state/standard_streams.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

FILE* input() noexcept {
  const CLibrary* c = calling_library();
  return c == nullptr ? stdin : c->variables.input;
}

/// vfscanf() or vsscanf() by one of its names.
template <host::Symbol name, class From>
int scan(From* from, const char* format, va_list arguments) {
  auto* const function = library_function<name, int(From*, const char*, va_list)>();
  if (std::strchr(format, 'm') == nullptr) return function(from, format, arguments);
  const AllocatesForUe own;
  return function(from, format, arguments);
}

} // namespace

// Each function by its symbol in the C library: its headers lead one name to two of them, by the standard of
// the language that a program is compiled for.
#define SCANNER(name, symbol, variadic_name, variadic_symbol, core_symbol, from, ...)             \
  int name(__VA_ARGS__ __VA_OPT__(, ) const char* format, va_list arguments) __asm__(symbol);     \
  int name(__VA_ARGS__ __VA_OPT__(, ) const char* format, va_list arguments) {                    \
    return scan<core_symbol>(from, format, arguments);                                            \
  }                                                                                               \
  int variadic_name(__VA_ARGS__ __VA_OPT__(, ) const char* format, ...) __asm__(variadic_symbol); \
  int variadic_name(__VA_ARGS__ __VA_OPT__(, ) const char* format, ...) {                         \
    va_list arguments;                                                                            \
    va_start(arguments, format);                                                                  \
    const int result = scan<core_symbol>(from, format, arguments);                                \
    va_end(arguments);                                                                            \
    return result;                                                                                \
  }

extern "C" {

SCANNER(rockcreek_vscanf, "vscanf", rockcreek_scanf, "scanf", "vfscanf", input())
SCANNER(rockcreek_vscanf99, "__isoc99_vscanf", rockcreek_scanf99, "__isoc99_scanf", "__isoc99_vfscanf",
        input())
SCANNER(rockcreek_vfscanf, "vfscanf", rockcreek_fscanf, "fscanf", "vfscanf", file, FILE* file)
SCANNER(rockcreek_vfscanf99, "__isoc99_vfscanf", rockcreek_fscanf99, "__isoc99_fscanf", "__isoc99_vfscanf",
        file, FILE* file)
SCANNER(rockcreek_vsscanf, "vsscanf", rockcreek_sscanf, "sscanf", "vsscanf", text, const char* text)
SCANNER(rockcreek_vsscanf99, "__isoc99_vsscanf", rockcreek_sscanf99, "__isoc99_sscanf", "__isoc99_vsscanf",
        text, const char* text)

int getchar() {
  return std::getc(input());
}
int getchar_unlocked() {
  return getc_unlocked(input());
}
wint_t getwchar() {
  return input() == empty_input() ? WEOF : std::getwc(input()); // that stream takes bytes only
}

} // extern "C"

#undef SCANNER
