// SPDX-License-Identifier: Apache-2.0
// Local time per UE: the time zone that its environment names. The C library has one zone for the process, so
// that each of these functions puts the UE's into force while it runs, one UE at a time.
#include <ctime>

#include "process/libc/exports.hpp"
#include "process/libc/state/scoped_environment.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

void read_zone() noexcept {
  library_function<"tzset", decltype(tzset)>()();
}

class OwnZone {
 public:
  explicit OwnZone(CLibrary& c) : own_(c.variables), lent_(c.variables.environment) { read_zone(); }
  ~OwnZone() {
    own_.zone_names[0] = tzname[0];
    own_.zone_names[1] = tzname[1];
    own_.zone_seconds = timezone;
    own_.zone_saves_daylight = daylight;
    if (lent_.take_back("TZ")) read_zone();
  }
  OwnZone(const OwnZone&) = delete;
  OwnZone& operator=(const OwnZone&) = delete;

 private:
  process::OwnVariables& own_;
  ScopedEnvironment lent_;
};

} // namespace

extern "C" {

void tzset() noexcept {
  if (CLibrary* c = calling_library())
    const OwnZone zone(*c);
  else
    read_zone();
}

struct tm* localtime_r(const time_t* time, struct tm* result) noexcept {
  static auto* const real = real_function<struct tm*(const time_t*, struct tm*)>("localtime_r");
  CLibrary* c = calling_library();
  if (c == nullptr) return real(time, result);
  const OwnZone zone(*c);
  return real(time, result);
}

struct tm* localtime(const time_t* time) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return library_function<"localtime", decltype(localtime)>()(time);
  return localtime_r(time, &c->broken_down_time);
}

time_t mktime(struct tm* time) noexcept {
  static auto* const real = real_function<time_t(struct tm*)>("mktime");
  CLibrary* c = calling_library();
  if (c == nullptr) return real(time);
  const OwnZone zone(*c);
  return real(time);
}

time_t timelocal(struct tm* time) noexcept {
  return mktime(time);
}

char* ctime(const time_t* time) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return library_function<"ctime", decltype(ctime)>()(time);
  return asctime(localtime(time));
}

char* ctime_r(const time_t* time, char* text) noexcept {
  static auto* const real = real_function<char*(const time_t*, char*)>("ctime_r");
  CLibrary* c = calling_library();
  if (c == nullptr) return real(time, text);
  const OwnZone zone(*c);
  return real(time, text);
}

size_t strftime(char* text, size_t bytes, const char* format, const struct tm* time) noexcept {
  static auto* const real = real_function<size_t(char*, size_t, const char*, const struct tm*)>("strftime");
  CLibrary* c = calling_library();
  if (c == nullptr) return real(text, bytes, format, time);
  const OwnZone zone(*c);
  return real(text, bytes, format, time);
}

} // extern "C"
