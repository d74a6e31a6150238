// SPDX-License-Identifier: Apache-2.0
// The runs that statements on collectives rest on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "algorithms/in_memory/cost_model.hpp"
#include "xeon_phi/measure.hpp"

namespace rccebench::xeon_phi {

inline constexpr int thread_counts[] = {4, 8, 16, 30, 32, 48, 60};
inline constexpr int partner_counts[] = {1, 2, 3, 4, 6};

/// The publication's, and c from the middle of the interval in which its optima come out.
[[nodiscard]] algorithms::in_memory::cost::Parameters published_parameters();
/// The min model's best tree.
[[nodiscard]] std::vector<int> tree_of(int threads, bool reduces);

/// Simulated times by the name of a call.
class Times {
 public:
  Times(const Config& config, unsigned jobs);
  /// Until the last thread has left.
  [[nodiscard]] double at(const std::string& name) const { return times_.at(name).last; }
  /// Until the last thread without children has left, which does not wait for anybody behind it.
  [[nodiscard]] double leaves_at(const std::string& name) const { return times_.at(name).leaves; }

 private:
  std::map<std::string, Point> times_;
};

} // namespace rccebench::xeon_phi
