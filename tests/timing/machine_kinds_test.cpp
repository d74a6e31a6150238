// SPDX-License-Identifier: Apache-2.0
// What does a kind of machine need to be one of the table, and which capabilities has it?
#include <cstdio>
#include <fstream>
#include <string>

#include "bare_machine.hpp"
#include "catch.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/machines/cluster/kind.hpp"
#include "mesh_sim/machines/coherent/kind.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/parameters.hpp"

namespace {

const mesh::MachineKind kinds[] = {mesh::machine_kinds().front(), bare::kind()};

bool refuses(const std::string& machine, const std::string& words) {
  try {
    (void)mesh::load_machine(machine).make(65536, 4096);
  } catch (const mesh::UserError& error) {
    INFO(error.what());
    return std::string(error.what()).find(words) != std::string::npos;
  }
  return false;
}

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
  CHECK_THROWS_WITH(mesh::load_machine(path),
                    "bare.machine: [machine] kind = 'bare' is none of scc, coherent, cluster");
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

TEST_CASE("every preset of the table is made, and has what its kind offers") {
  using mesh::Capability;
  for (const mesh::MachineKind& kind : mesh::machine_kinds())
    for (const mesh::MachinePreset& preset : kind.presets) {
      INFO(preset.name);
      CHECK(preset.title().size() > 10);
      const mesh::MachineDescription description = mesh::load_machine(preset.name);
      CHECK(&description.kind() == &kind);
      CHECK((mesh::cluster_config(description) != nullptr) == description.offers(Capability::cards));
      const bool cards = description.offers(Capability::cards);
      if (cards || description.offers(Capability::coherent_memory)) {
        CHECK(refuses(std::string(preset.name),
                      cards ? "and not one machine with cores" : "with coherent caches, and no programs"));
        continue;
      }
      const auto machine = description.make(65536, 4096);
      CHECK(machine->topology().cores() == description.cores());
      CHECK((machine->message_buffers() != nullptr) == description.offers(Capability::message_buffers));
      CHECK((machine->registers() != nullptr) == description.offers(Capability::registers));
      CHECK((machine->power() != nullptr) == description.offers(Capability::power));
      CHECK(machine->shared_memory_bytes() >= 4096);
      CHECK(machine->shared_memory()[4095] == std::byte{0});
    }
}

TEST_CASE("a file takes what it leaves out from the preset that it names, of every kind") {
  const std::string path = "partial.machine";
  std::ofstream(path) << "[card]\nwake = 2.5\n[machine]\nkind = cluster\npreset = alc-fitted\nnodes = 500\n";
  const auto config = mesh::cluster::load_machine(path);
  const auto whole = mesh::cluster::load_machine("alc-fitted");
  CHECK(config.name == path);
  CHECK(config.wake == 2.5);
  CHECK(config.nodes == 500);
  CHECK(config.extra == whole.extra);
  CHECK(config.combine == whole.combine);
  std::ofstream(path) << "[machine]\npreset = cluster\n"; // the kind's own name; its kind
  CHECK(mesh::cluster::load_machine(path).extra == whole.extra);
  std::ofstream(path) << "[machine]\npreset = scc-fast\n[mesh]\ncolumns = 3\n";
  CHECK(mesh::load_machine(path).number("mesh.clock") == 1600);
  CHECK(mesh::load_machine(path).cores() == 24);
  std::ofstream(path) << "[machine]\nkind = coherent\npreset = xeon-e5645\n[hit]\nload = 5\n";
  CHECK(mesh::load_machine(path).number("hit.load") == 5);
  CHECK(mesh::load_machine(path).cores() == mesh::load_machine("xeon-e5645").cores());
  std::ofstream(path) << "[machine]\nkind = cluster\npreset = alk\n";
  CHECK_THROWS_WITH(mesh::load_machine(path),
                    "partial.machine line 3: preset = 'alk' is none of alc, alc-fitted, cluster-modern; did "
                    "you mean 'alc'?");
  std::ofstream(path) << "[machine]\nkind = cluster\n[cards]\nwake = 2\n";
  CHECK(refuses(path, "partial.machine line 3: unknown section [cards]"));
  CHECK(refuses(path, "did you mean 'card'?"));
  std::ofstream(path) << "[machine]\npreset = alc\nnodes = 70000\n";
  CHECK_THROWS_WITH(mesh::load_machine(path),
                    "partial.machine line 3: nodes = 70000 is out of range 2..65536 nodes");
  std::remove(path.c_str());
}

TEST_CASE("what is printed of a cluster reads back as the same") {
  mesh::MachineDescription machine = mesh::load_machine("cluster");
  CHECK(machine.name() == "alc-fitted");
  machine.set("card.wake", "3.5");
  const std::string path = "printed_cluster.machine";
  const std::string text = mesh::write_parameters(machine.table());
  std::ofstream(path) << text;
  mesh::MachineDescription back = mesh::load_machine(path);
  CHECK(back.kind().name == "cluster");
  CHECK(mesh::write_parameters(back.table()) == text);
  CHECK(mesh::cluster_config(back)->combine == mesh::cluster_config(machine)->combine);
  CHECK(mesh::offers(path, mesh::Capability::cards));
  CHECK_FALSE(mesh::offers(path, mesh::Capability::coherent_memory));
  CHECK_FALSE(mesh::offers("nowhere", mesh::Capability::cards));
  std::remove(path.c_str());
}

TEST_CASE("what is printed of a coherent machine reads back as the same") {
  mesh::MachineDescription machine = mesh::load_machine("xeon-e7-8867l");
  machine.set("load.modified", "100 200 300");
  const std::string path = "printed.machine";
  std::ofstream(path) << mesh::write_parameters(machine.table());
  mesh::MachineDescription back = mesh::load_machine(path);
  CHECK(mesh::write_parameters(back.table()) == mesh::write_parameters(machine.table()));
  CHECK(mesh::coherent_config(back)->places() == mesh::coherent_config(machine)->places());
  CHECK(mesh::coherent_config(mesh::MachineDescription()) == nullptr);
  CHECK_THROWS_WITH(mesh::coherent::load_machine("scc"),
                    "machine 'scc' is of kind scc and has no coherent memory; those of kind coherent have");
  std::remove(path.c_str());
}
