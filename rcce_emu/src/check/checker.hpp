// SPDX-License-Identifier: Apache-2.0
// `rccerun --check mpb`: watches how a job uses its message-passing buffers (MPBs). One object per job. It is
// an observer of the run (mesh_sim/observe/observer.hpp), which hears of accesses from the machine and of
// facts (allocations, flags, collectives, requests) from the library. It changes neither results nor
// simulated times.
//
// What it sees are accesses through the library, and the own loads and stores of programs that are compiled
// by rccecc --observe. Those of others go past it, except what rcce_touch declares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/blocks.hpp"
#include "check/cached_lines.hpp"
#include "check/clocks.hpp"
#include "check/collective_order.hpp"
#include "check/findings.hpp"
#include "check/flag_lives.hpp"
#include "check/lines.hpp"
#include "check/signals.hpp"
#include "mesh_sim/observe/observer.hpp"
#include "rcce_emu/engine.hpp"

namespace rcce {
class Job;
} // namespace rcce

namespace rcce::check {

/// Bytes of the MPB of a core, or of shared memory.
struct MpbRange {
  int core = -1;
  std::size_t offset = 0, bytes = 0;
};

class Checker final : public mesh::Observer {
 public:
  /// Of a job that has its UEs and has not begun to run.
  explicit Checker(Job& job);

  // --- what the run tells: checker_events.cpp -------------------------------------------------------------
  [[nodiscard]] mesh::EventMask wants() const override {
    return mesh::EventMask::issues | mesh::EventMask::acts | mesh::EventMask::ends | mesh::EventMask::own |
        mesh::EventMask::facts;
  }
  void issued(const mesh::Access& access) override;
  void acted(const mesh::Access& access) override;
  void ended(const mesh::Access& access, Picoseconds begin) override;
  void touched(const mesh::Touch& touch) override;
  void looped(int core, Picoseconds at) override;

  void fact(const mesh::Fact& fact) override; // checker_facts.cpp

  /// What the user has to know of what is not seen; "" where there is nothing.
  [[nodiscard]] std::string unseen() const;
  /// The run is over; these cores wait for good.
  void ends(const std::vector<BlockedCore>& blocked);

  [[nodiscard]] Findings& findings() noexcept { return findings_; }

 private:
  // --- facts of the library -------------------------------------------------------------------------------
  void hear(const Ue& ue, const mesh::MemoryFact& memory);
  void hear(const Ue& ue, const mesh::FlagFact& flag);
  void hear(const Ue& ue, const mesh::ReceiveFact& receive);
  void hear(const Ue& ue, const mesh::CollectiveFact& call);
  void hear(const Ue& ue, const mesh::ProgramFact& program);
  void hear(const Ue& ue, const mesh::PlainAccess& access); // checker_plain.cpp

  /// Words of the program that say which addresses it tells of.
  struct Watched {
    unsigned long *begin = nullptr, *bytes = nullptr;
  };
  void observes(const Ue& ue, const Watched& watched);
  /// The program's own waiting loop went round: what ends it may have come past the machine.
  void spun(const Ue& ue) {
    if (!observed_) clocks_.acquire_all(rank_of(ue));
  }
  void drops_lines(const Ue& ue) { cached_.dropped(rank_of(ue)); }
  /// Until the matching call the lock and the other bits of the word order nothing.
  void begins_bits(const Ue& ue, int core, std::size_t word, std::uint32_t bits);
  void ends_bits(const Ue& ue);
  void allocated(const Ue& ue, std::size_t offset, std::size_t bytes, Block::Kind kind);
  void released(const Ue& ue, std::size_t offset);
  void shared_allocated(const Ue& ue, std::size_t offset, std::size_t bytes);
  void shared_released(const Ue& ue, std::size_t offset);
  void region_managed(const Ue& ue, std::size_t offset, std::size_t bytes);
  void becomes_flags(const Ue& ue, std::size_t line);
  void payload_at(const Ue& ue, std::size_t offset, std::size_t bytes);
  void awaits(const Ue& ue, const void* request, const std::byte* buffer, std::size_t bytes,
              const Side& posted);
  void arrived(const Ue& ue, const void* request);
  void flag_allocated(const Ue& ue, const void* object, std::size_t offset, std::uint32_t mask);
  void flag_freed(const Ue& ue, const void* object, std::size_t offset, std::uint32_t mask);
  void flag_used(const Ue& ue, int core, std::size_t offset, std::uint32_t mask, bool waits);
  void flag_seen(const Ue& ue, int core, std::size_t offset, std::uint32_t mask);
  void flag_refused(const Ue& ue, const void* object);

