// SPDX-License-Identifier: Apache-2.0
#include "lab/compiled_programs.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/messages.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/environment.hpp"
#include "rcce_emu/temporary_folder.hpp"

namespace lab {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<rcce::TemporaryFolder> folder;
std::vector<fs::path> compiled;
constexpr const char* large_name = "collective_large";

} // namespace

std::string text_of_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

int run_into(const std::vector<std::string>& words, const fs::path& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return 127;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

fs::path compile(std::vector<std::string> words, const std::string& name, const std::string& whose) {
  if (!folder) folder = std::make_unique<rcce::TemporaryFolder>("rccebench");
  const fs::path output = fs::path(folder->path()) / name;
  const fs::path log = fs::path(folder->path()) / "messages";
  words.insert(words.end(), {"-o", output.string()});
  constexpr int not_started = 127;
  const int status = run_into(words, log);
  if (status == not_started && text_of_file(log).empty())
    throw mesh::UserError(
        fmt::format("{}: compiler '{}' cannot be started; install it, or name another in {}", whose,
                    words.front(), rcce::environment::host_compiler.name));
  if (status != 0)
    throw mesh::UserError(fmt::format("{}: {} ended with status {}:\n{}", whose,
                                      fs::path(words.front()).filename().string(), status,
                                      text_of_file(log)));
  if (!name.starts_with(large_name)) compiled.push_back(output);
  return output;
}

const std::vector<fs::path>& compiled_programs() {
  return compiled;
}

fs::path compile_with(const std::vector<std::string>& sources, Generation generation, Size size) {
  std::vector<std::string> words{command_path("rccecc").string(), "--rcce", text_of(generation)};
  if (size == Size::large)
    words.insert(words.end(),
                 {"-O1", "-g", "-DAIR", fmt::format("-DRCCE_MAXNP={}", cores_of_small_buffers),
                  program_source("collective").string()});
  else
    words.insert(words.end(), {"-O2", "-g", "-DAIR", program_path("collective", generation).string() + ".o"});
  words.insert(words.end(), sources.begin(), sources.end());
  words.push_back("-lrockcreek_algorithms");
  return compile(words,
                 fmt::format("{}-{}", size == Size::large ? large_name : "collective", text_of(generation)),
                 fmt::format("--with '{}'", fmt::join(sources, "' '")));
}

void remove_compiled_programs() noexcept {
  if (folder) folder->remove();
}

} // namespace lab
