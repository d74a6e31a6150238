// SPDX-License-Identifier: Apache-2.0
// Message-passing buffers (MPBs), registers and counters whose cores live in processes. On one host they lie
// in shared memory and are accessed as the threads engine does (atomic_line.hpp). On another host they are
// reached through the transport. Knows no time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/mpi/account.hpp"
#include "engine/mpi/outside.hpp"
#include "engine/mpi/transport.hpp"
#include "engine/mpi/writes.hpp"
#include "mesh_sim/machines/scc/costs.hpp"

namespace rcce::mpi {

class Fabric {
 public:
  /// `cores`: by rank, ascending; `more_bytes`: of each host's memory, for whoever uses it. Takes the place
  /// of the buffers and shared memory of `costs`.
  Fabric(Transport& transport, mesh::SccCosts& costs, std::vector<int> cores, const StepOutside& outside,
         std::size_t more_bytes);

  [[nodiscard]] int rank() const noexcept { return transport_.rank(); }
  [[nodiscard]] int processes() const noexcept { return transport_.processes(); }
  [[nodiscard]] bool one_host() const noexcept { return one_host_; }
  /// True if the process of that rank shares this host's memory.
  [[nodiscard]] bool is_here(int rank) const noexcept { return here_[static_cast<std::size_t>(rank)] != 0; }
  /// -1: no UE runs there.
  [[nodiscard]] int rank_of(int core) const noexcept { return ranks_[static_cast<std::size_t>(core)]; }
  [[nodiscard]] int core_of(int rank) const noexcept { return cores_[static_cast<std::size_t>(rank)]; }
  /// The rank of a core; throws UserError if no UE runs there.
  [[nodiscard]] int rank_with(int core) const;

  [[nodiscard]] std::byte* mpb(int core) const noexcept {
    return memory_.data() + place(core, 0);
  } ///< the buffer of a core of this host
  [[nodiscard]] std::size_t mpb_bytes() const noexcept { return mpb_bytes_; }
  void put(int core, std::size_t offset, const void* source, std::size_t bytes);
  void get(void* target, int core, std::size_t offset, std::size_t bytes);
  /// At most one line.
  void store(int core, std::size_t offset, const void* data, std::size_t bytes);
  void load(int core, std::size_t offset, void* data, std::size_t bytes);
  /// Replaces the bits of `mask` in one byte.
  void update(int core, std::size_t offset, std::uint8_t mask, std::uint8_t value);
  [[nodiscard]] std::uint32_t word(int core, std::size_t offset, std::size_t bytes);
  /// Index of the first look whose condition holds now; looks.size() where none does.
  [[nodiscard]] std::size_t first_met(int core, std::span<const PollTarget> looks);

  [[nodiscard]] bool lock_try(int core);
  void unlock(int core);
  /// Throws UserError for a number out of range.
  std::uint32_t counter_add(int number, std::uint32_t summand);
  std::uint32_t counter_exchange(int number, std::uint32_t value);
  [[nodiscard]] std::uint32_t counter(int number);

  // --- the memory of a process' host, by byte offset -------------------------------------------------------
  /// Offset of the further bytes, a multiple of 64.
  [[nodiscard]] std::size_t more_at() const noexcept { return more_at_; }
  /// Null where that is another host.
  [[nodiscard]] std::byte* here(int rank, std::size_t at) const noexcept {
    return is_here(rank) ? memory_.data() + at : nullptr;
  }
  void read(int rank, std::size_t at, void* to, std::size_t bytes);
  void write(int rank, std::size_t at, const void* from, std::size_t bytes);
  /// The same bytes to several places of another host.
  void write_each(int rank, std::span<const std::size_t> at, const void* from, std::size_t bytes);
  // Words, atomic among each other. Return the word as it was.
  std::uint32_t compare_and_swap(int rank, std::size_t at, std::uint32_t expected, std::uint32_t wanted);
  std::uint32_t fetch_and_add(int rank, std::size_t at, std::uint32_t summand);
  std::uint32_t exchange(int rank, std::size_t at, std::uint32_t value);
  [[nodiscard]] std::uint32_t fetch(int rank, std::size_t at);