  // --- accesses -------------------------------------------------------------------------------------------
  /// A copy into an MPB begins.
  void copies_to(const Ue& ue, const MpbRange& to, const void* source);
  /// A copy out of an MPB begins and has ended.
  void copies_from(const Ue& ue, const MpbRange& from);
  void copied_from(const Ue& ue, const MpbRange& from, const std::byte* values);
  /// The same, to any memory.
  void gets(const Ue& ue, const MpbRange& from, const void* target);
  /// A store of at most a line; `mask`: the bits of each byte that it changes.
  void stores(const Ue& ue, const MpbRange& to, const std::byte* values, std::uint8_t mask);
  void loads(const Ue& ue, const MpbRange& from);
  void loaded(const Ue& ue, const MpbRange& from, const std::byte* values);
  /// A wait has ended that watched these bits of a word.
  void waited(const Ue& ue, const MpbRange& word, std::uint32_t mask);
  void lock_taken(const Ue& ue, int core);
  void lock_released(const Ue& ue, int core);
  /// Before the counter is incremented (`replaced`: or written), and after its value has come back.
  void counter_changes(const Ue& ue, int counter, bool replaced);
  void counter_seen(const Ue& ue, int counter);
  /// The program says that it reads or writes memory by itself.
  void touches(const Ue& ue, const void* memory, std::size_t bytes, bool write);

  /// Bits that are being changed under a lock.
  struct Bits {
    bool on = false;
    std::size_t place = 0; ///< of the word
    std::uint32_t mask = 0;
  };

  struct Receive {
    const void* request;
    const std::byte* buffer;
    std::size_t bytes;
    Side posted;
  };
  /// What a single store leaves, for the comparison with others.
  struct Stored {
    const std::byte* values = nullptr; ///< null: not known
    std::uint8_t mask = 0xff;          ///< bits of each byte
    bool silent = false;
  };

  /// Two stores of the program's own, which are no mistake where a loop asks for the word: it may be how UEs
  /// agree.
  struct Stores {
    std::size_t line; ///< place of its first byte
    std::uint32_t bytes;
    Side first, second;
  };

  [[nodiscard]] const Ue& ue_on(int core) const;
  [[nodiscard]] static int rank_of(const Ue& ue);
  [[nodiscard]] static std::size_t index_of(const Ue& ue) { return static_cast<std::size_t>(rank_of(ue)); }
  [[nodiscard]] std::optional<MpbRange> place_of(const void* address, std::size_t bytes) const;
  [[nodiscard]] std::size_t byte_of(int core, std::size_t offset) const {
    return static_cast<std::size_t>(core == shared_memory ? engine_.cores() : core) * mpb_bytes_ + offset;
  }
  [[nodiscard]] Side side_at(const Ue& ue, const MpbRange& range) const;
  [[nodiscard]] bool flag_line(const Ue& ue, int core, std::size_t offset) const;
  [[nodiscard]] const std::byte* memory_of(const MpbRange& range) const;
  void note(const Ue& ue, const MpbRange& range, bool write, bool single, const Stored& stored,
            std::uintptr_t code);
  void note(const Ue& ue, const MpbRange& range, bool write, bool single) {
    note(ue, range, write, single, {}, 0);
  }
  void plain_write(const Ue& ue, const MpbRange& range, const mesh::PlainAccess& access);
  void tell_stores();
  void check_freed(const Ue& ue, const MpbRange& range, std::uintptr_t code);
  void check_receives(const Ue& ue, const void* memory, std::size_t bytes, std::uintptr_t code);
  void tell_wrong_free(const Blocks& blocks, std::size_t offset, const Side& side);
  void check_blocks(const Ue& ue, const MpbRange& to);
  bool check_block(const Ue& ue, const MpbRange& to, int owner);
  void see(const Ue& ue, const MpbRange& from, const std::byte* values, std::span<const std::uint8_t> masks);
  void order(const Ue& ue, const Snapshot& seen) { clocks_.acquire(rank_of(ue), seen); }

  Job& job_;
  Engine& engine_;
  std::size_t mpb_bytes_;
  std::uintptr_t first_mpb_;
  Clocks clocks_;
  Signals signals_;
  Lines lines_;
  CachedLines cached_;
  FlagLives flags_;
  CollectiveOrder collectives_;
  Findings findings_;
  bool observed_ = false, pointers_ = false;
  std::vector<Stores> stores_; ///< of different values in no order
  /// By place of the line: bytes that loops ask for, and that are read to be used; never walked.
  std::unordered_map<std::size_t, std::uint32_t> looked_at_, used_;
  std::vector<Watched> watched_;                              ///< by rank
  std::vector<std::vector<Receive>> receives_;                ///< by rank: not finished
  std::vector<Blocks> blocks_;                                ///< by core
  std::vector<Blocks> shared_blocks_;                         ///< by rank
  std::vector<Snapshot> locks_;                               ///< by core
  std::unordered_map<int, Snapshot> counters_;                ///< never walked
  std::vector<Bits> bits_;                                    ///< by rank
  std::vector<bool> clearing_;                                ///< by rank
  std::map<std::pair<int, const void*>, Side> freed_objects_; ///< by rank and flag object; never walked
};

} // namespace rcce::check
