// SPDX-License-Identifier: Apache-2.0
// How the MPI engine steps out of a UE.
#pragma once

namespace rcce::mpi {

/// Around calls of MPI in the context of a UE: what MPI allocates is not the program's.
struct StepOutside {
  void* (*leave)() = nullptr; ///< returns what `back` takes
  void (*back)(void* left) = nullptr;
};

/// While it lives the thread acts for no UE.
class Outside {
 public:
  explicit Outside(const StepOutside& step) : step_(step), left_(step.leave()) {}
  ~Outside() { step_.back(left_); }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  const StepOutside& step_;
  void* left_;
};

} // namespace rcce::mpi
