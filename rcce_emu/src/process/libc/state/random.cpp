// SPDX-License-Identifier: Apache-2.0
// The C library's random generators, one set per UE: glibc's own algorithms with glibc's own first state, so
// that a UE draws the numbers that it would draw as a process, whatever the others draw.
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <type_traits>

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

/// A number from the UE's own generator of the *48 family by `from`; outside any UE, from the C library's.
template <host::Symbol name, class Result, class... Arguments>
Result draw(std::type_identity_t<int (*)(Arguments..., drand48_data*, Result*)> from,
            Arguments... arguments) {
  process::RandomState* own = state();
  if (own == nullptr) return library_function<name, Result(Arguments...)>()(arguments...);
  Result result{};
  from(arguments..., &own->drand48, &result);
  return result;
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
  return draw<"drand48", double>(drand48_r);
}

double erand48(unsigned short words[3]) noexcept {
  return draw<"erand48", double>(erand48_r, words);
}

long lrand48() noexcept {
  return draw<"lrand48", long>(lrand48_r);
}

long nrand48(unsigned short words[3]) noexcept {
  return draw<"nrand48", long>(nrand48_r, words);
}

long mrand48() noexcept {
  return draw<"mrand48", long>(mrand48_r);
}

long jrand48(unsigned short words[3]) noexcept {
  return draw<"jrand48", long>(jrand48_r, words);
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
