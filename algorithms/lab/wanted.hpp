// SPDX-License-Identifier: Apache-2.0
// What every thread of an algorithm in shared memory begins with, and what it has to find in the end, by the
// description of the operation (algorithms/operation.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "algorithms/shapes/shares.hpp"
#include "lab/point.hpp"
#include "lab/random.hpp"

namespace lab {

/// An operator of checks alone, for whole numbers: elements are sets of threads.
inline constexpr const char* unites = "unite";

template <class T>
struct Operator {
  enum class Kind : std::uint8_t { sum, prod, min, max, unite } kind;
  explicit Operator(const std::string& name)
      : kind(name == "sum"        ? Kind::sum
                 : name == "prod" ? Kind::prod
                 : name == "min"  ? Kind::min
                 : name == unites ? Kind::unite
                                  : Kind::max) {}
  T operator()(T a, T b) const {
    switch (kind) {
    case Kind::sum:
      return a + b;
    case Kind::prod:
      return a * b;
    case Kind::min:
      return std::min(a, b);
    case Kind::unite:
      if constexpr (std::is_integral_v<T>) return static_cast<T>(a | b);
      break;
    case Kind::max:
      break;
    }
    return std::max(a, b);
  }
};

/// Drawn, so that no thread, place or call can stand for another. Sums are exact in every order: numbers of
/// few bits, in double and long too many for a float. Those of one element are above 0, those of the next
/// have both signs, those of the one behind it are below: no maximum or minimum that begins with 0 is right.
/// Products have drawn signs and at most 16 factors of two.
template <class T>
T operand(bool product, int thread, std::size_t index, std::size_t call = 0) {
  constexpr double most = sizeof(T) == 1 ? 89 : 1000; // bytes below the poison of checks
  const double drawn = Random(static_cast<std::uint64_t>(thread), call, index).uniform();
  if (product) return static_cast<T>((thread % 8 == 0 && thread < 128 ? 2 : 1) * (drawn < 0.5 ? -1 : 1));
  const double shift = sizeof(T) == 1 ? 0 : 600 * static_cast<double>((index + call) % 3);
  const double value = 1 + std::floor(most * drawn) - shift;
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(sizeof(T) == sizeof(float) ? value / 8 : value * (1 + 0x1p-20));
  else
    return static_cast<T>(static_cast<std::int64_t>(value) *
                          (sizeof(T) > sizeof(float) ? (std::int64_t{1} << 20) + 1 : 1));
}

/// The set of that thread alone, or the empty one: an element has threads of one group, whose sets fit.
template <class T>
T set_of(int thread, std::size_t index, std::size_t call, int threads) {
  constexpr int most = 8 * sizeof(T);
  const auto groups = static_cast<std::size_t>((threads + most - 1) / most);
  const bool is_of_group = static_cast<std::size_t>(thread / most) == (index + call) % groups;
  return is_of_group ? static_cast<T>(std::uint64_t{1} << thread % most) : T{};
}

/// Calls act(pointer) with a null pointer to the type of the point's elements.
template <class Act>
auto with_elements_of(const Point& point, const Act& act) {
  if (point.operation().has_message && !point.operation().combines)
    return act.template operator()<unsigned char>(nullptr);
  if (point.type == "int") return act.template operator()<int>(nullptr);
  if (point.type == "long") return act.template operator()<long>(nullptr);
  if (point.type == "float") return act.template operator()<float>(nullptr);
  return act.template operator()<double>(nullptr);
}

/// The results that ranks must find in the end, one rank after another.
template <class T, class Value>
class Wanted {
 public:
  Wanted(algorithms::Shares shares, Value value, Operator<T> function, int root = 0)
      : shares_(shares), value_(std::move(value)), function_(function), root_(root) {}

  /// The result of the rank behind the last one that was asked for.
  [[nodiscard]] const std::vector<T>& next() {
    const int rank = rank_++, all = shares_.ranks();
    const auto& what = shares_.what();
    // A reduction's result is the same everywhere, and that of a scan has one operand more.
    const bool goes_on = what.combines != 0 && what.target == ROCKCREEK_WHOLE && rank > 0;
    if (!goes_on) wanted_.assign(shares_.target(rank, root_) / sizeof(T), T{});
    for (int sender = goes_on ? rank : 0; sender < (goes_on && what.of_lower_ranks == 0 ? rank : all);
         ++sender) {
      const algorithms::Transfer transfer = shares_.transfer(sender, rank, root_);
      const std::size_t from = (shares_.first_in_source(sender) + transfer.from) / sizeof(T);
      for (std::size_t i = 0; i < transfer.bytes / sizeof(T); ++i) {
        T& to = wanted_[transfer.to / sizeof(T) + i];
        to = what.combines != 0 && sender > 0 ? function_(to, value_(sender, from + i))
                                              : value_(sender, from + i);
      }
    }
    return wanted_;
  }

 private:
  algorithms::Shares shares_;
  Value value_;
  Operator<T> function_;
  int root_, rank_ = 0;
  std::vector<T> wanted_;
};

/// Adds to `result` the bytes that a rank got and that are not as wanted.
template <class T>
void compare(std::span<const T> got, const std::vector<T>& right, int rank, int repetition, Result& result) {
  Fault fault{.rank = rank, .repetition = repetition};
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (got[i] == right[i]) continue;
    if (fault.wrong == 0) fault.first = static_cast<std::int64_t>(i * sizeof(T));
    fault.wrong += sizeof(T);
  }
  result.wrong_bytes += fault.wrong;
  if (fault.wrong > 0 && !result.fault) result.fault = fault;
}

/// The same of all ranks.
template <class T, class Value>
void compare(const std::vector<std::vector<T>>& results, Wanted<T, Value> wanted, int repetition,
             Result& result) {
  for (std::size_t rank = 0; rank < results.size(); ++rank)
    compare(std::span<const T>(results[rank]), wanted.next(), static_cast<int>(rank), repetition, result);
}

/// As tables name it; nothing for a join.
[[nodiscard]] inline std::optional<rockcreek_operation> operation_named(std::string_view name) {
  for (int i = 0; i < ROCKCREEK_OPERATIONS; ++i)
    if (name == rockcreek_operations[i].name) return static_cast<rockcreek_operation>(i);
  return std::nullopt;
}

} // namespace lab
