// SPDX-License-Identifier: Apache-2.0
#include "publications/measurement.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/identity.hpp"
#include "lab/point_json.hpp"
#include "mesh_sim/errors.hpp"

namespace rccebench::publications {
namespace {

/// A result as it is stored.
struct Found {
  Json values;                      ///< values of a measurement
  std::optional<Result> point = {}; ///< result of a point
};
void to_json(nlohmann::json& json, const Found& found) {
  if (found.point)
    json = {{"result", *found.point}};
  else
    json = {{"values", nlohmann::json(found.values)}};
}
void from_json(const nlohmann::json& json, Found& found) {
  found = {};
  if (json.contains("result"))
    found.point = json.at("result").get<Result>();
  else
    found.values = Json(json.at("values"));
}

/// Something to measure.
struct Item {
  std::function<std::string()> key; ///< key of the stored result; empty text: it is not stored
  double weight = 0;
  std::function<Found()> run;
};

/// The row that the item names, and its arguments.
std::pair<const Measurement*, Arguments> asked(const std::vector<Measurement>& rows, const Json& item,
                                               const std::string& publication) {
  if (!item.is_object() || !item.contains("quantity") || !item["quantity"].is_string())
    throw mesh::UserError(fmt::format("{}: {} is no {{\"quantity\": \"NAME\", \"arguments\": [...]}}",
                                      publication, item.dump()));
  for (const auto& [member, value] : item.items())
    if (member != "quantity" && member != "arguments")
      throw mesh::UserError(fmt::format("{}: \"{}\" of {} is no member; there are \"quantity\" and "
                                        "\"arguments\"",
                                        publication, member, item.dump()));
  const std::string name = item["quantity"];
  std::vector<std::string_view> names;
  for (const Measurement& one : rows) {
    names.emplace_back(one.name);
    if (one.name != name) continue;
    Arguments arguments(item.value("arguments", Json::array()));
    if (one.arguments >= 0 && arguments.size() != static_cast<std::size_t>(one.arguments))
      throw mesh::UserError(fmt::format("{}: '{}' takes {} arguments, not {}", publication, name,
                                        one.arguments, arguments.size()));
    return {&one, std::move(arguments)};
  }
  const std::string_view near = mesh::nearest(name, names);
  throw mesh::UserError(fmt::format(
      "{}: there is no quantity '{}'{} are {}", publication, name,
      near.empty() ? "; there" : fmt::format(", did you mean '{}'? There", near), fmt::join(names, ", ")));
}

} // namespace

Arguments::Arguments(const Json& values) {
  if (!values.is_array() ||
      std::ranges::any_of(values, [](const Json& one) { return !one.is_number() && !one.is_string(); }))
    throw mesh::UserError(
        fmt::format("\"arguments\" {}: it is an array of numbers and words", values.dump()));
  values_.assign(values.begin(), values.end());
}

double Arguments::number(std::size_t place) const {
  if (place >= values_.size() || !values_[place].is_number())
    throw mesh::UserError(fmt::format("argument {} of ({}) is no number", place + 1, text()));
  return values_[place].get<double>();
}

int Arguments::integer(std::size_t place, int least, int most) const {
  const double value = number(place);
  if (!(value >= least && value <= most) || value != std::floor(value))
    throw mesh::UserError(fmt::format("argument {} of ({}) has to be a whole number from {} to {}", place + 1,
                                      text(), least, most));
  return static_cast<int>(value);
}

const std::string& Arguments::word(std::size_t place) const {
  if (place >= values_.size() || !values_[place].is_string())
    throw mesh::UserError(fmt::format("argument {} of ({}) is no word", place + 1, text()));
  return values_[place].get_ref<const std::string&>();
}

std::string Arguments::text(std::size_t place) const {
  const Json& value = values_.at(place);
  return value.is_string() ? value.get<std::string>() : fmt::format("{}", value.get<double>());
}

std::string Arguments::text() const {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < values_.size(); ++i) words.push_back(text(i));
  return fmt::format("{}", fmt::join(words, ", "));
}

Json Measurer::measure(const Json& items, bool derived) {
  if (!items.is_array()) throw mesh::UserError(fmt::format("{}: what to measure is an array", name_));
  std::vector<Item> all;
  nlohmann::json entries = nlohmann::json::array();
  std::vector<std::size_t> places; // of the points among all items
  for (const Json& item : items) {
    if (item.is_object() && item.contains("point")) {
      entries.push_back(nlohmann::json(item["point"]));
      places.push_back(all.size());
      all.emplace_back();
      continue;
    }
    const auto [row, arguments] = asked(all_.measured, item, name_);
    all.push_back({[this, row, arguments] {
                     return stores_ ? stored_key(fmt::format("{}:{}({})", name_, row->name, arguments.text()),
                                                 "built-in")
                                    : std::string();
                   },
                   row->weight ? row->weight(arguments) : 0,
                   [run = row->run, arguments] { return Found{run(arguments)}; }});
  }
  std::vector<Point> points = lab::read_points(entries, {});
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].statistics = statistics_;
    all[places[i]] = {[point = points[i]] { return stored_key(point); }, points[i].backend->weight(points[i]),
                      [point = points[i]] {
                        return Found{{}, point.backend->run(point)};
                      }};
  }
  const auto found = stored_sweep<Found, Item>(
      all, jobs_, [](const Item& item) { return item.weight; }, [](const Item& item) { return item.run(); },
      [](const Item& item) { return item.key(); }, derived);
  Json results = Json::array();
  for (const auto& one : found) results.push_back(one ? one->values : Json());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t place = places[i];
    if (!found[place]) continue;
    results[place] = lab::to_json(points[i], *found[place]->point);
    points_.insert_or_assign(items[place].value("name", points[i].key()),
                             Done{points[i], *found[place]->point});
  }
  return results;
}

Json Measurer::fact(const Json& item) const {
  const auto [row, arguments] = asked(all_.facts, item, name_);
  return row->run(arguments);
}

std::vector<Done> Measurer::points() const {
  std::vector<Done> all;
  for (const auto& [name, one] : points_) all.push_back(one);
  return all;
}

} // namespace rccebench::publications
