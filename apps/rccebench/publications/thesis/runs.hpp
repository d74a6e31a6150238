// SPDX-License-Identifier: Apache-2.0
// The runs of the SCC broadcast thesis, each point once: what its quantities are measured by, and what has
// been measured, for tables of points.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "measuring/chip_variants.hpp"
#include "publications/quantity.hpp"

namespace rccebench::publications::thesis {

struct Done {
  Point point;
  Result result;
};

/// What commands may change of all runs, and what has been run. Shared with tasks that Ctrl-C leaves behind.
class Runs {
 public:
  explicit Runs(CommonOptions changes) : changes_(std::move(changes)) {}

  /// Those of all variants and presets.
  [[nodiscard]] std::shared_ptr<const Machine> machine(const measuring::ChipVariant& variant,
                                                       int frame_seed = 1);
  void add(std::string key, Done done);
  /// In the order of their keys.
  [[nodiscard]] std::vector<Done> done() const;
  [[nodiscard]] const CommonOptions& changes() const { return changes_; }

 private:
  CommonOptions changes_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Machine>> machines_;
  std::map<std::string, Done> done_;
};

/// What the quantities of the statements are; they keep `runs`.
[[nodiscard]] Quantities quantities_of(const std::shared_ptr<Runs>& runs);

} // namespace rccebench::publications::thesis
