// SPDX-License-Identifier: Apache-2.0
#include "show/schedules.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "show/forms.hpp"
#include "show/picture.hpp"

namespace rccebench::show {
namespace {

constexpr std::size_t most_edges = 600; // 100 KB of page
constexpr int few_cores = 12, most_cores = 64;
constexpr std::int64_t small_message = 4096, small_vector = 512;

/// Members of to_json() that the page needs, the layout, and each edge's arrow.
nlohmann::ordered_json schedule_of(const Recording& recording) {
  nlohmann::ordered_json schedule = to_json(recording);
  schedule["title"] = title_of(recording);
  const Picture picture(recording);
  schedule["layout"] = picture.layout();
  for (auto& round : schedule["rounds"]) {
    const auto edges = recording.edges_of(round["round"].get<int>());
    for (std::size_t i = 0; i < edges.size(); ++i) round["edges"][i]["arrow"] = picture.arrow(edges[i]);
  }
  return schedule;
}

/// Recordings that fit on a page, and the names of those that do not.
class Collected {
 public:
  /// `record` is asked for `cores`, and once more for few where these make too much. `exact`: for no others.
  void add(const std::string& name, int cores, bool exact, const std::function<Recording(int)>& record) {
    for (const int count : {std::min(cores, most_cores), std::min(cores, few_cores)}) {
      if (exact && count != cores) continue;
      Recording one = record(count);
      if (one.edges.size() > most_edges) continue;
      kept_.push_back(std::move(one));
      return;
    }
    left_out_.push_back(name);
  }
  [[nodiscard]] nlohmann::ordered_json figure() const {
    auto figure = schedule_figure(kept_);
    if (!left_out_.empty())
      figure["note"] = fmt::format("{} Left out, too many edges for a page or only for more ranks: {}.",
                                   figure["note"].get<std::string>(), fmt::join(left_out_, ", "));
    return figure;
  }

 private:
  std::vector<Recording> kept_;
  std::vector<std::string> left_out_;
};

} // namespace

nlohmann::ordered_json schedule_figure(const std::vector<Recording>& recordings) {
  nlohmann::ordered_json figure{{"kind", "schedule"}, {"title", "The rounds, one after the other"}};
  figure["note"] = "Taken from one small run. What a rank sends after it has seen something belongs to the "
                   "round after that in which it has seen it.";
  figure["schedules"] = nlohmann::ordered_json::array();
  for (const Recording& one : recordings) figure["schedules"].push_back(schedule_of(one));
  return figure;
}

std::vector<Point> small_points(const std::vector<Point>& points) {
  std::vector<Point> chosen;
  for (const Point& point : points) {
    const auto same = std::find_if(chosen.begin(), chosen.end(),
                                   [&](const Point& one) { return one.algorithm == point.algorithm; });
    if (same != chosen.end()) {
      same->cores = std::max(same->cores, point.cores);
      continue;
    }
    chosen.push_back(point);
    if (point.operation().has_message)
      chosen.back().bytes = point.operation().combines ? small_vector : small_message;
  }
  return chosen;
}

nlohmann::ordered_json schedules_of(const std::vector<Point>& points) {
  Collected all;
  for (const Point& point : points)
    all.add(point.algorithm, point.cores, point.row().exact_ranks && !point.options.empty(), [&](int cores) {
      Point one = point;
      one.cores = cores;
      one.root = std::min(one.root, cores - 1);
      return record(one);
    });
  return all.figure();
}

nlohmann::ordered_json schedules_of(const std::vector<ScheduleRequest>& asked) {
  Collected all;
  for (const ScheduleRequest& one : asked)
    all.add(one.name, one.cores, false, [&](int cores) {
      ScheduleRequest fewer = one;
      fewer.cores = cores;
      return record(fewer);
    });
  return all.figure();
}

} // namespace rccebench::show
