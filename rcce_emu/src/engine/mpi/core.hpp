// SPDX-License-Identifier: Apache-2.0
// A core of the MPI engine, in the host's time: nothing is charged, everything takes what it takes. Of the
// cores of a job one lives in each process; the others' objects are names for them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/mpi/fabric.hpp"
#include "mesh_sim/kernel/own_stack.hpp"
#include "rcce_emu/engine.hpp"

namespace rcce::mpi {

/// What waiting cores do beside looking.
class Watch {
 public:
  /// The own core still waits; `blocked`: for what. True when the run has been stopped.
  [[nodiscard]] virtual bool waits(const BlockedCore& blocked) = 0;
  /// It goes on.
  virtual void goes_on() noexcept = 0;
  [[nodiscard]] virtual bool stopped() const noexcept = 0;

 protected:
  ~Watch() = default;
};

class MpiCore final : public Core, public mesh::MessageBuffers {
 public:
  /// `origin`: host time at the start of the run, in nanoseconds.
  MpiCore(Fabric& fabric, Watch& watch, mesh::SccCosts& costs, int id, const std::int64_t& origin)
      : Core(static_cast<mesh::MessageBuffers&>(*this)),
        fabric_(fabric),
        watch_(watch),
        costs_(costs),
        id_(id),
        origin_(origin) {}

  int id() const noexcept override { return id_; }
  Picoseconds now() const noexcept override;
  Picoseconds recent() const noexcept override { return recent_; }
  void compute(Cycles) override {}
  void sleep_until(Picoseconds time) override;
  void schedule() override;
  void spin(unsigned rounds) override;
  std::byte* mpb(int core) noexcept override { return costs_.mpb(core); }
  std::size_t mpb_bytes() const noexcept override { return costs_.mpb_bytes(); }

  void put(int target, std::size_t offset, const void* source, std::size_t bytes, Copy) override {
    costs_.check(target, offset, bytes);
    if (bytes > 0) fabric_.put(target, offset, source, bytes);
  }
  void get(void* target, int source, std::size_t offset, std::size_t bytes, Copy) override {
    costs_.check(source, offset, bytes);
    if (bytes > 0) fabric_.get(target, source, offset, bytes);
  }
  void store(int target, std::size_t offset, const void* data, std::size_t bytes) override {
    costs_.check(target, offset, bytes);
    fabric_.store(target, offset, data, bytes);
  }
  void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) override {
    costs_.check(target, offset, 1);
    fabric_.update(target, offset, mask, value);
  }
  void load(int source, std::size_t offset, void* data, std::size_t bytes) override {
    costs_.check(source, offset, bytes);
    fabric_.load(source, offset, data, bytes);
  }
  void wait(int source, std::size_t offset, Condition condition, Cycles overhead) override {
    const PollTarget look{offset, condition, 0};
    (void)MpiCore::wait_any(source, {&look, 1}, overhead);
  }
  std::size_t wait_any(int source, std::span<const PollTarget> looks, Cycles) override;
  void load_cached(std::size_t offset, void* data, std::size_t bytes) override {
    fabric_.load(id_, offset, data, bytes);
  }
  bool lock_try(int core) override;
  void lock_acquire(int core) override;
  void lock_release(int core) override;
  std::uint32_t counter_increment(int counter) override { return fabric_.counter_add(counter, 1); }
  std::uint32_t counter_read(int counter) override { return fabric_.counter(counter); }
  void counter_write(int counter, std::uint32_t value) override { fabric_.counter_exchange(counter, value); }
  void counter_wait(int counter, std::uint32_t value, Backoff pauses) override;
  void map_private(const void*, std::size_t) override {}
  void touch(const void*, std::size_t, bool) override {}
  [[noreturn]] void exit() override;

  /// Runs the core's body in the calling thread, on the stack; the end of the core's life.
  void live(std::span<std::byte> stack, std::function<void()> body);

 private:
  /// Looks until `met()`; `blocked`: what for.
  template <class Met>
  void wait_until(BlockedCore blocked, Met&& met);

  Fabric& fabric_;
  Watch& watch_;
  mesh::SccCosts& costs_;
  const int id_;
  const std::int64_t& origin_;
  Picoseconds recent_ = 0; ///< clock when it began to wait for the last time
  unsigned calls_ = 0;     ///< since it has waited or given way
  std::unique_ptr<mesh::OwnStack> stack_;
};

} // namespace rcce::mpi
