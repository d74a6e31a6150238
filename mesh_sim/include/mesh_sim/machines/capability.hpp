// SPDX-License-Identifier: Apache-2.0
// The names of what machines may offer; capabilities.hpp has the interfaces.
#pragma once

#include <cstdint>
#include <string_view>

namespace mesh {

/// A capability of machines of a kind. Code that runs something on a machine asks for capabilities, never for
/// a kind.
enum class Capability : std::uint8_t {
  message_buffers, ///< MessageBuffers
  registers,       ///< Registers
  power,           ///< Power
  coherent_memory, ///< coherent::Machine
  cards, ///< cluster::Machine: nodes without cores of their own, with network cards that run programs
};

/// In words, for messages: "test-and-set registers".
[[nodiscard]] std::string_view name(Capability capability) noexcept;

} // namespace mesh
