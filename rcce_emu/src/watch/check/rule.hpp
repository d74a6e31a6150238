// SPDX-License-Identifier: Apache-2.0
// A rule of `--check mpb`: a mistake that programs make with message-passing buffers (MPBs), and how it
// shows. NAME_rule.cpp has the rule and its state; the list at the end has a row for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/ue/ue.hpp"
#include "mesh_sim/observe/call_traits.hpp"
#include "mesh_sim/observe/facts.hpp"
#include "watch/check/checked_job.hpp"

namespace rcce::check {

/// The bytes that a store leaves.
struct Contents {
  const std::byte* bytes = nullptr; ///< null: each byte is `filled`
  std::byte filled{};
  std::uint8_t mask = 0xff; ///< bits of each byte that are stored
  bool known = false;
  bool compared = false; ///< another's store of other values contradicts it

  [[nodiscard]] std::byte operator[](std::size_t i) const { return bytes != nullptr ? bytes[i] : filled; }
};

/// A UE begins to read or write bytes of an MPB or of shared memory.
struct Use {
  enum class By : std::uint8_t {
    copy,  ///< a call of the library's
    line,  ///< a load or store of the library's, of at most a line
    touch, ///< bytes that the program names by rcce_touch
    plain, ///< the program's own load or store
  };
  const Ue& ue;
  MpbRange range;
  By by = By::copy;
  bool write = false;
  bool single = false; ///< acts at once, as far as it is of one line
  bool asks = false;   ///< to decide something by what it finds
  bool clears = false; ///< lines of flags, which is the library's own business
  Contents values = {};
  std::uintptr_t code = 0; ///< place in the program file; 0: not known
};

[[nodiscard]] inline std::size_t index_of(const Ue& ue) {
  return static_cast<std::size_t>(ue.rank);
}

class Rule {
 public:
  explicit Rule(CheckedJob& job) : job_(job) {}
  virtual ~Rule() = default;
  Rule(const Rule&) = delete;
  Rule& operator=(const Rule&) = delete;

  virtual void used(const Use&) {}
  /// A UE begins to read its own memory, or to copy from any.
  virtual void reads(const Ue& /*ue*/, const std::byte* /*memory*/, std::size_t /*bytes*/,
                     std::uintptr_t /*code*/) {}
  /// The UE has taken the lock of a core, or releases it.
  virtual void lock(const Ue&, int /*core*/, bool /*taken*/) {}
  /// The MPB's lines leave the UE's cache.
  virtual void drops_lines(const Ue&) {}

  // Facts of the library, before CheckedJob takes them in.
  virtual void memory(const Ue&, const mesh::MemoryFact&) {}
  /// Not of changes under a lock, nor of lines that the library clears.
  virtual void flag(const Ue&, const mesh::FlagFact&) {}
  virtual void receive(const Ue&, const mesh::ReceiveFact&) {}
  virtual void collective(const Ue&, const mesh::CollectiveFact&) {}
  virtual void program(const Ue&, const mesh::ProgramFact&) {}

  /// The run is over; these cores wait for good.
  virtual void ends(std::span<const BlockedCore>) {}

 protected:
  CheckedJob& job_;
};

using MakeRule = std::unique_ptr<Rule> (*)(CheckedJob& job);
template <class One>
std::unique_ptr<Rule> make(CheckedJob& job) {
  return std::make_unique<One>(job);
}

/// All rules, in the order in which they hear of an event: NAME_rule.cpp defines NAME_rule.
#define ROCKCREEK_RULES(row)                                                                            \
  row(unfinished_receives) row(freed_memory) row(overruns) row(stale_lines) row(races) row(freed_flags) \
      row(collective_order) row(locks) row(unlike_blocks)

#define ROCKCREEK_DECLARE_RULE(name) extern const MakeRule name##_rule;
ROCKCREEK_RULES(ROCKCREEK_DECLARE_RULE)
#undef ROCKCREEK_DECLARE_RULE

} // namespace rcce::check
