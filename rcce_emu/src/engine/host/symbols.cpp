// SPDX-License-Identifier: Apache-2.0
#include "engine/host/symbols.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <span>
#include <spawn.h>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/host/real.hpp"

namespace rcce::host {
namespace {

/// While it lives the thread is not told of the end of its children, which a program may have a handler for.
class QuietChildren {
 public:
  QuietChildren() noexcept {
    sigemptyset(&child_);
    sigaddset(&child_, SIGCHLD);
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &child_, &before_, kernel_set_bytes);
  }
  ~QuietChildren() {
    if (sigismember(&before_, SIGCHLD) == 1) return; // as it finds its other children
    const timespec at_once{};
    syscall(SYS_rt_sigtimedwait, &child_, nullptr, &at_once, kernel_set_bytes);
    syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &child_, nullptr, kernel_set_bytes);
  }
  QuietChildren(const QuietChildren&) = delete;
  QuietChildren& operator=(const QuietChildren&) = delete;

 private:
  static constexpr std::size_t kernel_set_bytes = 8;
  sigset_t child_, before_{};
};

/// The standard output of a command; empty if it cannot be started.
std::string output_of(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  const QuietChildren quiet;
  pid_t child = -1;
  // posix_spawnp() is the runtime's: the calling UE's descriptors and output are none of this command's.
  const int error = library_function<"posix_spawnp", decltype(posix_spawnp)>()(
      &child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe_ends[1]);
  std::string text;
  if (error == 0) {
    char part[1024];
    for (ssize_t n; (n = TEMP_FAILURE_RETRY(syscall(SYS_read, pipe_ends[0], part, sizeof part))) > 0;)
      text.append(part, static_cast<std::size_t>(n));
    int status = 0;
    TEMP_FAILURE_RETRY(syscall(SYS_wait4, child, &status, 0, nullptr)); // waitpid() is the runtime's
  }
  ::close(pipe_ends[0]);
  return text;
}

/// Takes the next line, without its end.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// "solve at /home/me/stencil.c:12" is in a header of the system or of a library.
bool is_foreign(std::string_view frame) {
  const std::size_t at = frame.rfind(" at /");
  return at != std::string_view::npos && frame.substr(at + 4).starts_with("/usr/");
}

/// "solve at stencil.c:12"; only the name where there is no line; empty where nothing is known.
std::string short_frame(std::string_view frame) {
  if (frame.starts_with("??")) return {};
  const std::size_t at = frame.rfind(" at ");
  if (at == std::string_view::npos) return std::string(frame);
  const std::string_view file = frame.substr(at + 4);
  const bool known = !file.starts_with("??") && !file.starts_with(":");
  if (!known) return std::string(frame.substr(0, at));
  return fmt::format("{} at {}", frame.substr(0, at), file.substr(file.rfind('/') + 1));
}

constexpr std::string_view outer = " (inlined by) ";

std::vector<std::string> question(const std::string& file, std::span<const std::uintptr_t> offsets) {
  std::vector<std::string> words{"addr2line", "-aCfipe", file};
  for (const std::uintptr_t offset : offsets) words.push_back(fmt::format("{:#x}", offset));
  return words;
}

/// "solve at /home/me/stencil.c:12 (discriminator 3)"; nothing where no function is known.
void add_position(std::vector<Position>& to, std::string_view frame) {
  if (frame.starts_with("??")) return;
  const std::size_t at = frame.rfind(" at ");
  Position& one = to.emplace_back(Position{std::string(frame.substr(0, at)), "", 0});
  if (at == std::string_view::npos) return;
  std::string_view file = frame.substr(at + 4);
  const std::size_t colon = file.rfind(':');
  if (file.starts_with("??") || colon == std::string_view::npos) return;
  std::from_chars(file.data() + colon + 1, file.data() + file.size(), one.line);
  file = file.substr(0, colon);
  if (one.line > 0) one.file = file.substr(file.rfind('/') + 1);
}

/// The next answer of addr2line. Of functions inlined there it is the innermost that is the program's own.
std::string next_place(std::string_view& told) {
  std::string_view frame = next_line(told);
  const std::size_t address = frame.find(": ");
  frame.remove_prefix(address == std::string_view::npos ? frame.size() : address + 2);
  const std::string_view innermost = frame;
  bool found = !is_foreign(frame);
  while (told.starts_with(outer)) {
    const std::string_view next = next_line(told).substr(outer.size());
    if (!found) frame = next;
    found = found || !is_foreign(next);
  }
  return short_frame(found ? frame : innermost);
}

} // namespace

std::vector<std::vector<Position>> positions_of(const std::string& file,
                                                const std::vector<std::uintptr_t>& offsets) {
  constexpr std::size_t at_once = 1000; // as words of one command
  std::vector<std::vector<Position>> all;
  for (std::size_t first = 0; first < offsets.size(); first += at_once) {
    const std::span<const std::uintptr_t> some =
        std::span(offsets).subspan(first, std::min(at_once, offsets.size() - first));
    const std::string told = output_of(question(file, some));
    std::string_view rest = told;
    for (const std::uintptr_t offset : some) {
      std::vector<Position>& found = all.emplace_back();
      if (rest.starts_with("0x")) {
        std::string_view frame = next_line(rest);
        const std::size_t address = frame.find(": ");
        frame.remove_prefix(address == std::string_view::npos ? frame.size() : address + 2);
        add_position(found, frame);
        while (rest.starts_with(outer)) add_position(found, next_line(rest).substr(outer.size()));
      }
      if (found.empty())
        found.push_back({fmt::format("{}+{:#x}", file.substr(file.rfind('/') + 1), offset), "", 0});
    }
  }
  return all;
}

std::vector<std::string> describe_offsets(const std::string& file,
                                          const std::vector<std::uintptr_t>& offsets) {
  const std::string told = output_of(question(file, offsets));
  std::string_view rest = told;
  std::vector<std::string> places;
  for (const std::uintptr_t offset : offsets) {
    const std::string where = fmt::format("{}+{:#x}", file.substr(file.rfind('/') + 1), offset);
    const std::string name = rest.starts_with("0x") ? next_place(rest) : "";
    places.push_back(name.empty() ? where : fmt::format("{} ({})", name, where));
  }
  return places;
}

} // namespace rcce::host
