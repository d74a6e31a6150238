// SPDX-License-Identifier: Apache-2.0
// A C++ library that needs another, calls the program and RCCE, and has static and thread-local objects.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "objects.hpp"

extern "C" int next(void);
extern "C" int RCCE_ue(void);
extern "C" int RCCE_IAM;
extern int of_program;

namespace {

struct Tracer {
  explicit Tracer(const char* name) : name(name) { std::cout << "+" << name << '\n'; }
  ~Tracer() { std::cout << "-" << name << '\n'; }
  const char* name;
};

Tracer object("object");
thread_local Tracer local("thread-local object");

} // namespace

thread_local int hits = 100;

__attribute__((weak)) int interposed() {
  return 1;
}

void use() {
  static_cast<void>(local.name);
  ++hits;
  shared_by_inline += 2;
  of_program += 10;
  std::vector<int> block(1000, 1);
  std::free(std::malloc(block.size()));
  std::printf("library on %d (%d): hits %d, next %d, inline %d, program's %d, interposed %d, random %d, %s\n",
              RCCE_ue(), RCCE_IAM, hits, next(), shared_by_inline, of_program, interposed(),
              std::rand() % 1000, std::getenv("OWN_WORD"));
}

void* block_of_library(unsigned long bytes) {
  return std::malloc(bytes);
}

void throw_from_library() {
  throw std::runtime_error("thrown by the library of " + std::to_string(RCCE_ue()));
}
