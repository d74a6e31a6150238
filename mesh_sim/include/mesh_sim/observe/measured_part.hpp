// SPDX-License-Identifier: Apache-2.0
// Stands between a run and its observers, and lets through what belongs to one part of it, on each core its
// own, with times from that part's beginning on: observers hear of a run that begins at 0 with the release
// and ends with the last core.
#pragma once

#include <string_view>
#include <vector>

#include "mesh_sim/observe/observers.hpp"

namespace mesh {

class MeasuredPart final : public Observer {
 public:
  /// The part of that number, from 0 on: behind the call of the first name until the end of the next call of
  /// the second one, on each core. `told_by` tells this observer, and knows the numbers of calls.
  MeasuredPart(std::string_view begins_after, std::string_view ends_with, int number, int cores,
               Observers& told_by);

  /// Before this is added to those who are told: who hears of the part.
  void add(Observer& observer) { inner_.add(observer); }

  [[nodiscard]] EventMask wants() const override {
    return inner_.wanted() | EventMask::calls | EventMask::cores;
  }
  void call_begins(const Call& call) override;
  void call_ends(const Call& call) override;
  void message(const Message& message) override;
  void issued(const Access& access) override;
  void acted(const Access& access) override;
  void ended(const Access& access, Picoseconds begin) override;
  void wait_begins(const Wait& wait) override;
  void wait_ends(const Wait& wait) override;
  void served(const Service& service) override;

  // After the run:
  /// The end of a core's part, once it has left it; 0: it took no part.
  [[nodiscard]] Picoseconds end(int core) const noexcept {
    return cores_[static_cast<std::size_t>(core)].end;
  }
  /// Until the last core has.
  [[nodiscard]] Picoseconds end() const noexcept;

 private:
  struct PerCore {
    int number = -1;     ///< number of the part that has begun last
    bool between = true; ///< the next `begins_after` begins a part
    bool inside = false;
    Picoseconds end = 0;
  };
  [[nodiscard]] bool inside(int core) const noexcept {
    return core >= 0 && cores_[static_cast<std::size_t>(core)].inside;
  }
  [[nodiscard]] Access shifted(Access access) const noexcept;
  [[nodiscard]] Wait shifted(Wait wait) const noexcept;

  int begins_after_, ends_with_, wanted_;
  Picoseconds origin_ = -1; ///< the instant at which the part begins; -1: not yet
  std::vector<PerCore> cores_;
  Observers inner_;
};

} // namespace mesh
