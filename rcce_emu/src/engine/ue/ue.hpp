// SPDX-License-Identifier: Apache-2.0
// One unit of execution (UE): a program image running on a core. Ties together the core, the image and the
// two per-UE states: that of the RCCE library (protocol/) and that of the C library and process (libc/).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/ue/buffer_lines.hpp"
#include "engine/ue/polling.hpp"
#include "rcce_emu/engine.hpp"
#include "rcce_emu/image.h"

namespace mesh {
class KnownLines;
class Observers;
struct AccessStream;
struct LibraryTimes;
struct PolledWord;
enum class CallTraits : std::uint8_t;
} // namespace mesh

namespace rcce {

class Job;

namespace process {
struct Process; // heap, argv, atexit list, errno, output lines: process/process.hpp
}

/// The activity of a UE inside the library; written at the start of each call, read by reports only.
struct Activity {
  const char* call = nullptr; ///< name of the public function, null outside the library
  int peer = -1;              ///< rank, -1 for none
  std::size_t bytes = 0;      ///< total bytes of the message, 0 where there is none
  const char* flag = nullptr; ///< flag that it waits for: "sent", "ready", "gather", "release", "lock", ...
  int flag_rank = -1;         ///< whose flag, where that is not the peer's
  Picoseconds since = 0;      ///< clock at the start of the call
  bool untouched = false;     ///< known: no segment of the message has arrived
  mesh::CallTraits traits{};  ///< traits of the call; of a collective one, with its present message
  void* group = nullptr;      ///< the program's communicator whose members it waits for, in a barrier
  const Activity* outer = nullptr; ///< that of the call which has made this one
};

/// A UE's side of a message that has begun and not ended.
struct OpenMessage {
  bool sends = false; ///< else it receives
  int peer = -1;      ///< rank; -1: any
  std::size_t bytes = 0;
  Picoseconds begin = 0;
  const char* call = nullptr; ///< that has begun it
};

/// The transfer that a UE has completed last; written at the end of send and receive, read by reports only,
/// which name a size mismatch by it.
struct Completed {
  const char* call = nullptr;
  int peer = -1;
  std::size_t bytes = 0;
  Picoseconds begin = 0;
  Picoseconds end = 0;
};

/// The library of a UE (protocol/library), as reports and the UE's end know it.
class UeLibrary {
 public:
  virtual ~UeLibrary() = default;
  /// Several messages that the UE waits for, each in words; empty where it waits for one or none.
  [[nodiscard]] virtual std::vector<std::string> awaited() const = 0;
  [[nodiscard]] virtual bool awaits_any() const = 0; ///< one of these is enough
  /// Those of its non-blocking calls.
  [[nodiscard]] virtual std::vector<OpenMessage> open_messages() const = 0;
  /// Ranks of the members of one of the program's communicators, ascending.
  [[nodiscard]] virtual std::vector<int> members(void* communicator) const = 0;
  /// In words, where UEs have allocated different things in their buffers, which may be why it waits.
  [[nodiscard]] virtual std::string unlike_allocations() const = 0;
  /// The program's own loop has looked at memory `rounds` times, as Core::spin() has it.
  virtual void looked_at_memory(unsigned rounds) = 0;
  /// The program's own loop has looked at these words, goes round, and does nothing else; `reads` of them a
  /// round, as looked_at_memory() counts.
  virtual void polls_memory(std::span<const mesh::PolledWord> words, unsigned reads) = 0;
  /// The lines of buffers leave the core's first-level cache, by a call or an instruction of the program's.
  virtual void drops_lines() = 0;
  /// The UE ends: others need not wait for it any longer. From its own context, any number of times.
  virtual void leave() = 0;
};

/// Tells if the UE makes progress while it makes calls (protocol/livelock).
struct Progress {
  static constexpr std::uint32_t calls_between =
      1048573; ///< a prime: a loop is not met at the same call each time

  [[nodiscard]] bool due(std::uint32_t calls) const noexcept {
    return static_cast<std::int32_t>(calls - consider_at) >= 0; // calls begin again at 0
  }

  std::uint32_t consider_at = calls_between; ///< calls at which to look again
  std::uint64_t mark = 0;                    ///< measure of what it had brought about at the last check
  std::atomic<unsigned> stretches{0}; ///< times `calls_between` calls have passed since the mark changed
};

/// When the UE has asked for the time last.
struct ClockPolls {
  std::uint32_t calls = 0; ///< the UE's calls at that time
  Picoseconds last = 0;
  Picoseconds round = 0; ///< since the time before
};

struct alignas(64) Ue { // in host lines of its own: it writes its activity at every call
  Ue();
  ~Ue();
  Ue(const Ue&) = delete;
  Ue& operator=(const Ue&) = delete;

