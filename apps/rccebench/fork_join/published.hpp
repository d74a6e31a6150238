// SPDX-License-Identifier: Apache-2.0
// The published times of fork-join regions, as kept in data/fork_join.csv.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <tuple>

namespace rccebench::fork_join {

class Published {
 public:
  /// Throws mesh::UserError where the file cannot be read.
  explicit Published(const std::filesystem::path& file);

  /// Seconds of a whole run; 0 where none is printed.
  [[nodiscard]] double seconds(const std::string& workload, const std::string& variant,
                               const std::string& machine) const;
  /// Of the row with this identifier. Throws std::out_of_range.
  [[nodiscard]] double seconds(const std::string& id) const { return by_id_.at(id); }

 private:
  std::map<std::string, double> by_id_;
  std::map<std::tuple<std::string, std::string, std::string>, double> seconds_;
};

} // namespace rccebench::fork_join
