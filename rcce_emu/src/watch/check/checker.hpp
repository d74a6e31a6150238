// SPDX-License-Identifier: Apache-2.0
// `rccerun --check mpb`: watches how a job uses its message-passing buffers (MPBs). One object per job. It is
// an observer of the run (mesh_sim/observe/observer.hpp), which hears of accesses from the machine and of
// facts (allocations, flags, collectives, requests) from the library. It makes one kind of event of both,
// which all rules hear (watch/check/rule.hpp). It changes neither results nor simulated times.
//
// What it sees are accesses through the library, and the own loads and stores of programs that are compiled
// by rccecc --observe. Those of others go past it, except what rcce_touch declares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mesh_sim/observe/observer.hpp"
#include "watch/check/rule.hpp"

namespace rcce::check {

class Checker final : public mesh::Observer {
 public:
  /// `job` has its UEs and has not begun to run.
  explicit Checker(Job& job);

  [[nodiscard]] mesh::EventMask wants() const override {
    return mesh::EventMask::issues | mesh::EventMask::acts | mesh::EventMask::ends | mesh::EventMask::own |
        mesh::EventMask::facts;
  }
  void issued(const mesh::Access& access) override;
  void acted(const mesh::Access& access) override;
  void ended(const mesh::Access& access, Picoseconds begin) override;
  void touched(const mesh::Touch& touch) override;
  void looped(int core, Picoseconds at) override;
  void fact(const mesh::Fact& fact) override;

  /// A line for the user about accesses that are not seen; "" if all are seen.
  [[nodiscard]] std::string unseen() const;
  /// The run is over; these cores wait for good.
  void ends(const std::vector<BlockedCore>& blocked);

  [[nodiscard]] Findings& findings() noexcept { return job_.findings; }

 private:
  void hear(const Ue& ue, const mesh::MemoryFact& memory);
  void hear(const Ue& ue, const mesh::FlagFact& flag);
  void hear(const Ue& ue, const mesh::ReceiveFact& receive) {
    receives_ = true;
    tell(&Rule::receive, ue, receive);
  }
  void hear(const Ue& ue, const mesh::CollectiveFact& call) { tell(&Rule::collective, ue, call); }
  void hear(const Ue& ue, const mesh::ProgramFact& program);
  void hear(const Ue& ue, const mesh::PlainAccess& access);

  template <class... As, class... Values>
  void tell(void (Rule::*event)(As...), const Values&... values) {
    for (const auto& rule : rules_) (rule.get()->*event)(values...);
  }
  void use(const Use& use);
  /// Stores at one moment, each of one line or a plain one, by which others may learn what the UE knows.
  void store(const Ue& ue, std::span<const Use> parts);
  void copies(const Ue& ue, const MpbRange& range, bool write);
  void stores(const Ue& ue, const MpbRange& to, const std::byte* values, std::uint8_t mask);
  void loads(const Ue& ue, const MpbRange& from);
  void waited(const Ue& ue, const MpbRange& word, std::uint32_t mask);
  void spun(const Ue& ue);
  [[nodiscard]] const Ue& ue_on(int core) const;

  /// Bits of a word that are being changed under a lock.
  struct ChangingBits {
    bool on = false;
    std::size_t place = 0; ///< place of the word
    std::uint32_t mask = 0;
  };

  CheckedJob job_;
  std::vector<std::unique_ptr<Rule>> rules_;
  std::vector<ChangingBits> changing_; ///< by rank: the lock and the other bits of the word order nothing
  std::vector<bool> clearing_;         ///< by rank
  bool receives_ = false;              ///< it has posted some
  bool pointers_ = false;              ///< the program has some to what the checker watches
};

} // namespace rcce::check
