// SPDX-License-Identifier: Apache-2.0
#include "commands/tune_table.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "command_line/collective_results.hpp"

namespace rccebench {
namespace {

constexpr double as_fast = 1.01;     ///< times within this count as equal
constexpr double farthest_apart = 2; ///< ratio of neighbouring sizes where more are measured

/// An algorithm with its options, and what it took at one size.
using Times = std::map<std::pair<std::string, std::string>, std::size_t>; ///< index of the point
using Sizes = std::map<std::int64_t, Times>;

class Tuning {
 public:
  Tuning(std::vector<Point> points, std::vector<std::optional<Result>> timings, int bisect, unsigned jobs)
      : points_(std::move(points)), timings_(std::move(timings)), bisect_(bisect) {
    add_from(0);
    if (bisect == 0) return;
    for (std::vector<Point> more = between(); !more.empty(); more = between()) {
      const std::size_t first = points_.size();
      auto found = measure_all(more, jobs);
      points_.insert(points_.end(), more.begin(), more.end());
      timings_.insert(timings_.end(), found.begin(), found.end());
      add_from(first);
    }
  }

  [[nodiscard]] std::string table() const {
    std::string text = "machine,core_mhz,rcce,copies,operation,cores,from_bytes,algorithm,options\n";
    for (const auto& [cores, sizes] : places_) {
      std::vector<Choice> before;
      std::int64_t from = 0, last = 0; // bytes: where the rows begin, and the size before
      for (auto first = sizes.begin(); first != sizes.end();) {
        const auto [choice, end] = run_from(first, sizes.end());
        for (const auto& place : {first, std::prev(end)}) {
          const auto rows = rows_at(place->second, choice);
          if (!before.empty()) from = middle_of(last, place->first) + 1;
          if (rows != before)
            for (const Choice& row : rows) text += row_of(*find(place->second, row), from);
          before = rows;
          last = place->first;
        }
        first = end;
      }
    }
    return text;
  }

 private:
  using Choice = Times::key_type;
  using Place = Sizes::const_iterator;

  [[nodiscard]] double us(std::size_t i) const { return timings_[i]->max_us; }
  /// Null where the place has no such point.
  [[nodiscard]] static const std::size_t* find(const Times& times, const Choice& choice) {
    const auto at = times.find(choice);
    return at == times.end() ? nullptr : &at->second;
  }
  [[nodiscard]] double least(const Times& times) const {
    double least = HUGE_VAL;
    for (const auto& [choice, i] : times) least = std::min(least, us(i));
    return least;
  }
  [[nodiscard]] bool is_fast(const Times& times, const Choice& choice) const {
    const std::size_t* const i = find(times, choice);
    return i != nullptr && us(*i) <= least(times) * as_fast;
  }

  void add_from(std::size_t first) {
    for (std::size_t i = first; i < points_.size(); ++i)
      if (timings_[i] && is_right(points_[i], *timings_[i]))
        places_[points_[i].cores][points_[i].bytes][{points_[i].algorithm, points_[i].asked_text()}] = i;
  }

  /// True if one choice is fast at both sizes.
  [[nodiscard]] bool agree(const Times& a, const Times& b) const {
    return std::ranges::any_of(
        a, [&](const auto& one) { return is_fast(a, one.first) && is_fast(b, one.first); });
  }

  /// The best options of each algorithm.
  [[nodiscard]] std::vector<std::size_t> best_of_each(const Times& times) const {
    std::map<std::string, std::size_t> best;
    for (const auto& [choice, i] : times)
      if (const auto [at, is_new] = best.emplace(choice.first, i); !is_new && us(i) < us(at->second))
        at->second = i;
    std::vector<std::size_t> all;
    for (const auto& [algorithm, i] : best) all.push_back(i);
    std::ranges::stable_sort(all, {}, [&](std::size_t i) { return us(i); });
    return all;
  }

