// What is exchanged at a switch from one UE to another because the C and C++ libraries keep it in variables:
// a few nanoseconds, most of it for C++ programs only.
#include <cerrno>
#include <cstdio>
#include <cxxabi.h>
#include <iostream>

#include "libc/surroundings.hpp"
#include "libc/switch.hpp"

namespace rcce::libc {
namespace {

void imbue(const process::StreamLocales& locales) {
  std::cout.imbue(locales.out);
  std::cerr.imbue(locales.error);
  std::cin.imbue(locales.in);
}

void save(process::StreamState& to, std::ios& from) noexcept {
  to = {from.flags(), from.precision(), from.width(), from.rdstate(), from.exceptions(), from.fill()};
}

void restore(std::ios& to, const process::StreamState& from) noexcept {
  to.flags(from.flags);
  to.precision(from.precision);
  to.width(from.width);
  to.fill(from.fill);
  // exceptions() throws where a bad state and its mask meet: clear the state first, and set it without the
  // mask.
  to.exceptions(std::ios_base::goodbit);
  to.clear(from.state);
  if ((from.state & from.exceptions) == 0) to.exceptions(from.exceptions);
}

void save(process::StreamStates& streams) noexcept {
  if (streams.locales) {
    *streams.locales = {std::cout.getloc(), std::cerr.getloc(), std::cin.getloc()};
    imbue({std::locale::classic(), std::locale::classic(), std::locale::classic()});
  }
  save(streams.out, std::cout);
  save(streams.error, std::cerr);
  save(streams.in, std::cin);
}

void restore(const process::StreamStates& streams) noexcept {
  if (streams.locales) imbue(*streams.locales);
  restore(std::cout, streams.out);
  restore(std::cerr, streams.error);
  restore(std::cin, streams.in);
}

/// Where the thread keeps what the C and C++ libraries reach by a call each time.
struct ThreadPlaces {
  int* error = nullptr;
  void** exceptions = nullptr;
};
[[gnu::tls_model("initial-exec")]] thread_local ThreadPlaces thread_places;

} // namespace

void switch_process(process::Process* from, process::Process* to) noexcept {
  ThreadPlaces& places = thread_places;
  if (places.error == nullptr) places = {&errno, reinterpret_cast<void**>(__cxxabiv1::__cxa_get_globals())};
  int& error = *places.error;
  void** const exceptions = places.exceptions;
  if (from != nullptr) {
    process::CLibrary& c = from->c;
    c.saved_errno = error;
    c.cxa_globals = {exceptions[0], exceptions[1]};
    if (c.saved_stdin != nullptr) c.saved_stdin = stdin;
    if (c.streams) save(*c.streams);
  }
  const process::Surroundings* const left = from == nullptr ? nullptr : from->c.surroundings.get();
  const process::Surroundings* const met = to == nullptr ? nullptr : to->c.surroundings.get();
  if (left != met) [[unlikely]]
    exchange(left, met); // before errno is restored
  if (to != nullptr) {
    const process::CLibrary& c = to->c;
    error = c.saved_errno;
    exceptions[0] = c.cxa_globals[0];
    exceptions[1] = c.cxa_globals[1];
    if (c.saved_stdin != nullptr) stdin = c.saved_stdin;
    if (c.streams) restore(*c.streams);
  }
}

} // namespace rcce::libc
