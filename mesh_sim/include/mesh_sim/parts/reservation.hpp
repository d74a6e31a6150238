// SPDX-License-Identifier: Apache-2.0
// Zeroed memory, at low addresses where programs address it: RCCE programs squeeze pointers into 32-bit
// integers, so it lies below 2 GiB where the host allows it.
#pragma once

#include <cstddef>

namespace mesh {

class Reservation {
 public:
  /// Who addresses it: programs too, or the simulator alone.
  enum class For { programs, simulator };
  /// Throws std::bad_alloc when the address space cannot be had. Memory is committed by first touch.
  explicit Reservation(std::size_t bytes, For whom = For::programs);
  ~Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_; }
  [[nodiscard]] bool contains(const void* address) const noexcept {
    return address >= data_ && address < data_ + bytes_;
  }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

} // namespace mesh
