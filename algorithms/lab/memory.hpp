// SPDX-License-Identifier: Apache-2.0
// Algorithms in shared memory on a simulated machine with coherent caches.
#pragma once

#include <memory>
#include <string>

#include "lab/backend.hpp"

namespace mesh {
class Observers;
}

namespace lab {

class Memory final : public Backend {
 public:
  /// As backend_of(); one per set of files.
  [[nodiscard]] static std::shared_ptr<const Memory> with(const std::vector<std::string>& files);

  [[nodiscard]] std::string_view name() const override { return "shared memory"; }
  [[nodiscard]] bool takes_files_for(World world) const override { return world == World::memory; }
  [[nodiscard]] std::vector<std::int64_t> usual_ranks(const Machine& machine) const override;
  [[nodiscard]] std::string misfit(const Point& point) const override;
  [[nodiscard]] std::map<std::string, std::string> settled(const Point& point) const override;
  [[nodiscard]] int usual_repetitions(const Point& point) const override {
    return point.spread.is_none() ? 3 : 10;
  }
  [[nodiscard]] double weight(const Point& point) const override;
  [[nodiscard]] Limit limit(const Point& point) const override { return limit_in_memory(point); }
  [[nodiscard]] Result measure(const Point& point) const override { return measure(point, nullptr); }
  [[nodiscard]] Verdict check(const Point& point) const override;
  [[nodiscard]] bool checks_alone() const override { return true; }
  [[nodiscard]] std::string unrecorded(const Point& point, std::string_view option) const override {
    return option == "trace" ? std::string() : Backend::unrecorded(point, option);
  }
  /// Its timeline, a track for each thread.
  void record(const Point& point, const rcce::Records& records, int repetition) const override;
  /// With those who hear of it, as algorithms::in_memory::Trial has it; null: nobody.
  [[nodiscard]] Result measure(const Point& point, mesh::Observers* observers) const;

 private:
  Memory();
};

} // namespace lab
