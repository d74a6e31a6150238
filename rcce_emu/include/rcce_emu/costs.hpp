// Software costs of the RCCE library: core cycles spent in its own instructions, beside the memory accesses
// that the machine charges. Set in the section [rcce] of a machine file.
#pragma once

#include <string>

#include "mesh_sim/parameters.hpp"
#include "mesh_sim/units.hpp"
#include "rcce_emu/engine.hpp"

namespace rcce {

using mesh::Cycles;

/// Core cycles; one set per library generation.
struct GenerationCosts {
  Cycles call;          ///< per call of a public function; time queries and polling loops so make progress
  Cycles piece;         ///< per piece of a message, on each side
  Cycles padding;       ///< per piece that is no whole number of lines, on each side
  Cycles put;           ///< per RCCE_put
  Cycles get;           ///< per RCCE_get
  Cycles plain_call;    ///< further, per put or get with plain copies
  Cycles plain_padding; ///< further, per piece that is no whole number of lines, with plain copies
  Cycles flag_write;
  Cycles flag_read;
  Cycles flag_poll; ///< per round of a waiting loop, beside the read
  Cycles barrier;   ///< per barrier and member
  Cycles element;   ///< per element that a reduction combines
};

/// Core cycles of iRCCE's own instructions. It uses the flags of the RCCE below it at their cost, and copies of its own.
struct IrcceCosts {
  Cycles request;       ///< per non-blocking message: filling its request and entering a queue
  Cycles look;          ///< per look at a flag, beside the read
  Cycles queue;         ///< per receive queue that a push goes through, empty ones too
  Cycles piece;         ///< per piece of a message, on each side
  Cycles padding;       ///< per piece that is no whole number of lines, on each side
  Cycles put;           ///< per put
  Cycles get;           ///< per get
  Cycles tag;           ///< packing or unpacking what travels in a flag's line
  Cycles element;       ///< per element of a wait list that is tested
  Cycles backoff_first; ///< pauses between reads of the barrier's atomic counter
  Cycles backoff_last;
};

struct SoftwareCosts {
  SoftwareCosts();
  GenerationCosts rcce10;
  GenerationCosts rcce20;
  IrcceCosts ircce;
  /// Which copy routine RCCE_put and RCCE_get use: "own" (the generation's), "plain" or "prefetching".
  std::string copies = "own";
  /// The same of iRCCE, whose own prefetches.
  std::string ircce_copies = "own";

  /// The table of names, units and sources that machine files are read against.
  [[nodiscard]] mesh::ParameterTable parameters();
  [[nodiscard]] const GenerationCosts& of(unsigned generation) const {
    return generation < 20 ? rcce10 : rcce20;
  }
  /// The copy routine of a generation. Throws mesh::UserError when `copies` is none of the three words.
  [[nodiscard]] Copy copy_of(unsigned generation) const;
  [[nodiscard]] Copy ircce_copy() const;
};

} // namespace rcce
