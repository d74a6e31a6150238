// SPDX-License-Identifier: Apache-2.0
// Progress where it is asked for: nothing before a second is over, then share and time left; of a second
// thing in one process also that it is the second.
#include "catch.hpp"

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include <unistd.h>

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
  CapturedErrors told;
  mesh::Progress::always();
  {
    mesh::Progress at_once(2);
    at_once.add(1);
  }
  {
    mesh::Progress first(4);
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    first.add(1);
  }
  const std::string text = told.text();
  CHECK(text == "part 2:  25 % done, about 3 s left\n");
}
