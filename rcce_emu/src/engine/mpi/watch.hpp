// SPDX-License-Identifier: Apache-2.0
// How the core of a process waits: it looks again and again, and says from time to time that it does.
#pragma once

#include "engine/mpi/fabric.hpp"

namespace rcce::mpi {

class Watch {
 public:
  explicit Watch(Fabric& fabric) noexcept : fabric_(fabric) {}

  [[nodiscard]] virtual bool stopped() const noexcept = 0;

  // Waits of the own core; false, and looks.size(), when the run has been stopped first.
  /// Index of the first look that holds.
  [[nodiscard]] std::size_t wait_for_any(int core, int source, std::span<const PollTarget> looks);
  /// Until the register was free and has been taken.
  [[nodiscard]] bool lock(int core, int register_of);
  [[nodiscard]] bool wait_counter(int core, int number, std::uint32_t value);
  /// Until all UEs have departed.
  [[nodiscard]] bool wait_for_departures(int core);

 protected:
  ~Watch() = default;

 private:
  /// The own core still waits; `blocked`: for what. True when the run has been stopped.
  [[nodiscard]] virtual bool waits(const BlockedCore& blocked) = 0;
  /// It goes on.
  virtual void goes_on() noexcept = 0;
  /// Looks until met().
  template <class Met>
  [[nodiscard]] bool wait_until(const BlockedCore& blocked, Met&& met);

  Fabric& fabric_;
};

} // namespace rcce::mpi
