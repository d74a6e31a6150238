// SPDX-License-Identifier: Apache-2.0
// Data that go from core to core by copies: a put to another core's MPB, a get from it. What messages of the
// library above move is moved so, too; flags are stored, not copied.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "mesh_sim/observe/observer.hpp"

namespace mesh {

class Transfers final : public Observer {
 public:
  [[nodiscard]] EventMask wants() const override { return EventMask::ends; }
  void ended(const Access& access, Picoseconds) override {
    if (access.target < 0 || access.target == access.core) return;
    if (access.kind == Access::Kind::put) bytes_[{access.core, access.target}] += access.bytes;
    if (access.kind == Access::Kind::get) bytes_[{access.target, access.core}] += access.bytes;
  }

  /// By cores from and to.
  [[nodiscard]] const std::map<std::pair<int, int>, std::uint64_t>& bytes() const noexcept { return bytes_; }

 private:
  std::map<std::pair<int, int>, std::uint64_t> bytes_;
};

} // namespace mesh
