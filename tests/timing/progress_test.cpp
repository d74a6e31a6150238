// SPDX-License-Identifier: Apache-2.0
// Progress where it is asked for: nothing before a second is over, then share and time left; of a second
// thing in one process also that it is the second.
#include "catch.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>

#include "mesh_sim/progress.hpp"

namespace {

/// The text that is written to standard error meanwhile.
class CapturedErrors {
 public:
  CapturedErrors() : file_(std::tmpfile()), before_(dup(STDERR_FILENO)) {
    dup2(fileno(file_), STDERR_FILENO);
  }
  ~CapturedErrors() { std::fclose(file_); }
  CapturedErrors(const CapturedErrors&) = delete;
  CapturedErrors& operator=(const CapturedErrors&) = delete;

  std::string text() {
    std::fflush(stderr);
    dup2(before_, STDERR_FILENO);
    close(before_);
    std::rewind(file_);
    std::string all;
    for (int c = 0; (c = std::fgetc(file_)) != EOF;) all += static_cast<char>(c);
    return all;
  }

 private:
  std::FILE* file_;
  int before_;
};

} // namespace

TEST_CASE("a line says share and time left, and which part it is from the second on") {
  using Clock = std::chrono::steady_clock;
  CapturedErrors told;
  mesh::Progress::always();
  const Clock::time_point begin = Clock::now();
  {
    mesh::Progress at_once(2);
    at_once.add(1);
  }
  const bool slow = Clock::now() - begin >= std::chrono::seconds(1); // the host has run others meanwhile
  const Clock::time_point second = Clock::now();
  {
    mesh::Progress first(4);
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    first.add(1);
  }
  // A busy host wakes us late: three times as long is left as it has really taken.
  const double most = 3 * std::chrono::duration<double>(Clock::now() - second).count();
  const std::string text = told.text();
  const std::string beginning = "part 2:  25 % done, about ";
  const std::size_t at = text.find(beginning);
  REQUIRE(at != std::string::npos);
  CHECK((at == 0 || slow));
  const int left = std::stoi(text.substr(at + beginning.size()));
  CHECK(left >= 3);
  CHECK(left <= std::lround(most));
  CHECK(text.substr(at) == fmt::format("{}{} s left\n", beginning, left));
}
