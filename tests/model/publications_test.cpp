// SPDX-License-Identifier: Apache-2.0
// Are the tables of publications understood, and what is wrong in them refused by its line?
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "mesh_sim/errors.hpp"
#include "publications/publications.hpp"

using namespace rccebench;
using namespace rccebench::publications;

namespace {

constexpr const char* head =
    "id,each,statement,where,evidence,published,quantity,unit,comparison,tolerance,chosen by,reason\n";

Measured times(const Arguments& arguments) {
  return {{arguments.number(0) * 10, arguments.number(0)}};
}
const MeasurementPointer times_of = measurement("times", 1, times);

Quantities quantities() {
  return {{"time", "us", 1, times_of, value_at(0)},
          {"hops", "", 1, times_of, value_at(1)},
          {"name", "", 1, nullptr,
           [](const std::vector<double>&, const Arguments& a) { return Value::of("<" + a.word(0) + ">"); }}};
}

Study study(const std::string& statements, const std::string& reasons = "") {
  const std::filesystem::path folder = "publication";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "about.csv")
      << "kind,name,text\npublication,,nobody: nothing\nlist,cores,\"2 4 8\"\n"
         "list,machines,\"small big=large_one\"\nnumber,limit,40\n";
  std::ofstream(folder / "published.csv") << "id,of,value,unit,where\nT-1,\"small, 4\",50,us,table 1\n";
  std::ofstream(folder / "statements.csv") << head << statements;
  if (!reasons.empty()) std::ofstream(folder / "reasons.csv") << "name,if,reason\n" << reasons;
  return {"example", quantities(), folder};
}

Claim claim(const std::string& quantity, const std::string& published, const std::string& rule,
            const std::string& reason = "") {
  return study("1,,\"a sentence\",table 1,evidence," + published + ",\"" + quantity + "\",us," + rule +
               ",us," + reason + "\n")
      .run(1)
      .claims.at(0);
}

double number(const std::string& quantity) {
  return std::get<double>(claim(quantity, "1", "below,1").simulated);
}
std::string word(const std::string& quantity) {
  return std::get<std::string>(claim(quantity, "1", "equals,").simulated);
}

/// The words if the message has them, else the message.
std::string first_of(const std::string& message, const std::string& words) {
  return message.find(words) != std::string::npos ? words : message;
}

std::string refusal(const std::string& statements) {
  try {
    (void)study(statements);
  } catch (const mesh::UserError& error) {
    return error.what();
  }
  return "understood";
}

} // namespace

TEST_CASE("expressions: arithmetic, comparisons, quantities") {
  CHECK(number("2 + 3 * 4 - 6 / 2") == 11);
  CHECK(number("-(2 - 5) * 2") == 6);
  CHECK(number("time(4) / hops(4)") == 10);
  CHECK(number("1 < 2 < 3") == 1);
  CHECK(number("1 < 3 < 2") == 0);
  CHECK(number("2 >= 2 and not 1 == 2 or 0 > 1") == 1);
  CHECK(number("if(1 > 2, time(4), limit)") == 40);
  CHECK(number("max(1, 3, 2) + min(4, 2) + abs(1 - 3)") == 7);
  CHECK(number("published(small, 4) + published('T-1') + printed(big, 4)") == 100);
  CHECK(word("name(big)") == "<big>");
}

TEST_CASE("expressions: aggregates over lists") {
  CHECK(number("sum(n in cores: time(n))") == 140);
  CHECK(number("mean(n in [2..4]: n)") == 3);
  CHECK(number("share(n in cores if n > 2: time(n) > limit)") == 0.5);
  CHECK(number("up_to(n in cores: time(n) <= limit)") == 4);
  CHECK(number("up_to(n in cores: n > 2)") == 0);
  CHECK(number("median(n in [1 5 2 9]: n)") == 3.5);
  CHECK(number("rising(n in cores: n) + falling(n in cores: n)") == 1);
  CHECK(word("argmax(m in machines, n in cores: if(m == big, n, 0))") == "large one, 8");
  CHECK(word("sorted(m in machines: if(m == big, 1, 2))") == "large one < small");
  CHECK(word("tally(n in cores: n > 2)") == "2 of 3");
  CHECK(word("series(n in cores: n)") == "2, 4, 8");
}

