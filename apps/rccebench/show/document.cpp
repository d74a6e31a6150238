// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "command_line/machine_parameters.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "page/document.hpp"
#include "rcce_emu/version.hpp"
#include "show/forms.hpp"
#include "show/schedules.hpp"

namespace rccebench::show {

nlohmann::ordered_json to_json(const Recording& recording) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["title"] = std::string("rccebench show ") + rcce::version_text;
  json["algorithm"] = recording.algorithm;
  json["operation"] = recording.operation;
  json["machine"] = recording.machine;
  json["setting"] = recording.setting;
  json["place"] = recording.place_word();
  json["root"] = recording.root >= 0 ? Json(recording.root) : Json(nullptr);
  json["bytes"] = recording.bytes >= 0 ? Json(recording.bytes) : Json(nullptr);
  json["parameters"] = Json::object();
  for (const auto& [name, value] : recording.parameters) json["parameters"][name] = value;
  json["mesh"] = recording.mesh ? Json{{"columns", recording.mesh->columns()},
                                       {"rows", recording.mesh->rows()},
                                       {"cores_per_tile", recording.mesh->cores_per_tile()}}
                                : Json(nullptr);
  json["places"] = Json::array();
  for (int rank = 0; rank < recording.ranks(); ++rank) {
    const RankPlace& place = recording.places[static_cast<std::size_t>(rank)];
    json["places"].push_back({{"rank", rank}, {"core", place.core}, {"x", place.x}, {"y", place.y}});
  }
  json["rounds"] = Json::array();
  for (int round = 1; round <= recording.rounds(); ++round) {
    Json edges = Json::array();
    for (const mesh::RoundEdge& edge : recording.edges_of(round))
      edges.push_back({{"from", edge.from},
                       {"to", edge.to},
                       {"data", edge.data},
                       {"bytes", edge.bytes},
                       {"begin_us", us_of(edge.begin)},
                       {"end_us", us_of(edge.end)}});
    json["rounds"].push_back(
        {{"round", round}, {"end_us", us_of(recording.end_of(round))}, {"edges", std::move(edges)}});
  }
  if (!recording.holds.empty()) json["holds"] = Json::array();
  for (const Hold& hold : recording.holds)
    json["holds"].push_back(
        {{"rank", hold.rank}, {"begin_us", us_of(hold.begin)}, {"end_us", us_of(hold.end)}});
  json["end_us"] = us_of(recording.end);
  return json;
}

std::string to_html(const Recording& recording) {
  Report report;
  report.title = title_of(recording);
  report.lead = fmt::format("{}. Who gives data or a signal to whom, in which round, from one small run.",
                            machine_of(recording));
  report.settings = {{"algorithm", recording.algorithm}, {"machine", machine_of(recording)}};
  const auto fact = [](const char* name, double value, const char* unit) {
    return nlohmann::ordered_json{{"name", name}, {"value", value}, {"unit", unit}, {"note", ""}};
  };
  report.facts = {fact("rounds", recording.rounds(), "1"),
                  fact("edges", static_cast<double>(recording.edges.size()), "1"),
                  fact("done at", us_of(recording.end), "us")};
  report.figures = {schedule_figure({recording})};
  report.parameters = machine_parameters(recording.common);
  return page::text_of(report);
}

} // namespace rccebench::show
