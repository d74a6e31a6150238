// SPDX-License-Identifier: Apache-2.0
#include "publications/functions.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/natural_logarithm.hpp"

namespace rccebench::publications {
namespace {

Value joined(const std::vector<Value>& items, std::string_view between) {
  if (items.size() == 1) return items.front();
  Value all = Value::of(std::string());
  for (const Value& item : items) {
    const auto add = [between](std::string& to, const std::string& word) {
      to += (to.empty() ? "" : std::string(between)) + word;
    };
    add(all.word, item.text());
    add(all.printed, item.is_word ? item.printed : item.text());
  }
  return all;
}

double sum_of(const Rounds& rounds) {
  double sum = 0;
  for (const Round& round : rounds) sum += round.value.number;
  return sum;
}
auto by_value(const Round& a, const Round& b) {
  return a.value.number < b.value.number;
}
double count_of(const Rounds& rounds) {
  return static_cast<double>(std::count_if(rounds.begin(), rounds.end(),
                                           [](const Round& round) { return round.value.number != 0; }));
}
double median_of(Rounds rounds) {
  std::sort(rounds.begin(), rounds.end(), by_value);
  return (rounds[(rounds.size() - 1) / 2].value.number + rounds[rounds.size() / 2].value.number) / 2;
}
/// The first item up to which, from the first one on, the condition holds; 0 where it never does.
Value up_to(const Rounds& rounds) {
  Value last = Value::of(0);
  for (const Round& round : rounds) {
    if (round.value.number == 0) break;
    last = joined(round.items, ", ");
  }
  return last;
}
Value series(const Rounds& rounds) {
  const bool whole = std::all_of(rounds.begin(), rounds.end(), [](const Round& round) {
    return round.value.number == std::floor(round.value.number);
  });
  std::vector<std::string> texts;
  for (const Round& round : rounds)
    texts.push_back(fmt::format("{:.{}f}", round.value.number, whole ? 0 : 2));
  return Value::of(fmt::format("{}", fmt::join(texts, ", ")));
}
Value sorted(const Rounds& all) {
  Rounds rounds = all;
  std::stable_sort(rounds.begin(), rounds.end(), by_value);
  std::vector<Value> items;
  for (const Round& round : rounds) items.push_back(joined(round.items, ", "));
  return joined(items, " < ");
}
Value ordered(const Rounds& rounds, double sign) {
  return Value::of(std::is_sorted(rounds.begin(), rounds.end(), [sign](const Round& a, const Round& b) {
    return sign * a.value.number < sign * b.value.number;
  }));
}

constexpr AggregateRow aggregates[] = {
    {"min", [](const Rounds& r) { return std::min_element(r.begin(), r.end(), by_value)->value; }},
    {"max", [](const Rounds& r) { return std::max_element(r.begin(), r.end(), by_value)->value; }},
    {"argmin",
     [](const Rounds& r) { return joined(std::min_element(r.begin(), r.end(), by_value)->items, ", "); }},
    {"argmax",
     [](const Rounds& r) { return joined(std::max_element(r.begin(), r.end(), by_value)->items, ", "); }},
    {"sum", [](const Rounds& r) { return Value::of(sum_of(r)); }},
    {"mean", [](const Rounds& r) { return Value::of(sum_of(r) / static_cast<double>(r.size())); }},
    {"geomean",
     [](const Rounds& r) {
       double sum = 0;
       for (const Round& round : r) sum += std::log(round.value.number);
       return Value::of(std::exp(sum / static_cast<double>(r.size())));
     }},
    {"median", [](const Rounds& r) { return Value::of(median_of(r)); }},
    {"count", [](const Rounds& r) { return Value::of(count_of(r)); }},
    {"share", [](const Rounds& r) { return Value::of(count_of(r) / static_cast<double>(r.size())); }},
    {"all", [](const Rounds& r) { return Value::of(count_of(r) == static_cast<double>(r.size())); }},
    {"tally", [](const Rounds& r) { return Value::of(fmt::format("{:.0f} of {}", count_of(r), r.size())); }},
    {"up_to", up_to},
    {"series", series},
    {"sorted", sorted},
    {"rising", [](const Rounds& r) { return ordered(r, 1); }},
    {"falling", [](const Rounds& r) { return ordered(r, -1); }},
};

double fold(const std::vector<Value>& a, const double& (*better)(const double&, const double&)) {
  double best = a.front().number;
  for (const Value& one : a) best = better(best, one.number);
  return best;
}
using PlainArguments = std::vector<Value>;
constexpr PlainRow plain_functions[] = {
    {"min", -1, [](const PlainArguments& a) { return Value::of(fold(a, std::min<double>)); }},
    {"max", -1, [](const PlainArguments& a) { return Value::of(fold(a, std::max<double>)); }},
    {"abs", 1, [](const PlainArguments& a) { return Value::of(std::abs(a[0].number)); }},
    {"ln", 1, [](const PlainArguments& a) { return Value::of(mesh::natural_logarithm(a[0].number)); }},
    {"is", 2, [](const PlainArguments& a) { return Value::of(is_one_of(a[0], a[1])); }},
    {"round", 1, [](const PlainArguments& a) { return Value::of(std::round(a[0].number)); }},
};

template <class Row, std::size_t N>
const Row* row_named(const Row (&rows)[N], std::string_view name) {
  const auto found =
      std::find_if(std::begin(rows), std::end(rows), [name](const Row& row) { return row.name == name; });
  return found == std::end(rows) ? nullptr : found;
}

} // namespace

const AggregateRow* aggregate(std::string_view name) {
  return row_named(aggregates, name);
}

const PlainRow* plain_function(std::string_view name) {
  return row_named(plain_functions, name);
}

} // namespace rccebench::publications
