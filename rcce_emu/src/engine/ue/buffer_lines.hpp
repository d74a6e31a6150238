// SPDX-License-Identifier: Apache-2.0
// A UE's own loads and stores of message-passing buffers (MPBs), past the library: what each line takes.
//
// A load takes a line of its buffer as a get does. The core has it at hand until its program calls the
// library, which drops such lines, or the line's bytes have changed: what a program finds there is always
// fresh, and nobody learns it for nothing. Stores to one line, one after the other with no load and no call
// between, leave the core as one line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "mesh_sim/units.hpp"

namespace mesh {
struct AccessStream; // mesh_sim/parts/own_accesses.hpp
}

namespace rcce {

class Core;
class Engine;

class BufferLines {
 public:
  /// Spends the time on those lines of the stream, in so many rounds, that lie in buffers of the engine's.
  /// `calls`: Ue::calls.
  void access(Core& core, Engine& engine, const mesh::AccessStream& stream, std::uint64_t rounds,
              std::uint32_t calls);

 private:
  struct Held {
    const std::byte* line = nullptr;
    std::uint32_t calls = 0; ///< when it was loaded
    std::array<std::byte, mesh::line_bytes> bytes;
  };
  using Table = std::array<Held, 256>;

  [[nodiscard]] Held& place_of(const std::byte* line) noexcept {
    return (*held_)[reinterpret_cast<std::uintptr_t>(line) / mesh::line_bytes % held_->size()];
  }

  std::unique_ptr<Table> held_;         ///< null: it has loaded none
  const std::byte* combined_ = nullptr; ///< the line stored to last
  std::uint32_t stored_at_ = 0;         ///< calls then
};

} // namespace rcce
