// SPDX-License-Identifier: Apache-2.0
// A program's RCCE_COMM: its layout depends on the variant that the program was compiled for.
#pragma once

#include <cstddef>

#include "rcce_emu/image.h"

namespace rcce::protocol {

/// The struct has the name of the variable that each image holds it in.
using ImageVariables = struct ::rockcreek_image;

inline constexpr int comm_magic = 45328976;
inline constexpr int comm_freed_magic = -45328976;

/// A view; copies refer to the same communicator.
class Communicator {
 public:
  Communicator(const ImageVariables& image, void* comm)
      : image_(&image), base_(static_cast<std::byte*>(comm)) {}

  [[nodiscard]] void* address() const { return base_; }
  [[nodiscard]] int& size() const { return integers()[0]; }
  [[nodiscard]] int& my_rank() const { return integers()[1]; }
  [[nodiscard]] int& initialized() const { return integers()[2]; }
  /// World rank of a member.
  [[nodiscard]] int& member(int rank) const {
    return reinterpret_cast<int*>(base_ + image_->comm_member)[rank];
  }
  [[nodiscard]] void* gather() const { return base_ + image_->comm_gather; }
  [[nodiscard]] void* release() const { return base_ + image_->comm_release; }

 private:
  [[nodiscard]] int* integers() const { return reinterpret_cast<int*>(base_); }

  const ImageVariables* image_;
  std::byte* base_;
};

} // namespace rcce::protocol
