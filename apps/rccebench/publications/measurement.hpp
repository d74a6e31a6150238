// SPDX-License-Identifier: Apache-2.0
// What publications measure in C++, by name and arguments, as JSON: the judge (judge/) asks for it, and makes
// quantities of it. Each point is measured once, side by side with others.
#pragma once

#include <climits>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab.hpp"

namespace rccebench::publications {

using Json = nlohmann::ordered_json;

/// The arguments of a measurement: numbers and words.
class Arguments {
 public:
  /// Throws mesh::UserError unless it is an array of numbers and words.
  explicit Arguments(const Json& values);
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  /// These throw mesh::UserError where there is no such argument or it is of the other kind.
  [[nodiscard]] double number(std::size_t place) const;
  /// Also throws where it is no whole number from `least` to `most`.
  [[nodiscard]] int integer(std::size_t place, int least = INT_MIN, int most = INT_MAX) const;
  [[nodiscard]] const std::string& word(std::size_t place) const;
  /// As keys have it: "32", "0.5", "flat-padded".
  [[nodiscard]] std::string text(std::size_t place) const;
  [[nodiscard]] std::string text() const; ///< all arguments, with commas

 private:
  std::vector<Json> values_;
};

/// Functions run on worker threads, several at once; what they return is the same for the same arguments.
struct Measurement {
  const char* name = "";
  int arguments = 0; ///< -1: any number
  std::function<Json(const Arguments&)> run;
  std::function<double(const Arguments&)> weight = {}; ///< a guess of how long it takes, against the others
};

/// The measurements of one publication. Facts follow from the machine or from a formula: they are computed at
/// once and never stored.
struct Measurements {
  std::vector<Measurement> measured, facts;
};

struct Done {
  Point point;
  Result result;
};

/// Measures what the judge asks for.
class Measurer {
 public:
  /// `name`: the publication, in keys of stored results; `jobs`: threads, 0: one per processor.
  Measurer(std::string name, Measurements measurements, unsigned jobs)
      : name_(std::move(name)), all_(std::move(measurements)), jobs_(jobs) {}

  /// Results of other machines than the presets are not stored.
  void store_nothing() { stores_ = false; }
  /// Points come back with statistics, and are not stored either.
  void with_statistics() { statistics_ = true; }

  /// An array of {"quantity": NAME, "arguments": [...]} and {"point": as lab::read_points() takes them,
  /// "name": TEXT}; results in the same order, null after Ctrl-C and where other shards measure. `derived` as
  /// stored_sweep() has it. Throws mesh::UserError for an item that is none.
  [[nodiscard]] Json measure(const Json& items, bool derived);
  /// {"quantity": NAME, "arguments": [...]} of one of the facts.
  [[nodiscard]] Json fact(const Json& item) const;
  /// Every point that has been measured or was stored, by the names that it was asked for with.
  [[nodiscard]] std::vector<Done> points() const;

 private:
  std::string name_;
  Measurements all_;
  unsigned jobs_;
  bool stores_ = true, statistics_ = false;
  std::map<std::string, Done> points_;
};

} // namespace rccebench::publications
