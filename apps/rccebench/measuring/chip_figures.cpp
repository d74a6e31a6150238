// SPDX-License-Identifier: Apache-2.0
#include "measuring/chip_figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"

namespace rccebench {
namespace {

enum class Library : std::uint8_t { rcce10, rcce10_prefetching, rcce20 };

/// Everything that the programs measured, by what the published rows are keyed with.
struct ChipFigures {
  std::map<int, double> lock_us;                                        ///< core -> acquire and release
  std::map<int, double> round_trip_32_us;                               ///< hops -> round trip
  std::map<Library, std::map<std::int64_t, double>> one_way_us;         ///< bytes -> half round trip
  std::map<int, double> barrier_us, lock_barrier_us, contended_lock_us; ///< cores ->
  std::map<std::int64_t, std::pair<double, double>> copy_us_per_line;   ///< bytes -> put, get

  [[nodiscard]] double bandwidth(Library library, std::int64_t bytes) const {
    return static_cast<double>(bytes) / one_way_us.at(library).at(bytes) / 1.048576;
  }
};

constexpr std::int64_t kibi = 1024;

class ChipMeasurement {
 public:
  ChipMeasurement(const Machine& machine, const std::vector<Published>& rows) : machine_(machine) {
    const auto has = [&](std::string_view group) {
      return std::ranges::any_of(rows, [&](const Published& row) { return row.group.starts_with(group); });
    };
    const int cores = machine_.config.cores();
    if (has("tas"))
      add({"lock", Generation::rcce20, machine_.first_cores(cores), {"alone", "20"}},
          [](ChipFigures& m, const Output& out) {
            for (const auto& row : out.rows) m.lock_us[std::stoi(row.at(0))] = std::stod(row.at(1));
          });
    const bool derived = has("line_cost");
    if (derived || has("rtt32")) add_distances(cores);
    if (derived || has("pingpong") || has("latency1")) add_curves(rows);
    for (const Published& row : rows)
      if (row.cores) add_by_cores(row, *row.cores);
    if (derived)
      add({"copy", Generation::rcce20, {0, 1}, {"4", "65536", "1048576"}},
          [](ChipFigures& m, const Output& out) {
            for (const auto& row : out.rows)
              m.copy_us_per_line[std::stoll(row.at(0))] = {std::stod(row.at(1)), std::stod(row.at(2))};
          });
  }

  void run() { outputs_ = run_all(machine_, runs_); }
  /// After run(), of which nothing was left out.
  [[nodiscard]] ChipFigures figures() const {
    ChipFigures measured;
    for (std::size_t i = 0; i < outputs_.size(); ++i) readers_[i](measured, outputs_[i]);
    for (auto& [hops, time] : measured.round_trip_32_us) time /= distance_counts_.at(hops);
    return measured;
  }

 private:
  using Reader = std::function<void(ChipFigures&, const Output&)>;

  void add(Run run, Reader reader) {
    runs_.push_back(std::move(run));
    readers_.push_back(std::move(reader));
  }

  void add_distances(int cores) {
    for (int core = 1; core < cores; ++core) {
      const int hops = machine_.hops(0, core);
      ++distance_counts_[hops];
      add({"pingpong", Generation::rcce10, {0, core}, {"5", "0", "32"}},
          [hops](ChipFigures& m, const Output& out) {
            m.round_trip_32_us[hops] += std::stod(out.rows.at(0).at(1));
          });
    }
  }

  void add_curves(const std::vector<Published>& rows) {
    std::set<std::int64_t> sizes{1};
    for (const Published& row : rows)
      if (row.group.starts_with("pingpong") && row.bytes) sizes.insert(*row.bytes);
    for (const auto library : {Library::rcce10, Library::rcce10_prefetching, Library::rcce20}) {
      Run run{"pingpong", Generation::rcce10, {0, 1}, {"4", "0"}, "own"};
      if (library == Library::rcce10_prefetching) run.copies = "prefetching";
      if (library == Library::rcce20) run.generation = Generation::rcce20;
      for (const auto bytes : sizes) run.arguments.push_back(fmt::format("{}", bytes));
      add(std::move(run), [library](ChipFigures& m, const Output& out) {
        for (const auto& row : out.rows)
          m.one_way_us[library][std::stoll(row.at(0))] = std::stod(row.at(1)) / 2;
      });
    }
  }

  void add_by_cores(const Published& row, int cores) {
    const auto one_number = [&](const char* program, const char* what, const char* repetitions,
                                Generation generation, std::map<int, double> ChipFigures::*where) {
      add({program, generation, machine_.first_cores(cores), {what, repetitions}},
          [cores, where](ChipFigures& m, const Output& out) {
            (m.*where)[cores] = std::stod(out.rows.at(0).at(0));
          });
    };
    if (row.group == "barrier")
      one_number("barrier", "flags", "20", Generation::rcce10, &ChipFigures::barrier_us);
    if (row.group == "tas_barrier")
      one_number("barrier", "locks", "20", Generation::rcce20, &ChipFigures::lock_barrier_us);
    if (row.group == "contended_lock")
      one_number("lock", "contended", "50", Generation::rcce20, &ChipFigures::contended_lock_us);
  }

