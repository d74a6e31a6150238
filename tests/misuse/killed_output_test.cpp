// SPDX-License-Identifier: Apache-2.0
// A process that is killed while it writes its results leaves nothing beside them.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "catch.hpp"
#include "mesh_sim/output_file.hpp"

namespace fs = std::filesystem;

namespace {

/// The kernel takes longer to store that than the parent waits.
constexpr std::size_t large = std::size_t{1} << 28;

} // namespace

TEST_CASE("who is killed while writing leaves no file beside the asked one") {
  const fs::path folder = fs::absolute(fmt::format("killed-output-{}", getpid()));
  fs::create_directory(folder);
  const std::string text(large, 'x'), file = folder / "report.html";
  int killed_early = 0;
  for (const int milliseconds : {2, 5, 10, 20, 40}) {
    const pid_t child = fork();
    if (child == 0) {
      mesh::write_output("--report", file, text);
      _exit(0);
    }
    REQUIRE(child > 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(child, SIGKILL);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status)) ++killed_early;
    for (const fs::directory_entry& left : fs::directory_iterator(folder)) {
      CHECK(left.path() == file);
      CHECK(left.file_size() == large);
    }
    fs::remove(file);
  }
  fs::remove_all(folder);
  CHECK(killed_early > 0);
}
