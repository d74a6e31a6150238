// SPDX-License-Identifier: Apache-2.0
// Functions of the C library that allocate one block and return it: in the calling UE's heap (others:
// process/libc/state/results.cpp). What it keeps for itself (streams, locales, time zones) stays outside: it
// may outlive the UE, and serves all of them.
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <cwchar>

#include "process/libc/exports.hpp"
#include "process/libc/state/malloc.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

int format(char** text, const char* pattern, va_list arguments) {
  heap::Heap* heap = library_heap();
  if (heap == nullptr) return library_function<"vasprintf", decltype(vasprintf)>()(text, pattern, arguments);
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, pattern, again);
  va_end(again);
  if (length < 0) return -1;
  const auto bytes = static_cast<std::size_t>(length) + 1;
  auto* const found = static_cast<char*>(allocate_in(*heap, 0, bytes));
  if (found == nullptr) return failed(ENOMEM);
  *text = found;
  return std::vsnprintf(found, bytes, pattern, arguments);
}

ssize_t read_up_to(char** line, size_t* bytes, int delimiter, FILE* file) {
  static auto* const real = real_function<ssize_t(char**, size_t*, int, FILE*)>("getdelim");
  heap::Heap* heap = library_heap();
  // The C library makes the first buffer, and lets realloc() make it larger, which stays in its heap.
  if (heap != nullptr && line != nullptr && bytes != nullptr && (*line == nullptr || *bytes == 0)) {
    constexpr std::size_t first_bytes = 120;
    void* const buffer =
        *line == nullptr ? allocate_in(*heap, 0, first_bytes) : std::realloc(*line, first_bytes);
    if (buffer == nullptr) return failed(ENOMEM);
    *line = static_cast<char*>(buffer);
    *bytes = first_bytes;
  }
  return real(line, bytes, delimiter, file);
}

} // namespace

extern "C" {

int vasprintf(char** text, const char* pattern, va_list arguments) noexcept {
  return format(text, pattern, arguments);
}

int asprintf(char** text, const char* pattern, ...) noexcept {
  va_list arguments;
  va_start(arguments, pattern);
  const int length = format(text, pattern, arguments);
  va_end(arguments);
  return length;
}

int __asprintf(char** text, const char* pattern, ...) noexcept __attribute__((alias("asprintf")));

int __vasprintf_chk(char** text, int, const char* pattern, va_list arguments) noexcept {
  return format(text, pattern, arguments);
}

int __asprintf_chk(char** text, int, const char* pattern, ...) noexcept {
  va_list arguments;
  va_start(arguments, pattern);
  const int length = format(text, pattern, arguments);
  va_end(arguments);
  return length;
}

ssize_t getdelim(char** line, size_t* bytes, int delimiter, FILE* file) {
  return read_up_to(line, bytes, delimiter, file);
}

ssize_t __getdelim(char** line, size_t* bytes, int delimiter, FILE* file) __attribute__((alias("getdelim")));

ssize_t getline(char** line, size_t* bytes, FILE* file) {
  return read_up_to(line, bytes, '\n', file);
}

wchar_t* wcsdup(const wchar_t* text) noexcept {
  heap::Heap* heap = library_heap();
  if (heap == nullptr) return library_function<"wcsdup", decltype(wcsdup)>()(text);
  const std::size_t bytes = (std::wcslen(text) + 1) * sizeof(wchar_t);
  void* const copy = allocate_in(*heap, 0, bytes);
  if (copy == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  return static_cast<wchar_t*>(std::memcpy(copy, text, bytes));
}

/// strdup() and strndup() of the libraries that a program links; process/image/part/heap.c has the program's.
char* strndup(const char* text, size_t most) noexcept {
  heap::Heap* heap = library_heap();
  if (heap == nullptr) return library_function<"strndup", decltype(strndup)>()(text, most);
  const std::size_t length = strnlen(text, most);
  auto* const copy = static_cast<char*>(allocate_in(*heap, 0, length + 1));
  if (copy == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  std::memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

} // extern "C"
