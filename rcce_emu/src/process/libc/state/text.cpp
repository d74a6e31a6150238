// SPDX-License-Identifier: Apache-2.0
// Functions that keep a place or a result inside the C library between calls: one per UE.
#include <arpa/inet.h>
#include <array>
#include <csignal>
#include <cstring>
#include <ctime>

#include "process/libc/exports.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

/// A copy of what the C library has written to memory of its own.
template <std::size_t size>
char* keep(std::array<char, size>& own, const char* text) noexcept {
  own.back() = '\0';
  return std::strncpy(own.data(), text, size - 1);
}

} // namespace

extern "C" {

char* strtok(char* text, const char* separators) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return library_function<"strtok", decltype(strtok)>()(text, separators);
  return strtok_r(text, separators, &c->strtok_rest);
}

struct tm* gmtime(const time_t* time) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return library_function<"gmtime", decltype(gmtime)>()(time);
  return gmtime_r(time, &c->broken_down_time);
}

char* asctime(const struct tm* time) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return library_function<"asctime", decltype(asctime)>()(time);
  return asctime_r(time, c->time_text.data());
}

// The texts of errors and signals that there are, are constants.
char* strerror(int number) noexcept {
  char* const text = library_function<"strerror", char*(int)>()(number);
  CLibrary* c = calling_library();
  return c == nullptr || strerrordesc_np(number) != nullptr ? text : keep(c->error_text, text);
}

char* strsignal(int number) noexcept {
  char* const text = library_function<"strsignal", char*(int)>()(number);
  CLibrary* c = calling_library();
  return c == nullptr || sigdescr_np(number) != nullptr ? text : keep(c->signal_text, text);
}

char* inet_ntoa(in_addr address) noexcept {
  char* const text = library_function<"inet_ntoa", char*(in_addr)>()(address);
  CLibrary* c = calling_library();
  return c == nullptr ? text : keep(c->address_text, text);
}

} // extern "C"
