// SPDX-License-Identifier: Apache-2.0
#include "process/run/last_words.hpp"

#include <array>
#include <atomic>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include "engine/host/clock.hpp"
#include "mesh_sim/fixed_text.hpp"
#include "process/run/watchdog.hpp"
#include "rcce_emu/statuses.hpp"

namespace rcce::run {
namespace {

/// The facts of a crash, kept where damage to the heap does not reach them until the report has been shown.
/// Whoever changes `signal` from 0 writes the rest.
struct LastWords {
  std::atomic<int> signal{0};
  std::atomic<std::int64_t> since{0}; ///< host time; 0 once the report has been made
  std::atomic<std::size_t> length{0};
  std::array<char, 8192> text{};
};
LastWords last_words;

/// Without the heap: the crash may have been in it, or have destroyed it.
template <class... Values>
void note_words(fmt::format_string<Values...> format, Values&&... values) noexcept {
  last_words.length = 0;
  last_words.length = mesh::format_into(last_words.text, format, fmt::make_format_args(values...));
}

constexpr const char* no_report = "a report cannot be made: memory of the runtime is damaged";

} // namespace

bool note_crash(const Ue& ue, int signal) noexcept {
  int none = 0;
  if (!last_words.signal.compare_exchange_strong(none, signal)) return false;
  last_words.since = host::nanoseconds();
  Watchdog::watch_crash();
  note_words("rccerun: a UE crashed by signal {}; {}\n", signal, no_report);
  // These need what the crash may have destroyed.
  note_words("rccerun: rank {} (core {:02}) crashed by signal {}; {}\n", ue.rank, ue.core->id(), signal,
             no_report);
  return true;
}

void note_report(const std::string& text) noexcept {
  note_words("{}", text);
  last_words.since = 0;
}

void end_without_report(int signal) noexcept {
  end_by_last_words();
  constexpr char text[] =
      "rccerun: a UE crashed; a report cannot be made: memory of the runtime is damaged\n";
  syscall(SYS_write, STDERR_FILENO, text, sizeof text - 1);
  syscall(SYS_exit_group, status_signal + signal);
  __builtin_unreachable();
}

void end_by_last_words() noexcept {
  const int signal = last_words.signal;
  if (signal == 0) return;
  syscall(SYS_write, STDERR_FILENO, last_words.text.data(), last_words.length.load());
  syscall(SYS_exit_group, status_signal + signal);
}

void report_was_shown() noexcept {
  last_words.signal = 0;
}

bool is_crash_told() noexcept {
  return last_words.signal != 0;
}

void check_report(std::int64_t now) noexcept {
  constexpr std::int64_t longest = 10'000'000'000; // ns; to find the places in a large program takes 1 s
  const std::int64_t since = last_words.since;
  if (last_words.signal != 0 && since != 0 && now - since > longest) end_by_last_words();
}

} // namespace rcce::run
