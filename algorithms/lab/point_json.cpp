// SPDX-License-Identifier: Apache-2.0
#include "lab/point_json.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/backend.hpp"
#include "lab/lists.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/cluster/kind.hpp"

namespace lab {
namespace {

using Json = nlohmann::json;

constexpr std::string_view members[] = {"algorithm", "machine", "set",     "cores",       "bytes",
                                        "options",   "root",    "type",    "op",          "spread",
                                        "seed",      "reads",   "warm_up", "repetitions", "rcce",
                                        "copies",    "payload", "check",   "each",        "timed_singly"};
constexpr std::int64_t usual_bytes = 8192;

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// `what` begins the message where the value is none of the words.
std::string one_of(const Json& value, std::string_view what, std::initializer_list<std::string_view> words) {
  const std::string text = text_of(value);
  if (std::find(words.begin(), words.end(), text) == words.end())
    throw mesh::UserError(fmt::format("{} '{}': allowed are {}", what, text, fmt::join(words, ", ")));
  return text;
}

/// A member that is text; `usual` where it is missing.
std::string text_in(const Json& entry, const char* name, const char* usual) {
  const auto member = entry.find(name);
  if (member == entry.end()) return usual;
  if (!member->is_string())
    throw mesh::UserError(fmt::format("\"{}\" {}: it is text in quotes", name, member->dump()));
  return member->get<std::string>();
}

/// A member that is an object; an empty one where it is missing.
Json object_in(const Json& entry, const char* name) {
  Json value = entry.value(name, Json::object());
  if (!value.is_object())
    throw mesh::UserError(
        fmt::format("\"{}\" {}: it is an object, as {{\"NAME\": \"VALUE\"}}", name, value.dump()));
  return value;
}

/// A member that is a whole number of that type, at least `least`: 7.9, "7" and 1e30 are none.
template <class Number>
Number whole_in(const Json& entry, const char* name, Number usual, Number least = 0) {
  const auto member = entry.find(name);
  if (member == entry.end()) return usual;
  constexpr auto most = std::numeric_limits<Number>::max();
  const auto fits = [least](auto number) {
    return std::cmp_greater_equal(number, least) && std::cmp_less_equal(number, most);
  };
  if (!(member->is_number_unsigned() ? fits(member->get<std::uint64_t>())
                                     : member->is_number_integer() && fits(member->get<std::int64_t>())))
    throw mesh::UserError(
        fmt::format("\"{}\" {}: it is a whole number from {} to {}", name, member->dump(), least, most));
  return member->get<Number>();
}

bool truth_in(const Json& entry, const char* name, bool usual) {
  const auto member = entry.find(name);
  if (member == entry.end()) return usual;
  if (!member->is_boolean())
    throw mesh::UserError(fmt::format("\"{}\" {}: it is true or false", name, member->dump()));
  return member->get<bool>();
}

/// Machines of many points, each made once.
class Machines {
 public:
  std::shared_ptr<const Machine> get(const Json& entry) {
    const std::string name = text_in(entry, "machine", "scc");
    rcce::MachineChoice choice{name, {}};
    std::string key = name;
    const Json settings = object_in(entry, "set");
    for (const auto& [parameter, value] : settings.items()) {
      choice.add("\"set\"", fmt::format("{}={}", parameter, text_of(value)));
      key += fmt::format(" {}={}", parameter, text_of(value));
    }
    auto& machine = known_[key];
    if (!machine) {
      Machine made = open_machine(choice);
      if (key != name) made.config.rename(key);
      machine = std::make_shared<const Machine>(std::move(made));
    }
    return machine;
  }

