// SPDX-License-Identifier: Apache-2.0
// What is told of a crash: its cause, in words, and the places of the program that have led there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/ue/ue.hpp"

namespace rcce::run {

/// The facts that are known when the fault is caught.
struct Facts {
  int signal = 0;
  int code = 0;
  std::uintptr_t address = 0;
  std::uintptr_t stack_pointer = 0;
  bool write = false;
  bool by_fault = false;      ///< by the processor, not by a call
  bool freed_address = false; ///< a register holds an address that --check heap has left in freed memory
  const void* pc = nullptr;
  std::array<const void*, 64> frames{}; ///< return addresses and `pc`, innermost first
  std::size_t frame_count = 0;
};

/// "segmentation fault: read of address 0x10, a null pointer".
[[nodiscard]] std::string describe(const Ue& ue, const Facts& facts);
/// The places of the program on the way to the fault, innermost first.
[[nodiscard]] std::vector<std::string> places(const Ue& ue, const Facts& facts);

} // namespace rcce::run
