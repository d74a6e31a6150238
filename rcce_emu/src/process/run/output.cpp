// SPDX-License-Identifier: Apache-2.0
#include "process/run/output.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/stat.h>

#include <fmt/format.h>

#include "engine/host/clock.hpp"
#include "engine/ue/job_state.hpp"
#include "mesh_sim/output_file.hpp"
#include "process/process.hpp"

namespace rcce::run {
namespace {

/// Lines of one UE that may wait before what is final among them is written out, beyond what progress of
/// simulated time brings with it.
constexpr std::size_t most_lines_held = 64;
/// Host time after which a finished line does not wait for further ones: more than a system call for each of
/// many lines costs, less than a person notices.
constexpr std::int64_t longest_hold_nanoseconds = 20'000'000;

/// Words about several UEs are told together within so much of simulated time, some hundred calls of the
/// library, or of the host's time, where that is the UEs'.
constexpr Picoseconds words_window = 1'000'000'000;
constexpr Picoseconds words_window_of_host = 100 * words_window;

bool later(const LineQueue::Line& a, const LineQueue::Line& b) noexcept {
  if (a.time != b.time) return a.time > b.time;
  if (a.core != b.core) return a.core > b.core;
  return a.sequence > b.sequence;
}

bool same_file(int a, int b) noexcept {
  struct stat x {
  }, y{};
  return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

Picoseconds host_picoseconds() noexcept {
  return host::nanoseconds() * 1000;
}

} // namespace

void LineQueue::add(Picoseconds time, int core, int fd, std::string text) {
  lines_.push_back({time, core, sequence_++, fd, std::move(text)});
  std::push_heap(lines_.begin(), lines_.end(), later);
}

bool LineQueue::take_before(Picoseconds time, int core, Line& line) {
  if (lines_.empty()) return false;
  const Line& first = lines_.front();
  if (first.time > time || (first.time == time && first.core >= core)) return false;
  std::pop_heap(lines_.begin(), lines_.end(), later);
  line = std::move(lines_.back());
  lines_.pop_back();
  return true;
}

Output::Output(Engine& engine, std::size_t ues, Options options)
    : engine_(engine),
      options_(std::move(options)),
      words_(engine.wall_clock() ? words_window_of_host : words_window, ues) {
  one_terminal_ = options_.to.sink == nullptr && same_file(1, 2);
}

int Output::write(Ue& ue, int fd, std::string_view text) {
  return write(ue, ue.process->c.stream[static_cast<std::size_t>(fd - 1)], text);
}

int Output::write_kept(Ue& ue, int target, std::string_view text) {
  process::CLibrary& c = ue.process->c;
  const auto index = static_cast<std::size_t>(target - 1);
  return write(ue, c.stream[index].target == target ? c.stream[index] : c.kept[index], text);
}

int Output::write(Ue& ue, process::OutputStream& stream, std::string_view text) {
  charge_own_code(ue);
  ue.process->written += text.size();
  process::CLibrary& c = ue.process->c;
  if (stream.target == 0) {
    return stream.file < 0 ? EBADF : mesh::write_whole(stream.file, text);
  }
  // One line buffer per descriptor, also where both lead to the same place: lines stay whole.
  std::string& line = stream.line;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      if (line.empty() && options_.to.tag) line = fmt::format("[{}] ", ue.rank);
      line.append(text);
      return 0;
    }
    if (line.empty() && options_.to.tag) line = fmt::format("[{}] ", ue.rank);
    line.append(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
    ++c.lines_finished;
    add(ue, stream.target, std::move(line));
    line.clear();
  }
  return 0;
}

void Output::tell(Ue& ue, const std::string& words, const std::string& severity) {
  charge_own_code(ue);
  const Picoseconds now = engine_.wall_clock() ? host_picoseconds() : ue.core->now();
  MessageDeduplicator::Message said{now, ue.core->id(), ue.rank, severity, words};
  if (options_.listener) options_.listener(ue, 2, words_of_one(said) + '\n');
  std::unique_lock guard(threads_, std::defer_lock);
  if (engine_.concurrent()) guard.lock();
  words_.add(std::move(said));
  holds_words_.store(true, std::memory_order_relaxed);
  if (!engine_.wall_clock()) engine_.wake_progress_at(words_.due() + 1);
}

void Output::release_words(Picoseconds time) {
  while (!words_.empty() && words_.due() < time) {
    MessageDeduplicator::MergedMessage told = words_.take();
    queue_.add(told.time, told.core, 2, std::move(told.text));
  }
  if (words_.empty()) holds_words_.store(false, std::memory_order_relaxed);
}

void Output::end_line(Ue& ue, int fd) {
  const auto index = static_cast<std::size_t>(fd - 1);
  for (process::OutputStream* stream : {&ue.process->c.kept[index], &ue.process->c.stream[index]}) {
    if (stream->line.empty() || stream->target == 0) continue;
    add(ue, stream->target, std::move(stream->line));
    stream->line.clear();
  }
}

void Output::add(Ue& ue, int fd, std::string text) {
  if (options_.listener) options_.listener(ue, fd, text);
  const Picoseconds now = ue.core->now();
  if (!engine_.concurrent()) {
    queue_.add(now, ue.core->id(), fd, std::move(text));
    engine_.wake_progress_at(now + 1);
    return;
  }
  const std::lock_guard guard(threads_);
  queue_.add(now, ue.core->id(), fd, std::move(text));
  if (!engine_.wall_clock()) return;
  take_out(INT64_MAX, INT32_MAX);
  // The run cannot be ended from within stdio: emit_before() is called soon.
  if (error_ != 0) engine_.wake_progress_at(0);
}

Picoseconds Output::emit_before(Picoseconds earliest) {
  std::unique_lock guard(threads_, std::defer_lock);
  if (engine_.concurrent()) guard.lock();
  settled_time_ = earliest;
  settled_core_ = 0;
  release_words(engine_.wall_clock() ? host_picoseconds() : earliest);
  emit(earliest, 0);
  // A core whose clock equals a line's time may still write a line that goes first.
  const Picoseconds line = queue_.empty() ? INT64_MAX : queue_.first() + 1;
  return words_.empty() || engine_.wall_clock() ? line : std::min(line, words_.due() + 1);
}

void Output::emit_all() {
  release_words(INT64_MAX);
  emit(INT64_MAX, INT32_MAX);
}

void Output::settle(Ue& ue) {
  ue.process->c.lines_finished = 0;
  ue.core->schedule();
  if (engine_.concurrent()) return;
  // Among cores with the same clock the smaller number acts first, so nobody comes in front of this UE's
  // lines now.
  settled_time_ = ue.core->now();
  settled_core_ = ue.core->id() + 1;
}

void Output::give_way(Ue& ue) {
  settle(ue);
  if (engine_.concurrent()) return;
  // A UE that prints without taking any simulated time must not pile its lines up, nor one that computes for
  // long keep them.
  if (queue_.size() >= most_lines_held || host::nanoseconds() - written_at_ > longest_hold_nanoseconds)
    emit(settled_time_, settled_core_);
}

void Output::flush(Ue& ue) {
  settle(ue);
  if (engine_.concurrent()) return;
  emit(settled_time_, settled_core_);
}

void Output::emit_settled() {
  take_out(settled_time_, settled_core_);
}

void Output::emit(Picoseconds time, int core) {
  take_out(time, core);
  if (error_ == 0 || failure_told_) return;
  failure_told_ = true;
  if (options_.on_failure) options_.on_failure(failed_fd_, error_);
}

void Output::take_out(Picoseconds time, int core) {
  LineQueue::Line line;
  while (queue_.take_before(time, core, line)) add_to_batch(line);
  flush_batch();
}

void Output::add_to_batch(const LineQueue::Line& line) {
  if (line.fd != batch_fd_) {
    flush_batch();
    batch_fd_ = line.fd;
  }
  if (unfinished_fd_ != 0 && (unfinished_fd_ == line.fd || one_terminal_)) {
    batch_ += '\n';
    unfinished_fd_ = 0;
  }
  batch_ += line.text;
  if (line.text.back() != '\n') unfinished_fd_ = line.fd;
}

void Output::flush_batch() {
  if (!batch_.empty()) write_out(batch_fd_, batch_);
  batch_.clear();
}

void Output::write_out(int fd, std::string_view text) {
  if (error_ != 0) return;
  written_at_ = host::nanoseconds();
  if (options_.to.sink) {
    const OutsideUe outside;
    options_.to.sink(fd, text);
    return;
  }
  writing_.store(true, std::memory_order_relaxed);
  error_ = mesh::write_whole(fd, text);
  writing_.store(false, std::memory_order_relaxed);
  failed_fd_ = fd;
}

} // namespace rcce::run
