// SPDX-License-Identifier: Apache-2.0
// Software costs of iRCCE, in the section [rcce] of machine files. It uses the flags of the RCCE below it at
// their cost, and copies of its own.
#pragma once

#include "rcce_emu/costs.hpp"

namespace rcce::ircce {

/// Core cycles of its own instructions.
struct IrcceCosts {
  Cycles request;       ///< per non-blocking message: filling its request and entering a queue
  Cycles look;          ///< per look at a flag, beside the read
  Cycles queue;         ///< per receive queue that a push goes through, empty ones too
  Cycles segment;       ///< per segment of a message, on each side
  Cycles padding;       ///< per segment that is no whole number of lines, on each side
  Cycles put;           ///< per put
  Cycles get;           ///< per get
  Cycles tag;           ///< packing or unpacking what travels in a flag's line
  Cycles element;       ///< per element of a wait list that is tested
  Cycles backoff_first; ///< pauses between reads of the barrier's atomic counter
  Cycles backoff_last;
};

/// iRCCE's part of a job's costs, and its copy routine.
[[nodiscard]] const IrcceCosts& costs_of(const SoftwareCosts& software);
[[nodiscard]] Copy copy_of(const SoftwareCosts& software);

} // namespace rcce::ircce
