// SPDX-License-Identifier: Apache-2.0
// The process's environment is a UE's for a moment: for functions of the C library that look nowhere else.
#pragma once

#include <mutex>

namespace rcce::libc {

/// One at a time; others wait in the constructor.
class ScopedEnvironment {
 public:
  explicit ScopedEnvironment(char** environment);
  ~ScopedEnvironment();
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

  /// Makes it the process's again; returns whether the two differ in the value of `name`.
  bool take_back(const char* name) noexcept;

 private:
  std::unique_lock<std::mutex> turn_;
  char** lent_;
  char** process_;
};

} // namespace rcce::libc
