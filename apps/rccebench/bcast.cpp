// rccebench bcast and rccebench barrier: algorithms, core counts and sizes as asked for, one row each.
#include "collective_options.hpp"
#include "sweep.hpp"

namespace rccebench {
namespace {

using algorithms::Operation;

/// What people read: the columns of the full rows that say something here.
Table view_of(const std::vector<Collective>& points, const std::vector<std::optional<Timing>>& timings,
              bool bcast) {
  Table view{"",
             {{"Algorithm", "", 0},
              {"Cores", "", 0},
              {"Size", "bytes", 0},
              {"Part", "bytes", 0},
              {"First rank", "us", 3},
              {"Mean", "us", 3},
              {"Last rank", "us", 3},
              {"Bandwidth", "MiB/s", 2},
              {"Predicted", "us", 3},
              {"Check", "", 0}},
             {}};
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!timings[i]) continue;
    const Collective& point = points[i];
    const Timing& time = *timings[i];
    const auto part = point.actual_part_bytes();
    const auto predicted = point.predicted_us();
    view.rows.push_back(
        {point.algorithm, std::int64_t{point.cores}, point.bytes, part > 0 ? Cell{part} : Cell{}, time.min_us,
         time.avg_us, time.max_us, static_cast<double>(point.bytes) / time.max_us / 1.048576,
         predicted ? Cell{*predicted} : Cell{}, std::string(time.wrong_bytes == 0 ? "ok" : "wrong")});
  }
  if (!bcast)
    for (const std::size_t column : {std::size_t{7}, std::size_t{3}, std::size_t{2}}) {
      view.columns.erase(view.columns.begin() + static_cast<std::ptrdiff_t>(column));
      for (auto& row : view.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
    }
  return view;
}

Status run_collective(const CollectiveOptions& options) {
  const bool bcast = options.operation == Operation::bcast;
  const auto points = options.points();
  const auto timings = measure_all(points, options.jobs);
  Report report = collective_report(bcast ? "bcast" : "barrier", options, points, timings);
  report.views = {view_of(points, timings, bcast)};
  return finish(std::move(report), options.common);
}

void add(CommandLine& line, Status& status, Operation operation, const char* name, const char* what) {
  auto options = std::make_shared<CollectiveOptions>(operation);
  options->sizes = "8192";
  Command command = line.add_command(name, what);
  options->add_to(command);
  command.when_chosen([options, &status] { status = run_collective(*options); });
}

} // namespace

void add_bcast(CommandLine& line, Status& status) {
  add(line, status, Operation::bcast, "bcast",
      "broadcasts: any algorithms, sizes, core counts, roots, part sizes");
}

void add_barrier(CommandLine& line, Status& status) {
  add(line, status, Operation::barrier, "barrier", "barriers: any algorithms and core counts");
}

} // namespace rccebench
