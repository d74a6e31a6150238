// SPDX-License-Identifier: Apache-2.0
#include "commands/tune_table.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "command_line/collective_results.hpp"

namespace rccebench {
namespace {

constexpr double as_fast = 1.01;     ///< times within this count as equal
constexpr double farthest_apart = 2; ///< ratio of neighbouring sizes where more are measured

/// An algorithm with its options.
using Choice = std::pair<std::string, std::string>;
/// The first of several that are as fast is taken: 8 owners before 128, on machines with fewer cores.
struct SmallestFirst {
  bool operator()(const Choice& a, const Choice& b) const {
    return std::tuple(a.first, a.second.size(), a.second) < std::tuple(b.first, b.second.size(), b.second);
  }
};
/// The times of one size.
using Times = std::map<Choice, std::size_t, SmallestFirst>; ///< indices of points
using Slowness = std::map<Choice, double, SmallestFirst>;   ///< times by the least one
using Sizes = std::map<std::int64_t, Times>;

/// Needs of a choice, as bits.
constexpr int a_mesh = 1, tagged_flags = 2, one_number = 4;
/// A program that lacks all of `without`, and some of `needed`: no choice needs the bit that stands for
/// nothing yet.
struct Lack {
  int without = 0, needed = 8;
  [[nodiscard]] bool admits(int needs) const { return (needs & without) == 0 && (needs & needed) != needed; }
  /// It lacks what that choice does without, and some of what that needs.
  [[nodiscard]] Lack more(int needs) const { return {without | (needed & ~needs), needs}; }
};

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
      Rows rows;
      add_rows(rows, sizes.begin(), sizes.end(), {});
      std::vector<Choice> before;
      std::int64_t from = 0, last = 0; // bytes: where the rows begin, and the size before
      for (const auto& [bytes, times] : sizes) {
        if (!before.empty()) from = middle_of(last, bytes) + 1;
        if (rows[bytes] != before)
          for (const Choice& row : rows[bytes]) text += row_of(*find(times, row), from);
        before = rows[bytes];
        last = bytes;
      }
    }
    return text;
  }

 private:
  using Place = Sizes::const_iterator;
  using Rows = std::map<std::int64_t, std::vector<Choice>>; ///< by size

  [[nodiscard]] double us(std::size_t i) const { return timings_[i]->max_us; }
  /// Null where the place has no such point.
  [[nodiscard]] static const std::size_t* find(const Times& times, const Choice& choice) {
    const auto at = times.find(choice);
    return at == times.end() ? nullptr : &at->second;
  }
  [[nodiscard]] int needs(std::size_t i) const {
    const Row& row = points_[i].row();
    return (row.needs_mesh ? a_mesh : 0) | (row.needs_tags ? tagged_flags : 0) |
        (row.exact_ranks ? one_number : 0);
  }
  /// The choices that are as fast as any of such a program, with how many times the fastest one's time they
  /// take.
  [[nodiscard]] Slowness fast(const Times& times, const Lack& lack = {}) const {
    double least = HUGE_VAL;
    Slowness all;
    for (const auto& [choice, i] : times)
      if (lack.admits(needs(i))) least = std::min(least, all[choice] = us(i));
    std::erase_if(all, [&](const auto& one) { return one.second > least * as_fast; });
    for (auto& [choice, time] : all) time /= least;
    return all;
  }

  void add_from(std::size_t first) {
    for (std::size_t i = first; i < points_.size(); ++i)
      if (timings_[i] && is_right(points_[i], *timings_[i]))
        places_[points_[i].cores][points_[i].bytes][{points_[i].algorithm, points_[i].asked_text()}] = i;
  }

  /// True if one choice is fast at both sizes.
  [[nodiscard]] bool agree(const Times& a, const Times& b) const {
    const auto at_b = fast(b);
    return std::ranges::any_of(fast(a), [&](const auto& one) { return at_b.contains(one.first); });
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

  /// The longest run of sizes from the first on at which one choice is fast(), which is the fastest over
  /// them, and the place behind the run. Empty where there is none at the first.
  [[nodiscard]] std::pair<std::optional<Choice>, Place> run_from(Place first, Place end,
                                                                 const Lack& lack) const {
    auto sums = fast(first->second, lack);
    if (sums.empty()) return {std::nullopt, std::next(first)};
    Place behind = std::next(first);
    for (; behind != end; ++behind) {
      Slowness still;
      for (const auto& [choice, ratio] : fast(behind->second, lack))
        if (const auto before = sums.find(choice); before != sums.end())
          still[choice] = before->second + ratio;
      if (still.empty()) break;
      sums = std::move(still);
    }
    return {std::ranges::min_element(sums, {}, [](const auto& one) { return one.second; })->first, behind};
  }

  /// Adds the choices of such a program to the rows of these sizes, and behind each that needs something
  /// those of programs that lack it.
  void add_rows(Rows& rows, Place first, Place end, const Lack& lack) const {
    while (first != end) {
      const auto [choice, behind] = run_from(first, end, lack);
      if (choice) {
        for (Place place = first; place != behind; ++place) rows[place->first].push_back(*choice);
        const int needed = needs(*find(first->second, *choice));
        if (needed != 0) add_rows(rows, first, behind, lack.more(needed));
      }
      first = behind;
    }
  }

  /// The largest size that is as near to the smaller one, by ratio.
  [[nodiscard]] static std::int64_t middle_of(std::int64_t a, std::int64_t b) {
    const std::int64_t product = std::max<std::int64_t>(a, 1) * b;
    auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(product)));
    while (root * root > product) --root;
    while ((root + 1) * (root + 1) <= product) ++root;
    return root;
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
