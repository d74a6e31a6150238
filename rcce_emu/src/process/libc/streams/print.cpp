// SPDX-License-Identifier: Apache-2.0
// Functions that print to a standard stream: a scheduling point each time they have finished a line, so that
// lines can be written out in the order of simulated time while the program runs, and a UE that prints
// without end lets the others run. Not from within stdio, whose locks belong to the thread, but after its
// return; and only for the program's own calls, because the runtime's may come from the midst of scheduling.
// What std::cout prints: standard_streams.cpp.
#include <cstdarg>
#include <cstdio>
#include <cwchar>

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

int putc(int character, FILE* file) {
  static auto* const real = real_function<int(int, FILE*)>("fputc");
  const int result = real(character, file);
  if (character == '\n') give_way(file, __builtin_return_address(0));
  return result;
}

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
  return std::putwc(character, own_output());
}

int vwprintf(const wchar_t* format, va_list arguments) {
  return std::vfwprintf(own_output(), format, arguments);
}

int wprintf(const wchar_t* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = std::vfwprintf(own_output(), format, arguments);
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