  void count_call() noexcept {
    calls.store(calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  Job* job = nullptr;
  Engine* engine = nullptr;
  Core* core = nullptr;
  int rank = -1;                           ///< position of the core in the sorted list of the job
  struct rockcreek_image* image = nullptr; ///< its variables, in its copy of the program
  Activity activity;
  /// Calls of the library and of the C library's functions that the runtime exports: whether a UE has done
  /// anything since.
  std::atomic<std::uint32_t> calls{0};
  Polling polling;
  PlainPolls plain_polls;
  BufferLines buffer_lines;
  Progress progress;
  Completed last_send, last_receive;
  mesh::Observers* observers = nullptr; ///< the job's; null unless they want to know of calls or messages
  mesh::Observers* facts = nullptr;     ///< likewise, of facts: library/protocol/facts.hpp tells them
  mesh::LibraryTimes* times = nullptr;  ///< library times of its core; null unless observers want them
  /// There where they want to know of calls: numbers of these by the addresses of their names, each at its
  /// lowest bits.
  using CallNumbers = std::array<std::pair<const char*, int>, 64>;
  std::unique_ptr<CallNumbers> call_numbers;
  bool asked_time = false; ///< the program has asked for simulated time
  /// Knowledge of the time by the C library: clocks in whole seconds, alarms and ends of waits; finer
  /// clocks.
  enum class Clock : std::uint8_t { none, coarse, fine } clock = Clock::none;
  Picoseconds preparation = 0; ///< time to set up the collectives of another image
  /// Values that differ from run to run and that it has asked the host for.
  std::vector<const char*> host_values;
  /// Files that it has opened, and other places of the host where UEs can meet; true: it can write there.
  std::map<std::string, bool> opened;
  std::set<std::string> met; ///< calls by which it can have met other UEs: "mq_open()"
  /// The word in which its code counts cycles; null if it does not. It is 0 in calls, whatever the model, so
  /// that a polling loop meets the same contents of memory again. `own_code_counts`: these cycles take
  /// simulated time, `own_time` in all.
  unsigned long* own_cycles = nullptr;
  bool own_code_counts = false;
  unsigned most_cycles = 0; ///< rockcreek_image::most_cycles, where no alarm is set
  Picoseconds own_time = 0;
  Picoseconds told_time = 0; ///< time not charged yet, of which observers of code already know
  /// Not null with ComputeModel::cache: its accesses count, and have taken that time since its cycles were
  /// charged.
  std::unique_ptr<mesh::KnownLines> known_lines;
  Picoseconds memory_time = 0;
  Picoseconds l2_time = 0;                   ///< part of memory_time: the second-level cache
  Picoseconds memory_per_million_cycles = 0; ///< LibraryOptions
  std::uint64_t counted_cycles = 0;          ///< so far
  std::uint64_t since_schedule = 0;          ///< cycles charged since a call, or since it let others run
  unsigned mutexes = 0;                      ///< that its code holds by pthread_mutex_lock()
  unsigned kept_way = 0;                     ///< times that it let no others run while it held one
  /// The place where its own code lets others run, or has been stopped; null elsewhere. For reports.
  std::atomic<const void*> computes_at{nullptr};
  Picoseconds memory_spent = 0; ///< part of own_time
  Picoseconds l2_spent = 0;     ///< part of memory_spent
  ClockPolls clock_polls;
  /// In the place of `activity.group`, of a UE of another process: ranks of the members.
  std::vector<int> group_elsewhere;
  std::unique_ptr<UeLibrary> library;
  std::unique_ptr<process::Process> process;
};

/// The present call is none that could end a loop of looks: it has changed nothing and told nothing.
inline void passed(Ue& ue) {
  constexpr auto relaxed = std::memory_order_relaxed;
  const std::uint32_t call = ue.calls.load(relaxed);
  if (ue.polling.call.load(relaxed) + 1 == call) ue.polling.call.store(call, relaxed);
}

/// Brings the core's clock to where the program's own code is. Whoever looks at the clock of a UE that may
/// come out of its own code does this before.
[[gnu::noinline]] void charge_counted_cycles(Ue& ue);
/// Tells observers of code of the time that what it has counted up to here will take.
void tell_own_code(Ue& ue);
inline void charge_own_code(Ue& ue) {
  if (ue.own_cycles != nullptr && (*ue.own_cycles | ue.since_schedule) != 0) [[unlikely]]
    charge_counted_cycles(ue);
}

/// Its own code, or the library for it, loads or stores message buffers past put and get: spends the time on
/// the lines that the stream meets.
inline void access_buffers(Ue& ue, const mesh::AccessStream& stream, std::uint64_t rounds) {
  ue.buffer_lines.access(*ue.core, *ue.engine, stream, rounds, ue.calls.load(std::memory_order_relaxed));
}

/// The caches' state has changed: the program's accesses are told of again.
void forget_known_lines(const Ue& ue);
inline void forget_lines(const Ue& ue) {
  if (ue.known_lines != nullptr) [[unlikely]]
    forget_known_lines(ue);
}

/// The UE whose code is executing on this thread, or null. For entries that have no image to go by (libc's
/// names).
[[nodiscard]] Ue* current_ue() noexcept;

} // namespace rcce
