// rccebench tune: part and pipe sizes of the algorithms that cut a message, and which is best for each size.
#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "collective_options.hpp"
#include "sweep.hpp"

namespace rccebench {
namespace {

using Key = std::tuple<std::string, int, std::int64_t>; // algorithm, cores, bytes

/// Sizes from 256 bytes, doubled up to `most`; a default beside them, so that the table can say what it would
/// have cost.
std::string doubled(std::int64_t most, std::int64_t standard) {
  std::string list;
  for (std::int64_t size = 256; size <= most; size *= 2)
    list += fmt::format("{}{}", list.empty() ? "" : ",", size);
  return list.empty() ? fmt::format("{}", standard) : list;
}

/// Every sensible part and pipe size for one message size: a part larger than the message and a piece larger
/// than the part change nothing.
std::vector<Collective> points_of(const CollectiveOptions& options) {
  std::vector<Collective> points;
  for (const std::string& algorithm : options.chosen_algorithms()) {
    const algorithms::Algorithm& entry = *algorithms::find(algorithm);
    if (entry.part_bytes == 0) continue;
    CollectiveOptions one = options;
    one.algorithms = algorithm;
    if (options.part_bytes.empty()) one.part_bytes = doubled(std::int64_t{1} << 19, 4096);
    if (options.pipe_bytes.empty() && entry.pipe_bytes > 0) one.pipe_bytes = doubled(8192, 2048);
    for (Collective& point : one.points()) {
      const bool whole = point.part_bytes / 2 >= std::max<std::int64_t>(point.bytes, 256);
      const bool piece = point.pipe_bytes / 2 >= point.part_bytes;
      if ((options.part_bytes.empty() && whole) || (options.pipe_bytes.empty() && piece)) continue;
      points.push_back(std::move(point));
    }
  }
  return points;
}

std::vector<Table> views_of(const std::vector<Collective>& points,
                            const std::vector<std::optional<Timing>>& timings,
                            nlohmann::ordered_json& summary) {
  std::map<Key, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (timings[i]) groups[{points[i].algorithm, points[i].cores, points[i].bytes}].push_back(i);

  Table all{"all part and pipe sizes",
            {{"Algorithm", "", 0},
             {"Cores", "", 0},
             {"Size", "bytes", 0},
             {"Part", "bytes", 0},
             {"Pipe", "bytes", 0},
             {"Last rank", "us", 3},
             {"Behind best", "%", 1},
             {"Best", "", 0}},
            {}};
  Table best{"best sizes beside the defaults",
             {{"Algorithm", "", 0},
              {"Cores", "", 0},
              {"Size", "bytes", 0},
              {"Best part", "bytes", 0},
              {"Best pipe", "bytes", 0},
              {"Best", "us", 3},
              {"Default", "us", 3},
              {"Default behind", "%", 1}},
             {}};
  const auto size = [](std::int64_t bytes) { return bytes > 0 ? Cell{bytes} : Cell{}; };
  summary["best"] = nlohmann::ordered_json::array();
  for (const auto& [key, group] : groups) {
    const auto& [algorithm, cores, bytes] = key;
    const algorithms::Algorithm& entry = *algorithms::find(algorithm);
    const std::size_t winner =
        *std::min_element(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
          return timings[a]->max_us < timings[b]->max_us;
        });
    const double least = timings[winner]->max_us;
    std::optional<double> standard;
    for (const std::size_t i : group) {
      const Collective& point = points[i];
      const auto part = point.actual_part_bytes(), pipe = point.actual_pipe_bytes();
      all.rows.push_back({algorithm, std::int64_t{cores}, bytes, size(part), size(pipe), timings[i]->max_us,
                          (timings[i]->max_us / least - 1) * 100, std::string(i == winner ? "*" : "")});
      if (part == static_cast<std::int64_t>(entry.part_bytes) &&
          pipe == static_cast<std::int64_t>(entry.pipe_bytes))
        standard = timings[i]->max_us;
    }
    const Collective& at = points[winner];
    best.rows.push_back({algorithm, std::int64_t{cores}, bytes, size(at.actual_part_bytes()),
                         size(at.actual_pipe_bytes()), least, standard ? Cell{*standard} : Cell{},
                         standard ? Cell{(*standard / least - 1) * 100} : Cell{}});
    nlohmann::ordered_json one{
        {"algorithm", algorithm}, {"cores", cores}, {"bytes", bytes}, {"part_bytes", at.actual_part_bytes()}};
    if (entry.pipe_bytes > 0) one["pipe_bytes"] = at.actual_pipe_bytes();
    one["simulated_us_max"] = least;
    summary["best"].push_back(std::move(one));
  }
  return {std::move(all), std::move(best)};
}

Status run_tune(const CollectiveOptions& options) {
  const auto points = points_of(options);
  const auto timings = measure_all(points, options.jobs);
  Report report = collective_report("tune", options, points, timings);
  if (points.empty())
    report.notes.insert(report.notes.begin(), "# none of the algorithms asked for cuts a message");
  report.views = views_of(points, timings, report.summary);
  return finish(std::move(report), options.common);
}

} // namespace

void add_tune(CommandLine& line, Status& status) {
  auto options = std::make_shared<CollectiveOptions>(algorithms::Operation::bcast);
  options->sizes = "8192,50000,190000";
  Command command =
      line.add_command("tune", "part and pipe sizes: all of them, and the best for each message size");
  options->add_to(command);
  command.when_chosen([options, &status] { status = run_tune(*options); });
}

} // namespace rccebench
