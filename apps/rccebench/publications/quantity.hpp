// SPDX-License-Identifier: Apache-2.0
// What a publication's quantities.cpp gives: numbers by name and arguments, and the measurements that they
// come from. Each point is measured once, side by side with others.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab.hpp"
#include "publications/expression.hpp"

namespace rccebench::publications {

/// What a quantity was asked for with.
class Arguments {
 public:
  explicit Arguments(std::vector<Value> values) : values_(std::move(values)) {}
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }
  [[nodiscard]] double number(std::size_t place) const { return values_.at(place).number; }
  [[nodiscard]] int integer(std::size_t place) const { return static_cast<int>(number(place)); }
  [[nodiscard]] const std::string& word(std::size_t place) const { return values_.at(place).word; }

 private:
  std::vector<Value> values_;
};

struct Measured {
  std::vector<double> values;
  std::uint64_t digest = 0;          ///< of the simulation, where it has one
  std::optional<Result> result = {}; ///< all of it, where tables show more than the values
};

/// As it is stored.
inline void to_json(nlohmann::json& json, const Measured& measured) {
  json = {{"values", measured.values}, {"digest", measured.digest}};
  if (measured.result) json["result"] = *measured.result;
}
inline void from_json(const nlohmann::json& json, Measured& measured) {
  measured = {json.at("values"), json.at("digest")};
  if (json.contains("result")) measured.result = json.at("result").get<Result>();
}

/// Its functions run on worker threads, several at once; what they return is the same for the same arguments.
struct Measurement {
  const char* name = "";
  std::size_t arguments = 0; ///< the first ones of its quantities
  std::function<Measured(const Arguments&)> run;
  std::function<double(const Arguments&)> weight = {}; ///< a guess of how long it takes, against the others
  /// The arguments of `run` for those of a quantity, where several are the same point; empty: as they are.
  std::function<Arguments(const Arguments&)> same = {};
  /// Called on the main thread with all that has been measured or was stored.
  std::function<void(const Arguments&, const Measured&)> measured = {};
};
using MeasurementPointer = std::shared_ptr<const Measurement>;
[[nodiscard]] inline MeasurementPointer measurement(const char* name, std::size_t arguments,
                                                    std::function<Measured(const Arguments&)> run,
                                                    std::function<double(const Arguments&)> weight = {}) {
  return std::make_shared<const Measurement>(
      Measurement{name, arguments, std::move(run), std::move(weight), {}, {}});
}

struct Quantity {
  const char* name;
  const char* unit; ///< of what `read` returns
  int arguments;
  MeasurementPointer from; ///< null: computed from the arguments alone
  std::function<Value(const std::vector<double>&, const Arguments&)> read;
};
using Quantities = std::vector<Quantity>;

/// A quantity that is one of the measured values.
[[nodiscard]] inline std::function<Value(const std::vector<double>&, const Arguments&)>
value_at(std::size_t place) {
  return [place](const std::vector<double>& values, const Arguments&) { return Value::of(values.at(place)); };
}

} // namespace rccebench::publications
