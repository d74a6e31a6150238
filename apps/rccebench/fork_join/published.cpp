// SPDX-License-Identifier: Apache-2.0
#include "fork_join/published.hpp"

#include "csv_rows.hpp"

namespace rccebench::fork_join {

Published::Published(const std::filesystem::path& file) {
  read_rows(file, [this](const Fields& field) {
    const double seconds = std::stod(field("seconds"));
    by_id_[field("id")] = seconds;
    if (!field("id").starts_with("PIN"))
      seconds_[{field("workload"), field("variant"), field("machine")}] = seconds;
  });
}

double Published::seconds(const std::string& workload, const std::string& variant,
                          const std::string& machine) const {
  const auto found = seconds_.find({workload, variant, machine});
  return found == seconds_.end() ? 0 : found->second;
}

} // namespace rccebench::fork_join
