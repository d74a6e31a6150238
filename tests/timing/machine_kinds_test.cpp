// What does a kind of machine need to be one of the table, and which capabilities has it?
#include <cstdio>
#include <fstream>
#include <string>

#include "bare_machine.hpp"
#include "catch.hpp"
#include "mesh_sim/machines/machines.hpp"

namespace {

const mesh::MachineKind kinds[] = {mesh::machine_kinds().front(), bare::kind()};

} // namespace

TEST_CASE("presets and files of a further kind are read beside those of the first") {
  CHECK(mesh::load_machine("scc-fast", {}, kinds).kind().name == "scc");
  const mesh::MachineDescription four_cores = mesh::load_machine("bare-4", {}, kinds);
  CHECK(four_cores.kind().name == "bare");
  CHECK(four_cores.cores() == 4);
  CHECK(four_cores.message_buffer_bytes() == 0);

  const std::string path = "bare.machine";
  std::ofstream(path) << "[machine]\nkind = bare\n[cores]\ncount = 7\n";
  mesh::MachineDescription seven = mesh::load_machine(path, {}, kinds);
  CHECK(seven.name() == path);
  CHECK(seven.cores() == 7);
  std::ofstream(path) << mesh::write_parameters(seven.table());
  CHECK(mesh::load_machine(path, {}, kinds).cores() == 7);
  CHECK_THROWS_WITH(mesh::load_machine(path), "bare.machine: [machine] kind = 'bare' is none of scc");
  std::ofstream(path) << "[machine]\nkind = bare\n[mesh]\ncolumns = 7\n";
  CHECK_THROWS_WITH(mesh::load_machine(path, {}, kinds),
                    "bare.machine line 3: unknown section [mesh]; there are [machine], [cores]");
  std::remove(path.c_str());
}

TEST_CASE("a machine has the capabilities that its kind gives it") {
  const auto bare = mesh::MachineDescription(kinds[1], bare::presets[0]).make(65536, 0);
  CHECK(bare->topology().cores() == 2);
  CHECK(bare->message_buffers() == nullptr);
  CHECK(bare->registers() == nullptr);
  CHECK(bare->power() == nullptr);
  mesh::Picoseconds end = 0;
  bare->kernel().start(1, [&] {
    bare->compute(5);
    end = bare->kernel().now();
  });
  CHECK(bare->kernel().run() == mesh::Kernel::End::finished);
  CHECK(end == 5000);

  const auto scc = mesh::MachineDescription().make(65536, 4096);
  CHECK(scc->message_buffers() != nullptr);
  CHECK(scc->registers() != nullptr);
  CHECK(scc->power() != nullptr);
  CHECK(scc->power()->global_clock_mhz() == 1600);
}
