// SPDX-License-Identifier: Apache-2.0
#include "lab/isolated.hpp"

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"

namespace lab {
namespace {

/// Behind the text of a body that has come to its end: what it calls may end the process before, with any
/// status.
constexpr char complete = '\0';

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// In the copy. Threads of the body may hang, so that nothing is destroyed.
[[noreturn]] void run(int fd, double seconds, const std::function<std::string()>& body,
                      const std::function<std::string()>& late) {
  std::mutex guard;
  std::condition_variable ended;
  bool done = false;
  const auto end = [&](const std::string& text) {
    write_all(fd, text + complete);
    _exit(0);
  };
  std::thread watch([&] {
    std::unique_lock lock(guard);
    if (!ended.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return done; })) end(late());
  });
  std::string text;
  try {
    text = body();
  } catch (const std::exception& error) {
    text = error.what();
  }
  {
    const std::lock_guard lock(guard);
    done = true;
  }
  end(text);
  std::abort(); // end() does not return
}

} // namespace

std::string isolated(double seconds, const std::function<std::string()>& body,
                     const std::function<std::string()>& late) {
  int ends[2];
  const pid_t child = pipe(ends) == 0 ? fork() : -1;
  if (child < 0)
    throw mesh::UserError(
        fmt::format("this host gives no process for an algorithm of your own: {}", std::strerror(errno)));
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[0]);
    run(ends[1], seconds, body, late);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (got < 0 && errno != EINTR) break;
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    return fmt::format("it was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0 || text.empty() || text.back() != complete)
    return fmt::format("it ended the process with status {}", WEXITSTATUS(status));
  text.pop_back();
  return text;
}

} // namespace lab
