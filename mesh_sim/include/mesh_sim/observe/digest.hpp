// SPDX-License-Identifier: Apache-2.0
// A hash over order, time, place and size of all accesses as their cores set out for them: two runs with the
// same digest have done the same at the same simulated times.
#pragma once

#include "mesh_sim/observe/observer.hpp"

namespace mesh {

class Digest final : public Observer {
 public:
  [[nodiscard]] EventMask wants() const override { return EventMask::issues; }
  void issued(const Access& access) override;

  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

} // namespace mesh