TEST_CASE("a statement holds at its tolerance and not beyond it, on both sides") {
  const auto holds = [](const std::string& simulated, const std::string& published, const std::string& rule) {
    return claim(simulated, published, rule).holds;
  };
  CHECK(holds("90", "100", "within,10"));
  CHECK_FALSE(holds("89.999", "100", "within,10"));
  CHECK(holds("-90", "-100", "within,10"));
  CHECK(holds("50", "100", "factor,2"));
  CHECK_FALSE(holds("49.9", "100", "factor,2"));
  CHECK_FALSE(holds("201", "100", "factor,2"));
  CHECK(holds("0.25", "a third", "range,0.25 to 0.45"));
  CHECK_FALSE(holds("0.2499", "a third", "range,0.25 to 0.45"));
  CHECK(holds("1", "1.03", "near,0.04"));
  CHECK_FALSE(holds("1", "less", "below,1"));
  CHECK(holds("1", "not more", "at most,1"));
  CHECK(holds("1", "another", "other than,2"));
  CHECK(holds("name(big)", "<small> or <big>", "equals,"));
  CHECK_FALSE(holds("name(big)", "<small>", "equals,"));
  CHECK(holds("4", "=2 * 2", "equals,"));
  CHECK(holds("1", "in order", "order,time(2) < time(4)"));
  CHECK(claim("0.3", "a third", "range,0.25 to 0.45").tolerance == "0.25 to 0.45");
}

TEST_CASE("one row stands for the like of several machines, and its reason has numbers") {
  const Reproduction result = study("\"T-{m}-{n}\",\"m in machines, n in cores if n < 8\",\"{m}, {n} "
                                    "cores\",table 1,evidence,less,time(n),us,"
                                    "below,30,us,\"{@why n|n + 1}\"\n",
                                    "why,$1 > 4,never\nwhy,,\"{time($2):1} us with {$2}\"\n")
                                  .run(2);
  REQUIRE(result.claims.size() == 4);
  CHECK(result.claims[0].id == "T-small-2");
  CHECK(result.claims[0].reason.empty());
  CHECK(result.claims[3].id == "T-large one-4");
  CHECK(result.claims[3].statement == "large one, 4 cores");
  CHECK(result.claims[3].reason == "50.0 us with 5");
}

TEST_CASE("one statement alone has its terms") {
  Study example = study("1,,first,,evidence,1,time(2),us,below,1,us,\n2,,second,,input,1,time(4) / "
                        "hops(4),us,below,11,us,put in\n");
  const Reproduction result = example.run(1, "2");
  REQUIRE(result.claims.size() == 1);
  CHECK(result.claims[0].reason == "put in");
  REQUIRE(result.terms.size() == 2);
  CHECK(result.terms[0].quantity == "time(4)");
  CHECK(std::get<double>(result.terms[0].value) == 40);
  CHECK(result.terms[0].unit == "us");
  CHECK_THROWS_AS(example.run(1, "3"), mesh::UserError);
}

TEST_CASE("a row that cannot be understood is refused by its line") {
  const std::string good = "1,,first,,evidence,1,time(2),us,below,1,us,\n";
  CHECK(refusal(good) == "understood");
  const auto row = [&](const std::string& quantity, const std::string& rule) {
    return refusal(good + "2,,second,,evidence,1," + quantity + ",us," + rule + ",us,\n");
  };
  CHECK(first_of(row("speed(2)", "below,1"), "statements.csv' line 3: there is no quantity 'speed'") ==
        "statements.csv' line 3: there is no quantity 'speed'");
  CHECK(first_of(row("time(2)", "under,1"), "line 3: there is no comparison 'under'") ==
        "line 3: there is no comparison 'under'");
  CHECK(first_of(row("time(two)", "below,1"), "line 3: 'two' is no variable") ==
        "line 3: 'two' is no variable");
  CHECK(first_of(row("\"time(2, 3)\"", "below,1"), "line 3: 'time' takes 1 arguments, not 2") ==
        "line 3: 'time' takes 1 arguments, not 2");
  CHECK(first_of(row("time(2", "below,1"), "line 3: ')' is missing") == "line 3: ')' is missing");
  CHECK(first_of(row("sum(n in nodes: n)", "below,1"), "line 3: there is no list 'nodes'") ==
        "line 3: there is no list 'nodes'");
  CHECK(first_of(row("time(2) 3", "below,1"), "line 3: something is left over") ==
        "line 3: something is left over");
  CHECK(first_of(refusal(good + "2,,\"{time(2)\",,evidence,1,1,us,below,1,us,\n"), "line 3") == "line 3");
  CHECK(first_of(refusal(good + "2,,second,,perhaps,1,1,us,below,1,us,\n"), "line 3: evidence 'perhaps'") ==
        "line 3: evidence 'perhaps'");
  CHECK(first_of(refusal(good + "2,,second\n"), "line 3: a column is missing") ==
        "line 3: a column is missing");
  CHECK(first_of(refusal("1,,first,,evidence,1,1,us,below,1,us,{@why}\n"), "no phrase '@why'") ==
        "no phrase '@why'");
}

TEST_CASE("every publication's tables are understood") {
  for (const Publication& one : publications::publications()) {
    INFO(one.name);
    CHECK_NOTHROW(Study(std::string(one.name), one.quantities(),
                        std::filesystem::path(ROCKCREEK_PUBLICATIONS) / one.name));
  }
}
