// SPDX-License-Identifier: Apache-2.0
// What published point-to-point figures leave open about the chip of the SCC broadcast thesis, as variants of
// the machine.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "command_line/common_options.hpp"
#include "lab.hpp"

namespace rccebench::measuring {

/// The cost of a word that plain copies (RCCE 1.0) store.
enum class Stores : std::uint8_t {
  curve,     ///< as in the V1.0.13 ping-pong curve of the iRCCE manual: what the machine files have
  latencies, ///< as the latencies of a read would have it: reference values of Intel, restated by
             ///< Sivaramakrishnan and others
  fitted     ///< as `rccebench calibrate` finds them by six cells of the thesis
};

struct ChipVariant {
  std::string preset; ///< "scc" or "scc-fast"
  Stores stores;
  std::string frames; ///< "contiguous" or "random"

  [[nodiscard]] std::string name() const;
  /// With what is changed of the machine besides, for what-if questions.
  [[nodiscard]] std::shared_ptr<const Machine> machine(const CommonOptions& changes) const;
};

/// The word for it: "curve", "latencies", "fitted".
[[nodiscard]] const char* name(Stores stores) noexcept;
/// Throws mesh::UserError for another word.
[[nodiscard]] Stores stores_of(const std::string& word);

/// All combinations of clocks, frames and unfitted stores, the best-argued first: "A" to "H"; then "I", the
/// first one with fitted stores.
[[nodiscard]] std::span<const ChipVariant> chip_variants();

} // namespace rccebench::measuring