  const Machine& machine_;
  std::vector<Run> runs_;
  std::vector<Reader> readers_;
  std::vector<Output> outputs_;
  std::map<int, int> distance_counts_;
};

/// Least-squares line through (lines, microseconds per message) between two sizes: {intercept, slope}.
std::pair<double, double> line_through(const std::map<std::int64_t, double>& curve, std::int64_t from,
                                       std::int64_t to) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& [bytes, us] : curve) {
    if (bytes < from || bytes > to) continue;
    const double x = static_cast<double>(bytes) / 32;
    n += 1, sx += x, sy += us, sxx += x * x, sxy += x * us;
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  return {(sy - slope * sx) / n, slope};
}

/// Mean time per line over all sizes between two.
double per_line(const std::map<std::int64_t, double>& curve, std::int64_t from, std::int64_t to) {
  double sum = 0, n = 0;
  for (const auto& [bytes, us] : curve)
    if (bytes >= from && bytes <= to) sum += us / (static_cast<double>(bytes) / 32), n += 1;
  return sum / n;
}

double line_cost(const ChipFigures& m, const std::string& id) {
  const auto& plain = m.one_way_us.at(Library::rcce10);
  const auto& prefetching = m.one_way_us.at(Library::rcce10_prefetching);
  const auto slower = [&](std::int64_t bytes) {
    const auto [put, get] = m.copy_us_per_line.at(bytes);
    return std::max(put, get);
  };
  const std::map<std::string, std::function<double()>> rules{
      {"DRV-L1-SUM", [&] { return line_through(prefetching, 256, 4096).second; }},
      {"DRV-L1-ICPT", [&] { return line_through(prefetching, 256, 4096).first; }},
      {"DRV-L2-SUM", [&] { return per_line(prefetching, 16 * kibi, 128 * kibi); }},
      {"DRV-L2-MAX", [&] { return slower(64 * kibi); }},
      {"DRV-DRAM-SUM", [&] { return per_line(prefetching, 1024 * kibi, 1024 * kibi); }},
      {"DRV-DRAM-MAX", [&] { return slower(1024 * kibi); }},
      {"DRV-V1-L1", [&] { return line_through(plain, 256, 4096).second; }},
      {"DRV-V1-L2", [&] { return per_line(plain, 32 * kibi, 128 * kibi); }},
      {"DRV-V1-DRAM", [&] { return per_line(plain, 1024 * kibi, 1024 * kibi); }},
      {"DRV-RTT-HOP", [&] { return (m.round_trip_32_us.at(8) - m.round_trip_32_us.at(1)) / 7; }},
  };
  return rules.at(id)();
}

double model_value(const ChipFigures& m, const Published& row, double nominal_mhz) {
  if (row.group == "tas") return m.lock_us.at(std::stoi(row.id.substr(row.id.find('-') + 1))) * nominal_mhz;
  if (row.group == "rtt32") return m.round_trip_32_us.at(row.hops.value());
  if (row.group == "latency1")
    return m.one_way_us.at(row.id.ends_with("V1.0.13") ? Library::rcce10 : Library::rcce20).at(1);
  if (row.group == "pingpong_rcce10") return m.bandwidth(Library::rcce10, row.bytes.value());
  if (row.group == "pingpong_prefetching") return m.bandwidth(Library::rcce10_prefetching, row.bytes.value());
  if (row.group == "barrier") return m.barrier_us.at(row.cores.value()) * 1000;
  if (row.group == "tas_barrier") return m.lock_barrier_us.at(row.cores.value()) * 1000;
  if (row.group == "contended_lock") return m.contended_lock_us.at(row.cores.value()) * 1000;
  if (row.group == "line_cost") return line_cost(m, row.id);
  throw mesh::UserError(
      fmt::format("published row '{}': nothing measures the group '{}'", row.id, row.group));
}

} // namespace

std::vector<std::vector<double>> chip_figures(const std::vector<const Machine*>& machines,
                                              const std::vector<Published>& rows) {
  std::vector<ChipMeasurement> measurements;
  for (const Machine* const machine : machines) measurements.emplace_back(*machine, rows).run();
  require_whole();
  std::vector<std::vector<double>> all;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const ChipFigures measured = measurements[i].figures();
    auto& values = all.emplace_back();
    for (const Published& row : rows) try {
        values.push_back(model_value(measured, row, std::floor(machines[i]->core_mhz())));
      } catch (const std::out_of_range&) {
        throw mesh::UserError(
            fmt::format("row '{}' of group '{}' is computed from curves with other sizes than "
                        "those of this file",
                        row.id, row.group));
      }
  }
  return all;
}

} // namespace rccebench
