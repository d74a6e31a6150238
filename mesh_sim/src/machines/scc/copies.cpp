// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/copies.hpp"

#include <algorithm>

#include "kernel/asan.hpp"
#include "mesh_sim/parts/host_copy.hpp"

namespace mesh::scc {

namespace {

constexpr std::size_t longest_by_line = 48; ///< lines of a copy that is not worth blocks
constexpr std::uint32_t shortest_block = 8; ///< lines

/// Accesses one byte of every page, so that a program's wrong address shows while it is still its own stack
/// that the host finds itself on.
void probe(std::byte* first, std::size_t bytes, bool write) noexcept {
  constexpr std::size_t page = AddressSpace::page_bytes;
  const auto at = [&](std::size_t offset) {
    volatile std::byte& byte = first[offset];
    const std::byte value = byte;
    if (write) byte = value;
  };
  for (std::size_t offset = 0; offset < bytes; offset += page) at(offset);
  at(bytes - 1);
}

} // namespace

// --- a copy under way ---

Copies::Copies(Kernel& kernel, SccCosts& costs, ProbeSet& probes, Traffic& traffic)
    : kernel_(kernel),
      costs_(costs),
      probes_(probes),
      traffic_(traffic),
      contention_(costs.config().contention),
      blocks_(costs.config().granularity == "blocks"),
      by_line_(costs.config().granularity == "lines"),
      transfers_(static_cast<std::size_t>(costs.topology().cores())),
      movers_(transfers_.size()) {}

/// Whether a copy's lines have to be the doing of its own fiber: where somebody stands in between, and under
/// a checker that is to name the program's call.
bool Copies::step_by_itself() const noexcept {
  return probes_.intervention() != nullptr || asan::present();
}

Transfer& Copies::open(CoreState& core, bool reading, int target, std::size_t offset, std::byte* own,
                       std::size_t bytes, Copy how, const RouteCost& path) {
  const int self = kernel_.current();
  Transfer& transfer = transfers_[static_cast<std::size_t>(self)];
  const MemoryPlacement place = costs_.place_of(own);
  transfer.reading = reading;
  transfer.own_mpb = -1;
  if (place == MemoryPlacement::mpb) {
    const SccCosts::Spot spot = costs_.spot_of(own);
    transfer.own_mpb = spot.core;
    transfer.own_offset = spot.offset;
  }
  transfer.surveyed = place != MemoryPlacement::shared;
  transfer.races_on = transfer.own_mpb == target;
  transfer.how = how;
  transfer.target = target;
  transfer.offset = offset;
  transfer.bytes = bytes;
  transfer.own = own;
  transfer.route_cost = path;
  transfer.worst_line = worst_line(core, how);
  transfer.ahead = 0;
  transfer.done = transfer.moved = 0;
  transfer.memory = 0;
  if (transfer.surveyed) {
    if (place == MemoryPlacement::priv && !step_by_itself()) probe(own, bytes, reading);
    if (place == MemoryPlacement::mpb)
      costs_.find_mpb(core, offset, bytes, reading);
    else if (reading)
      costs_.find_taken(core, offset, own, bytes, how);
    else
      costs_.find_read(core, own, bytes);
    std::swap(transfer.extents, core.extents);
    transfer.extent = 0;
    transfer.cycle = 0;
  }
  if (contention_) find_route(core, transfer, path);
  const auto join = [&](int mpb, std::size_t first, bool writing) {
    for (const int other : movers_[static_cast<std::size_t>(mpb)])
      if (transfers_[static_cast<std::size_t>(other)].races(mpb, first, bytes, writing))
        transfer.races_on = true;
    movers_[static_cast<std::size_t>(mpb)].push_back(self);
  };
  join(target, offset, !reading);
  if (transfer.own_mpb >= 0 && transfer.own_mpb != target)
    join(transfer.own_mpb, transfer.own_offset, reading);
  transfer.at_once = transfer.races_on || probes_.intervention() != nullptr || !transfer.surveyed;
  transfer.in_blocks = blocks_ && !transfer.at_once && lines_of(bytes) > longest_by_line;
  transfer.at_controller = false;
  if (transfer.in_blocks) ++in_blocks_;
  transfer.block_from = 0;
  return transfer;
}

void Copies::find_route(const CoreState& core, Transfer& transfer, const RouteCost& route_cost) {
  Transfer::CachedRoute& known = transfer.known[transfer.reading ? 1 : 0];
  if (known.tile == index(route_cost.tile)) return;
  known.tile = index(route_cost.tile);
  traffic_.find_route(known.path, core, route_cost.tile, transfer.reading);
}

void Copies::renew_port(int tile) noexcept {
  for (Transfer& transfer : transfers_)
    for (Transfer::CachedRoute& known : transfer.known)
      if (known.tile == tile) traffic_.renew_port(known.path, tile);
}

void Copies::close(Transfer& transfer) {
  move_bytes(transfer, transfer.bytes);
  if (transfer.in_blocks) {
    --in_blocks_;
    traffic_.withdraw(costs_.core_state(kernel_.current()), transfer.to_mpb(), transfer.at_controller);
  }
  const auto leave = [&](int mpb) {
    std::vector<int>& movers = movers_[static_cast<std::size_t>(mpb)];
    *std::ranges::find(movers, kernel_.current()) = movers.back();
    movers.pop_back();
  };
  leave(transfer.target);
  if (transfer.own_mpb >= 0 && transfer.own_mpb != transfer.target) leave(transfer.own_mpb);
}

void Copies::carry(Transfer& transfer) {
  if (!step_by_itself()) {
    kernel_.carry();
  } else {
    CoreState& core = costs_.core_state(kernel_.current());
    do kernel_.synchronise();
    while (!step(core, transfer));
  }
  close(transfer);
}

/// Private side of the next lines.
[[gnu::always_inline]] inline SccCosts::Work Copies::next_lines(const CoreState& core, Transfer& transfer,
                                                                std::uint32_t lines) const noexcept {
  Work work;
  while (lines > 0) {
    SccCosts::Extent& extent = transfer.extents[transfer.extent];
    if (transfer.cycle != core.cycle) {
      if (extent.found != SccCosts::Found::mpb)
        transfer.line = costs_.line_work(core, extent.found);
      else
        transfer.line = {costs_.copy(core, costs_.route_cost(core, transfer.own_mpb), 1, !transfer.reading)};
      transfer.cycle = core.cycle;
    }
    const std::uint32_t n = std::min(lines, extent.lines);
    work.time += transfer.line.time * n;
    work.dram += transfer.line.dram * n;
    work.fetch = std::max(work.fetch, transfer.line.fetch);
    lines -= n;
    extent.lines -= n;
    if (extent.lines == 0) {
      ++transfer.extent;
      transfer.cycle = 0;
    }
  }
  return work;
}

Picoseconds Copies::worst_line(const CoreState& core, Copy how) const noexcept {
  const MachineConfig& config = costs_.config();
  const Topology& topology = costs_.topology();
  const Picoseconds line = (config.mpb_read_cycles + config.mpb_remote_cycles + config.dram_copy_cycles +
                            config.dram_write_back_cycles + config.l1_line_cycles) *
          core.cycle +
      2 * core.dram_line + costs_.mesh_cycles(2 * config.router_cycles * topology.most_hops());
  return how == Copy::prefetching ? line : line + 8 * config.plain_store_dram_cycles * core.cycle;
}

/// Lines of the next event of a copy. As long as nobody else can act meanwhile, many lines are exactly as
/// good as one by one.
[[gnu::always_inline]] inline std::uint32_t Copies::segment_lines(const Transfer& transfer) const noexcept {
  // In the midst of a block others act without an event.
  if (by_line_ || transfer.races_on || in_blocks_ > (transfer.in_blocks ? 1 : 0)) return 1;
  const std::size_t left = lines_of(transfer.bytes - transfer.done);
  const Picoseconds time = kernel_.horizon() - kernel_.now(), worst = transfer.worst_line;
  if (time < worst) return 1;
  if (time >= worst * static_cast<Picoseconds>(left)) return static_cast<std::uint32_t>(left);
  return static_cast<std::uint32_t>(std::min(left, static_cast<std::size_t>(time / worst)));
}

bool Copies::step(CoreState& core, Transfer& transfer) {
  if (transfer.in_blocks && transfer.done > 0 && transfer.bytes - transfer.done > line_bytes) {
    step_block(core, transfer);
    return false;
  }
  const std::uint32_t lines = segment_lines(transfer);
  const std::size_t offset = transfer.offset + transfer.done;
  const std::size_t n = std::min(lines * line_bytes, transfer.bytes - transfer.done);
  const Work work = transfer.surveyed ? next_lines(core, transfer, lines)
      : transfer.reading ? costs_.take_lines(core, offset, transfer.own + transfer.done, n, transfer.how)
                         : costs_.other_side(core, transfer.own + transfer.done, n, false, transfer.how);
  transfer.block_from = transfer.done += n;
  if (transfer.own_mpb < 0) transfer.memory += work.time;
  if (transfer.at_once) [[unlikely]]
    move_at_once(transfer, offset, n);
  if (probes_.acts_matter()) [[unlikely]]
    segment_acts(transfer, transfer.done - n, n);
  const Picoseconds time = costs_.copy(core, transfer.route_cost, lines, transfer.reading) + work.time;
  Picoseconds waited = 0;
  if (contention_) {
    const Picoseconds issue = kernel_.now() - transfer.ahead;
    waited = traffic_.copy_waits(core, transfer.to_mpb(), work, issue, lines);
    // Nobody meets the other lines: who acts behind the horizon comes when the last one has been served.
    if (lines > 1 && work.dram > 0)
      waited += traffic_.together(core, transfer.to_mpb()) * (std::min(work.dram, lines) - 1);
  }
  const bool last_step = transfer.done == transfer.bytes;
  kernel_.advance(time + waited - (last_step ? transfer.ahead : 0));
  return last_step;
}

/// The next lines but the last, as one event.
void Copies::step_block(CoreState& core, Transfer& transfer) {
  const auto left = static_cast<std::uint32_t>(lines_of(transfer.bytes - transfer.done)) - 1;
  const std::uint32_t lines = static_cast<std::uint32_t>(std::min<Picoseconds>(left, transfer.longest_block));
  const Work work = next_lines(core, transfer, lines);
  if (transfer.own_mpb < 0) transfer.memory += work.time;
  const Picoseconds unhindered = costs_.copy(core, transfer.route_cost, lines, transfer.reading) + work.time;
  const Picoseconds time = contention_
      ? traffic_.beside_others(core, transfer.to_mpb(), transfer.at_controller, work, lines, unhindered)
      : unhindered;
  const Picoseconds waited = time - unhindered;
  // As many lines as wait for two lines' time.
  transfer.longest_block =
      std::max<Picoseconds>(shortest_block, waited == 0 ? INT64_MAX : 2 * unhindered / waited);
  transfer.block_from = transfer.done;
  transfer.done += lines * line_bytes;
  transfer.block_begin = kernel_.now();
  transfer.block_period = time / lines;
  if (probes_.acts_matter()) [[unlikely]]
    segment_acts(transfer, transfer.block_from, lines * line_bytes);
  kernel_.advance(time);
}

// --- bytes ---

/// Copies those of the lines before byte `to`.
void Copies::move_bytes(Transfer& transfer, std::size_t to) noexcept {
  if (to <= transfer.moved) return;
  std::byte* const in_mpb = costs_.mpb(transfer.target) + transfer.offset + transfer.moved;
  std::byte* const own = transfer.own + transfer.moved;
  if (transfer.reading)
    copy_bytes(own, in_mpb, to - transfer.moved);
  else
    copy_bytes(in_mpb, own, to - transfer.moved);
  transfer.moved = to;
}

/// Of `n` bytes at `offset` of the MPB, whose lines have just been accounted for.
void Copies::move_at_once(Transfer& transfer, std::size_t offset, std::size_t n) {
  commit(transfer.target, offset, n, !transfer.reading, kernel_.now());
  commit(transfer.own + transfer.moved, n, transfer.reading, kernel_.now());
  move_bytes(transfer, transfer.done);
}

/// Both sides of the copy's `bytes` bytes from its byte `from` on.
void Copies::segment_acts(const Transfer& transfer, std::size_t from, std::size_t bytes) {
  own_side_acts(transfer.own + from, bytes, transfer.reading);
  probes_.notify_acts({.kind = transfer.reading ? Access::Kind::get : Access::Kind::put,
                       .write = !transfer.reading,
                       .more = from + bytes < transfer.bytes,
                       .target = transfer.target,
                       .offset = transfer.offset + from,
                       .bytes = bytes},
                      kernel_.now());
}

void Copies::own_side_acts(const void* own, std::size_t bytes, bool write) {
  const MemoryPlacement place = probes_.acts_matter() ? costs_.place_of(own) : MemoryPlacement::priv;
  if (place == MemoryPlacement::priv) return;
  Access access{
      .kind = write ? Access::Kind::store : Access::Kind::load, .write = write, .more = true, .bytes = bytes};
  if (place == MemoryPlacement::shared) {
    access.offset = static_cast<std::size_t>(static_cast<const std::byte*>(own) - costs_.shared_memory());
  } else {
    const SccCosts::Spot spot = costs_.spot_of(own);
    access.target = spot.core;
    access.offset = spot.offset;
  }
  probes_.notify_acts(access, kernel_.now());
}

void Copies::settle_movers(int target, std::size_t offset, std::size_t bytes, bool writing,
                           Picoseconds at) noexcept {
  for (const int core : movers_[static_cast<std::size_t>(target)]) {
    Transfer& transfer = transfers_[static_cast<std::size_t>(core)];
    if (transfer.races(target, offset, bytes, writing)) move_bytes(transfer, transfer.come_to(at));
  }
}

void Copies::commit(const void* own, std::size_t bytes, bool writing, Picoseconds at) noexcept {
  if (costs_.place_of(own) != MemoryPlacement::mpb) return;
  const SccCosts::Spot spot = costs_.spot_of(own);
  commit(spot.core, spot.offset, bytes, writing, at);
}

void Copies::settle_all(Picoseconds at) noexcept {
  for (const std::vector<int>& movers : movers_)
    for (const int core : movers) {
      Transfer& transfer = transfers_[static_cast<std::size_t>(core)];
      move_bytes(transfer, transfer.come_to(at));
    }
}

} // namespace mesh::scc
