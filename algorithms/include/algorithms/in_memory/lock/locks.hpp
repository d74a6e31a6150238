// SPDX-License-Identifier: Apache-2.0
// The locks in shared memory by name: what commands and tests walk.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "algorithms/in_memory/lock/clh.hpp"
#include "algorithms/in_memory/lock/mcs.hpp"
#include "algorithms/in_memory/lock/tas.hpp"
#include "algorithms/in_memory/lock/ticket.hpp"
#include "algorithms/in_memory/lock/ttas.hpp"
#include "algorithms/rows.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
struct Lock {
  std::function<void(typename M::Thread&)> acquire, release;
};

template <memory::Memory M>
struct LockRow {
  std::string_view name;
  /// Its word, or words, near that thread.
  Lock<M> (*make)(M& memory, int near);
};

template <memory::Memory M, class L>
[[nodiscard]] Lock<M> make_lock(M& memory, int near) {
  const auto lock = std::make_shared<L>(memory, near);
  return {[lock](typename M::Thread& thread) { lock->acquire(thread); },
          [lock](typename M::Thread& thread) { lock->release(thread); }};
}

/// The locks.
template <memory::Memory M>
std::span<const LockRow<M>> locks() noexcept {
  static constexpr LockRow<M> rows[] = {
      {"lock/tas", make_lock<M, TasLock<M>>},       {"lock/ttas", make_lock<M, TtasLock<M>>},
      {"lock/ticket", make_lock<M, TicketLock<M>>}, {"lock/mcs", make_lock<M, McsLock<M>>},
      {"lock/clh", make_lock<M, ClhLock<M>>},
  };
  return rows;
}

} // namespace algorithms::in_memory
