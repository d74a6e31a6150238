// SPDX-License-Identifier: Apache-2.0
// Functions that print to a standard stream: a scheduling point each time they have finished a line, so that
// lines can be written out in the order of simulated time while the program runs, and a UE that prints
// without end lets the others run. Not from within stdio, whose locks belong to the thread, but after its
// return; and only for the program's own calls, because the runtime's may come from the midst of scheduling.
// What std::cout prints: standard_streams.cpp.
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cwchar>
#include <string>

#include "process/image/image.hpp"
#include "process/libc/exports.hpp"
#include "process/libc/state/standard_streams.hpp"
#include "process/run/output.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

/// After text has gone to `file`; `caller` is the address that the printing function returns to.
void give_way(FILE* file, const void* caller) {
  if (standard_stream_number(file) <= 0) return;
  Ue* ue = calling_ue();
  if (ue == nullptr || ue->process->c.lines_finished == 0) return;
  if (process::image_of(*ue, caller) == nullptr) return;
  ue->process->c.output->give_way(*ue);
}

/// The file behind the UE's `stdout`.
FILE* own_output() noexcept {
  const CLibrary* c = calling_library();
  return c == nullptr ? stdout : c->variables.output;
}

int print(FILE* file, const char* format, va_list arguments, const void* caller) {
  static auto* const real = real_function<int(FILE*, const char*, va_list)>("vfprintf");
  const int result = real(file, format, arguments);
  give_way(file, caller);
  return result;
}

/// The printf family as -D_FORTIFY_SOURCE calls it.
int print_checked(FILE* file, int flag, const char* format, va_list arguments, const void* caller) {
  static auto* const real = real_function<int(FILE*, int, const char*, va_list)>("__vfprintf_chk");
  const int result = real(file, flag, format, arguments);
  give_way(file, caller);
  return result;
}

/// A standard stream takes bytes only: wide characters go there in the encoding of the UE's locale. -1 where
/// that has none for a character.
int print_wide(FILE* file, const wchar_t* text, const void* caller) {
  static auto* const real = real_function<size_t(const void*, size_t, size_t, FILE*)>("fwrite");
  std::mbstate_t state{};
  const wchar_t* rest = text;
  const std::size_t length = std::wcsrtombs(nullptr, &rest, 0, &state);
  if (length == static_cast<std::size_t>(-1)) return -1;
  std::string bytes(length, '\0');
  state = {};
  rest = text;
  std::wcsrtombs(bytes.data(), &rest, length, &state);
  const bool written = real(bytes.data(), 1, length, file) == length;
  give_way(file, caller);
  return written ? static_cast<int>(std::wcslen(text)) : -1;
}

int print_wide(FILE* file, const wchar_t* format, va_list arguments, const void* caller) {
  static auto* const real = real_function<int(FILE*, const wchar_t*, va_list)>("vfwprintf");
  if (standard_stream_number(file) <= 0 || calling_ue() == nullptr) return real(file, format, arguments);
  constexpr std::size_t most = std::size_t{1} << 26;
  for (std::size_t room = 256; room <= most; room *= 4) {
    std::wstring text(room, L'\0');
    va_list again;
    va_copy(again, arguments);
    errno = 0;
    const int length = std::vswprintf(text.data(), room, format, again);
    va_end(again);
    if (length >= 0) return print_wide(file, text.c_str(), caller);
    if (errno == EILSEQ) break;
  }
  return -1;
}

wint_t print_one(FILE* file, wchar_t character, const void* caller) {
  static auto* const real = real_function<wint_t(wchar_t, FILE*)>("fputwc");
  if (standard_stream_number(file) <= 0 || calling_ue() == nullptr) return real(character, file);
  const wchar_t text[2] = {character, L'\0'};
  if (character == L'\0') return fputc(0, file) == EOF ? WEOF : 0;
  return print_wide(file, text, caller) < 0 ? WEOF : static_cast<wint_t>(character);
}

} // namespace

