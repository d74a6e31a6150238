// SPDX-License-Identifier: Apache-2.0
// argv of the UEs, in the layout of the original launcher: program, number of UEs, clock, core numbers,
// arguments.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mesh {
class MachineDescription; // mesh_sim/machines/machines.hpp
}
namespace rcce {
struct JobOptions; // rcce_emu/job_options.hpp
}

namespace rcce::image {

/// The clock of the machine's cores in GHz with three decimals, "0.533", or with nine below 0.5 MHz.
[[nodiscard]] std::string clock_text(const mesh::MachineDescription& machine);

/// The vectors of all UEs of a job. Each UE owns its vector, because RCCE_init() shifts it, and its strings,
/// because programs write into them. With many UEs, whose N vectors of N core numbers would fill the host,
/// pages of a vector are shared until they are written, and the words up to the last core number are one set
/// of strings for all.
class Arguments {
 public:
  explicit Arguments(const JobOptions& options);
  ~Arguments();
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  [[nodiscard]] int count() const noexcept { return static_cast<int>(words_.size()); }
  /// The vector of a UE, with its closing null; lives as long as this object.
  [[nodiscard]] char** vector(std::size_t rank) noexcept;
  /// The UE's own copy of the arguments, from the beginning of a page. The cache lines that a program meets
  /// when it reads its arguments therefore depend on nothing else. Empty before vector().
  [[nodiscard]] std::span<const std::byte> memory(std::size_t rank) const noexcept;

 private:
  void share(std::size_t ues);

  std::vector<std::string> words_;
  /// In whole pages; null before its time.
  struct Block {
    std::unique_ptr<std::byte, decltype(&std::free)> base{nullptr, &std::free};
    std::size_t bytes = 0;
  };

  std::size_t own_from_ = 0;    ///< index of the first word of which each UE has a copy
  std::vector<Block> blocks_;   ///< by rank: the vector where it is not shared, and the strings
  std::byte* shared_ = nullptr; ///< all vectors, `stride_` bytes each
  std::size_t stride_ = 0;
};

} // namespace rcce::image
