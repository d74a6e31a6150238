// SPDX-License-Identifier: Apache-2.0
// Who hears of the simulated SCC's accesses: the intervention that stands in between, and the observers.
//
// Invariant: where nobody wants to hear of a kind of event, it is not made. Knows the kernel only.
#pragma once

#include <cstdint>

#include "mesh_sim/kernel/kernel.hpp"
#include "mesh_sim/observe/intervention.hpp"
#include "mesh_sim/observe/observers.hpp"

namespace mesh::scc {

class ProbeSet {
 public:
  explicit ProbeSet(Kernel& kernel) noexcept : kernel_(kernel) {}

  // Before the run; null: nobody. Both outlive it.
  void set_intervention(Intervention* intervention) noexcept {
    intervention_ = intervention;
    acts_matter_ = intervention_ != nullptr || has(wanted_, EventMask::acts);
  }
  void set_observers(const Observers* observers) noexcept {
    observers_ = observers;
    wanted_ = observers == nullptr ? no_events : observers->wanted();
    times_ = observers == nullptr || observers->times().empty() ? nullptr : observers->times().data();
    acts_matter_ = intervention_ != nullptr || has(wanted_, EventMask::acts);
  }

  [[nodiscard]] Intervention* intervention() const noexcept { return intervention_; }
  [[nodiscard]] bool want(EventMask events) const noexcept { return has(wanted_, events); }
  /// To the intervention or to an observer.
  [[nodiscard]] bool acts_matter() const noexcept { return acts_matter_; }
  [[nodiscard]] std::uint64_t accesses() const noexcept { return accesses_; } ///< issued so far

  /// The running core is about to make its next access.
  void before() {
    if (intervention_ != nullptr) [[unlikely]]
      intervention_->before(kernel_);
  }
  // make() gives an access of the running core.
  /// It sets out for it now. Returns when that is.
  template <class Make>
  Picoseconds issue(const Make& make) {
    ++accesses_;
    if (has(wanted_, EventMask::issues)) [[unlikely]]
      notify_issue(make());
    return kernel_.now();
  }
  /// It acts, now or at a later time.
  template <class Make>
  void acts(const Make& make, Picoseconds at) {
    if (acts_matter_) [[unlikely]]
      notify_acts(make(), at);
  }
  void notify_acts(Access access, Picoseconds at);
  /// It goes on after it.
  template <class Make>
  void ends(const Make& make, Picoseconds begin) {
    if (has(wanted_, EventMask::ends)) [[unlikely]]
      notify_end(make(), begin);
    if (times_ != nullptr) [[unlikely]]
      times_[kernel_.current()].ended(make(), begin, kernel_.now());
  }
  /// It has slept since `begin`.
  void waited(Wait::Target on, Picoseconds begin) {
    if (times_ != nullptr) [[unlikely]]
      times_[kernel_.current()].waited(on, kernel_.now() - begin);
  }
  /// Any other event that is wanted: as Observers::notify().
  template <class Function, class... Event>
  void notify(Function function, EventMask kind, const Event&... event) const {
    observers_->notify(function, kind, event...);
  }

 private:
  // Out of the way of accesses that nobody wants to hear of.
  void notify_issue(Access access);
  void notify_end(Access access, Picoseconds begin);

  Kernel& kernel_;
  Intervention* intervention_ = nullptr;
  const Observers* observers_ = nullptr;
  EventMask wanted_ = no_events; ///< events that the observers want
  AccessTimes* times_ = nullptr; ///< by core; null: nobody wants them
  bool acts_matter_ = false;
  std::uint64_t accesses_ = 0;
};

} // namespace mesh::scc
