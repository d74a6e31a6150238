// SPDX-License-Identifier: Apache-2.0
// Do the tables of `rccebench reproduce` count and print what was claimed?
#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "publications/reproduction.hpp"

using namespace rccebench;
using namespace rccebench::reproduce;

namespace {

Reproduction example() {
  Reproduction example;
  example.publication = "nobody: nothing, 2000";
  example.claims = {number_claim("1", "at the edge", 100, 110, "us", 10),
                    number_claim("2", "beyond it", 100, 110.001, "us", 10),
                    range_claim("3", "in a range", std::string("a third"), 0.25, "", 0.25, 0.45),
                    range_claim("4", "below it, fitted", std::string("a third"), 0.2499, "", 0.25, 0.45)};
  example.claims[1].reason = "too slow";
  example.claims[3].evidence = false;
  example.figures = {
      {"figure-1", {"a curve", {{"Nodes", "", 0}, {"Time", "us", 2}}, {{std::int64_t{2}, 1.5}}}}};
  return example;
}

} // namespace

TEST_CASE("a number holds at its tolerance and not beyond it, on both sides") {
  CHECK(within_percent(90, 100, 10));
  CHECK_FALSE(within_percent(89.999, 100, 10));
  CHECK(within_percent(-90, -100, 10));
  const auto claims = example().claims;
  CHECK(claims[0].holds);
  CHECK_FALSE(claims[1].holds);
  CHECK(claims[2].holds);
  CHECK_FALSE(claims[3].holds);
}

TEST_CASE("what is no evidence is counted apart") {
  const Count all = count(example().claims);
  CHECK(all.claims == 4);
  CHECK(all.hold == 2);
  CHECK(all.fail == 2);
  CHECK(all.evidence_hold == 2);
  CHECK(all.evidence_fail == 1);
}

TEST_CASE("JSON has a row and an entry of the summary for each statement") {
  const auto json = nlohmann::json::parse(to_text(report_of("example", example()), Format::json));
  REQUIRE(json["rows"].size() == 4);
  CHECK(json["rows"][1]["reason"] == "too slow");
  CHECK(json["rows"][0]["published"] == 100.0);
  const auto& summary = json["summary"];
  CHECK(summary["claims"] == 4);
  CHECK(summary["evidence_hold"] == 2);
  CHECK(summary["evidence_fail"] == 1);
  REQUIRE(summary["by_claim"].size() == 4);
  CHECK(summary["by_claim"][3]["id"] == "4");
  CHECK(summary["by_claim"][3]["published"] == "a third");
  CHECK(summary["by_claim"][3]["simulated"] == 0.2499);
  CHECK(summary["by_claim"][3]["holds"] == false);
}

TEST_CASE("a table for people has the figures and the reasons") {
  const std::string text = to_text(report_of("example", example()), Format::table);
  for (const char* wanted : {"# a curve", "# 2: too slow", "# 4: no reason found",
                             "# hold, by statement: 1 1 of 1, 2 0 of 1, 3 1 of 1, 4 0 of 1",
                             "2 of 4 statements hold", "2 hold, 1 fail"}) {
    CAPTURE(wanted);
    CHECK(text.find(wanted) != std::string::npos);
  }
}

TEST_CASE("a figure is a CSV file in the folder") {
  make_folder("claims-figures");
  REQUIRE(write_figures(example(), "claims-figures") == std::vector<std::string>{"figure-1.csv"});
  std::ifstream in("claims-figures/figure-1.csv");
  std::stringstream text;
  text << in.rdbuf();
  CHECK(text.str() == "# a curve\nnodes,time_us\n2,1.5\n");
}
