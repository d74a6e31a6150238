// SPDX-License-Identifier: Apache-2.0
#include "measuring/chip_figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "lab/lists.hpp"
#include "measuring/units.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/read_number.hpp"

namespace rccebench {
namespace {

enum class Library : std::uint8_t { rcce10, rcce10_prefetching, rcce20 };

/// Everything that the programs measured, by what the published rows are keyed with.
struct ChipFigures {
  std::map<int, double> lock_us;          ///< core -> acquire and release
  std::map<int, double> round_trip_32_us; ///< hops -> round trip
  /// hops, bytes -> half round trip
  std::map<Library, std::map<int, std::map<std::int64_t, double>>> one_way_us;
  std::map<int, double> barrier_us, lock_barrier_us, contended_lock_us; ///< cores ->
  std::map<int, std::pair<double, double>> readers;                     ///< cores -> loss, spread
  std::map<std::int64_t, std::pair<double, double>> copy_us_per_line;   ///< bytes -> put, get
  std::map<std::string, double> bcast_us; ///< algorithm -> of crowd_bytes to all

  [[nodiscard]] double bandwidth(Library library, const Published& row) const {
    const std::int64_t bytes = row.bytes.value();
    return static_cast<double>(bytes) / one_way_us.at(library).at(row.hops.value_or(0)).at(bytes) / 1.048576;
  }
};

constexpr std::int64_t kibi = 1024;
/// Broadcasts whose receivers crowd at one buffer, or come to it one after the other.
constexpr std::int64_t crowd_bytes = 64 * kibi;
constexpr int crowd_cores = 48;
constexpr const char *crowd = "bcast/mcast", *crowd_rivals[] = {"bcast/linear", "bcast/binomial"};

/// The first core at that distance from core 0; 0 where there is none.
int core_at(const Machine& machine, int hops) {
  for (int core = 1; core < machine.config.cores(); ++core)
    if (machine.hops(0, core) == hops) return core;
  return 0;
}

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
    if (has("bcast_crowd")) add_crowd();
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

  void run() {
    outputs_ = run_all(machine_, runs_);
    for (const auto& result : measure_all(points_, 1)) bcast_us_.push_back(result ? result->max_us : 0);
  }
  /// After run(), of which nothing was left out.
  [[nodiscard]] ChipFigures figures() const {
    ChipFigures measured;
    for (std::size_t i = 0; i < outputs_.size(); ++i) readers_[i](measured, outputs_[i]);
    for (auto& [hops, time] : measured.round_trip_32_us) time /= distance_counts_.at(hops);
    for (std::size_t i = 0; i < points_.size(); ++i) measured.bcast_us[points_[i].algorithm] = bcast_us_[i];
    return measured;
  }

 private:
  using Reader = std::function<void(ChipFigures&, const Output&)>;

  void add(Run run, Reader reader) {
    runs_.push_back(std::move(run));
    readers_.push_back(std::move(reader));
  }

