// SPDX-License-Identifier: Apache-2.0
// Do the tables of `rccebench reproduce` count and print what was claimed?
#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "publications/reproduction.hpp"

using namespace rccebench;
using namespace rccebench::publications;

namespace {

Reproduction example() {
  Reproduction example;
  example.publication = "nobody: nothing, 2000";
  const auto claim = [](const char* id, const char* statement, Cell published, double simulated, bool holds) {
    Claim one;
    one.id = id, one.statement = statement;
    one.published = std::move(published), one.simulated = simulated;
    one.holds = holds;
    return one;
  };
  example.claims = {claim("1", "at the edge", 100.0, 110, true),
                    claim("2", "beyond it", 100.0, 110.001, false),
                    claim("3", "in a range", std::string("a third"), 0.25, true),
                    claim("4", "below it, fitted", std::string("a third"), 0.2499, false)};
  example.claims[1].reason = "too slow";
  example.claims[3].evidence = false;
  example.figures = {
      {"figure-1", {"a curve", {{"Nodes", "", 0}, {"Time", "us", 2}}, {{std::int64_t{2}, 1.5}}}}};
  return example;
}

} // namespace

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

TEST_CASE("a main result comes out where all its statements hold, and never without a statement") {
  Reproduction one = example();
  one.results = {{"whole", 2, 2, 1}, {"in part", 3, 2, 3}, {"untested", 0, 0, 0}};
  const Report report = report_of("example", one);
  REQUIRE(report.views.front().title.starts_with("main results"));
  const auto& rows = report.views.front().rows;
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] ==
        std::vector<Cell>{std::string("whole"), true, std::string("2 of 2"), std::string("1 of 2")});
  CHECK(rows[1] ==
        std::vector<Cell>{std::string("in part"), false, std::string("2 of 3"), std::string("3 of 3")});
  CHECK(rows[2] == std::vector<Cell>{std::string("untested"), false, Cell{}, Cell{}});
  const std::string text = to_text(report, Format::table);
  CHECK(text.find("headlines 0 of 0; main results 1 of 3") != std::string::npos);
  CHECK(text.find("whole") < text.find("at the edge"));
  const auto json = nlohmann::json::parse(to_text(report, Format::json))["summary"]["main_results"];
  REQUIRE(json.size() == 3);
  CHECK(json[1] ==
        nlohmann::json{
            {"result", "in part"}, {"comes_out", false}, {"statements", 3}, {"hold", 2}, {"evidence", 3}});
}

TEST_CASE("a table for people has the figures and the reasons") {
  const std::string text = to_text(report_of("example", example()), Format::table);
  for (const char* wanted : {"# a curve", "# 2: published 100; simulated 110; cause unknown: too slow",
                             "# 4: published a third; simulated 0.2499; cause unknown: no reason found",
                             "# hold, by statement: 1 1 of 1, 2 0 of 1, 3 1 of 1, 4 0 of 1",
                             "2 of 4 statements hold; as evidence 2 of 3; headlines 0 of 0"}) {
    CAPTURE(wanted);
    CHECK(text.find(wanted) != std::string::npos);
  }
}

TEST_CASE("one statement is shown with its terms and its verdict") {
  Reproduction one = example();
  one.claims = {one.claims[1]};
  one.claims[0].where = "table 1";
  one.claims[0].tolerance = "10 %", one.claims[0].chosen = "us";
  one.terms = {{"time(4)", 110.001, "us"}};
  const std::string text = to_text(report_of_statement("example", one), Format::table);
  for (const char* wanted :
       {"beyond it", "table 1", "10 % (chosen by us)", "time(4)", "# fails", "cause unknown: too slow"}) {
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
  CHECK(text.str() == "# a curve\ncores,time_us,nodes\n2,1.5,2\n");
}