 private:
  std::map<std::string, std::shared_ptr<const Machine>> known_;
};

void set_options(Point& point, const Json& options) {
  for (const auto& [name, value] : options.items()) {
    const Parameter* const parameter = point.row().parameter(name);
    if (parameter == nullptr) {
      std::vector<std::string_view> known;
      for (const Parameter& one : point.row().parameters) known.push_back(one.name);
      const std::string_view near = mesh::nearest(name, known);
      throw mesh::UserError(fmt::format("\"options\": {} has no '{}'; it has {}{}", point.algorithm, name,
                                        known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")),
                                        near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
    }
    const auto values = read_values(*parameter, text_of(value));
    if (values.size() != 1)
      throw mesh::UserError(fmt::format("\"options\": {} '{}': a point has one value", name, text_of(value)));
    point.options[name] = values.front();
  }
}

Point read_point(const Json& entry, Machines& machines, const std::vector<std::string>& files) {
  if (!entry.is_object()) throw mesh::UserError("it is not a JSON object");
  for (const auto& [name, value] : entry.items())
    if (std::ranges::find(members, name) == std::end(members)) {
      const std::string_view near = mesh::nearest(name, {std::begin(members), std::end(members)});
      throw mesh::UserError(fmt::format("there is no member '{}'; allowed are {}{}", name,
                                        fmt::join(members, ", "),
                                        near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
    }
  if (!entry.contains("algorithm")) throw mesh::UserError("\"algorithm\" is missing, as \"bcast/cube\"");
  Point point;
  point.machine = machines.get(entry);
  point.machine_name = point.machine->config.name();
  point.generation = generation_of(one_of(entry.value("rcce", Json("2.0")), "\"rcce\"", {"1.0", "2.0"}));
  point.copies = one_of(entry.value("copies", Json("own")), "\"copies\"", {"own", "plain", "prefetching"});
  point.moves_payload =
      one_of(entry.value("payload", Json("moved")), "\"payload\"", {"moved", "none"}) == "moved";
  point.checks = truth_in(entry, "check", true) && point.moves_payload;
  point.backend = backend_of(*point.machine, files, point.generation);
  std::vector<std::string_view> known;
  for (const Row& row : point.backend->rows()) known.push_back(row.name);
  const auto names = read_names(text_of(entry.at("algorithm")), "\"algorithm\"", "", known);
  if (names.size() != 1)
    throw mesh::UserError(fmt::format("\"algorithm\": {}: a point has one", text_of(entry.at("algorithm"))));
  point.algorithm = names.front();
  const Operation& operation = point.operation();
  point.cores =
      whole_in(entry, "cores", static_cast<int>(point.backend->usual_ranks(*point.machine).back()), 1);
  const auto usual = point.backend->usual_sizes();
  if (operation.has_message)
    point.bytes =
        whole_in(entry, "bytes", usual.empty() ? usual_bytes : whole_number(std::string(usual), "bytes"));
  point.root = whole_in(entry, "root", 0);
  point.type = one_of(entry.value("type", Json("double")), "\"type\"", {"int", "long", "float", "double"});
  point.op = one_of(entry.value("op", Json("sum")), "\"op\"", {"sum", "min", "max", "prod"});
  if (operation.combines && point.bytes % element_bytes(point.type) != 0)
    throw mesh::UserError(fmt::format("\"bytes\" {}: this is not a whole number of elements of {} bytes",
                                      point.bytes, element_bytes(point.type)));
  point.reads = truth_in(entry, "reads", true);
  point.seed = whole_in(entry, "seed", std::uint64_t{1});
  point.spread = Spread(text_in(entry, "spread", "none"), point.seed);
  set_options(point, object_in(entry, "options"));
  point.tells_each = truth_in(entry, "each", false);
  point.timed_singly = truth_in(entry, "timed_singly", false);
  if (point.timed_singly && !mesh::cluster_config(point.machine->config))
    throw mesh::UserError(
        fmt::format("\"timed_singly\": machine '{}' is no cluster, whose hosts read a clock "
                    "before each reduction; leave it out",
                    point.machine_name));
  point.warm_up = whole_in(entry, "warm_up", point.backend->usual_warm_up(point));
  point.repetitions = whole_in(entry, "repetitions", point.backend->usual_repetitions(point), 1);
  if (const std::string why = point.backend->misfit(point); !why.empty()) throw mesh::UserError(why);
  return point;
}

} // namespace

Point read_point(const Json& entry) {
  Machines machines;
  return read_point(entry, machines, {});
}

std::vector<Point> read_points(const Json& points, const std::vector<std::string>& files) {
  if (!points.is_array()) throw mesh::UserError("points: the file must hold a JSON array of objects");
  Machines machines;
  std::vector<Point> all;
  for (const Json& entry : points) {
    try {
      all.push_back(read_point(entry, machines, files));
    } catch (const mesh::UserError& error) {
      throw mesh::UserError(fmt::format("point {}: {}", all.size() + 1, error.what()));
    }
  }
  return all;
}

nlohmann::ordered_json to_json(const Point& point, const Result& result) {
  nlohmann::ordered_json json{{"key", point.key()},
                              {"machine", point.machine_name},
                              {"algorithm", point.algorithm},
                              {"cores", point.cores}};
  if (point.operation().has_message) json["bytes"] = point.bytes;
  json["options"] = nlohmann::ordered_json::object();
  for (const Parameter& parameter : point.row().parameters)
    if (const std::string value = point.value(parameter); !value.empty())
      json["options"][parameter.name] = value;
  json["clock"] = result.wall_clock ? "host" : "simulated";
  json["us"] = result.found.empty() ? nlohmann::ordered_json(result.max_us) : nullptr;
  if (!result.found.empty()) json["found"] = result.found;
  if (result.of_ranks && result.found.empty()) {
    json["us_first_rank"] = result.min_us;
    json["us_mean_rank"] = result.avg_us;
    if (result.last_rank >= 0) {
      json["last_rank"] = result.last_rank;
      json["us_last_behind_median"] = result.max_us - result.median_us;
    }
  }
  if (result.found.empty()) json["us_mean"] = result.mean_us;
  if (point.tells_each && result.found.empty()) json["us_each"] = result.repetitions_us;
  if (result.wall_clock && result.found.empty()) {
    json["us_lower"] = result.lower_us;
    json["us_upper"] = result.upper_us;
  }
  json["repetitions"] = point.repetitions;
  json["right"] = result.checked ? nlohmann::ordered_json(result.wrong_bytes == 0) : nullptr;
  json["wrong_bytes"] = result.wrong_bytes;
  if (result.explored) json["explored"] = true;
  if (result.digest != 0) json["digest"] = fmt::format("{:016x}", result.digest);
  return json;
}

namespace {

template <class AnyResult, class Visit>
void each_member(AnyResult& result, const Visit& visit) {
  visit("wall_clock", result.wall_clock);
  visit("of_ranks", result.of_ranks);
  visit("min_us", result.min_us);
  visit("avg_us", result.avg_us);
  visit("max_us", result.max_us);
  visit("lower_us", result.lower_us);
  visit("upper_us", result.upper_us);
  visit("spent_us", result.spent_us);
  visit("mean_us", result.mean_us);
  visit("fastest", result.fastest);
  visit("last_rank", result.last_rank);
  visit("median_us", result.median_us);
  visit("repetitions_us", result.repetitions_us);
  visit("simulated_repetitions", result.simulated_repetitions);
  visit("digest", result.digest);
  visit("checked", result.checked);
  visit("wrong_bytes", result.wrong_bytes);
  visit("found", result.found);
  visit("explored", result.explored);
  visit("counted", result.counted);
  visit("undelayed", result.undelayed);
  visit("host_us", result.host_us);
  visit("printed", result.printed);
}

Json all_members(const Result& result) {
  Json json;
  each_member(result, [&json](const char* name, const auto& value) { json[name] = value; });
  return json;
}

} // namespace

void to_json(Json& json, const Result& result) {
  static const Json defaults = all_members({});
  json = all_members(result);
  for (const auto& [name, value] : defaults.items())
    if (name != "max_us" && json[name] == value) json.erase(name);
  if (result.fault)
    json["fault"] = {result.fault->rank,  result.fault->repetition, result.fault->wrong,
                     result.fault->first, result.fault->of_operand, result.fault->against};
}

void from_json(const Json& json, Result& result) {
  result = {};
  result.max_us = json.at("max_us").get<double>(); // every result has it
  each_member(result, [&json](const char* name, auto& value) {
    if (const auto member = json.find(name); member != json.end()) member->get_to(value);
  });
  if (const auto fault = json.find("fault"); fault != json.end())
    result.fault = Fault{fault->at(0), fault->at(1), fault->at(2), fault->at(3), fault->at(4), fault->at(5)};
}

} // namespace lab
