// SPDX-License-Identifier: Apache-2.0
// A core whose context is an operating-system thread, on a stack of its own. What time is, and how accesses
// are made, the kinds below it decide.
#pragma once

#include <memory>

#include "mesh_sim/kernel/own_stack.hpp"
#include "mesh_sim/machines/scc/costs.hpp"
#include "rcce_emu/engine.hpp"

namespace rcce {

class StackCore : public Core, public mesh::MessageBuffers {
 public:
  StackCore(mesh::SccCosts& costs, int id)
      : Core(static_cast<mesh::MessageBuffers&>(*this)), costs_(costs), id_(id) {}

  int id() const noexcept override { return id_; }
  std::byte* mpb(int core) noexcept override { return costs_.mpb(core); }
  std::size_t mpb_bytes() const noexcept override { return costs_.mpb_bytes(); }
  [[noreturn]] void exit() override;

  /// Runs the body in the calling thread, on the stack. Returns when the body has returned or called exit().
  void live(std::span<std::byte> stack, std::function<void()> body);

  /// The core's clock as other threads may see it: never later than now().
  [[nodiscard]] virtual Picoseconds told_clock() const noexcept = 0;

 protected:
  mesh::SccCosts& costs_;
  const int id_;

 private:
  std::unique_ptr<mesh::OwnStack> stack_;
};

} // namespace rcce
