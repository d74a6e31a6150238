// SPDX-License-Identifier: Apache-2.0
#include "measuring/units.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/errors.hpp"

namespace rccebench {
namespace {

enum class Kind : std::uint8_t { time, cycles, bandwidth, other };

struct Unit {
  std::string_view name;
  Kind kind;
  double scale = 1; ///< us, or bytes/us
};

constexpr Unit units[] = {
    {"ns", Kind::time, 1e-3},       {"us", Kind::time, 1},
    {"ms", Kind::time, 1e3},        {"s", Kind::time, 1e6},
    {"cycles", Kind::cycles},       {"core cycles", Kind::cycles},
    {"MB/s", Kind::bandwidth, 1},   {"MiB/s", Kind::bandwidth, 1.048576},
    {"GB/s", Kind::bandwidth, 1e3}, {"GiB/s", Kind::bandwidth, 1073.741824},
};

/// "us/line" is a time, of a line.
struct Parts {
  Unit unit;
  std::string_view of;
};

Parts parts_of(std::string_view text) {
  const auto named = [](std::string_view name) { return std::ranges::find(units, name, &Unit::name); };
  if (const auto* const whole = named(text); whole != std::end(units)) return {*whole, {}};
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto* const time = named(text.substr(0, slash));
  if (time != std::end(units) && time->kind != Kind::bandwidth && slash < text.size())
    return {*time, text.substr(slash)};
  return {{text, Kind::other}, {}};
}

bool is_time(Kind kind) {
  return kind == Kind::time || kind == Kind::cycles;
}

[[noreturn]] void refuse(const MeasuredUnit& measured, const Parts& wanted, std::string_view unit) {
  std::vector<std::string> allowed;
  for (const Unit& one : units) {
    const bool fits = one.kind == wanted.unit.kind ||
        (is_time(one.kind) ? (is_time(wanted.unit.kind) || measured.bytes > 0) : measured.bytes > 0);
    if (fits && wanted.unit.kind != Kind::other && (one.kind != Kind::cycles || measured.mhz > 0))
      allowed.push_back(fmt::format("{}{}", one.name, wanted.of));
  }
  if (allowed.empty()) allowed.emplace_back(measured.unit);
  throw mesh::UserError(
      fmt::format("column 'unit': '{}' cannot be compared with what is measured here, in {}; "
                  "allowed are {}",
                  mesh::shown(unit), measured.unit, fmt::join(allowed, ", ")));
}

/// The result, unless the conversion has made it infinite or 0.
double in_range(double result, double value, std::string_view unit) {
  if (std::isnormal(result) || value == 0) return result;
  throw mesh::UserError(fmt::format("column 'value': {} {} is out of range; check the number and its unit",
                                    value, mesh::shown(unit)));
}

} // namespace

bool same_kind(std::string_view unit, std::string_view other) {
  const Parts one = parts_of(unit), two = parts_of(other);
  return one.of == two.of &&
      (is_time(one.unit.kind) ? is_time(two.unit.kind) : one.unit.kind == two.unit.kind);
}

double in_unit_of(const MeasuredUnit& measured, double value, std::string_view unit) {
  if (unit.empty() || unit == measured.unit) return value;
  const Parts from = parts_of(unit), to = parts_of(measured.unit);
  const auto us_of = [&](const Unit& one) { // of one of that unit
    return one.kind == Kind::cycles ? 1 / measured.mhz : one.scale;
  };
  const bool has_clock = measured.mhz > 0 || (from.unit.kind != Kind::cycles && to.unit.kind != Kind::cycles);
  if (from.of != to.of || !has_clock || from.unit.kind == Kind::other || to.unit.kind == Kind::other)
    refuse(measured, to, unit);
  if (is_time(from.unit.kind) == is_time(to.unit.kind))
    return in_range(value * us_of(from.unit) / us_of(to.unit), value, unit);
  if (measured.bytes <= 0) refuse(measured, to, unit);
  return in_range(is_time(from.unit.kind) ? measured.bytes / (value * us_of(from.unit)) / to.unit.scale
                                          : measured.bytes / (value * from.unit.scale) / us_of(to.unit),
                  value, unit);
}

} // namespace rccebench
