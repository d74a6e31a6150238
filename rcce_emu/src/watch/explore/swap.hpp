// SPDX-License-Identifier: Apache-2.0
// Finds where two runs of a program part: the first two conflicting accesses that acted in the one order in
// one run and in the other order in the other.
#pragma once

#include <optional>
#include <string>

#include "mesh_sim/kernel/hold.hpp"
#include "watch/explore/record.hpp"

namespace rcce::explore {

/// Two accesses whose order differs. In the reference run `first` acted before `second`; in the other run it
/// acted after it, or not at all.
struct Swap {
  const TracedAccess* first = nullptr;
  const TracedAccess* second = nullptr;
  const TracedAccess* first_in_other = nullptr; ///< null: it did not come about
  const TracedAccess* second_in_other = nullptr;
};

/// The swap whose second access acted first in the other run. Both have traces.
[[nodiscard]] std::optional<Swap> find_swap(const RunRecord& run, const RunRecord& other);

/// The two accesses of an order that the other run was made with; nothing where `run` does not have both.
[[nodiscard]] std::optional<Swap> swap_of(const mesh::Hold& order, const RunRecord& run,
                                          const RunRecord& other);

/// For people; `run` is the one that was compared with; its name and the other's.
[[nodiscard]] std::string swap_text(const Swap& swap, const RunRecord& run, const std::string& run_name,
                                    const std::string& name);

} // namespace rcce::explore