  [[nodiscard]] Slot& own() noexcept { return slots_[transport_.rank()]; }
  /// Those of the processes of a job on one host, by rank; they live as long as the transport.
  [[nodiscard]] std::span<Slot> slots() noexcept { return {slots_, static_cast<std::size_t>(processes())}; }
  /// A copy of a process' slot.
  [[nodiscard]] Slot slot(int rank);
  /// The own Slot::sent is for `peer` (a rank, or Outgoing::to_all): on another host it has to lie there
  /// before the flag of the message does.
  void tell_sent(int peer);
  /// The description of the message that a process sends to this one.
  [[nodiscard]] const Sent& sent_by(int rank) const noexcept {
    return is_here(rank) ? slots_[rank].sent : inbox()[rank];
  }
  void set_stop(int rank, std::uint32_t value);
  void set_lock_holder(int rank, int holder);
  /// 0: the run goes on.
  [[nodiscard]] std::uint32_t stop() const noexcept;
  /// Another UE takes part in nothing any more; returns how many have been before.
  std::uint32_t count_departure();
  /// So many have.
  [[nodiscard]] std::uint32_t departures() { return fetch(0, slot_place(0, offsetof(Slot, departed))); }

  /// Between two looks of somebody who waits, `looks` of them in vain.
  void pause(unsigned looks);
  /// Gives the processor away where others of the job want it.
  void give_way();
  /// Lets others' accesses come through, and one message; whether one has.
  bool progress();
  /// Returns when what this process has written has arrived.
  void settle();
  // Outside the context of a UE, by all processes.
  void barrier();
  [[nodiscard]] std::vector<std::string> gather(std::string own);

 private:
  [[nodiscard]] std::size_t place(int core, std::size_t offset) const noexcept {
    return static_cast<std::size_t>(core) * mpb_bytes_ + offset;
  }
  [[nodiscard]] std::size_t slot_place(int rank, std::size_t field) const noexcept {
    return slots_at_ + static_cast<std::size_t>(rank) * sizeof(Slot) + field;
  }
  /// Offset of what processes of other hosts send to that of `rank`, ordered by their ranks.
  [[nodiscard]] std::size_t inbox_place(int rank) const noexcept {
    return inboxes_at_ + static_cast<std::size_t>(inbox_of_[static_cast<std::size_t>(rank)]) * inbox_bytes();
  }
  [[nodiscard]] std::size_t inbox_bytes() const noexcept {
    return static_cast<std::size_t>(processes()) * sizeof(Sent);
  }
  [[nodiscard]] const Sent* inbox() const noexcept {
    return reinterpret_cast<const Sent*>(memory_.data() + inbox_place(rank()));
  }
  struct Counter {
    int rank;
    std::size_t at;
  };
  [[nodiscard]] Counter counter_place(int number) const;
  void set_field(int rank, std::size_t field, std::uint32_t value);
  [[nodiscard]] std::atomic_ref<std::uint32_t> word_at(std::size_t at) const noexcept {
    return std::atomic_ref(*reinterpret_cast<std::uint32_t*>(memory_.data() + at));
  }

  /// To another host.
  void write_there(int rank, std::size_t at, const void* from, std::size_t bytes);
  void read_there(int rank, std::size_t at, void* to, std::size_t bytes);
  /// access(transport), which touches a word of any host.
  template <class Access>
  std::uint32_t atomically(Access&& access);
  /// This process has seen the word of a buffer that lies there, or what lies in no buffer.
  void has_seen(std::optional<std::size_t> at = std::nullopt);
  /// A word of the buffer of a process of this host is about to be set.
  void before_flag_here(int rank);

  Transport& transport_;
  const StepOutside outside_;
  const std::vector<int> cores_;
  std::vector<int> ranks_;    ///< by core
  std::vector<char> here_;    ///< by rank: whether it shares this host's memory
  std::vector<int> inbox_of_; ///< by rank: number of its inbox among those of its host
  const bool one_host_;
  const std::size_t mpb_bytes_;
  std::size_t slots_at_ = 0, counters_at_ = 0, more_at_ = 0, inboxes_at_ = 0;
  int counters_;
  std::span<std::byte>
      memory_; ///< memory of this host: MPBs by core, shared memory, slots by rank, counters, more, inboxes
  std::unique_ptr<Writes> writes_; ///< null where there is one host
  Slot* slots_ = nullptr;
  std::uint32_t set_by_neighbours_ = 0; ///< Slot's, when this process looked at it last
  bool has_put_ = false;                ///< into buffers of others, since it last had it arrive
  bool crowded_ = false;                ///< more processes of this host than processors
};

} // namespace rcce::mpi
