// SPDX-License-Identifier: Apache-2.0
#include "thesis/tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace rccebench::thesis {
namespace {

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

double median_size(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  return median_of(std::move(values));
}

Point run_of(const PublishedCell& cell, Variant variant, bool reads) {
  const bool cube = cell.table == Which::cube;
  // Read from end to end, a message several times L2 leaves its tail there wherever its pages lie: random
  // frames moved no such cell by more than 1.8 %. One run serves both.
  const auto l2_bytes = static_cast<std::int64_t>(variant.machine()->config.number("cache.l2_bytes"));
  if (cell.message_bytes >= 4 * l2_bytes) variant.frames = "contiguous";
  Point point = thesis::run_of(variant, cube ? Broadcast::cube : Broadcast::dopl, cell.message_bytes, 48,
                               Copies::as_thesis, reads);
  point.options[cube ? "part" : "pipe"] = fmt::format("{}", cell.piece_bytes);
  return point;
}

/// The size with which the thesis made its other measurements.
std::int64_t standard_piece(Which table) {
  const bool cube = table == Which::cube;
  return Messages::standard()
      ->row(cube ? "bcast/cube" : "bcast/dopl")
      .parameter(cube ? "part" : "pipe")
      ->standard;
}

char letter(std::size_t variant) {
  return static_cast<char>('A' + variant);
}

std::string text_of(const PublishedCell& cell) {
  return fmt::format("{} {} bytes in {}", name_of(cell.table), cell.message_bytes, cell.printed_bytes);
}

using ColumnKey = std::pair<Which, std::int64_t>;

} // namespace

bool Comparison::best_sizes_within(int steps) const {
  return std::all_of(columns.begin(), columns.end(), [&](const BestSize& one) { return one.steps <= steps; });
}

Tables::Tables(std::vector<PublishedCell> cells, std::span<const Variant> variants, bool never_read,
               Plan& plan)
    : cells_(std::move(cells)) {
  for (const Variant& variant : variants) variants_.push_back({variant, true, {}});
  if (never_read) variants_.push_back({variants.front(), false, {}});
  for (Entry& entry : variants_)
    for (const PublishedCell& cell : cells_)
      entry.points.push_back(plan.add(run_of(cell, entry.variant, entry.reads)));
}

std::optional<double> Tables::error_percent(const Plan& plan, const Entry& entry, std::size_t cell) const {
  const auto us = plan.us(entry.points[cell]);
  return us ? std::optional((*us / cells_[cell].us - 1) * 100) : std::nullopt;
}

Comparison Tables::compare(const Plan& plan, std::size_t variant, bool without_misprint) const {
  const Entry& entry = variants_[variant];
  Comparison result;
  std::vector<double> all, cube, dopl;
  struct Best {
    double published = 0, simulated = 0;
    std::int64_t published_piece = 0, simulated_piece = 0;
  };
  std::map<ColumnKey, Best> best;
  struct Standard {
    double cube_us = 0, dopl_us = 0, published_cube_us = 0, published_dopl_us = 0;
  };
  std::map<std::int64_t, Standard> standard;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const PublishedCell& cell = cells_[i];
    const auto error = error_percent(plan, entry, i);
    if (!error || (without_misprint && cell.printed_bytes != cell.piece_bytes)) continue;
    all.push_back(*error);
    (cell.table == Which::cube ? cube : dopl).push_back(*error);
    if (std::abs(*error) >= result.worst_percent) {
      result.worst_percent = std::abs(*error);
      result.worst_cell = text_of(cell);
    }
    const double us = *plan.us(entry.points[i]);
    if (cell.piece_bytes == standard_piece(cell.table)) {
      Standard& times = standard[cell.message_bytes];
      (cell.table == Which::cube ? times.cube_us : times.dopl_us) = us;
      (cell.table == Which::cube ? times.published_cube_us : times.published_dopl_us) = cell.us;
    }
    Best& one = best[{cell.table, cell.message_bytes}];
    if (one.published_piece == 0 || cell.us < one.published)
      one.published = cell.us, one.published_piece = cell.piece_bytes;
    if (one.simulated_piece == 0 || us < one.simulated)
      one.simulated = us, one.simulated_piece = cell.piece_bytes;
  }
  for (const auto& [bytes, times] : standard)
    if (times.cube_us > 0 && times.dopl_us > 0)
      result.cube_to_dopl[bytes] = {times.published_cube_us / times.published_dopl_us,
                                    times.cube_us / times.dopl_us};
  result.cells = all.size();
  result.median_percent = median_size(all);
  result.cube_median_percent = median_size(cube);
  result.dopl_median_percent = median_size(dopl);
  result.bias_percent = median_of(all);
  for (const auto& [key, one] : best) {
    const double steps =
        std::log2(static_cast<double>(one.simulated_piece) / static_cast<double>(one.published_piece));
    result.columns.push_back({key.first, key.second, one.published_piece, one.simulated_piece,
                              static_cast<int>(std::lround(std::abs(steps)))});
  }
  return result;
}