  /// The points to measure next: the middle between two sizes, for each algorithm the best options at either.
  [[nodiscard]] std::vector<Point> between() const {
    std::vector<Point> more;
    for (const auto& [cores, sizes] : places_)
      for (auto a = sizes.begin(), b = std::next(a); b != sizes.end(); a = b++) {
        const double ratio =
            static_cast<double>(b->first) / static_cast<double>(std::max<std::int64_t>(a->first, 1));
        if (ratio <= 1 + bisect_ / 100.0 || (ratio <= farthest_apart && agree(a->second, b->second)))
          continue;
        const Point& any = points_[a->second.begin()->second];
        const std::int64_t unit = any.operation().combines ? element_bytes(any.type) : 1;
        const double middle = std::sqrt(static_cast<double>(a->first) * static_cast<double>(b->first));
        const std::int64_t bytes = std::llround(middle / static_cast<double>(unit)) * unit;
        if (bytes <= a->first || bytes >= b->first) continue;
        Times candidates;
        for (const auto& end : {a, b})
          for (const std::size_t i : best_of_each(end->second))
            candidates[{points_[i].algorithm, points_[i].asked_text()}] = i;
        for (const auto& [choice, i] : candidates) {
          more.push_back(points_[i]);
          more.back().bytes = bytes;
        }
      }
    return more;
  }

  /// The longest run of sizes at which one choice is fast, the choice that is the fastest over them, and the
  /// place behind the run.
  [[nodiscard]] std::pair<Choice, Place> run_from(Place first, Place end) const {
    std::map<Choice, double> fast; // sum of its times over the best ones
    for (const auto& [choice, i] : first->second)
      if (is_fast(first->second, choice)) fast[choice] = us(i) / least(first->second);
    Place behind = std::next(first);
    for (; behind != end; ++behind) {
      auto still = fast;
      std::erase_if(still, [&](const auto& one) { return !is_fast(behind->second, one.first); });
      if (still.empty()) break;
      for (auto& [choice, sum] : still) sum += us(*find(behind->second, choice)) / least(behind->second);
      fast = std::move(still);
    }
    const auto best = std::ranges::min_element(fast, {}, [](const auto& one) { return one.second; });
    return {best->first, behind};
  }

  /// The largest size that is as near to the smaller one, by ratio.
  [[nodiscard]] static std::int64_t middle_of(std::int64_t a, std::int64_t b) {
    const std::int64_t product = std::max<std::int64_t>(a, 1) * b;
    auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(product)));
    while (root * root > product) --root;
    while ((root + 1) * (root + 1) <= product) ++root;
    return root;
  }

  /// The choice and, as long as something is needed, the fastest that can do without some of it.
  [[nodiscard]] std::vector<Choice> rows_at(const Times& times, const Choice& choice) const {
    const auto needs = [&](std::size_t i) {
      const Row& row = points_[i].row();
      return (row.needs_mesh ? 1 : 0) | (row.needs_tags ? 2 : 0) | (row.exact_ranks ? 4 : 0);
    };
    int needed = needs(*find(times, choice));
    std::vector<Choice> rows{choice};
    for (const std::size_t i : best_of_each(times)) {
      if (needed == 0) break;
      if ((needs(i) & needed) == needed) continue;
      needed = needs(i);
      rows.emplace_back(points_[i].algorithm, points_[i].asked_text());
    }
    return rows;
  }
  [[nodiscard]] std::string row_of(std::size_t i, std::int64_t from) const {
    const Point& point = points_[i];
    return fmt::format("{},{:.0f},{},{},{},{},{},{},{}\n",
                       std::filesystem::path(point.machine_name).filename().string(),
                       std::floor(point.machine->core_mhz()), text_of(point.generation), point.copies,
                       point.row().operation, point.cores, from, point.algorithm, point.asked_text());
  }

  std::vector<Point> points_;
  std::vector<std::optional<Result>> timings_;
  double bisect_;               ///< ratio; 0: no size is added
  std::map<int, Sizes> places_; ///< by cores
};

} // namespace

std::string table_of_auto(std::vector<Point> points, std::vector<std::optional<Result>> timings, int bisect,
                          unsigned jobs) {
  return Tuning(std::move(points), std::move(timings), bisect, jobs).table();
}

} // namespace rccebench
