// SPDX-License-Identifier: Apache-2.0
// Functions that keep a place or a result inside the C library between calls: one per UE.
#include <cstring>
#include <ctime>

#include "process/libc/exports.hpp"

using namespace rcce;
using namespace rcce::libc;

extern "C" {

char* strtok(char* text, const char* separators) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) {
    static auto* const real = real_function<char*(char*, const char*)>("strtok");
    return real(text, separators);
  }
  return strtok_r(text, separators, &c->strtok_rest);
}

struct tm* gmtime(const time_t* time) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) {
    static auto* const real = real_function<struct tm*(const time_t*)>("gmtime");
    return real(time);
  }
  return gmtime_r(time, &c->broken_down_time);
}

char* asctime(const struct tm* time) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) {
    static auto* const real = real_function<char*(const struct tm*)>("asctime");
    return real(time);
  }
  return asctime_r(time, c->time_text.data());
}

} // extern "C"