std::string Tables::variant_name(std::size_t variant) const {
  const Entry& entry = variants_[variant];
  return entry.variant.name() + (entry.reads ? "" : ", buffers never read");
}

std::vector<Table> Tables::views(const Plan& plan) const {
  Table legend{
      "variants: what published point-to-point figures leave open, A the best-argued (README.md says why).\n"
      "# Median, worst, cube, DOPL: absolute errors over all cells. Bias: median with sign. Steps: between "
      "the published\n"
      "# and the simulated best size of each column. Last: time of the cube over DOPL at the standard sizes, "
      "published in\n"
      "# the head. 1,900,000 bytes are run with contiguous frames only: random ones move no cell by more "
      "than 1.8 %",
      {{"", "", 0},
       {"Clocks", "", 0},
       {"Stores", "", 0},
       {"Frames", "", 0},
       {"Read", "", 0},
       {"Cells", "", 0},
       {"Median", "%", 1},
       {"Worst", "%", 1},
       {"Cube", "%", 1},
       {"DOPL", "%", 1},
       {"Bias", "%", 1},
       {"Steps", "", 0}},
      {}};
  const Comparison first = compare(plan, 0);
  for (const auto& [bytes, ratio] : first.cube_to_dopl)
    legend.columns.push_back({fmt::format("{} B: {:.1f}", bytes, ratio.first), "", 1});
  for (std::size_t v = 0; v < variants_.size(); ++v) {
    const Entry& entry = variants_[v];
    const Comparison result = compare(plan, v);
    std::string steps;
    for (const BestSize& column : result.columns)
      steps += fmt::format("{}{}", steps.empty() ? "" : " ", column.steps);
    legend.rows.push_back({std::string(1, letter(v)), entry.variant.preset,
                           entry.variant.stores == Stores::curve ? "V1.0.13 curve" : "latencies",
                           entry.variant.frames, entry.reads, static_cast<std::int64_t>(result.cells),
                           result.median_percent, result.worst_percent, result.cube_median_percent,
                           result.dopl_median_percent, result.bias_percent, steps});
    for (const auto& [bytes, ratio] : first.cube_to_dopl) {
      Cell& cell = legend.rows.back().emplace_back();
      if (const auto found = result.cube_to_dopl.find(bytes); found != result.cube_to_dopl.end())
        cell = found->second.second;
    }
  }
  std::vector<Table> views{std::move(legend)};

  std::map<ColumnKey, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < cells_.size(); ++i)
    groups[{cells_[i].table, cells_[i].message_bytes}].push_back(i);
  for (const auto& [key, group] : groups) {
    const bool cube = key.first == Which::cube;
    Table view{fmt::format("{}, {} bytes, 48 cores: milliseconds, and the error in percent, by variant",
                           cube ? "cube (table of section 5.5)" : "DOPL (table of section 6.3)", key.second),
               {{cube ? "Part" : "Pipe", "bytes", 0}, {"Published", "", 3}},
               {}};
    for (std::size_t v = 0; v < variants_.size(); ++v)
      view.columns.push_back({std::string(1, letter(v)), "", 0, true});
    for (const std::size_t i : group) {
      std::vector<Cell> row{cells_[i].piece_bytes, cells_[i].us / 1000};
      for (const Entry& entry : variants_) {
        const auto error = error_percent(plan, entry, i);
        row.push_back(error ? Cell{fmt::format("{:.3f} {:+4.0f}", *plan.us(entry.points[i]) / 1000, *error)}
                            : Cell{});
      }
      view.rows.push_back(std::move(row));
    }
    views.push_back(std::move(view));
  }
  return views;
}

nlohmann::ordered_json Tables::cells_of(const Plan& plan, std::size_t variant) const {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const auto error = error_percent(plan, variants_[variant], i);
    if (!error) continue;
    list.push_back({{"table", name_of(cells_[i].table)},
                    {"message_bytes", cells_[i].message_bytes},
                    {"piece_bytes", cells_[i].piece_bytes},
                    {"published_us", cells_[i].us},
                    {"simulated_us", *plan.us(variants_[variant].points[i])},
                    {"error_percent", *error}});
  }
  return list;
}

} // namespace rccebench::thesis