extern "C" {

int printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print(own_output(), format, arguments, __builtin_return_address(0));
  va_end(arguments);
  return result;
}

int fprintf(FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print(file, format, arguments, __builtin_return_address(0));
  va_end(arguments);
  return result;
}

int vprintf(const char* format, va_list arguments) {
  return print(own_output(), format, arguments, __builtin_return_address(0));
}

int vfprintf(FILE* file, const char* format, va_list arguments) {
  return print(file, format, arguments, __builtin_return_address(0));
}

int __printf_chk(int flag, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print_checked(own_output(), flag, format, arguments, __builtin_return_address(0));
  va_end(arguments);
  return result;
}

int __fprintf_chk(FILE* file, int flag, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print_checked(file, flag, format, arguments, __builtin_return_address(0));
  va_end(arguments);
  return result;
}

int __vprintf_chk(int flag, const char* format, va_list arguments) {
  return print_checked(own_output(), flag, format, arguments, __builtin_return_address(0));
}

int __vfprintf_chk(FILE* file, int flag, const char* format, va_list arguments) {
  return print_checked(file, flag, format, arguments, __builtin_return_address(0));
}

int puts(const char* text) {
  FILE* const file = own_output();
  static auto* const real = real_function<int(const char*, FILE*)>("fputs");
  static auto* const real_one = real_function<int(int, FILE*)>("fputc");
  const int result = real(text, file) == EOF ? EOF : real_one('\n', file);
  give_way(file, __builtin_return_address(0));
  return result;
}

int fputs(const char* text, FILE* file) {
  static auto* const real = real_function<int(const char*, FILE*)>("fputs");
  const int result = real(text, file);
  give_way(file, __builtin_return_address(0));
  return result;
}

int fputc(int character, FILE* file) {
  static auto* const real = real_function<int(int, FILE*)>("fputc");
  const int result = real(character, file);
  if (character == '\n') give_way(file, __builtin_return_address(0));
  return result;
}

int putc(int character, FILE* file) __attribute__((alias("fputc")));

int putchar(int character) {
  FILE* const file = own_output();
  static auto* const real = real_function<int(int, FILE*)>("fputc");
  const int result = real(character, file);
  if (character == '\n') give_way(file, __builtin_return_address(0));
  return result;
}

int putchar_unlocked(int character) {
  return putchar(character);
}

wint_t putwchar(wchar_t character) {
  return print_one(own_output(), character, __builtin_return_address(0));
}
wint_t putwc(wchar_t character, FILE* file) {
  return print_one(file, character, __builtin_return_address(0));
}
wint_t fputwc(wchar_t character, FILE* file) {
  return print_one(file, character, __builtin_return_address(0));
}

int fputws(const wchar_t* text, FILE* file) {
  static auto* const real = real_function<int(const wchar_t*, FILE*)>("fputws");
  if (standard_stream_number(file) <= 0 || calling_ue() == nullptr) return real(text, file);
  return print_wide(file, text, __builtin_return_address(0)) < 0 ? -1 : 1;
}

int vwprintf(const wchar_t* format, va_list arguments) {
  return print_wide(own_output(), format, arguments, __builtin_return_address(0));
}
int vfwprintf(FILE* file, const wchar_t* format, va_list arguments) {
  return print_wide(file, format, arguments, __builtin_return_address(0));
}
int wprintf(const wchar_t* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print_wide(own_output(), format, arguments, __builtin_return_address(0));
  va_end(arguments);
  return result;
}
int fwprintf(FILE* file, const wchar_t* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print_wide(file, format, arguments, __builtin_return_address(0));
  va_end(arguments);
  return result;
}

size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  static auto* const real = real_function<size_t(const void*, size_t, size_t, FILE*)>("fwrite");
  const size_t result = real(data, size, count, file);
  give_way(file, __builtin_return_address(0));
  return result;
}

} // extern "C"
