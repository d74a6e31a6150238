// SPDX-License-Identifier: Apache-2.0
// Are machine files read as written, and is every mistake in one told with its line and the nearest name?
#include <cstdio>
#include <fstream>
#include <string>

#include "catch.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/machines/scc/config.hpp"
#include "mesh_sim/parameters.hpp"

using mesh::load_machine;
using mesh::MachineConfig;
using mesh::UserError;

namespace {

std::string message_for(const std::string& text) {
  MachineConfig config;
  try {
    mesh::ParameterFile(text, "m.machine").apply(config.parameters());
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

std::string load_message(const std::string& machine) {
  try {
    (void)load_machine(machine);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("files of other systems are read, and know the preset that they begin with") {
  const char* const file = "other_system.machine";
  std::ofstream(file, std::ios::binary)
      << "\xEF\xBB\xBF[machine]\r\npreset = scc-fast\r\n[mesh]\r\nclock = 900\r\n";
  const mesh::MachineDescription machine = load_machine(file);
  std::remove(file);
  CHECK(machine.number("mesh.clock") == 900);
  CHECK(machine.name() == file);
  CHECK(machine.preset() == "scc-fast");
}

TEST_CASE("what a graph or a grid does not have is refused, and a link that is named twice") {
  const auto refused = [](const std::string& mesh) {
    const char* const file = "wrong_mesh.machine";
    std::ofstream(file) << "[machine]\nkind = scc\n[mesh]\n" << mesh << "\n";
    std::string message = load_message(file);
    std::remove(file);
    return message;
  };
  const auto has = [](const std::string& message, const std::string& words) {
    return message.find(words) == std::string::npos ? message : words;
  };
  const std::string graph = "topology = graph\nrouters = 0,0 1,0 0,1\nlinks = 0,1 1,2";
  CHECK(has(refused(graph + " 0,1"), "router 0 to router 1 is named twice") ==
        "router 0 to router 1 is named twice");
  CHECK(has(refused(graph + " 2,1"), "router 2 to router 1 is named twice") ==
        "router 2 to router 1 is named twice");
  CHECK(has(refused(graph + "\nrouting = yx"), "routing is of grids") == "routing is of grids");
  CHECK(has(refused(graph + "\ncolumns = 3"), "columns is of grids") == "columns is of grids");
  CHECK(has(refused("tiles = 4"), "tiles is of topology = graph") == "tiles is of topology = graph");
  CHECK(has(refused("topology = torus\nlinks = 0,1"), "links is of topology = graph") ==
        "links is of topology = graph");
}

TEST_CASE("presets differ as their clocks do") {
  CHECK(load_machine("scc").number("tile.divider") == 3);
  const mesh::MachineDescription fast = load_machine("scc-fast");
  CHECK(fast.name() == "scc-fast");
  CHECK(fast.number("tile.divider") == 2);
  CHECK(fast.number("mesh.clock") == 1600);
  CHECK(fast.number("dram.clock") == 1066);
  CHECK(fast.core_mhz() == 800);
}

TEST_CASE("what is written is read back") {
  MachineConfig written;
  written.columns = 9;
  written.mesh_clock_mhz = 1234.5;
  written.contention = false;
  written.frames = "random";
  const std::string text = mesh::write_parameters(written.parameters());
  MachineConfig read;
  mesh::ParameterFile(text, "m.machine").apply(read.parameters());
  CHECK(read.columns == 9);
  CHECK(read.mesh_clock_mhz == 1234.5);
  CHECK_FALSE(read.contention);
  CHECK(read.frames == "random");
  CHECK(mesh::write_parameters(read.parameters()) == text);
}

TEST_CASE("what takes cycles may take none, to see what it costs") {
  MachineConfig config;
  for (const mesh::Parameter& one : config.parameters()) {
    CAPTURE(one.section, one.name, one.unit);
    if (one.unit.ends_with("cycles")) CHECK(one.minimum == 0);
  }
}

TEST_CASE("mistakes are told exactly") {
  CHECK(message_for("[mesh]\ncolums = 5\n") ==
        "m.machine line 2: unknown name 'colums' in [mesh]; did you mean 'columns'?");
  CHECK(message_for("[mash]\n").find("unknown section [mash]") != std::string::npos);
  CHECK(message_for("[mash]\n").find("did you mean 'mesh'?") != std::string::npos);
  CHECK(message_for("columns = 5\n") == "m.machine line 1: 'columns' stands before the first [section]");
  CHECK(message_for("[mesh]\n\ncolumns = six\n") ==
        "m.machine line 3: columns = 'six' is not a whole number (tiles)");
  CHECK(message_for("[mesh]\ncolumns = 0\n") ==
        "m.machine line 2: columns = 0 is out of range 1..1000 tiles");
  CHECK(message_for("[mesh]\ncontention = yes\n") ==
        "m.machine line 2: contention = 'yes' is neither 'on' nor 'off'");
  CHECK(
      message_for("[dram]\nframes = randm\n").find("is none of contiguous|random; did you mean 'random'?") !=
      std::string::npos);
  CHECK(message_for("[mesh\n").find("lacks its closing ']'") != std::string::npos);
  CHECK(message_for("[mesh]\nrows = 4\n[tile]\n[mesh]\nrows = 5\n") ==
        "m.machine line 5: 'rows' is given a second time in [mesh], after line 2; leave one of them out");
  CHECK(message_for("[mesh]\nnonsense\n").find("is neither a [section] nor 'name = value'") !=
        std::string::npos);
}

TEST_CASE("unknown machines name the nearest preset; impossible ones are refused") {
  CHECK(load_message("scc-fsat").find("did you mean 'scc-fast'?") != std::string::npos);
  for (const std::string_view name : mesh::machine_names())
    CHECK(load_message("nonsuch").find(name) != std::string::npos);
  CHECK(load_message("xeon-phi").ends_with("did you mean 'xeon-phi-5110p'?"));
  const std::string path = "impossible.machine";
  std::ofstream(path) << "[cache]\nl1_ways = 3\n";
  CHECK(load_message(path).find("l1_ways = 3 is no cache we can simulate") != std::string::npos);
  std::ofstream(path) << "[tile]\nmpb_read_cycles = 0\nmpb_local_mesh_cycles = 0\n";
  CHECK(load_message(path).find("a read of an own message buffer takes no time") != std::string::npos);
  std::ofstream(path) << "[mesh]\nrouter_cycles = 0\n[tile]\nmpb_read_cycles = 0\nmpb_remote_cycles = 0\n";
  CHECK(load_message(path).find("a read of another tile's message buffer") != std::string::npos);
  std::ofstream(path) << "[tile]\nlock_acquire_cycles = 8\n";
  CHECK(load_message(path).ends_with("make lock_acquire_cycles 9 or more"));
  std::ofstream(path) << "[mesh]\nrouter_cycles = 0\n[tile]\ncounter_cycles = 0\n";
  CHECK(load_message(path).find("a read of an atomic counter takes no time") != std::string::npos);
  std::remove(path.c_str());
}

TEST_CASE("a machine file may name its kind, which decides the parameters") {
  const std::string path = "kind.machine";
  std::ofstream(path) << "[mesh]\ncolumns = 3\n[machine]\nkind = scc\n";
  const mesh::MachineDescription machine = load_machine(path);
  CHECK(machine.kind().name == "scc");
  CHECK(machine.cores() == 24);
  std::ofstream(path) << "[machine]\nkind = sc\n";
  CHECK(load_message(path) ==
        "kind.machine: [machine] kind = 'sc' is none of scc, coherent, cluster; did you mean 'scc'?");
  std::remove(path.c_str());
}

TEST_CASE("descriptions are values") {
  mesh::MachineDescription one;
  one.set("mesh.columns", 9);
  mesh::MachineDescription other = one;
  other.set("mesh.columns", 3);
  other.rename("other");
  CHECK(one.mesh().columns == 9);
  CHECK(other.mesh().columns == 3);
  CHECK(one.name() == "scc");
  one = other;
  CHECK(one.cores() == 3 * 4 * 2);
  CHECK(one.message_buffer_bytes() == 8192);
  CHECK(mesh::write_parameters(one.table()) == mesh::write_parameters(other.table()));
  CHECK(mesh::write_parameters(one.table()).starts_with("[machine]\n"));
}

TEST_CASE("single settings tell their mistakes") {
  mesh::MachineDescription machine;
  CHECK_THROWS_WITH(machine.set("mesh.colums", 5),
                    "machine 'scc': unknown name 'colums' in [mesh]; did you mean 'columns'?");
  try {
    machine.set("mash.columns", 5);
    FAIL("a section that there is not");
  } catch (const UserError& error) {
    CHECK(std::string(error.what()).find("unknown section [mash]; there are [machine], [mesh]") !=
          std::string::npos);
  }
  CHECK_THROWS_WITH(machine.set("machine.kind", "cluster"), "machine 'scc': kind = 'cluster' is none of scc");
  CHECK_THROWS_AS(machine.number("mesh.hops"), UserError);
  CHECK(machine.has("mesh.clock"));
  CHECK_FALSE(machine.has("mesh.hops"));
}
