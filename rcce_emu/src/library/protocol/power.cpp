// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/power.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "engine/ue/job_state.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/communication.hpp"
#include "library/protocol/diagnostics.hpp"
#include "library/protocol/registers.hpp"
#include "mesh_sim/machines/scc/voltage_domains.hpp"

namespace rcce::protocol {
namespace {

struct Level {
  double volt;
  int highest_mhz;
};
// Table of the library of 2.0; 1.0 has 0.7 V at level 0.
constexpr std::array<Level, 7> levels = {{
    {0.8, 460},
    {0.8, 598},
    {0.9, 644},
    {1.0, 748},
    {1.1, 875},
    {1.2, 1024},
    {1.3, 1198},
}};
constexpr int global_clock_mhz = 1600, lowest_divider = 2, highest_divider = 16;
/// The emulator of the original lets a voltage change take this many cycles of the nominal clock.
constexpr long long voltage_change_cycles = 1'000'000;

int domain_of_core(const Library& library, int core) {
  const mesh::Topology& topology = library.engine.topology();
  return mesh::scc::voltage_domain_of(topology, topology.tile_of(mesh::CoreId{core}));
}

/// Sets the dividers of all tiles of the caller's voltage domain: of other UEs' cores, too.
void set_domain_clocks(Library& library, int divider) {
  if (library.size() > 1) library.ue.job->note_host_order(Job::HostOrder::clocks);
  for (const mesh::TileId tile :
       mesh::scc::tiles_of_domain(library.engine.topology(), power_domain(library))) {
    library.core.compute(register_access_cycles);
    library.engine.set_tile_divider(index(tile), divider);
  }
}

double nominal_mhz(const Library& library) {
  return *library.image.refclock_ghz * 1000;
}

int printed(Library& library, Error error) {
  return error_return(library, *library.image.debug_rpc, error);
}

int domain_color(int rank, void* aux) {
  const auto& library = *static_cast<const Library*>(aux);
  return domain_of_core(library, library.cores[static_cast<std::size_t>(rank)]);
}
int tile_color(int rank, void* aux) {
  auto& library = *static_cast<Library*>(aux);
  return library.engine.tile_of(library.cores[static_cast<std::size_t>(rank)]);
}

void note_tile_masters(Library& library) {
  const Communicator domain(library.image, library.image.v_comm);
  std::fill_n(library.image.f_masters, 4, -1);
  const mesh::Topology& topology = library.engine.topology();
  for (int i = domain.size() - 1; i >= 0; --i) {
    const mesh::TileId tile = topology.tile_of(mesh::CoreId{library.core_of(domain.member(i))});
    library.image.f_masters[mesh::scc::place_in_domain(topology, tile)] = domain.member(i);
  }
}

} // namespace

int least_level(int divider) {
  const auto level = std::find_if(levels.begin(), levels.end(), [divider](const Level& l) {
    return l.highest_mhz >= global_clock_mhz / divider;
  });
  return level == levels.end() ? -1 : static_cast<int>(level - levels.begin());
}

double volts_of_level(int level, unsigned generation) {
  if (level == 0 && generation < 20) return 0.7;
  return levels[static_cast<std::size_t>(level)].volt;
}

double clock_mhz(const Library& library) {
  return nominal_mhz(library) > 0 ? nominal_mhz(library) : 533;
}

long long nominal_cycles(const Library& library) {
  return static_cast<long long>(static_cast<double>(library.core.now()) * (clock_mhz(library) * 1e-6));
}

int power_begin(Library& library) {
  const ImageVariables& image = library.image;
  const Communicator voltage(image, image.v_comm), frequency(image, image.f_comm),
      published(image, image.p_comm);
  if (const int error = comm_split(library, domain_color, &library, voltage)) {
    return error_return(library, *image.debug_rpc, error);
  }
  if (const int error = comm_split(library, tile_color, &library, frequency)) {
    return error_return(library, *image.debug_rpc, error);
  }
  std::copy_n(static_cast<const std::byte*>(voltage.address()), image.comm_bytes,
              static_cast<std::byte*>(published.address()));
  note_tile_masters(library);
  const int core = library.core_id;
  std::printf("UE %d, Core ID %d; size of V dom %d is %d, size of F dom %d is %d\n", library.rank(), core,
              power_domain(library), voltage.size(), library.engine.tile_of(core), frequency.size());
  std::fflush(stdout);
  return 0;
}

int power_domain(const Library& library) {
  return domain_of_core(library, library.core_id);
}

int power_domain_master(const Library& library) {
  return Communicator(library.image, library.image.v_comm).member(0);
}

int power_domain_size(const Library& library) {
  return Communicator(library.image, library.image.v_comm).size();
}

int iset_power(Library& library, int divider, PowerRequest& request, int& new_divider, int& new_level) {
  const ImageVariables& image = library.image;
  if (library.rank() != power_domain_master(library)) return 0;
  if (*image.power_active != 0) return printed(library, Error::multiple_rpc_requests);
  new_divider = std::clamp(divider, lowest_divider, highest_divider);
  new_level = least_level(new_divider);
  if (new_level < 0) return printed(library, Error::fdivider);

  request = {0,           *image.voltage_level,   new_level, *image.frequency_divider,
             new_divider, nominal_cycles(library)};
  if (new_divider >= *image.frequency_divider) set_domain_clocks(library, new_divider);
  *image.power_active = 1;

  library.core.compute(register_access_cycles);
  const auto change = static_cast<Picoseconds>(voltage_change_cycles * 1e6 / clock_mhz(library));
  if (library.size() > 1) library.ue.job->note_host_order(Job::HostOrder::clocks); // domains take turns
  library.power.voltage_ready = library.memory.take_regulator(library.core.now(), change);
  return 0;
}

int wait_power(Library& library, PowerRequest& request) {
  const ImageVariables& image = library.image;
  if (library.rank() != power_domain_master(library)) return 0;
  if (*image.power_active == 0) return printed(library, Error::no_active_rpc_request);
  *image.power_active = 0;
  if (request.release != 0) return printed(library, Error::stale_rpc_request);

  const WaitsFor waiting(library, "voltage", library.rank());
  if (library.engine.wall_clock()) library.core.sleep_until(library.power.voltage_ready);
  while (library.core.now() < library.power.voltage_ready) {
    // The last round overshoots by less than a cycle of the tile's present clock.
    const double cycle = 1e6 / library.engine.global_clock_mhz() *
        library.engine.tile_divider(library.engine.tile_of(library.core_id));
    const auto left = static_cast<double>(library.power.voltage_ready - library.core.now());
    library.core.compute(std::max<Cycles>(1, static_cast<Cycles>(left / cycle)));
  }
  library.core.schedule();
  library.engine.set_voltage(power_domain(library),
                             volts_of_level(request.new_voltage_level, image.generation));
  if (request.new_frequency_divider < request.old_frequency_divider) {
    set_domain_clocks(library, request.new_frequency_divider);
  }
  *image.voltage_level = request.new_voltage_level;
  *image.frequency_divider = request.new_frequency_divider;
  request.release = 1;
  return 0;
}

int set_frequency_divider(Library& library, int divider, int& new_divider) {
  const ImageVariables& image = library.image;
  if (library.rank() != power_domain_master(library)) return 0;
  if (*image.power_active != 0) return printed(library, Error::multiple_rpc_requests);
  const int wanted = std::clamp(divider, lowest_divider, highest_divider);
  const int level = std::clamp(*image.voltage_level, 0, static_cast<int>(levels.size()) - 1);
  if (levels[static_cast<std::size_t>(level)].highest_mhz < global_clock_mhz / wanted) {
    return printed(library, Error::fdivider);
  }
  set_domain_clocks(library, wanted);
  new_divider = wanted;
  return 0;
}

void print_dividers(Library& library) {
  for (int tile = 0; tile < library.engine.tiles(); ++tile) {
    std::printf("Clock divider for tile %d is %d\n", tile, library.engine.tile_divider(tile));
  }
}

} // namespace rcce::protocol
