// SPDX-License-Identifier: Apache-2.0
// What published point-to-point figures leave open about the thesis' chip, as variants of the machine; and
// how the thesis ran its three broadcasts on it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "common_options.hpp"
#include "lab.hpp"
#include "lab/messages.hpp"

namespace rccebench::thesis {

/// What a word costs that plain copies (RCCE 1.0) store.
enum class Stores : std::uint8_t {
  curve,    ///< as in the V1.0.13 ping-pong curve of the iRCCE manual: what the machine files have
  latencies ///< as the latencies of a read would have it: reference values of Intel, restated by
            ///< Sivaramakrishnan and others
};

struct Variant {
  const char* preset; ///< "scc" or "scc-fast"
  Stores stores;
  const char* frames; ///< "contiguous" or "random"
  /// What is changed of the machine besides, for what-if questions; outlives the variant. Null: nothing.
  const CommonOptions* changes = nullptr;

  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::shared_ptr<const Machine> machine() const;
};

/// All combinations, the best-argued first.
[[nodiscard]] std::span<const Variant> variants();

enum class Broadcast : std::uint8_t { rcce, cube, dopl };
[[nodiscard]] const char* algorithm_of(Broadcast what);

/// Who copies how. The thesis evidently used RCCE 1.0's copies for the cube and RCCE_bcast, and iRCCE's own
/// for DOPL.
enum class Copies : std::uint8_t { as_thesis, all_prefetching };

/// One run of the thesis: RCCE 1.0, 48 cores unless told, root 0, parts and pieces of its measurements (4096;
/// 8192 and 2048) unless told.
[[nodiscard]] Point run_of(const Variant& variant, Broadcast what, std::int64_t bytes, int cores = 48,
                           Copies copies = Copies::as_thesis, bool reads = true);

} // namespace rccebench::thesis
