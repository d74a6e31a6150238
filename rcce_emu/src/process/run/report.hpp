// SPDX-License-Identifier: Apache-2.0
// What a run tells when something went wrong: who waits for whom and in which cycle, who crashed and where,
// who has not been heard of. Pure formatting over plain data; run_view.cpp gathers the data from a job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mesh_sim/units.hpp"

namespace mesh {
enum class CallTraits : std::uint8_t;
}

namespace rcce::run {

using mesh::Picoseconds;

/// A transfer that a UE has begun or completed.
struct TransferView {
  std::string call; ///< "RCCE_send", "RCCE_recv", ...; empty: none
  int peer = -1;
  std::size_t bytes = 0;
  Picoseconds begin = 0;     ///< clock at the start of the call
  Picoseconds end = 0;       ///< clock at its end, where it has ended
  bool untouched = false;    ///< known: no segment of it has arrived
  mesh::CallTraits traits{}; ///< traits of the call
};

struct UeView {
  enum class State {
    running, ///< can act, or is computing
    waiting, ///< asleep in a library call
    polling, ///< looks again and again at what stays as it is
    ended,
  };
  int rank = -1;
  int core = -1;
  int tile = -1;
  State state = State::running;
  Picoseconds clock = 0;
  std::string place;         ///< in the program, where that is known; "" otherwise
  std::string host_call;     ///< call of the host that it is asleep in, and its place; "" for none
  bool holds_thread = false; ///< asleep there on the thread that others need

  // where it is; empty call: in the program's own code
  TransferView activity;
  std::string flag;         ///< flag that it waits for: "sent", "ready", "gather", ...
  int flag_rank = -1;       ///< who writes it, where that is not the peer; its own rank: not known
  int flag_owner = -1;      ///< the rank whose buffer a polling UE reads; -1: not known
  bool for_good = true;     ///< true if it is certain, not only suspected, that a polling UE polls for good
  Picoseconds since = 0;    ///< clock when it began to wait
  bool or_later = false;    ///< it may have begun after that
  std::vector<int> members; ///< ranks of the group that it meets in a barrier; empty: none
  int missing = -1;         ///< the first of these that has not come; filled in by the report
  std::vector<std::string> awaited; ///< messages, where it waits for several
  bool awaits_any = false;          ///< one of these is enough
  std::vector<TransferView>
      posted_sends;   ///< unfinished ones of its non-blocking calls; filled in where it waits
  std::string unlike; ///< allocations that differ between UEs, which may be why it waits; "" for none
  std::string word;   ///< the word of an MPB that it waits for, where the program has chosen that, or counter
  int lock_core = -1; ///< core whose test-and-set register it waits for; -1: not a lock
  int lock_holder = -1; ///< rank that took it last, where known

  // the last transfers that it has completed
  TransferView last_send, last_receive;

  // where it has ended
  int status = 0;
  int signal = 0;
};

struct RunView {
  std::vector<UeView> ues; ///< by rank
  bool host_time = false;  ///< clocks are the host's
};

/// "12.345 us".
[[nodiscard]] std::string microseconds(Picoseconds time);
/// "ranks 1-46, 48": of ascending ranks.
[[nodiscard]] std::string rank_list(const std::vector<int>& ranks);
/// "rank 3 (core 03, tile 1)".
[[nodiscard]] std::string place_name(const UeView& ue);

/// Nobody can go on: each waiting UE, the cycle, mismatched sizes, peers that have ended.
[[nodiscard]] std::string deadlock_text(const RunView& run);
/// The same where all that are not asleep have been polling for long, and may go on by themselves after all.
[[nodiscard]] std::string suspicion_text(const RunView& run);
[[nodiscard]] std::string livelock_text(const RunView& run);
/// The two sides of a message with different sizes.
[[nodiscard]] std::string mismatch_text(int sender, std::size_t sent, int receiver, std::size_t received);
/// The state of all UEs when a run is broken off. `cause` completes "the run was ended by ...".
[[nodiscard]] std::string state_text(const RunView& run, const std::string& cause);

struct CrashView {
  UeView ue;
  std::string what;                ///< "segmentation fault: read of address 0x10, a null pointer"
  std::vector<std::string> places; ///< innermost first
  int signal = 0;
  bool ends_run = true;
};
[[nodiscard]] std::string crash_text(const CrashView& crash);

/// A UE that has not called the library for `host_seconds`.
[[nodiscard]] std::string silence_text(const UeView& ue, int host_seconds, const std::string& place,
                                       bool loops_yield);

/// A UE that has been asleep in a call of the host so long, where all share a thread. `call`: with its place.
[[nodiscard]] std::string standstill_text(const UeView& ue, int host_seconds, const std::string& call);

/// The name of a signal for readers: "segmentation fault".
[[nodiscard]] std::string signal_name(int signal);

} // namespace rcce::run
