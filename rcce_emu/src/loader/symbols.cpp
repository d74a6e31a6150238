#include "loader/symbols.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace rcce::loader {
namespace {

/// What a command writes to its standard output; empty where it cannot be started.
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
  pid_t child = -1;
  const int error = posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe_ends[1]);
  std::string text;
  if (error == 0) {
    char part[1024];
    for (ssize_t n; (n = TEMP_FAILURE_RETRY(::read(pipe_ends[0], part, sizeof part))) > 0;)
      text.append(part, static_cast<std::size_t>(n));
    int status = 0;
    TEMP_FAILURE_RETRY(waitpid(child, &status, 0));
  }
  ::close(pipe_ends[0]);
  return text;
}

} // namespace

std::vector<std::string> describe_offsets(const std::string& file,
                                          const std::vector<std::uintptr_t>& offsets) {
  std::vector<std::string> words{"addr2line", "-Cfpse", file};
  for (const std::uintptr_t offset : offsets) words.push_back(fmt::format("{:#x}", offset));
  const std::string told = output_of(std::move(words));
  std::string_view rest = told;
  std::vector<std::string> places;
  for (const std::uintptr_t offset : offsets) {
    const std::string where = fmt::format("{}+{:#x}", file.substr(file.rfind('/') + 1), offset);
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    // "name at ??:?" where there is a symbol but no line
    if (const std::size_t unknown = line.find(" at ??"); unknown != std::string_view::npos)
      line = line.substr(0, unknown);
    if (line.empty() || line.starts_with("??"))
      places.push_back(where);
    else
      places.push_back(fmt::format("{} ({})", line, where));
  }
  return places;
}

} // namespace rcce::loader
