// SPDX-License-Identifier: Apache-2.0
// Entries: power management; registers and addresses of the chip; sorting.
#include "library/entries/observation.hpp"
#include "library/protocol/entry.hpp"
#include "library/protocol/power.hpp"
#include "library/protocol/registers.hpp"
#include "library/protocol/sorting.hpp"
#include "mesh_sim/parts/topology.hpp"

using namespace rcce;
using namespace rcce::protocol;

// --- power -------------------------------------------------------------------------------------------------

ROCKCREEK_ENTRY(int) rockcreek_power_domain(void* ue) noexcept {
  const Call call(ue, "RCCE_power_domain");
  return power_domain(call.library());
}

ROCKCREEK_ENTRY(int) rockcreek_power_domain_master(void* ue) noexcept {
  const Call call(ue, "RCCE_power_domain_master");
  return power_domain_master(call.library());
}

ROCKCREEK_ENTRY(int) rockcreek_power_domain_size(void* ue) noexcept {
  const Call call(ue, "RCCE_power_domain_size");
  return power_domain_size(call.library());
}

ROCKCREEK_ENTRY(int)
rockcreek_iset_power(void* ue, int divider, void* request, int* new_divider, int* new_level) noexcept {
  const Call call(ue, "RCCE_iset_power");
  return iset_power(call.library(), divider, *static_cast<PowerRequest*>(request), *new_divider, *new_level);
}

ROCKCREEK_ENTRY(int) rockcreek_wait_power(void* ue, void* request) noexcept {
  const Call call(ue, "RCCE_wait_power");
  return wait_power(call.library(), *static_cast<PowerRequest*>(request));
}

ROCKCREEK_ENTRY(int) rockcreek_set_frequency_divider(void* ue, int divider, int* new_divider) noexcept {
  const Call call(ue, "RCCE_set_frequency_divider");
  return set_frequency_divider(call.library(), divider, *new_divider);
}

ROCKCREEK_ENTRY(int) rockcreek_get_divider(void* ue, int tile) noexcept {
  const Call call(ue, "get_divider");
  const Engine& engine = call.library().engine;
  return tile >= 0 && tile < engine.tiles() ? engine.tile_divider(tile) : -1;
}

ROCKCREEK_ENTRY(void) rockcreek_print_dividers(void* ue) noexcept {
  const Call call(ue, "print_dividers");
  print_dividers(call.library());
}

// --- registers and addresses of the chip -------------------------------------------------------------------

ROCKCREEK_ENTRY(int) rockcreek_read_register(void* ue, unsigned address) noexcept {
  const Call call(ue, "ReadConfigReg", any_time);
  return static_cast<int>(read_register(call.library(), address));
}

ROCKCREEK_ENTRY(void) rockcreek_write_register(void* ue, unsigned address, int value) noexcept {
  const Call call(ue, "SetConfigReg", any_time);
  write_register(call.library(), address, static_cast<std::uint32_t>(value));
}

ROCKCREEK_ENTRY(void) rockcreek_mesh(void* ue, int* columns, int* rows, int* cores_per_tile) noexcept {
  if (ue == nullptr) return;
  const mesh::Topology& topology = library_of(*static_cast<Ue*>(ue)).engine.topology();
  if (columns != nullptr) *columns = topology.columns();
  if (rows != nullptr) *rows = topology.rows();
  if (cores_per_tile != nullptr) *cores_per_tile = topology.cores_per_tile();
}

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_mpb_of_tile(void* ue, int x, int y, int core) noexcept {
  const Call call(ue, "MPBalloc", any_time);
  tell_handed_out(call.library().ue);
  Engine& engine = call.library().engine;
  const mesh::Topology& topology = engine.topology();
  if (!topology.contains(x, y) || core < 0 || core >= topology.cores_per_tile()) return nullptr;
  const int tile = index(topology.tile_at(x, y));
  return reinterpret_cast<rockcreek_mpb>(engine.mpb(tile * topology.cores_per_tile() + core));
}

ROCKCREEK_ENTRY(void)
rockcreek_sort(char* base, size_t count, size_t bytes, int (*compare)(const void*, const void*)) {
  sort_elements(base, count, bytes, compare);
}
