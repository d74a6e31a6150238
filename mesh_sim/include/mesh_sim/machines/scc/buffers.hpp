// SPDX-License-Identifier: Apache-2.0
// The simulated SCC's message-passing buffers: what each access costs the core that makes it, when it acts,
// and what it moves.
//
// Invariant: an access touches what cores share only when its core has the smallest key (kernel.hpp). It
// stands above the costs, the traffic, the copies, the deliveries and the waiters, and keeps nothing itself.
#pragma once

#include "mesh_sim/machines/capabilities.hpp"
#include "mesh_sim/machines/scc/deliveries.hpp"

namespace mesh::scc {

class Buffers final : public MessageBuffers {
 public:
  Buffers(Kernel& kernel, SccCosts& costs, ProbeSet& probes, Traffic& traffic, Copies& copies,
          Waiters& waiters, Deliveries& deliveries)
      : kernel_(kernel),
        costs_(costs),
        probes_(probes),
        traffic_(traffic),
        copies_(copies),
        waiters_(waiters),
        deliveries_(deliveries) {}

  [[nodiscard]] std::byte* mpb(int core) noexcept override { return costs_.mpb(core); }
  [[nodiscard]] std::size_t mpb_bytes() const noexcept override { return costs_.mpb_bytes(); }
  void put(int target, std::size_t offset, const void* source, std::size_t bytes, Copy how) override;
  void get(void* target, int source, std::size_t offset, std::size_t bytes, Copy how) override;
  void store(int target, std::size_t offset, const void* data, std::size_t bytes) override;
  void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) override;
  void load(int source, std::size_t offset, void* data, std::size_t bytes) override;
  void wait(int source, std::size_t offset, Condition condition, Cycles overhead) override;
  std::size_t wait_any(int source, std::span<const PollTarget> looks, Cycles overhead) override;
  void own_load(int source, std::size_t offset) override;
  void own_store(int target, std::size_t offset, bool last) override;
  void own_side(const void* address, std::size_t bytes, bool write) override;

 private:
  using CoreState = SccCosts::CoreState;
  using Moments = SccCosts::Moments;
  using RouteCost = SccCosts::RouteCost;
  using Work = SccCosts::Work;

  /// The running core, about to use its caches.
  [[nodiscard]] CoreState& active() noexcept { return costs_.active(kernel_.current()); }
  void load_line(CoreState& core, const RouteCost& path, int source, std::size_t offset, void* data,
                 std::size_t bytes, bool alone);
  [[nodiscard]] Picoseconds in_memory(const void* own, const Work& work) const noexcept;
  void polls_act(int source, std::span<const PollTarget> looks, std::size_t seen, Cycles overhead,
                 Picoseconds round);

  Kernel& kernel_;
  SccCosts& costs_;
  ProbeSet& probes_;
  Traffic& traffic_;
  Copies& copies_;
  Waiters& waiters_;
  Deliveries& deliveries_;
};

} // namespace mesh::scc
