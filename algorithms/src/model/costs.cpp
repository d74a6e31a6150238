#include "model/costs.hpp"

#include <algorithm>
#include <cstdlib>

namespace algorithms::model {
namespace {

// Machine: defaults of mesh_sim/src/machines/scc/config.cpp, where each has its source.
constexpr double mpb_read_cycles = 62, mpb_write_cycles = 66, mpb_remote_cycles = 24;  // core cycles a line
constexpr double mpb_local_mesh_cycles = 8, router_cycles = 4;                         // mesh cycles
constexpr double mpb_port_cycles = 3;                                                  // core cycles a line
constexpr double l1_line_cycles = 8, l2_line_cycles = 26;                              // core cycles a line
constexpr double dram_core_cycles = 40, dram_copy_cycles = 15, write_back_cycles = 92; // core cycles a line
constexpr double dram_ram_cycles = 46;                                                 // memory cycles a line
constexpr double store_l1_cycles = 16, store_l2_cycles = 80,
                 store_dram_cycles = 341;                      // core cycles a 4-byte word
constexpr int l2_ways = 4, l2_colours = 16, l2_kept_pages = 7; // 256 KB in pages of 4 KB
constexpr double counter_cycles = 200;                         // core cycles an access
constexpr std::size_t page_bytes = 4096;
constexpr double l1_bytes = 15360;      // without what stack and library keep
constexpr double l1_holds_bytes = 8192; // of a buffer, beside the MPB lines that pass through

// Software: rcce_emu/src/api/costs.cpp. Core cycles.
struct Software {
  double call, piece, put, get, flag_write;
};
constexpr double plain_call_cycles = 44;
constexpr Software rcce20{10, 92, 90, 90, 70}, rcce10{10, 50, 60, 299, 60}, ircce{10, 92, 90, 90, 70};

constexpr double words_per_line = 8;

} // namespace

Costs::Costs(const Platform& platform, Library library)
    : platform_(platform),
      core_(1 / platform.core_mhz),
      mesh_(1 / platform.mesh_mhz),
      ram_(2 / platform.dram_mhz) {
  const Software& below = platform.rcce_10 ? rcce10 : rcce20;
  const double plain = platform.plain_copies ? plain_call_cycles : 0;
  call = below.call * core_;
  flag_write = (below.flag_write + (platform.rcce_10 ? plain : 0) + mpb_write_cycles) * core_;
  if (library == Library::ircce) platform_.plain_copies = false; // it brings copies of its own
  const Software& software = library == Library::ircce ? ircce : below;
  piece = software.piece * core_;
  put = (software.put + (platform_.plain_copies ? plain : 0)) * core_;
  get = (software.get + (platform_.plain_copies ? plain : 0)) * core_;
  poll = mpb_read_cycles * core_ + mpb_local_mesh_cycles * mesh_;
  port_line = mpb_port_cycles * core_;
  hop = router_cycles * mesh_;
}

Where Costs::whole(std::size_t bytes, Order order) const {
  Where where;
  const std::size_t pages = std::max<std::size_t>(1, (bytes + page_bytes - 1) / page_bytes);
  // Pages of one colour compete for its ways. With contiguous frames they are dealt out in turn.
  double found = 0;
  for (int colour = 0; colour < l2_colours; ++colour) {
    const auto competing =
        static_cast<double>((pages + l2_colours - 1 - static_cast<std::size_t>(colour)) / l2_colours);
    const double ways = l2_ways - (colour < l2_kept_pages ? 1 : 0);
    found += competing <= ways ? competing : order == Order::descending ? ways : 0;
  }
  const auto all = static_cast<double>(pages);
  const auto size = static_cast<double>(bytes);
  where.l1 = order == Order::descending
      ? std::min(1.0, l1_bytes / size)
      : std::clamp((l1_bytes - size) / (l1_bytes - l1_holds_bytes), 0.0, 1.0);
  where.dram = 1 - found / all;
  where.l1 = std::min(where.l1, 1 - where.dram);
  where.l2 = 1 - where.l1 - where.dram;
  where.written_back = std::clamp(1 - (l2_colours * l2_ways - l2_kept_pages) / all, 0.0, where.dram);
  return where;
}

Where Costs::recent(std::size_t bytes) const {
  return whole(2 * bytes, Order::ascending); // beside its buffer, what came before and after it
}

int Costs::hops(int core, int other) const {
  const int a = tile(core), b = tile(other), columns = platform_.columns;
  return std::abs(a % columns - b % columns) + std::abs(a / columns - b / columns);
}

double Costs::mpb_read(int core, int from) const {
  if (tile(core) == tile(from)) return mpb_read_cycles * core_ + mpb_local_mesh_cycles * mesh_;
  return (mpb_read_cycles + mpb_remote_cycles) * core_ + 2 * hops(core, from) * hop;
}

double Costs::remote_look(int core, int other) const {
  return mpb_read(core, other);
}

double Costs::counter_access(int core) const {
  return counter_cycles * core_ +
      2 * (1 + hops(core, platform_.columns / 2 * platform_.cores_per_tile)) * hop;
}

/// Controllers stand beside the first and last column, at the lower row of each half.
double Costs::dram_read(int core) const {
  const int x = tile(core) % platform_.columns, y = tile(core) / platform_.columns;
  const int half = (platform_.rows + 1) / 2;
  const int away = (2 * x < platform_.columns ? x : platform_.columns - 1 - x) + (y < half ? y : y - half);
  return dram_core_cycles * core_ + 2 * away * hop + dram_ram_cycles * ram_;
}

double Costs::put_lines(double lines, int core, const Where& where) const {
  return lines *
      ((mpb_write_cycles + l1_line_cycles + where.l2 * l2_line_cycles + where.dram * dram_copy_cycles) *
           core_ +
       where.dram * dram_read(core));
}

double Costs::get_lines(double lines, int core, int from, const Where& where) const {
  const double read = mpb_read(core, from);
  if (platform_.plain_copies)
    return lines *
        (read +
         words_per_line * core_ *
             (where.l1 * store_l1_cycles + where.l2 * store_l2_cycles + where.dram * store_dram_cycles));
  return lines *
      (read +
       (l1_line_cycles + where.l2 * l2_line_cycles + where.dram * dram_copy_cycles +
        where.written_back * write_back_cycles) *
           core_ +
       where.dram * dram_read(core));
}

double Costs::relay_lines(double lines, int core, int from) const {
  return lines * (mpb_read(core, from) + mpb_write_cycles * core_);
}

} // namespace algorithms::model
