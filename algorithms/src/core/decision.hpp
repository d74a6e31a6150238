// SPDX-License-Identifier: Apache-2.0
// What a call has come to: an algorithm, and the options to run it with. Who makes the same call again and
// again decides once.
#pragma once

#include "core/options.hpp"

namespace algorithms {

/// A UE's state of an algorithm.
struct State {
  Options options;
  bool prepared = false;
};

struct Decision {
  const rockcreek_algorithm* row = nullptr; ///< null: there is none
  State* state = nullptr;                   ///< the row's
  const char* options = nullptr;            ///< belongs to who has decided
};

/// Local; `decision` is an earlier one of the operation, or none. `name` may be "auto", whose decision holds
/// for calls of as many bytes with root 0 if `root` is 0, else for those with any other root; it has no row
/// where the table has none for this program. Returns RCCE_SUCCESS, or an error, said under the name of
/// `function`.
int decide(const char* function, rockcreek_operation operation, const char* name, const char* options,
           std::size_t bytes, int root, Decision& decision);

/// Collective: takes what the algorithm keeps for good, where it has not yet, and takes over the options.
int prepare(const char* function, const Decision& decision);

/// Collective, of a decision with a row, prepared: runs the call, of which all is filled in but algorithm and
/// values.
int run(const char* function, const Decision& decision, rockcreek_call& call);

} // namespace algorithms
