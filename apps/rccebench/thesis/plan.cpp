// SPDX-License-Identifier: Apache-2.0
#include "thesis/plan.hpp"

#include <fmt/format.h>

#include "lab.hpp"

namespace rccebench::thesis {
namespace {

/// What makes two points the same run.
std::string key_of(const Point& point) {
  const mesh::MachineDescription& machine = point.machine->config;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", machine.name(), machine.text("dram.frames"),
                     machine.text("cache.plain_store_l2_cycles"),
                     machine.text("cache.plain_store_dram_cycles"), point.algorithm,
                     text_of(point.generation), point.copies, point.cores, point.bytes, point.options_text(),
                     point.warm_up, point.reads);
}

constexpr int ping_pong_repetitions = 3;

Curve measure_curve(const PingPong& curve) {
  Run what;
  what.program = "pingpong";
  what.generation = Generation::rcce10;
  what.cores = {0, curve.partner};
  what.arguments = {fmt::format("{}", ping_pong_repetitions), "0"};
  for (const auto size : curve.sizes) what.arguments.push_back(fmt::format("{}", size));
  Curve found;
  for (const auto& row : rccebench::run(*curve.machine, what).rows)
    found[std::stoll(row.at(0))] = std::stod(row.at(1)) / 2;
  return found;
}

} // namespace

std::size_t Plan::add(const Point& point) {
  const auto [at, fresh] = places_.emplace(key_of(point), points_.size());
  if (fresh) points_.push_back(point);
  return at->second;
}

std::size_t Plan::add(const PingPong& curve) {
  curves_.push_back(curve);
  return curves_.size() - 1;
}

bool Plan::run(unsigned jobs) {
  timings_ = std::make_shared<std::vector<std::optional<Result>>>(points_.size());
  curves_found_ = std::make_shared<std::vector<std::optional<Curve>>>(curves_.size());
  Sweep sweep;
  for (std::size_t i = 0; i < points_.size(); ++i)
    sweep.add(points_[i].backend->weight(points_[i]), [timings = timings_, i, point = points_[i]] {
      return [timings, i, timing = point.backend->run(point)] { (*timings)[i] = timing; };
    });
  for (std::size_t i = 0; i < curves_.size(); ++i)
    sweep.add(0, [found = curves_found_, i, curve = curves_[i]] {
      return [found, i, one = measure_curve(curve)] { (*found)[i] = one; };
    });
  return sweep.run(jobs);
}

} // namespace rccebench::thesis
