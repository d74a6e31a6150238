// SPDX-License-Identifier: Apache-2.0
// The thesis' figures as data: figure 5 (ping-pong) and figures 9 to 20 (the three broadcasts on 12, 24, 36
// and 48 cores over small, medium and large messages), one CSV file each. README.md of this folder says what
// is known of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "thesis/plan.hpp"
#include "thesis/variant.hpp"

namespace rccebench::thesis {

/// A range of message sizes in equal steps.
struct Range {
  const char* name;
  std::int64_t first, last, step;
  [[nodiscard]] std::vector<std::int64_t> sizes() const;
};

/// Small, medium, large.
[[nodiscard]] std::span<const Range> ranges();

/// Makes the folder if there is none. Throws mesh::UserError when it cannot: before the work, not after.
void make_folder(const std::filesystem::path& folder);

class Figures {
 public:
  /// Adds the figures' runs under both clock presets, otherwise as `variant`.
  Figures(const Variant& variant, Plan& plan);

  /// Writes what the plan has measured; the files' names. Throws mesh::UserError when the folder cannot be
  /// written.
  [[nodiscard]] std::vector<std::string> write(const Plan& plan, const std::filesystem::path& folder) const;

  /// The same for an HTML report, on the first clock preset: figures 9 to 20.
  [[nodiscard]] nlohmann::ordered_json curves(const Plan& plan) const;

 private:
  struct Line { ///< one row of a CSV file
    std::string preset;
    std::int64_t bytes;
    std::size_t rcce, cube, dopl;
  };
  struct Figure {
    int number, cores;
    Range range;
    std::vector<Line> lines;
  };
  struct Wire { ///< one curve of figure 5
    std::string preset;
    int partner, hops;
    std::size_t curve;
  };
  std::string variant_;
  std::vector<Figure> figures_;
  std::vector<Wire> wires_;
};

} // namespace rccebench::thesis
