// SPDX-License-Identifier: Apache-2.0
// Are the tables of publications understood, and what is wrong in them refused by its line?
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "catch.hpp"
#include "measuring/substitutes.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/machines/scc/costs.hpp"
#include "mesh_sim/machines/scc/kind.hpp"
#include "mesh_sim/parameters.hpp"
#include "publications/publications.hpp"

using namespace rccebench;
using namespace rccebench::publications;

namespace {

constexpr const char* head =
    "id,each,headline,statement,where,evidence,inputs,published,quantity,unit,comparison,tolerance,chosen by,"
    "cause,reason\n";

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
  return study("1,,,\"a sentence\",table 1,evidence,," + published + ",\"" + quantity + "\",us," + rule +
               ",us,," + reason + "\n")
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
  const Reproduction result = study("\"T-{m}-{n}\",\"m in machines, n in cores if n < 8\",,\"{m}, {n} "
                                    "cores\",table 1,evidence,,less,time(n),us,"
                                    "below,30,us,suspected,\"{@why n|n + 1}\"\n",
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
  Study example = study("1,,,first,,evidence,,1,time(2),us,below,1,us,,\n2,,,second,,input,,1,time(4) / "
                        "hops(4),us,below,11,us,,put in\n");
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
  const std::string good = "1,,,first,,evidence,,1,time(2),us,below,1,us,,\n";
  CHECK(refusal(good) == "understood");
  const auto row = [&](const std::string& quantity, const std::string& rule) {
    return refusal(good + "2,,,second,,evidence,,1," + quantity + ",us," + rule + ",us,,\n");
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
  CHECK(first_of(refusal(good + "2,,,\"{time(2)\",,evidence,,1,1,us,below,1,us,,\n"), "line 3") == "line 3");
  CHECK(first_of(refusal(good + "2,,,second,,perhaps,,1,1,us,below,1,us,,\n"),
                 "line 3: evidence 'perhaps'") == "line 3: evidence 'perhaps'");
  CHECK(first_of(refusal(good + "2,,second\n"), "line 3: 3 fields, and there are 15 columns") ==
        "line 3: 3 fields, and there are 15 columns");
  CHECK(first_of(refusal("1,,,first,,evidence,,1,1,us,below,1,us,,{@why}\n"), "no phrase '@why'") ==
        "no phrase '@why'");
}

TEST_CASE("every publication's tables are understood") {
  for (const Publication& one : publications::publications()) {
    INFO(one.name);
    CHECK_NOTHROW(Study(std::string(one.name), one.quantities(),
                        std::filesystem::path(ROCKCREEK_PUBLICATIONS) / one.name));
  }
}

TEST_CASE("headlines come first, and a preset that is no evidence is none in any statement") {
  Study example = study("1-{machine},machine in machines,,a number,,evidence,,1,time(2),us,above,1,us,,\n"
                        "2,,headline,another,,repeats,T-1,1,time(2),us,below,1,us,known,as 1\n");
  std::ofstream("publication/about.csv", std::ios::app) << "no evidence,big,\"a guess\"\n";
  const Reproduction result = Study("example", quantities(), "publication").run(1);
  REQUIRE(result.claims.size() == 3);
  CHECK(result.claims[0].id == "2");
  CHECK(result.claims[0].headline);
  CHECK_FALSE(result.claims[0].evidence);
  CHECK(result.claims[0].cause == "known");
  CHECK(result.claims[0].inputs == "T-1");
  CHECK(result.claims[1].evidence);
  CHECK(result.claims[1].cause.empty());
  CHECK_FALSE(result.claims[2].evidence);
  CHECK(result.claims[2].reason == "a guess");
}

TEST_CASE("a main result has the statements whose ids begin with its own") {
  const auto results = [](const std::string& rows) {
    (void)study("\"1-{machine}\",machine in machines,,a number,,evidence,,1,time(2),us,above,1,us,,\n"
                "10,,,another,,repeats,,1,time(2),us,below,1,us,known,as 1\n2.a,,,a "
                "third,,evidence,,1,time(2),us,above,1,us,,\n");
    std::ofstream("publication/about.csv", std::ios::app) << rows;
    return Study("example", quantities(), "publication").run(1).results;
  };
  const auto found = results("result,1,\"both, not 10\"\nresult,1 10 2,all\nresult,,untested\n");
  REQUIRE(found.size() == 3);
  CHECK(found[0].text == "both, not 10");
  CHECK(found[0].statements == 2);
  CHECK(found[0].comes_out());
  CHECK(found[1].statements == 4);
  CHECK(found[1].hold == 3);
  CHECK(found[1].evidence == 3);
  CHECK_FALSE(found[1].comes_out());
  CHECK_FALSE(found[2].comes_out());
  try {
    (void)results("result,3,none\n");
    FAIL("a statement that there is not is taken");
  } catch (const mesh::UserError& error) {
    CHECK(first_of(error.what(), "result 'none': there is no statement '3'") ==
          "result 'none': there is no statement '3'");
  }
}

TEST_CASE("the curve's plain stores are four single bytes by the latencies of a program's own stores") {
  for (const char* preset : {"scc", "scc-fast"}) {
    const mesh::MachineDescription machine = mesh::load_machine(preset);
    const auto config = mesh::scc_config(machine);
    const mesh::Picoseconds cycle = mesh::period(machine.core_mhz());
    constexpr std::int64_t bytes_of_word = 4, loop = 4; // cycles
    INFO(preset);
    CHECK(config->plain_store_l2_cycles ==
          Approx(static_cast<double>(bytes_of_word * (config->l2_read_cycles + loop))).epsilon(0.05));
    CHECK(config->plain_store_dram_cycles ==
          Approx(static_cast<double>(bytes_of_word * mesh::SccCosts::dram_access(*config, cycle, 0, 1)) /
                 static_cast<double>(cycle))
              .epsilon(0.06));
  }
}

namespace {

/// The machine with one parameter, "PRESET:section.name", times `factor`, as a file.
void change(const std::string& input, double factor) {
  const std::size_t colon = input.find(':');
  const std::string preset = input.substr(0, colon), parameter = input.substr(colon + 1);
  mesh::MachineDescription machine = mesh::load_machine(preset);
  const mesh::ParameterTable table = machine.table();
  std::istringstream values(mesh::value_text(mesh::find_parameter(table, parameter, input)));
  std::ofstream file("changed.machine");
  file << "[machine]\npreset = " << preset << "\n[" << parameter.substr(0, parameter.find('.')) << "]\n"
       << parameter.substr(parameter.find('.') + 1) << " =";
  for (double value; values >> value;) file << ' ' << value * factor;
  file << "\n";
  file.close();
  rccebench::measuring::substitute_machine(preset, "changed.machine");
}

/// Repetitions: what a statement follows from shows in some.
void fewer(Study& study) {
  study.set("repetitions", 5000);
  study.set("host_repetitions", 1000);
  study.set("seeds", {Value::of(1)});
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

} // namespace

TEST_CASE("a statement follows from its inputs if they turn its verdict, and then it is no evidence") {
  int turned = 0;
  for (const char* const name : {"xeon-phi", "nic-reduction"}) {
    const Publication& one = publication(name);
    Study study(name, one.quantities(), std::filesystem::path(ROCKCREEK_PUBLICATIONS) / name);
    study.store_for("");
    fewer(study);
    for (const Claim& claim : study.run(2).claims) {
      if (claim.inputs.find(':') == std::string::npos) continue;
      INFO(name << " " << claim.id << " and " << claim.inputs);
      bool turns = false;
      for (const std::string& input : words_of(claim.inputs))
        for (const double factor : {0.5, 2.0}) {
          change(input, factor);
          Study changed(name, one.quantities(), std::filesystem::path(ROCKCREEK_PUBLICATIONS) / name);
          changed.store_for("");
          fewer(changed);
          turns = turns || changed.run(2, claim.id).claims.at(0).holds != claim.holds;
          rccebench::measuring::substitute_machine(input.substr(0, input.find(':')), "");
        }
      CHECK(turns == !claim.evidence);
      turned += turns ? 1 : 0;
    }
  }
  CHECK(turned > 20);
}
