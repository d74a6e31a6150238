// SPDX-License-Identifier: Apache-2.0
// The C library's random generators, one set per UE: glibc's own algorithms with glibc's own first state, so
// that a UE draws the numbers that it would draw as a process, whatever the others draw.
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "process/libc/exports.hpp"

using namespace rcce;
using namespace rcce::libc;

process::RandomState::RandomState() {
  initstate_r(1, words.data(), words.size(), &data);
}

namespace {

/// The calling UE's generators, or null outside any UE.
process::RandomState* state() {
  CLibrary* c = calling_library();
  if (c == nullptr) return nullptr;
  if (!c->random) c->random = std::make_unique<process::RandomState>();
  return c->random.get();
}

} // namespace

extern "C" {

long random() noexcept {
  process::RandomState* own = state();
  if (own == nullptr) return library_function<"random", decltype(random)>()();
  std::int32_t result = 0;
  random_r(&own->data, &result);
  return result;
}

int rand() noexcept {
  return static_cast<int>(random());
}

void srandom(unsigned seed) noexcept {
  process::RandomState* own = state();
  if (own == nullptr) return library_function<"srandom", decltype(srandom)>()(seed);
  srandom_r(seed, &own->data);
}

void srand(unsigned seed) noexcept {
  srandom(seed);
}

char* initstate(unsigned seed, char* words, size_t bytes) noexcept {
  process::RandomState* own = state();
  if (own == nullptr) return library_function<"initstate", decltype(initstate)>()(seed, words, bytes);
  char* before =
      reinterpret_cast<char*>(own->data.state) - sizeof(std::int32_t); // the type word lies in front
  return initstate_r(seed, words, bytes, &own->data) == 0 ? before : nullptr;
}

char* setstate(char* words) noexcept {
  process::RandomState* own = state();
  if (own == nullptr) return library_function<"setstate", decltype(setstate)>()(words);
  char* before = reinterpret_cast<char*>(own->data.state) - sizeof(std::int32_t);
  return setstate_r(words, &own->data) == 0 ? before : nullptr;
}

double drand48() noexcept {
  process::RandomState* own = state();
  if (own == nullptr) return library_function<"drand48", decltype(drand48)>()();
  double result = 0;
  drand48_r(&own->drand48, &result);
  return result;
}

double erand48(unsigned short words[3]) noexcept {
  process::RandomState* own = state();
  if (own == nullptr) return library_function<"erand48", decltype(erand48)>()(words);
  double result = 0;
  erand48_r(words, &own->drand48, &result);
  return result;
}

long lrand48() noexcept {
  process::RandomState* own = state();
  if (own == nullptr) return library_function<"lrand48", decltype(lrand48)>()();
  long result = 0;
  lrand48_r(&own->drand48, &result);
  return result;
}

long nrand48(unsigned short words[3]) noexcept {
  process::RandomState* own = state();
  if (own == nullptr) return library_function<"nrand48", decltype(nrand48)>()(words);
  long result = 0;
  nrand48_r(words, &own->drand48, &result);
  return result;
}

long mrand48() noexcept {
  process::RandomState* own = state();
  if (own == nullptr) return library_function<"mrand48", decltype(mrand48)>()();
  long result = 0;
  mrand48_r(&own->drand48, &result);
  return result;
}

long jrand48(unsigned short words[3]) noexcept {
  process::RandomState* own = state();
  if (own == nullptr) return library_function<"jrand48", decltype(jrand48)>()(words);
  long result = 0;
  jrand48_r(words, &own->drand48, &result);
  return result;
}

void srand48(long seed) noexcept {
  process::RandomState* own = state();
  if (own == nullptr) return library_function<"srand48", decltype(srand48)>()(seed);
  srand48_r(seed, &own->drand48);
}

unsigned short* seed48(unsigned short words[3]) noexcept {
  process::RandomState* own = state();
  if (own == nullptr) return library_function<"seed48", decltype(seed48)>()(words);
  seed48_r(words, &own->drand48);
  return own->drand48.__old_x;
}

void lcong48(unsigned short words[7]) noexcept {
  process::RandomState* own = state();
  if (own == nullptr) return library_function<"lcong48", decltype(lcong48)>()(words);
  lcong48_r(words, &own->drand48);
}

} // extern "C"
