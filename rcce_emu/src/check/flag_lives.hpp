// SPDX-License-Identifier: Apache-2.0
// Which flags have been freed, by whom, and who else still uses them. A flag is a place in one UE's
// message-passing buffer (MPB); each UE frees its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "check/clocks.hpp"
#include "check/findings.hpp"

namespace rcce::check {

/// A flag in the MPB of a core.
struct FlagPlace {
  int core = -1;
  std::size_t offset = 0;
  std::uint32_t mask = 0;
  friend auto operator<=>(const FlagPlace&, const FlagPlace&) = default;
};

class FlagLives {
 public:
  struct Use {
    int ue;
    Epoch epoch;
    Side side;
    bool waits; ///< is asleep on it at this moment
  };

  void allocated(const FlagPlace& flag) { flags_.erase(flag); }
  /// Uses by other UEs that nothing orders before the owner's free.
  [[nodiscard]] std::vector<Use> freed(const FlagPlace& flag, int owner, const Side& side,
                                       const Clocks& clocks);
  /// Takes note of a use; the free that it comes after, if there is one.
  [[nodiscard]] std::optional<Side> used(const FlagPlace& flag, const Use& use);
  /// The UE's use is over that was noted as waiting.
  void woken(const FlagPlace& flag, int ue, Epoch epoch);
  /// Who have freed the flag at this place of other buffers than that of `core`.
  [[nodiscard]] std::vector<Side> freed_by_others(int core, std::size_t offset, std::uint32_t mask) const;

 private:
  struct Life {
    std::optional<Side> freed;
    std::vector<Use> uses; ///< the last one of each UE
  };
  std::map<FlagPlace, Life> flags_;
};

} // namespace rcce::check
