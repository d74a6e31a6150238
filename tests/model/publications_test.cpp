// SPDX-License-Identifier: Apache-2.0
// Does rccebench measure what the judge of publications asks for, and say what goes wrong between the two?
// The judge itself: judge_test.py.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "catch.hpp"
#include "lab/backend.hpp"
#include "lab/point_json.hpp"
#include "measuring/substitutes.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/machines/scc/costs.hpp"
#include "mesh_sim/machines/scc/kind.hpp"
#include "mesh_sim/parameters.hpp"
#include "publications/judge.hpp"
#include "publications/publications.hpp"

using namespace rccebench;
using namespace rccebench::publications;

namespace {

const std::filesystem::path room = ROCKCREEK_PUBLICATIONS;

Measurements example() {
  return {{{"times", 1,
            [](const Arguments& a) {
              return Json{{"time", a.number(0) * 10}};
            }},
           {"any", -1, [](const Arguments& a) { return Json(a.size()); }}},
          {{"name", 1, [](const Arguments& a) { return Json("<" + a.word(0) + ">"); }}}};
}

/// A publication whose NAME.py begins so, judged.
Judgement judgement_of(const std::string& code, const std::string& quantity = "1") {
  const std::filesystem::path folder = "publications/example";
  std::filesystem::remove_all("publications");
  std::filesystem::create_directories(folder);
  std::filesystem::create_directory_symlink(room / "judge", "publications/judge");
  std::ofstream(folder / "published.csv") << "id,of,value,unit,where\n";
  std::ofstream(folder / "statements.csv")
      << "id,each,headline,statement,where,evidence,inputs,published,quantity,unit,comparison,tolerance,"
         "chosen by,cause,reason\n1,,,a sentence,,evidence,,1,\""
      << quantity << "\",us,above,1,us,,\n";
  std::ofstream(folder / "example.py")
      << "from judge import fact, measured, point, quantity\ntitle, on_machines = 'nobody', 'scc'\n"
         "settings, notes, results, schedules = [], [], [], []\n"
      << code;
  Measurer measurer("example", example(), 2);
  return judge({.name = "example", .folder = std::filesystem::absolute(folder)}, measurer);
}
double simulated(const std::string& code, const std::string& quantity) {
  return std::get<double>(judgement_of(code, quantity).report.table.rows.at(0).at(3));
}

/// The words if the message has them, else the message.
template <class Error>
std::string refusal(const std::string& words, const std::string& code, const std::string& quantity = "1") {
  try {
    (void)judgement_of(code, quantity);
  } catch (const Error& error) {
    const std::string message = error.what();
    return message.find(words) != std::string::npos ? words : message;
  }
  return "understood";
}
template <class Error>
void refuses(const std::string& words, const std::string& code, const std::string& quantity = "1") {
  CHECK(refusal<Error>(words, code, quantity) == words);
}

} // namespace

TEST_CASE("the judge has measurements, facts and points of the laboratory") {
  CHECK(simulated("@quantity()\ndef time(n):\n  return measured('times', n)['time']\n",
                  "time(4) + time(0.5)") == 45);
  CHECK(simulated("@quantity()\ndef many():\n  return measured('any', 1, 'two', 3)\n", "many()") == 3);
  CHECK(simulated("@quantity()\ndef name(word):\n  return fact('name', word)\n", "len(name('ab'))") == 4);
  const double us = simulated("@quantity()\ndef barrier(cores):\n  return point(f'barrier {cores}', "
                              "algorithm='barrier/dissemination', machine='x4600', cores=cores)['us']\n",
                              "barrier(8)");
  const auto wanted =
      lab::read_point({{"algorithm", "barrier/dissemination"}, {"machine", "x4600"}, {"cores", 8}});
  CHECK(us == wanted.backend->run(wanted).max_us);
}

TEST_CASE("what the judge asks for in vain") {
  using mesh::UserError;
  const auto of = [](const std::string& call) { return "@quantity()\ndef x():\n  return " + call + "\n"; };
  refuses<UserError>("example: there is no quantity 'time', did you mean 'times'?", of("measured('time', 1)"),
                     "x()");
  refuses<UserError>("example: 'times' takes 1 arguments, not 2", of("measured('times', 1, 2)"), "x()");
  refuses<UserError>("argument 1 of (a) is no number", of("measured('times', 'a')"), "x()");
  refuses<UserError>("argument 1 of (7) is no word", of("fact('name', 7)"), "x()");
  refuses<UserError>("there is no quantity 'nam', did you mean 'name'?", of("fact('nam', 7)"), "x()");
  refuses<UserError>("point 1: there is no member 'core'", of("point('p', algorithm='barrier/tree', core=4)"),
                     "x()");
}

TEST_CASE("a judge that ends early, or says something else than JSON") {
  refuses<std::runtime_error>("was ended by signal 9", "import os\nos.kill(os.getpid(), 9)\n");
  refuses<std::runtime_error>("ended early, with status 7", "import os\nos._exit(7)\n");
  refuses<std::runtime_error>("says 'hello', which is no JSON object", "print('hello')\n");
  refuses<mesh::UserError>("example.py' line 4", "1 / 0\n");
  refuses<mesh::UserError>("statements.csv' line 2: 'two' is no variable", "", "two + 1");
}

TEST_CASE("without python3 it is said what is missing") {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  refuses<mesh::UserError>("judged by python3, which cannot be started", "");
  setenv("PATH", path.c_str(), 1);
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
  measuring::substitute_machine(preset, "changed.machine");
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

/// Repetitions are fewer: what a statement follows from shows in some.
Judgement judged(const char* name) {
  Measurer measurer(name, publication(name).measurements({}), 2);
  measurer.store_nothing();
  return judge({.name = name,
                .folder = room / name,
                .lists = {{"repetitions", 5000}, {"host_repetitions", 1000}, {"seeds", Json::array({1})}},
                .leave_out = {""}},
               measurer);
}

} // namespace

TEST_CASE("a statement follows from its inputs if they turn its verdict, and then it is no evidence") {
  constexpr std::size_t id = 0, holds = 6, evidence = 7; // columns
  int turned = 0;
  for (const char* const name : {"xeon-phi", "nic-reduction"}) {
    const Judgement before = judged(name);
    const auto& rows = before.report.table.rows;
    REQUIRE(before.inputs.size() == rows.size());
    std::map<std::string, std::vector<std::size_t>> by_input;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (before.inputs[i].find(':') != std::string::npos)
        for (const std::string& input : words_of(before.inputs[i])) by_input[input].push_back(i);
    std::map<std::size_t, bool> turns;
    for (const auto& [input, statements] : by_input)
      for (const double factor : {0.5, 2.0}) {
        if (std::ranges::all_of(statements, [&](std::size_t i) { return turns[i]; })) continue; // all known
        change(input, factor);
        const Judgement after = judged(name);
        for (const std::size_t i : statements)
          turns[i] |= after.report.table.rows.at(i)[holds] != rows[i][holds];
        measuring::substitute_machine(input.substr(0, input.find(':')), "");
      }
    for (const auto& [i, one] : turns) {
      INFO(name << " " << std::get<std::string>(rows[i][id]) << " and " << before.inputs[i]);
      CHECK(one != std::get<bool>(rows[i][evidence]));
      turned += one ? 1 : 0;
    }
  }
  CHECK(turned > 20);
}
