// SPDX-License-Identifier: Apache-2.0
// What the C++ library keeps for the whole process and reaches by a call: the global locale, and the
// functions to call when an exception is caught by nobody or memory runs out, which are one UE's code and
// work on its data. Its standard streams: process/libc/streams/own_streams.cpp.
#include <exception>
#include <locale>
#include <new>
#include <utility>

#include "process/libc/exports.hpp"
#include "process/libc/state/malloc.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

process::CxxState& state_of(CLibrary& c) {
  if (!c.cxx) c.cxx = std::make_unique<process::CxxState>();
  return *c.cxx;
}

/// The handlers before the installation.
std::terminate_handler process_terminate = nullptr;

[[noreturn]] void terminate_ue() {
  CLibrary* c = calling_library();
  const auto own = c == nullptr || !c->cxx ? nullptr : c->cxx->terminate;
  if (own != nullptr) own();
  process_terminate();
  std::abort();
}

void make_room_in_ue() {
  CLibrary* c = calling_library();
  const auto own = c == nullptr || !c->cxx ? nullptr : c->cxx->make_room;
  if (own == nullptr) throw std::bad_alloc();
  own();
}

std::terminate_handler real_set_terminate(std::terminate_handler handler) noexcept {
  return library_function<"_ZSt13set_terminatePFvvE", std::terminate_handler(std::terminate_handler)>()(
      handler);
}
std::new_handler real_set_new_handler(std::new_handler handler) noexcept {
  return library_function<"_ZSt15set_new_handlerPFvvE", std::new_handler(std::new_handler)>()(handler);
}

} // namespace

extern "C" {

/// Exceptions that the program throws: in its UE's heap. Those of the runtime and of other libraries may
/// outlive the UE.
void* __cxa_allocate_exception(std::size_t bytes) noexcept {
  static auto* const real = real_function<void*(std::size_t)>("__cxa_allocate_exception");
  const Ue* ue = calling_ue();
  if (ue == nullptr || process::place_of(*ue, __builtin_return_address(0)).file == nullptr)
    return real(bytes);
  const AllocatesForUe own;
  return real(bytes);
}

/// std::locale::locale().
void rockcreek_locale(std::locale* self) noexcept __asm__("_ZNSt6localeC1Ev");
void rockcreek_locale(std::locale* self) noexcept {
  static auto* const real = real_function<void(std::locale*)>("_ZNSt6localeC1Ev");
  if (CLibrary* c = calling_library(); c != nullptr && c->cxx && c->cxx->locale)
    new (self) std::locale(*c->cxx->locale);
  else
    real(self);
}

} // extern "C"

/// std::locale::global(const std::locale&).
std::locale rockcreek_global_locale(const std::locale& wanted) __asm__("_ZNSt6locale6globalERKS_");
std::locale rockcreek_global_locale(const std::locale& wanted) {
  CLibrary* c = calling_library();
  if (c == nullptr)
    return library_function<"_ZNSt6locale6globalERKS_", std::locale(const std::locale&)>()(wanted);
  std::locale before;
  delete std::exchange(state_of(*c).locale, new std::locale(wanted));
  if (const std::string name = wanted.name(); name != "*") std::setlocale(LC_ALL, name.c_str());
  return before;
}

std::terminate_handler std::set_terminate(std::terminate_handler handler) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return real_set_terminate(handler);
  static const bool stands_before = [] {
    process_terminate = real_set_terminate(terminate_ue);
    return true;
  }();
  static_cast<void>(stands_before);
  const auto before = std::exchange(state_of(*c).terminate, handler);
  return before == nullptr ? process_terminate : before;
}

std::terminate_handler std::get_terminate() noexcept {
  static auto* const real = real_function<std::terminate_handler()>("_ZSt13get_terminatev");
  const CLibrary* c = calling_library();
  const auto own = c == nullptr || !c->cxx ? nullptr : c->cxx->terminate;
  if (own != nullptr) return own;
  const auto process = real();
  return process == terminate_ue ? process_terminate : process;
}

std::new_handler std::set_new_handler(std::new_handler handler) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return real_set_new_handler(handler);
  static const bool stands_before = [] {
    real_set_new_handler(make_room_in_ue);
    return true;
  }();
  static_cast<void>(stands_before);
  return std::exchange(state_of(*c).make_room, handler);
}

std::new_handler std::get_new_handler() noexcept {
  static auto* const real = real_function<std::new_handler()>("_ZSt15get_new_handlerv");
  if (CLibrary* c = calling_library()) return c->cxx ? c->cxx->make_room : nullptr;
  return real();
}
