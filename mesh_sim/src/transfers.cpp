// The simulated SCC's copies between MPBs and memory: transfer.hpp.
#include <algorithm>

#include "asan.hpp"
#include "mesh_sim/host_copy.hpp"
#include "mesh_sim/scc_machine.hpp"

namespace mesh {

namespace {

/// Accesses one byte of every page, so that a program's wrong address shows while it is still its own stack that
/// the host finds itself on.
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

// --- what stands in the way
// -----------------------------------------------------------------------------------------------

Picoseconds SccMachine::waits(const Way& way, Stream lines) noexcept {
  Picoseconds waited = 0;
  for (const Leg& leg : way) {
    const Picoseconds wait = leg.resource->serve(lines, leg.service);
    waited += wait;
    lines.delay(wait + leg.hop);
  }
  return waited;
}

/// The same for a line by itself.
Picoseconds SccMachine::waits(const Way& way, Picoseconds start) noexcept {
  Picoseconds waited = 0;
  for (const Leg& leg : way) {
    const Picoseconds wait = leg.resource->serve(start, leg.service);
    waited += wait;
    start += wait + leg.hop;
  }
  return waited;
}

/// Waiting of one line for links and the MPB's port. It sets out when its request or store does.
Picoseconds SccMachine::mesh_waits(const CoreState& core, const Passage& way, Picoseconds at,
                                   bool reading) noexcept {
  const Picoseconds hop = mesh_cycles(config_.router_cycles);
  Picoseconds waited = network_.send(core.tile, way.tile, at, reading ? 1 : data_flits_, mesh_cycle_, hop);
  const auto tile = static_cast<std::size_t>(index(way.tile));
  const Picoseconds service = config_.mpb_port_cycles * tile_cycle_[tile];
  const Picoseconds port = ports_[tile].serve(at, service);
  ports_[tile].count(1, service);
  at += port;
  waited += port;
  if (reading) waited += network_.send(way.tile, core.tile, at, data_flits_, mesh_cycle_, hop);
  return waited;
}

/// To the core's memory controller and back.
const Way& SccMachine::way_to_controller(const CoreState& core) {
  Way& way = to_controller_[static_cast<std::size_t>(&core - cores_.data())];
  if (!way.empty() || !config_.contention) return way;
  const Picoseconds hop = mesh_cycles(config_.router_cycles);
  const TileId tile = topology_.controller_tile(core.controller);
  network_.add_route(way, core.tile, tile, 1, mesh_cycle_, hop);
  way.push_back({&controllers_[static_cast<std::size_t>(core.controller)], controller_line_, 0});
  network_.add_route(way, tile, core.tile, data_flits_, mesh_cycle_, hop);
  return way;
}

/// Accounts for a line that takes `time` unhindered, of which `ahead` has passed already, plus what the core
/// has to wait for others.
void SccMachine::spend(const CoreState& core, const Passage& way, Picoseconds time, const Work& work,
                       bool reading, Picoseconds ahead) {
  if (!config_.contention) return kernel_.advance(time - ahead);
  const Picoseconds issue = kernel_.now() - ahead;
  Picoseconds waited = mesh_waits(core, way, issue, reading);
  if (work.dram > 0) {
    const Way& to_controller = way_to_controller(core);
    waited += waits(to_controller, {issue, issue, work.dram, issue + time <= kernel_.horizon()});
    count(to_controller, work.dram);
  }
  kernel_.advance(time - ahead + waited);
}

void SccMachine::count(const Way& way, std::uint64_t lines) noexcept {
  if (lines > 0)
    for (const Leg& leg : way) leg.resource->count(lines, leg.service);
}

// --- a copy under way
// ----------------------------------------------------------------------------------------------------

/// Whether a copy's lines have to be the doing of its own fiber: where somebody stands in between, and under a
/// checker that is to name the program's call.
bool SccMachine::step_by_itself() const noexcept {
  return intervention_ != nullptr || asan::present();
}

Transfer& SccMachine::open(CoreState& core, bool reading, int target, std::size_t offset, std::byte* own,
                           std::size_t bytes, Copy how, const Passage& way) {
  const int self = kernel_.current();
  Transfer& transfer = transfers_[static_cast<std::size_t>(self)];
  transfer.reading = reading;
  transfer.surveyed = place_of(own) == Place::priv;
  transfer.at_once = step_by_itself() || !transfer.surveyed;
  transfer.how = how;
  transfer.target = target;
  transfer.offset = offset;
  transfer.bytes = bytes;
  transfer.own = own;
  transfer.passage = way;
  transfer.worst_line = worst_line(core, how);
  transfer.ahead = 0;
  transfer.done = transfer.moved = 0;
  transfer.dram = 0;
  if (transfer.surveyed) {
    if (!transfer.at_once) probe(own, bytes, reading);
    if (reading)
      find_taken(core, offset, own, bytes, how);
    else
      find_read(core, own, bytes);
    std::swap(transfer.stretches, core.stretches);
    transfer.stretch = 0;
    transfer.cycle = 0;
  }
  transfer.to_mpb.clear();
  if (config_.contention) {
    const Picoseconds hop = mesh_cycles(config_.router_cycles);
    const auto tile = static_cast<std::size_t>(index(way.tile));
    network_.add_route(transfer.to_mpb, core.tile, way.tile, reading ? 1 : data_flits_, mesh_cycle_, hop);
    transfer.to_mpb.push_back({&ports_[tile], config_.mpb_port_cycles * tile_cycle_[tile], 0});
    if (reading) network_.add_route(transfer.to_mpb, way.tile, core.tile, data_flits_, mesh_cycle_, hop);
  }
  std::vector<int>& movers = movers_[static_cast<std::size_t>(target)];
  for (const int other : movers) {
    const Transfer& under_way = transfers_[static_cast<std::size_t>(other)];
    if (under_way.covers(offset, bytes) && !(reading && under_way.reading)) transfer.at_once = true;
  }
  movers.push_back(self);
  return transfer;
}

void SccMachine::close(Transfer& transfer) {
  move_bytes(transfer, transfer.bytes);
  count(transfer.to_mpb, lines_of(transfer.bytes));
  count(way_to_controller(me()), transfer.dram);
  std::vector<int>& movers = movers_[static_cast<std::size_t>(transfer.target)];
  *std::ranges::find(movers, kernel_.current()) = movers.back();
  movers.pop_back();
}

/// From the fiber whose copy it is, until that has come to its end.
void SccMachine::carry(Transfer& transfer) {
  if (!step_by_itself()) {
    kernel_.carry();
  } else {
    CoreState& core = me();
    do kernel_.synchronise();
    while (!step(core, transfer));
  }
  close(transfer);
}

/// Private side of the next lines.
[[gnu::always_inline]] inline SccCosts::Work SccMachine::next_lines(const CoreState& core, Transfer& transfer,
                                      std::uint32_t lines) const noexcept {
  Work work;
  while (lines > 0) {
    Stretch& stretch = transfer.stretches[transfer.stretch];
    if (transfer.cycle != core.cycle) {
      transfer.line = line_work(core, stretch.found);
      transfer.cycle = core.cycle;
    }
    const std::uint32_t n = std::min(lines, stretch.lines);
    work.time += transfer.line.time * n;
    work.dram += transfer.line.dram * n;
    lines -= n;
    stretch.lines -= n;
    if (stretch.lines == 0) {
      ++transfer.stretch;
      transfer.cycle = 0;
    }
  }
  return work;
}

Picoseconds SccMachine::worst_line(const CoreState& core, Copy how) const noexcept {
  const Picoseconds line = (config_.mpb_read_cycles + config_.mpb_remote_cycles + config_.dram_copy_cycles +
                            config_.dram_write_back_cycles + config_.l1_line_cycles) *
          core.cycle +
      2 * core.dram_line + mesh_cycles(2 * config_.router_cycles * (topology_.columns() + topology_.rows()));
  return how == Copy::prefetching ? line : line + 8 * config_.plain_store_dram_cycles * core.cycle;
}

/// Lines of the next event of a copy. As long as nobody else can act meanwhile, many lines are exactly as
/// good as one by one; otherwise the granularity decides.
[[gnu::always_inline]] inline std::uint32_t SccMachine::segment_lines(std::size_t bytes_left, Picoseconds worst_line) const noexcept {
  const auto grain = static_cast<std::size_t>(config_.granularity_lines);
  // Where blocks of lines make others wait, their size shows: it then stays below a page.
  const std::size_t left =
      std::min(lines_of(bytes_left), grain > 1 ? std::size_t{Cache::longest_run} : SIZE_MAX);
  std::size_t lines = grain;
  if (config_.lookahead) {
    const Picoseconds time = kernel_.horizon() - kernel_.now();
    if (time >= worst_line * static_cast<Picoseconds>(left)) return static_cast<std::uint32_t>(left);
    if (time >= worst_line) lines = std::max(grain, static_cast<std::size_t>(time / worst_line));
  }
  return static_cast<std::uint32_t>(std::min(left, lines));
}

/// The next event of a copy by the current core. Returns whether it is the last.
bool SccMachine::step(CoreState& core, Transfer& transfer) {
  const std::uint32_t lines = segment_lines(transfer.bytes - transfer.done, transfer.worst_line);
  const std::size_t offset = transfer.offset + transfer.done;
  const std::size_t n = std::min(lines * line_bytes, transfer.bytes - transfer.done);
  const Work work = transfer.surveyed ? next_lines(core, transfer, lines)
      : transfer.reading              ? take_lines(core, offset, transfer.own + transfer.done, n, transfer.how)
                                      : other_side(core, transfer.own + transfer.done, n, false, transfer.how);
  transfer.done += n;
  if (transfer.at_once) [[unlikely]]
    move_at_once(transfer, offset, n);
  const Picoseconds time =
      lines * (transfer.reading ? transfer.passage.read : write_line(core)) + work.time;
  Picoseconds waited = 0;
  if (config_.contention) {
    const Picoseconds issue = kernel_.now() - transfer.ahead;
    const Picoseconds last = lines == 1 ? issue : issue + time - time / lines;
    const bool undisturbed = issue + time <= kernel_.horizon();
    waited = lines == 1 ? waits(transfer.to_mpb, issue)
                        : waits(transfer.to_mpb, {issue, last, lines, undisturbed});
    if (work.dram == 1 && lines == 1)
      waited += waits(way_to_controller(core), issue);
    else if (work.dram > 0)
      waited += waits(way_to_controller(core), {issue, last, work.dram, undisturbed});
    transfer.dram += work.dram;
  }
  kernel_.advance(time - transfer.ahead + waited);
  transfer.ahead = 0;
  return transfer.done == transfer.bytes;
}

// --- bytes
// ---------------------------------------------------------------------------------------------------------------

/// Copies those of the lines before byte `to`.
void SccMachine::move_bytes(Transfer& transfer, std::size_t to) noexcept {
  if (to <= transfer.moved) return;
  std::byte* const in_mpb = mpb(transfer.target) + transfer.offset + transfer.moved;
  std::byte* const own = transfer.own + transfer.moved;
  if (transfer.reading)
    copy_bytes(own, in_mpb, to - transfer.moved);
  else
    copy_bytes(in_mpb, own, to - transfer.moved);
  transfer.moved = to;
}

/// Of `n` bytes at `offset` of the MPB, whose lines have just been accounted for.
void SccMachine::move_at_once(Transfer& transfer, std::size_t offset, std::size_t n) {
  settle(transfer.target, offset, n, !transfer.reading);
  settle(transfer.own + transfer.moved, n, transfer.reading);
  move_bytes(transfer, transfer.done);
  acts({.kind = transfer.reading ? Access::Kind::get : Access::Kind::put,
        .write = !transfer.reading,
        .more = transfer.done < transfer.bytes,
        .target = transfer.target,
        .offset = offset,
        .bytes = n,
        .at = kernel_.now()});
}

void SccMachine::settle_movers(int target, std::size_t offset, std::size_t bytes, bool writing) noexcept {
  for (const int core : movers_[static_cast<std::size_t>(target)]) {
    Transfer& transfer = transfers_[static_cast<std::size_t>(core)];
    if ((writing || !transfer.reading) && transfer.covers(offset, bytes))
      move_bytes(transfer, transfer.done);
  }
}

void SccMachine::settle(const void* own, std::size_t bytes, bool writing) noexcept {
  if (place_of(own) != Place::mpb) return;
  const auto place = static_cast<std::size_t>(static_cast<const std::byte*>(own) - mpbs_.data());
  settle(static_cast<int>(place / mpb_bytes_), place % mpb_bytes_, bytes, writing);
}

void SccMachine::settle_all() noexcept {
  for (const std::vector<int>& movers : movers_)
    for (const int core : movers) {
      Transfer& transfer = transfers_[static_cast<std::size_t>(core)];
      move_bytes(transfer, transfer.done);
    }
}

// --- put and get
// -----------------------------------------------------------------------------------------------------

void SccMachine::put(int target, std::size_t offset, const void* source, std::size_t bytes, Copy how) {
  check(target, offset, bytes);
  if (bytes == 0) return;
  before();
  CoreState& core = active();
  const Passage way = passage(core, target);
  kernel_.synchronise();
  note(1, target, offset, bytes);
  core.lines_put += lines_of(bytes);
  if (in_one_line(offset, bytes)) {
    const Work work = other_side(core, source, bytes, false, how);
    settle(source, bytes, false);
    std::byte line[line_bytes];
    copy_in_line(line, source, bytes);
    spend(core, way, write_line(core) + work.time, work, false, 0);
    post_store(Access::Kind::put, target, offset, line, bytes, kernel_.now() + way.one_way);
    return;
  }
  // Only read: the two directions share one type.
  auto* const own = const_cast<std::byte*>(static_cast<const std::byte*>(source));
  carry(open(core, false, target, offset, own, bytes, how, way));
  written(target, offset, bytes, kernel_.now() + way.one_way);
}

void SccMachine::get(void* target, int source, std::size_t offset, std::size_t bytes, Copy how) {
  check(source, offset, bytes);
  if (bytes == 0) return;
  before();
  CoreState& core = active();
  const Passage way = passage(core, source);
  core.l1.invalidate_mpb();
  note(2, source, offset, bytes);
  core.lines_got += lines_of(bytes);
  if (in_one_line(offset, bytes)) {
    kernel_.advance(way.one_way);
    kernel_.synchronise();
    acts({.kind = Access::Kind::get, .target = source, .offset = offset, .bytes = bytes, .at = kernel_.now()});
    settle(source, offset, bytes, false);
    settle(target, bytes, true);
    copy_in_line(target, mpb(source) + offset, bytes);
    const Work work = take_lines(core, offset, target, bytes, how);
    spend(core, way, way.read + work.time, work, true, way.one_way);
    return;
  }
  Transfer& transfer = open(core, true, source, offset, static_cast<std::byte*>(target), bytes, how, way);
  // The request of the first line is on its way before the first look at the buffer.
  kernel_.advance(way.one_way);
  transfer.ahead = way.one_way;
  carry(transfer);
}

} // namespace mesh