  void add_crowd() {
    const auto machine = std::make_shared<const Machine>(machine_);
    for (const char* const algorithm : {crowd, crowd_rivals[0], crowd_rivals[1]}) {
      Point point{
          .machine = machine, .machine_name = machine_.config.name(), .backend = backend_of(*machine)};
      point.algorithm = algorithm;
      point.cores = crowd_cores;
      point.bytes = crowd_bytes;
      point.moves_payload = point.checks = false;
      point.warm_up = point.backend->usual_warm_up(point);
      points_.push_back(std::move(point));
    }
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

  /// Curves on one tile, and at every distance that a row names.
  void add_curves(const std::vector<Published>& rows) {
    std::map<int, std::set<std::int64_t>> sizes{{0, {1}}};
    for (const Published& row : rows)
      if (row.group.starts_with("pingpong") && row.bytes) sizes[row.hops.value_or(0)].insert(*row.bytes);
    for (const auto& [hops, of_curve] : sizes) add_curves(hops, of_curve);
  }

  void add_curves(int hops, const std::set<std::int64_t>& sizes) {
    const int partner = core_at(machine_, hops);
    for (const auto library : {Library::rcce10, Library::rcce10_prefetching, Library::rcce20}) {
      Run run{"pingpong", Generation::rcce10, {0, partner}, {"4", "0"}, "own"};
      if (library == Library::rcce10_prefetching) run.copies = "prefetching";
      if (library == Library::rcce20) run.generation = Generation::rcce20;
      for (const auto bytes : sizes) run.arguments.push_back(fmt::format("{}", bytes));
      add(std::move(run), [library, hops](ChipFigures& m, const Output& out) {
        for (const auto& row : out.rows)
          m.one_way_us[library][hops][std::stoll(row.at(0))] = std::stod(row.at(1)) / 2;
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
    if (row.group == "buffer_readers")
      add({"copy", Generation::rcce20, machine_.first_cores(cores), {"readers", "5"}},
          [cores](ChipFigures& m, const Output& out) {
            m.readers[cores] = {std::stod(out.rows.at(0).at(0)), std::stod(out.rows.at(0).at(1))};
          });
  }

  const Machine& machine_;
  std::vector<Run> runs_;
  std::vector<Reader> readers_;
  std::vector<Output> outputs_;
  std::vector<Point> points_;
  std::vector<double> bcast_us_; ///< by point
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

struct LineCost {
  std::string_view id, unit;
  double (*of)(const ChipFigures& m);
};

const auto& plain(const ChipFigures& m) {
  return m.one_way_us.at(Library::rcce10).at(0);
}
const auto& prefetching(const ChipFigures& m) {
  return m.one_way_us.at(Library::rcce10_prefetching).at(0);
}
double slower(const ChipFigures& m, std::int64_t bytes) {
  const auto [put, get] = m.copy_us_per_line.at(bytes);
  return std::max(put, get);
}

constexpr LineCost line_costs[] = {
    {"DRV-L1-SUM", "us/line",
     [](const ChipFigures& m) { return line_through(prefetching(m), 256, 4096).second; }},
    {"DRV-L1-ICPT", "us", [](const ChipFigures& m) { return line_through(prefetching(m), 256, 4096).first; }},
    {"DRV-L2-SUM", "us/line",
     [](const ChipFigures& m) { return per_line(prefetching(m), 16 * kibi, 128 * kibi); }},
    {"DRV-L2-MAX", "us/line", [](const ChipFigures& m) { return slower(m, 64 * kibi); }},
    {"DRV-DRAM-SUM", "us/line",
     [](const ChipFigures& m) { return per_line(prefetching(m), 1024 * kibi, 1024 * kibi); }},
    {"DRV-DRAM-MAX", "us/line", [](const ChipFigures& m) { return slower(m, 1024 * kibi); }},
    {"DRV-V1-L1", "us/line", [](const ChipFigures& m) { return line_through(plain(m), 256, 4096).second; }},
    {"DRV-V1-L2", "us/line", [](const ChipFigures& m) { return per_line(plain(m), 32 * kibi, 128 * kibi); }},
    {"DRV-V1-DRAM", "us/line",
     [](const ChipFigures& m) { return per_line(plain(m), 1024 * kibi, 1024 * kibi); }},
    {"DRV-RTT-HOP", "us/hop",
     [](const ChipFigures& m) { return (m.round_trip_32_us.at(8) - m.round_trip_32_us.at(1)) / 7; }},
};

const LineCost& line_cost(const std::string& id) {
  const auto* const found = std::ranges::find(line_costs, id, &LineCost::id);
  if (found != std::end(line_costs)) return *found;
  std::vector<std::string_view> ids;
  for (const LineCost& one : line_costs) ids.push_back(one.id);
  throw mesh::UserError(fmt::format("column 'id': of line_cost it is one of {}, not '{}'",
                                    fmt::join(ids, ", "), mesh::shown(id)));
}

// Which generation of the library a figure was measured with is stated by the source for the ping-pong curves
// and the 1-byte latency. It is inferred for the 32-byte round trip (5.2 us on one tile: V1.0.13 has 5.4,
// prefetching copies 4.1) and for the barrier (July 2011, before RCCE 2.0 was in use).
constexpr ChipGroup groups[] = {
    {"tas", "test-and-set register by target, from tile (0,0)",
     "lock: RCCE_acquire_lock and RCCE_release_lock of each core's register", "core cycles", "cores=1 hops",
     "id=TAS-12 hops=1", 5, 0},
    {"rtt32", "round trip of 32 bytes by distance, core 0 against all others",
     "pingpong, RCCE 1.0: mean over the cores at that distance", "us", "cores=2 bytes=32 hops", "hops=3", 5,
     5},
    {"latency1", "latency of 1 byte on one tile", "pingpong, RCCE 1.0 and 2.0, cores 0 and 1", "us",
     "cores=2 bytes=1 hops=0", "id=V1.0.13 (else RCCE 2.0)"},
    {"pingpong_rcce10", "ping-pong bandwidth on one tile, plain copies", "pingpong, RCCE 1.0, cores 0 and 1",
     "MiB/s", "cores=2 bytes hops", "bytes=1024 hops=0", 7, 15},
    {"pingpong_prefetching", "ping-pong bandwidth on one tile, prefetching copies",
     "pingpong, RCCE 1.0 with rcce.copies = prefetching, cores 0 and 1", "MiB/s", "cores=2 bytes hops",
     "bytes=1024 hops=0", 7, 15},
    {"barrier", "RCCE_barrier by number of cores (2 cores, a hand-shake of two, in sight; the rest never)",
     "barrier flags, RCCE 1.0, cores 0 ... n-1", "ns", "cores", "cores=48", 0, 20},
    {"tas_barrier",
     "barrier over test-and-set registers (never fitted; the source does not give its algorithm)",
     "barrier locks: a token twice round, our own algorithm", "ns", "cores", "cores=48"},
    {"contended_lock", "time to acquire a contended test-and-set lock (never fitted)",
     "lock contended: all cores on the register of core 0", "ns", "cores", "cores=48"},
    {"buffer_readers",
     "cores that get 128 lines of one message buffer at once: how many times longer than alone one takes at "
     "most; -SPREAD: the slowest by the fastest (tile.mpb_port_cycles was chosen by the first)",
     "copy readers: cores 0 ... n-1 get from core 0", "ratio", "cores", "id=LOSS cores=24"},
    {"bcast_crowd",
     "broadcast of 64 kB to 47 receivers: how many times longer than iRCCE's, whose receivers crowd at one "
     "buffer (never fitted)",
     "RCCE 2.0: -RCCE bcast/linear, -COMM bcast/binomial, by bcast/mcast", "ratio", "cores=48 bytes=65536",
     "id=FLAIR-T2-RCCE cores=48 bytes=65536"},
    {"line_cost", "cost per line and per message by memory regime (values computed from the curves above)",
     "the same computation on the model's curves; -MAX: program copy, slower of put and get", "us/line",
     "cores=2 bytes=32 hops=0", "id=DRV-L1-SUM"},
};

const ChipGroup& group_of(const std::string& key) {
  const auto* const found = std::ranges::find(groups, key, &ChipGroup::key);
  if (found != std::end(groups)) return *found;
  std::vector<std::string_view> keys;
  for (const ChipGroup& one : groups) keys.push_back(one.key);
  const std::string_view near = mesh::nearest(key, keys);
  throw mesh::UserError(fmt::format("column 'group': nothing measures '{}'; {} (rcceinfo measurements)",
                                    mesh::shown(key),
                                    near.empty() ? fmt::format("allowed are {}", fmt::join(keys, ", "))
                                                 : fmt::format("did you mean '{}'?", near)));
}

/// Throws mesh::UserError where the group does not have the column, or another value in it.
void check_column(const ChipGroup& group, const std::string& column, std::optional<std::int64_t> given) {
  for (const std::string& word : lab::cut(std::string(group.columns), ' ')) {
    if (word.substr(0, word.find('=')) != column) continue;
    const bool free = word == column;
    if (free && !given && column != "hops")
      throw mesh::UserError(fmt::format("column '{}': the group {} needs it", column, group.key));
    if (!free && given && fmt::format("{}={}", column, *given) != word)
      throw mesh::UserError(fmt::format("column '{}': the group {} is of {}, not of {}", column, group.key,
                                        word.substr(column.size() + 1), *given));
    return;
  }
  if (given)
    throw mesh::UserError(fmt::format("column '{}': the group {} has no such column, leave it empty; of it "
                                      "count: {}",
                                      column, group.key, group.columns));
}

double model_value(const ChipFigures& m, const Published& row, double nominal_mhz) {
  if (row.group == "tas") return m.lock_us.at(core_in(row.id)) * nominal_mhz;
  if (row.group == "rtt32") return m.round_trip_32_us.at(row.hops.value());
  if (row.group == "latency1")
    return m.one_way_us.at(row.id.ends_with("V1.0.13") ? Library::rcce10 : Library::rcce20).at(0).at(1);
  if (row.group == "pingpong_rcce10") return m.bandwidth(Library::rcce10, row);
  if (row.group == "pingpong_prefetching") return m.bandwidth(Library::rcce10_prefetching, row);
  if (row.group == "barrier") return m.barrier_us.at(row.cores.value()) * 1000;
  if (row.group == "tas_barrier") return m.lock_barrier_us.at(row.cores.value()) * 1000;
  if (row.group == "contended_lock") return m.contended_lock_us.at(row.cores.value()) * 1000;
  if (row.group == "buffer_readers") {
    const auto [loss, spread] = m.readers.at(row.cores.value());
    return row.id.ends_with("-SPREAD") ? spread : loss;
  }
  if (row.group == "bcast_crowd")
    return m.bcast_us.at(crowd_rivals[row.id.ends_with("COMM") ? 1 : 0]) / m.bcast_us.at(crowd);
  if (row.group == "line_cost") return line_cost(row.id).of(m);
  (void)group_of(row.group);
  return 0;
}

} // namespace

std::span<const ChipGroup> chip_groups() {
  return groups;
}

int core_in(const std::string& id) {
  int core = 0;
  if (!mesh::read_number(std::string_view(id).substr(id.rfind('-') + 1), core))
    throw mesh::UserError(
        fmt::format("column 'id': of tas it ends with the core, as TAS-12; '{}' does not", mesh::shown(id)));
  return core;
}

void check_chip_row(Published& row, const Machine& machine) {
  const ChipGroup& group = group_of(row.group);
  check_column(group, "cores", row.cores);
  check_column(group, "bytes", row.bytes);
  check_column(group, "hops", row.hops);
  if (row.cores && (*row.cores > machine.config.cores() || (group.columns == "cores" && *row.cores < 2)))
    throw mesh::UserError(
        fmt::format("column 'cores': {} is out of range 2..{}", *row.cores, machine.config.cores()));
  if (row.bytes && *row.bytes < 1) throw mesh::UserError("column 'bytes': a message has at least 1");
  if (row.group == "tas") {
    const int core = core_in(row.id), most = machine.config.cores() - 1;
    if (core > most)
      throw mesh::UserError(fmt::format("column 'id': core {} is out of range 0..{}", core, most));
    if (row.hops && *row.hops != machine.hops(0, core))
      throw mesh::UserError(fmt::format("column 'hops': core {} is {} from core 0, not {}", core,
                                        machine.hops(0, core), *row.hops));
  } else if (row.group == "rtt32" && !row.hops) {
    throw mesh::UserError("column 'hops': the group rtt32 needs it");
  }
  if (row.hops && core_at(machine, *row.hops) == 0)
    throw mesh::UserError(fmt::format("column 'hops': no core is {} from core 0", *row.hops));
  const std::string_view unit = row.group == "line_cost" ? line_cost(row.id).unit : group.unit;
  // Of a round trip there is no bandwidth.
  const double bytes = group.key.starts_with("pingpong") ? static_cast<double>(*row.bytes) : 0;
  row.value = in_unit_of({unit, bytes, std::floor(machine.core_mhz())}, row.value, row.unit);
  row.unit = unit;
}

std::vector<double> chip_figures(const Machine& machine, const std::vector<Published>& rows) {
  ChipMeasurement measurement(machine, rows);
  measurement.run();
  require_whole();
  const ChipFigures measured = measurement.figures();
  std::vector<double> values;
  for (const Published& row : rows) try {
      values.push_back(model_value(measured, row, std::floor(machine.core_mhz())));
      if (!std::isfinite(values.back())) throw std::out_of_range(row.id); // of no size, or of a single one
    } catch (const std::out_of_range&) {
      throw mesh::UserError(
          fmt::format("row '{}' of group '{}' is computed from curves with other sizes than "
                      "those of this file",
                      row.id, row.group));
    }
  return values;
}

} // namespace rccebench
