// SPDX-License-Identifier: Apache-2.0
// Everything that a thesis run simulates, each point once: tables, figures and ratios share their runs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab.hpp"
#include "lab/messages.hpp"

namespace rccebench::thesis {

/// One curve of the ping-pong: core 0 against another, all sizes in one program.
struct PingPong {
  std::shared_ptr<const Machine> machine;
  std::string machine_name;
  int partner = 1;
  std::vector<std::int64_t> sizes;
};

/// Half the round trip in microseconds, the least of the repetitions, by size.
using Curve = std::map<std::int64_t, double>;

class Plan {
 public:
  /// Places in the plan; a point that is there already is not added again.
  std::size_t add(const Point& point);
  std::size_t add(const PingPong& curve);

  /// Simulates all, the longest first. False after Ctrl-C; what is missing then is empty.
  bool run(unsigned jobs);

  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  [[nodiscard]] const std::optional<Result>& timing(std::size_t point) const { return (*timings_)[point]; }
  [[nodiscard]] const std::optional<Curve>& curve(std::size_t curve) const { return (*curves_found_)[curve]; }
  /// Microseconds of the operation; nothing where it was not reached.
  [[nodiscard]] std::optional<double> us(std::size_t point) const {
    return timing(point) ? std::optional(timing(point)->max_us) : std::nullopt;
  }

 private:
  std::vector<Point> points_;
  std::map<std::string, std::size_t> places_;
  std::vector<PingPong> curves_;
  // Shared with the tasks, which may outlive a run that Ctrl-C has ended.
  std::shared_ptr<std::vector<std::optional<Result>>> timings_;
  std::shared_ptr<std::vector<std::optional<Curve>>> curves_found_;
};

} // namespace rccebench::thesis
