// SPDX-License-Identifier: Apache-2.0
#include "memory_point.hpp"

#include <algorithm>

#include "algorithms/in_memory/machine_costs.hpp"

namespace rccebench {
namespace {

namespace in_memory = algorithms::in_memory;

template <class T>
struct Operator {
  enum class Kind : std::uint8_t { sum, prod, min, max } kind;
  explicit Operator(const std::string& name)
      : kind(name == "sum"        ? Kind::sum
                 : name == "prod" ? Kind::prod
                 : name == "min"  ? Kind::min
                                  : Kind::max) {}
  T operator()(T a, T b) const {
    switch (kind) {
    case Kind::sum:
      return a + b;
    case Kind::prod:
      return a * b;
    case Kind::min:
      return std::min(a, b);
    case Kind::max:
      break;
    }
    return std::max(a, b);
  }
};

/// Small whole numbers, exact in every order; of a product powers of two, few of them.
template <class T>
T operand(bool product, int thread, std::size_t index) {
  return product ? static_cast<T>(thread % 8 == 0 ? 2 : 1)
                 : static_cast<T>((static_cast<std::size_t>(thread) * 7 + index * 3) % 101 + 1);
}

template <class T>
MemoryTiming measure_as(const MemoryPoint& point) {
  in_memory::Trial trial = point.trial;
  trial.elements = static_cast<std::size_t>(point.bytes) / sizeof(T);
  if (!point.spread.is_none())
    for (int repetition = 0; repetition < trial.repetitions; ++repetition) {
      trial.delays.emplace_back();
      for (const std::int64_t nanoseconds : point.spread.delays(trial.threads, repetition))
        trial.delays.back().push_back(nanoseconds * 1000);
    }
  const Operator<T> function(point.op);
  const bool reduces = trial.algorithm.starts_with("reduce/");
  const auto value = [&](int thread, std::size_t i) {
    return operand<T>(reduces && point.op == "prod", thread, i);
  };
  const auto outcome = in_memory::run<T, Operator<T>>(*point.machine, trial, value, function);
  MemoryTiming timing;
  timing.line_events = outcome.line_events;
  double fastest = 0, sum = 0;
  for (const auto& passage : outcome.passages) {
    const double us = static_cast<double>(passage.last_leave() - passage.last_arrival()) * 1e-6;
    sum += us;
    fastest = fastest == 0 ? us : std::min(fastest, us);
  }
  timing.max_us = trial.delays.empty() ? fastest : sum / static_cast<double>(outcome.passages.size());
  for (std::size_t i = 0; i < trial.elements; ++i) {
    T wanted = value(0, i);
    for (int thread = 1; reduces && thread < trial.threads; ++thread)
      wanted = function(wanted, value(thread, i));
    for (const auto& result : outcome.results) timing.right = timing.right && result[i] == wanted;
  }
  return timing;
}

} // namespace

MemoryTiming measure(const MemoryPoint& point) {
  if (point.trial.algorithm.starts_with("bcast/")) return measure_as<unsigned char>(point);
  if (point.type == "int") return measure_as<int>(point);
  if (point.type == "long") return measure_as<long>(point);
  if (point.type == "float") return measure_as<float>(point);
  return measure_as<double>(point);
}

void set_shapes(MemoryPoint& point) {
  namespace cost = in_memory::cost;
  auto& trial = point.trial;
  trial.reduce.barrier = "barrier/dissemination";
  if (trial.threads < 2) return;
  const auto p = cost::parameters_of(
      *point.machine, mesh::coherent::placement(*point.machine, trial.placement, trial.threads));
  trial.bcast.fan_outs = cost::best_tree(trial.threads, [&](std::span<const int> k) {
                           return cost::broadcast(p, k, cost::Bound::min);
                         }).fan_outs;
  trial.reduce.fan_outs = cost::best_tree(trial.threads, [&](std::span<const int> k) {
                            return cost::reduction(p, k, cost::Bound::min);
                          }).fan_outs;
}

double weight(const MemoryPoint& point) {
  const auto rounds = static_cast<double>(point.trial.repetitions + point.trial.warm_up);
  return rounds * point.trial.threads * (static_cast<double>(point.bytes) + 4000);
}

} // namespace rccebench
