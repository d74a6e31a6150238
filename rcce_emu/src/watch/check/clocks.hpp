// SPDX-License-Identifier: Apache-2.0
// Who knows of whose past: a vector clock per UE. A UE's own entry counts its releases (writes that others
// may see); an access of another UE is ordered before what it does now if its entry for that UE is larger
// than the epoch of the access, or equal. Nothing here depends on how long anything took.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace rcce::check {

using Epoch = std::uint32_t;
using Snapshot = std::shared_ptr<const std::vector<Epoch>>; ///< null: of nobody

class Clocks {
 public:
  explicit Clocks(int ues)
      : clocks_(static_cast<std::size_t>(ues), std::vector<Epoch>(static_cast<std::size_t>(ues), 0)) {
    for (std::size_t ue = 0; ue < clocks_.size(); ++ue) clocks_[ue][ue] = 1;
  }

  /// The epoch of what the UE does now.
  [[nodiscard]] Epoch now(int ue) const { return of(ue)[static_cast<std::size_t>(ue)]; }
  /// Is what `other` did at that epoch ordered before what `ue` does now?
  [[nodiscard]] bool ordered(int other, Epoch epoch, int ue) const {
    return epoch <= of(ue)[static_cast<std::size_t>(other)];
  }

  /// The knowledge that this release passes to whoever sees it. A new epoch begins.
  [[nodiscard]] Snapshot release(int ue) {
    std::vector<Epoch>& own = of(ue);
    auto snapshot = std::make_shared<const std::vector<Epoch>>(own);
    ++own[static_cast<std::size_t>(ue)];
    return snapshot;
  }
  /// The same, beside what others have left there.
  [[nodiscard]] Snapshot release_beside(int ue, const Snapshot& there) {
    if (there == nullptr) return release(ue);
    auto both = std::make_shared<std::vector<Epoch>>(*release(ue));
    join(*both, *there);
    return both;
  }
  void acquire(int ue, const Snapshot& seen) {
    if (seen != nullptr) join(of(ue), *seen);
  }
  /// The UE has been told something that went past the machine, nobody knows by whom: all that has been done
  /// so far counts as ordered before it.
  void acquire_all(int ue) {
    for (std::size_t other = 0; other < clocks_.size(); ++other) {
      if (other == static_cast<std::size_t>(ue)) continue;
      join(of(ue), clocks_[other]);
      ++clocks_[other][other];
    }
  }

 private:
  [[nodiscard]] std::vector<Epoch>& of(int ue) { return clocks_[static_cast<std::size_t>(ue)]; }
  [[nodiscard]] const std::vector<Epoch>& of(int ue) const { return clocks_[static_cast<std::size_t>(ue)]; }
  static void join(std::vector<Epoch>& into, const std::vector<Epoch>& from) {
    for (std::size_t i = 0; i < into.size(); ++i)
      if (from[i] > into[i]) into[i] = from[i];
  }

  std::vector<std::vector<Epoch>> clocks_;
};

} // namespace rcce::check
