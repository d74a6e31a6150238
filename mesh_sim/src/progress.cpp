// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/progress.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <string>

#include <unistd.h>

#include <fmt/format.h>

#include "mesh_sim/terminal.hpp"

namespace mesh {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds first = 1s, between = 500ms, between_lines = 2s;
constexpr char take_away[] = "\r\033[K";

std::atomic<bool> always_wanted{false};
std::atomic<int> parts{0};
/// A line stands on the terminal. Signal handlers look at it.
std::atomic<bool> stands{false};

/// Ctrl-C leaves no half a line. Where somebody else handles it, that one calls clear().
void leave_cleanly(int signal) {
  if (stands.exchange(false)) (void)!::write(STDERR_FILENO, take_away, sizeof take_away - 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void clean_at(int signal) {
  struct sigaction now {};
  if (sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL)
    std::signal(signal, leave_cleanly);
}

} // namespace

Progress::Progress(double total)
    : total_(total),
      wanted_(always_wanted || is_terminal(STDERR_FILENO)),
      terminal_(is_terminal(STDERR_FILENO)),
      part_(++parts) {}

Progress::~Progress() {
  clear();
}

void Progress::always() noexcept {
  always_wanted = true;
}

void Progress::add(double parts) {
  {
    const std::lock_guard guard(mutex_);
    done_ += parts;
  }
  show();
}

void Progress::set(double parts) {
  {
    const std::lock_guard guard(mutex_);
    done_ = parts;
  }
  show();
}

void Progress::show() {
  if (!wanted_) return;
  const std::lock_guard guard(mutex_);
  const auto now = Clock::now();
  const auto pause = terminal_ ? between : between_lines;
  if (now - start_ < first || (shown_at_ != start_ && now - shown_at_ < pause)) return;
  shown_at_ = now;
  write();
}

void Progress::write() {
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  std::string line = part_ > 1 ? fmt::format("part {}: ", part_) : std::string();
  line += fmt::format("{:3.0f} % done", total_ > 0 ? done_ / total_ * 100 : 100);
  if (done_ > 0) line += fmt::format(", about {:.0f} s left", elapsed * (total_ - done_) / done_);
  if (terminal_) {
    clean_at(SIGINT);
    clean_at(SIGTERM);
    clean_at(SIGHUP);
    stands = true;
    line = take_away + line;
  } else {
    line += '\n';
  }
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

void Progress::clear() {
  const std::lock_guard guard(mutex_);
  if (!stands.exchange(false)) return;
  std::fputs(take_away, stderr);
  std::fflush(stderr);
}

} // namespace mesh
