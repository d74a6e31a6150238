// SPDX-License-Identifier: Apache-2.0
// The memory of a machine: lines, the words and blocks in them, and the node that each line belongs to.
#pragma once

#include <memory>
#include <vector>

#include "mesh_sim/machines/coherent/data.hpp"
#include "mesh_sim/machines/coherent/line.hpp"

namespace mesh::coherent {

class Memory {
 public:
  explicit Memory(const Config& config);

  // As Machine's.
  [[nodiscard]] std::vector<Word> words(std::size_t count, std::size_t stride, int home);
  [[nodiscard]] Block block(std::size_t bytes, int home);

  [[nodiscard]] std::uint64_t& value(Word word) noexcept { return values_[word.slot]; }
  [[nodiscard]] std::uint64_t value(Word word) const noexcept { return values_[word.slot]; }
  [[nodiscard]] Line& line_of(Address address) noexcept { return lines_[address / line_size]; }
  [[nodiscard]] const Line& line_of(Address address) const noexcept { return lines_[address / line_size]; }
  [[nodiscard]] Line& line(std::size_t index) noexcept { return lines_[index]; }
  [[nodiscard]] std::uint32_t index_of(const Line& line) const noexcept {
    return static_cast<std::uint32_t>(&line - lines_.data());
  }
  [[nodiscard]] const std::vector<Line>& lines() const noexcept { return lines_; }
  /// The node that answers for a line, which node `toucher` asks for.
  [[nodiscard]] int home_of(Line& line, int toucher) const noexcept {
    if (line.home == Line::none) line.home = static_cast<std::int16_t>(home_by_rule(line, toucher));
    return line.home;
  }

 private:
  [[nodiscard]] int home_by_rule(const Line& line, int toucher) const noexcept;
  [[nodiscard]] Address allocate(std::size_t bytes, int home);

  const Config& config_;
  std::vector<Line> lines_;
  std::vector<std::uint64_t> values_;
  std::vector<std::unique_ptr<std::byte[]>> buffers_;
};

} // namespace mesh::coherent
