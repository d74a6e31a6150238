// SPDX-License-Identifier: Apache-2.0
// Do the publication's statements hold that a few seconds can show? Those about noise here with fewer
// repetitions than `rccebench reproduce nic-reduction` takes.
#include <filesystem>
#include <set>

#include "catch.hpp"
#include "measuring/card_series.hpp"
#include "mesh_sim/machines/cluster/config.hpp"
#include "publications/publications.hpp"

using namespace rccebench::publications;

namespace {

Reproduction reproduce(double repetitions, double host_repetitions, const char* seeds, bool figures) {
  const Publication& row = publication("nic-reduction");
  Study study("nic-reduction", row.quantities(), std::filesystem::path(ROCKCREEK_PUBLICATIONS) / row.name);
  study.set("repetitions", repetitions);
  study.set("host_repetitions", host_repetitions);
  study.set("seeds", list_of(seeds));
  if (!figures) study.leave_out_figures();
  return study.run(2);
}

} // namespace

TEST_CASE("statements of the nic-reduction publication") {
  const Reproduction result = reproduce(10'000, 1000, "1..3", false);
  std::set<std::string> ids;
  // What depends on rare events, and the three that are not reproduced.
  const std::set<std::string> by_noise{"7.int",    "7.float",  "8.int",    "8.float", "9",       "11.int",
                                       "11.float", "11.equal", "11.grows", "11.host", "15.best", "15.tail"};
  for (const Claim& claim : result.claims) {
    INFO(claim.id << ": " << claim.statement);
    CHECK(ids.insert(claim.id).second);
    if (!claim.evidence)
      CHECK(!claim.reason.empty());
    else if (claim.holds)
      CHECK(claim.reason.empty());
    if (claim.id == "17" || claim.id == "3.1" || claim.id == "16.16")
      CHECK_FALSE(claim.holds);
    else if (!by_noise.contains(claim.id))
      CHECK(claim.holds);
    else
      CHECK(std::holds_alternative<double>(claim.simulated));
    if (claim.cause == "known") CHECK(claim.id == "3.1"); // shown below
  }
  CHECK(ids.size() == 45);
}

TEST_CASE("the cause of 3.1 is known: where children are combined as listed, degree 4 is the best") {
  const auto best = [](mesh::cluster::Order order) {
    int best = 0;
    double least = 0;
    for (int degree = 2; degree <= 8; ++degree) {
      rccebench::measuring::CardSeries point;
      point.machine = mesh::cluster::load_machine("alc");
      point.what = {mesh::cluster::Type::float64, mesh::cluster::Operation::sum};
      point.nodes = 31;
      point.options = {.degrees = {degree}, .order = order};
      const double time = rccebench::measuring::quiet_us(point);
      if (best == 0 || time < least) best = degree, least = time;
    }
    return best;
  };
  CHECK(best(mesh::cluster::Order::all) == 2);
  CHECK(best(mesh::cluster::Order::list) == 4);
}

TEST_CASE("its figures have a value at every point") {
  const Reproduction result = reproduce(300, 100, "1", true);
  CHECK(result.figures.size() == 7);
  std::int64_t counted = 0;
  for (const Figure& figure : result.figures) {
    INFO(figure.file);
    CHECK(figure.table.rows.size() >= 2);
    for (const auto& row : figure.table.rows) CHECK(row.size() == figure.table.columns.size());
    if (figure.file == "figure-12")
      for (const auto& row : figure.table.rows) counted += std::get<std::int64_t>(row[2]);
  }
  CHECK(counted == 300); // the histogram has every call
  for (const auto& [name, text] : result.settings)
    if (name == "noise") CHECK(text.find("disturbed") != std::string::npos);
}
