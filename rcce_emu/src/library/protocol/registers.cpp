// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/registers.hpp"

#include "engine/ue/job_state.hpp"
#include "library/protocol/polling.hpp"
#include "mesh_sim/parts/topology.hpp"

#include <optional>

namespace rcce::protocol {
namespace {

constexpr std::uint32_t tile_windows = 0xe0000000, own_window = 0xf8000000, board_window = 0xf9000000;
constexpr std::uint32_t window_bytes = 0x01000000;
/// Windows are numbered like tiles; tiles beyond the address map's 24 have none but for their own cores.
constexpr int most_windows = 24;

// Offsets in a tile's window.
constexpr std::uint32_t clock_register = 0x80, tile_number = 0x100, lock0 = 0x200, lock1 = 0x400,
                        table0 = 0x800, table1 = 0x1000, table_bytes = 0x800;
// Offsets in the board's window.
constexpr std::uint32_t global_clock_low = 0x8224, global_clock_high = 0x8228, counters0 = 0xe000,
                        counters1 = 0xf000;
constexpr int counters_per_block = 48;

/// The board's global clock ticks at 125 MHz: 8 ns.
constexpr Picoseconds global_clock_tick = 8000;

/// The control word of a divider, bits 25:8 of a tile's clock register.
constexpr std::uint32_t divider_word(int divider) {
  return 0x38e0u + 0x3801u * static_cast<std::uint32_t>(divider - 1);
}

struct TileRegister {
  int tile;
  std::uint32_t offset;
};

std::optional<TileRegister> tile_register(Library& library, std::uint32_t address) {
  const std::uint32_t offset = address % window_bytes;
  if (address - own_window < window_bytes)
    return TileRegister{library.engine.tile_of(library.core_id), offset};
  if (address - tile_windows >= window_bytes * most_windows) return std::nullopt;
  const auto tile = static_cast<int>((address - tile_windows) / window_bytes);
  if (tile >= library.engine.tiles()) return std::nullopt;
  return TileRegister{tile, offset};
}

struct Counter {
  int number;
  bool init; ///< the word that reads without counting
};

std::optional<Counter> counter(std::uint32_t offset) {
  for (const std::uint32_t block : {counters0, counters1}) {
    const std::uint32_t word = (offset - block) / 4;
    if (offset < block || word >= 2 * counters_per_block) continue;
    const int number = static_cast<int>(word / 2) + (block == counters1 ? counters_per_block : 0);
    return Counter{number, word % 2 == 1};
  }
  return std::nullopt;
}

/// The core whose test-and-set register that is. A tile's window has those of its first two cores.
std::optional<int> lock_core(const mesh::Topology& topology, TileRegister place) {
  const int first = place.tile * topology.cores_per_tile();
  if (place.offset == lock0) return first;
  if (place.offset == lock1 && topology.cores_per_tile() > 1) return first + 1;
  return std::nullopt;
}

/// Number of a core within its tile.
int core_of_tile(const Library& library) {
  return library.core_id % library.engine.topology().cores_per_tile();
}

/// The own address table's entry, 8 bytes apart; other cores' tables are not kept.
std::uint32_t* table_entry(Library& library, TileRegister place) {
  const std::uint32_t table = core_of_tile(library) == 0 ? table0 : table1;
  if (place.tile != library.engine.tile_of(library.core_id) || place.offset - table >= table_bytes)
    return nullptr;
  if (library.lookup_table.empty()) library.lookup_table.resize(table_bytes / 8);
  return &library.lookup_table[(place.offset - table) / 8];
}

} // namespace

std::uint32_t read_register(Library& library, std::uint32_t address) {
  const std::uint32_t board = address - board_window;
  if (board < window_bytes) {
    if (const auto c = counter(board)) {
      if (!c->init) return library.core.counter_increment(c->number);
      const std::uint32_t value = library.core.counter_read(c->number);
      looked(library, {.what = "atomic counter", .number = c->number});
      return value;
    }
    library.core.compute(register_access_cycles);
    const auto ticks = static_cast<std::uint64_t>(library.core.now() / global_clock_tick);
    if (board == global_clock_low) return static_cast<std::uint32_t>(ticks);
    if (board == global_clock_high) return static_cast<std::uint32_t>(ticks >> 32);
    return 0;
  }
  const auto place = tile_register(library, address);
  if (!place) return 0;
  const mesh::Topology& topology = library.engine.topology();
  if (const auto core = lock_core(topology, *place)) {
    if (library.core.lock_try(*core)) return 1;
    looked(library, {"the test-and-set register", library.rank_of(*core)});
    return 0;
  }
  library.core.compute(register_access_cycles);
  if (place->offset == tile_number) {
    const mesh::TileId tile{place->tile};
    const auto x = static_cast<std::uint32_t>(topology.x(tile)),
               y = static_cast<std::uint32_t>(topology.y(tile)),
               z = static_cast<std::uint32_t>(core_of_tile(library));
    return (y & 15) << 7 | (x & 15) << 3 | (z & 7);
  }
  if (place->offset == clock_register) {
    return divider_word(library.engine.tile_divider(place->tile)) << 8;
  }
  if (const std::uint32_t* entry = table_entry(library, *place)) return *entry;
  return 0;
}

void write_register(Library& library, std::uint32_t address, std::uint32_t value) {
  const std::uint32_t board = address - board_window;
  if (board < window_bytes) {
    if (const auto c = counter(board)) library.core.counter_write(c->number, value);
    return;
  }
  const auto place = tile_register(library, address);
  if (!place) return;
  if (const auto core = lock_core(library.engine.topology(), *place)) {
    library.core.lock_release(*core);
    return;
  }
  library.core.compute(register_access_cycles);
  if (place->offset == clock_register) {
    if (library.size() > 1) library.ue.job->note_host_order(Job::HostOrder::clocks);
    for (int divider = 2; divider <= 16; ++divider) {
      if ((value >> 8 & 0x3ffff) == divider_word(divider))
        library.engine.set_tile_divider(place->tile, divider);
    }
  } else if (std::uint32_t* entry = table_entry(library, *place)) {
    *entry = value;
  }
}

} // namespace rcce::protocol
