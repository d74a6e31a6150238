// The simulated SCC's copies between MPBs and memory: transfer.hpp.
#include <algorithm>

#include "kernel/asan.hpp"
#include "mesh_sim/machines/scc/machine.hpp"
#include "mesh_sim/parts/host_copy.hpp"

namespace mesh {

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

/// Whether a copy's lines have to be the doing of its own fiber: where somebody stands in between, and under
/// a checker that is to name the program's call.
bool SccMachine::step_by_itself() const noexcept {
  return intervention_ != nullptr || asan::present();
}

Transfer& SccMachine::open(CoreState& core, bool reading, int target, std::size_t offset, std::byte* own,
                           std::size_t bytes, Copy how, const Passage& way) {
  const int self = kernel_.current();
  Transfer& transfer = transfers_[static_cast<std::size_t>(self)];
  const Place place = place_of(own);
  transfer.reading = reading;
  transfer.own_mpb = -1;
  if (place == Place::mpb) {
    const auto at = static_cast<std::size_t>(own - mpbs_.data());
    transfer.own_mpb = static_cast<int>(at / mpb_bytes_);
    transfer.own_offset = at % mpb_bytes_;
  }
  transfer.surveyed = place != Place::shared;
  transfer.races_on = transfer.own_mpb == target;
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
    if (place == Place::priv && !step_by_itself()) probe(own, bytes, reading);
    if (place == Place::mpb)
      find_mpb(core, offset, bytes, reading);
    else if (reading)
      find_taken(core, offset, own, bytes, how);
    else
      find_read(core, own, bytes);
    std::swap(transfer.stretches, core.stretches);
    transfer.stretch = 0;
    transfer.cycle = 0;
  }
  if (config_.contention) find_way(core, transfer, way);
  const auto join = [&](int mpb, std::size_t first, bool writing) {
    for (const int other : movers_[static_cast<std::size_t>(mpb)])
      if (transfers_[static_cast<std::size_t>(other)].races(mpb, first, bytes, writing))
        transfer.races_on = true;
    movers_[static_cast<std::size_t>(mpb)].push_back(self);
  };
  join(target, offset, !reading);
  if (transfer.own_mpb >= 0 && transfer.own_mpb != target)
    join(transfer.own_mpb, transfer.own_offset, reading);
  transfer.at_once = transfer.races_on || intervention_ != nullptr || !transfer.surveyed;
  transfer.in_blocks = blocks_ && !transfer.at_once && lines_of(bytes) > longest_by_line;
  transfer.at_controller = false;
  if (transfer.in_blocks) ++in_blocks_;
  transfer.block_from = 0;
  return transfer;
}

void SccMachine::find_way(const CoreState& core, Transfer& transfer, const Passage& passage) {
  Transfer::KnownWay& known = transfer.known[transfer.reading ? 1 : 0];
  if (known.tile == index(passage.tile)) return;
  known.tile = index(passage.tile);
  known.way.clear();
  const Picoseconds hop = mesh_cycles(config_.router_cycles);
  const auto tile = static_cast<std::size_t>(known.tile);
  const int there = transfer.reading ? 1 : data_flits_;
  network_.add_route(known.way, core.tile, passage.tile, there, mesh_cycle_, hop);
  known.way.push_back({&ports_[tile], config_.mpb_port_cycles * tile_cycle_[tile], 0, {}});
  if (transfer.reading) network_.add_route(known.way, passage.tile, core.tile, data_flits_, mesh_cycle_, hop);
}

void SccMachine::close(Transfer& transfer) {
  move_bytes(transfer, transfer.bytes);
  if (transfer.in_blocks) {
    --in_blocks_;
    withdraw(transfer.to_mpb());
    if (transfer.at_controller) withdraw(way_to_controller(me()));
  }
  count(transfer.to_mpb(), lines_of(transfer.bytes));
  count(way_to_controller(me()), transfer.dram);
  const auto leave = [&](int mpb) {
    std::vector<int>& movers = movers_[static_cast<std::size_t>(mpb)];
    *std::ranges::find(movers, kernel_.current()) = movers.back();
    movers.pop_back();
  };
  leave(transfer.target);
  if (transfer.own_mpb >= 0 && transfer.own_mpb != transfer.target) leave(transfer.own_mpb);
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
      if (stretch.found != Found::mpb)
        transfer.line = line_work(core, stretch.found);
      else
        transfer.line = {transfer.reading ? write_line(core) : passage(core, transfer.own_mpb).read};
      transfer.cycle = core.cycle;
    }
    const std::uint32_t n = std::min(lines, stretch.lines);
    work.time += transfer.line.time * n;
    work.dram += transfer.line.dram * n;
    work.fetch = std::max(work.fetch, transfer.line.fetch);
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
/// good as one by one.
[[gnu::always_inline]] inline std::uint32_t
SccMachine::segment_lines(const Transfer& transfer) const noexcept {
  // In the midst of a block others act without an event.
  if (by_line_ || transfer.races_on || in_blocks_ > (transfer.in_blocks ? 1 : 0)) return 1;
  const std::size_t left = lines_of(transfer.bytes - transfer.done);
  const Picoseconds time = kernel_.horizon() - kernel_.now(), worst = transfer.worst_line;
  if (time < worst) return 1;
  if (time >= worst * static_cast<Picoseconds>(left)) return static_cast<std::uint32_t>(left);
  return static_cast<std::uint32_t>(std::min(left, static_cast<std::size_t>(time / worst)));
}

/// The next event of a copy by the current core. Returns whether it is the last.
bool SccMachine::step(CoreState& core, Transfer& transfer) {
  if (transfer.in_blocks && transfer.done > 0 && transfer.bytes - transfer.done > line_bytes) {
    step_block(core, transfer);
    return false;
  }
  const std::uint32_t lines = segment_lines(transfer);
  const std::size_t offset = transfer.offset + transfer.done;
  const std::size_t n = std::min(lines * line_bytes, transfer.bytes - transfer.done);
  const Work work = transfer.surveyed ? next_lines(core, transfer, lines)
      : transfer.reading ? take_lines(core, offset, transfer.own + transfer.done, n, transfer.how)
                         : other_side(core, transfer.own + transfer.done, n, false, transfer.how);
  transfer.block_from = transfer.done += n;
  if (transfer.at_once) [[unlikely]]
    move_at_once(transfer, offset, n);
  if (acts_matter_) [[unlikely]]
    segment_acts(transfer, transfer.done - n, n);
  const Picoseconds time = lines * (transfer.reading ? transfer.passage.read : write_line(core)) + work.time;
  Picoseconds waited = 0;
  if (config_.contention) {
    const Picoseconds issue = kernel_.now() - transfer.ahead;
    waited = copy_waits(core, transfer, work, issue, lines);
    // Nobody meets the other lines: who acts behind the horizon comes when the last one has been served.
    if (lines > 1 && work.dram > 0) waited += together(core, transfer) * (std::min(work.dram, lines) - 1);
    transfer.dram += work.dram;
  }
  const bool last_step = transfer.done == transfer.bytes;
  kernel_.advance(time + waited - (last_step ? transfer.ahead : 0));
  return last_step;
}

/// The next lines but the last, as one event.
void SccMachine::step_block(CoreState& core, Transfer& transfer) {
  const auto left = static_cast<std::uint32_t>(lines_of(transfer.bytes - transfer.done)) - 1;
  const std::uint32_t lines = static_cast<std::uint32_t>(std::min<Picoseconds>(left, transfer.longest_block));
  const Work work = next_lines(core, transfer, lines);
  const Picoseconds unhindered =
      lines * (transfer.reading ? transfer.passage.read : write_line(core)) + work.time;
  const Picoseconds time =
      config_.contention ? beside_others(core, transfer, work, lines, unhindered) : unhindered;
  const Picoseconds waited = time - unhindered;
  transfer.dram += work.dram;
  // As many lines as wait for two lines' time.
  transfer.longest_block =
      std::max<Picoseconds>(shortest_block, waited == 0 ? INT64_MAX : 2 * unhindered / waited);
  transfer.block_from = transfer.done;
  transfer.done += lines * line_bytes;
  transfer.block_begin = kernel_.now();
  transfer.block_period = time / lines;
  if (acts_matter_) [[unlikely]]
    segment_acts(transfer, transfer.block_from, lines * line_bytes);
  kernel_.advance(time);
}

// --- bytes ---

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
  settle(transfer.target, offset, n, !transfer.reading, kernel_.now());
  settle(transfer.own + transfer.moved, n, transfer.reading, kernel_.now());
  move_bytes(transfer, transfer.done);
}

/// Both sides of the copy's `bytes` bytes from its byte `from` on.
void SccMachine::segment_acts(const Transfer& transfer, std::size_t from, std::size_t bytes) {
  own_side_acts(transfer.own + from, bytes, transfer.reading);
  tell_acts({.kind = transfer.reading ? Access::Kind::get : Access::Kind::put,
             .write = !transfer.reading,
             .more = from + bytes < transfer.bytes,
             .target = transfer.target,
             .offset = transfer.offset + from,
             .bytes = bytes},
            kernel_.now());
}

void SccMachine::settle_movers(int target, std::size_t offset, std::size_t bytes, bool writing,
                               Picoseconds at) noexcept {
  for (const int core : movers_[static_cast<std::size_t>(target)]) {
    Transfer& transfer = transfers_[static_cast<std::size_t>(core)];
    if (transfer.races(target, offset, bytes, writing)) move_bytes(transfer, transfer.come_to(at));
  }
}

void SccMachine::settle(const void* own, std::size_t bytes, bool writing, Picoseconds at) noexcept {
  if (place_of(own) != Place::mpb) return;
  const auto place = static_cast<std::size_t>(static_cast<const std::byte*>(own) - mpbs_.data());
  settle(static_cast<int>(place / mpb_bytes_), place % mpb_bytes_, bytes, writing, at);
}

void SccMachine::settle_all(Picoseconds at) noexcept {
  for (const std::vector<int>& movers : movers_)
    for (const int core : movers) {
      Transfer& transfer = transfers_[static_cast<std::size_t>(core)];
      move_bytes(transfer, transfer.come_to(at));
    }
}

// --- put and get ---

void SccMachine::put(int target, std::size_t offset, const void* source, std::size_t bytes, Copy how) {
  check(target, offset, bytes);
  if (bytes == 0) return;
  before();
  CoreState& core = active();
  const Passage way = passage(core, target);
  kernel_.synchronise();
  const auto access = [&] {
    return Access{
        .kind = Access::Kind::put, .write = true, .target = target, .offset = offset, .bytes = bytes};
  };
  const Picoseconds begin = issue(access);
  core.lines_put += lines_of(bytes);
  if (in_one_line(offset, bytes)) {
    const Work work = other_side(core, source, bytes, false, how);
    settle(source, bytes, false, kernel_.now());
    own_side_acts(source, bytes, false);
    std::byte line[line_bytes];
    copy_in_line(line, source, bytes);
    spend(core, way, write_line(core) + work.time, work, false, 0);
    const Picoseconds visible = kernel_.now() + way.one_way;
    post_store(target, offset, line, bytes, visible);
    acts(
        [&] {
          Access store = access();
          store.delivered = true;
          return store;
        },
        visible);
    return ends(access, begin);
  }
  // Only read: the two directions share one type.
  auto* const own = const_cast<std::byte*>(static_cast<const std::byte*>(source));
  carry(open(core, false, target, offset, own, bytes, how, way));
  written(target, offset, bytes, {Cause::Kind::copy, kernel_.current(), kernel_.now() + way.one_way});
  ends(access, begin);
}

void SccMachine::get(void* target, int source, std::size_t offset, std::size_t bytes, Copy how) {
  check(source, offset, bytes);
  if (bytes == 0) return;
  before();
  CoreState& core = active();
  const Passage way = passage(core, source);
  core.l1.invalidate_mpb();
  const auto access = [&] {
    return Access{.kind = Access::Kind::get, .target = source, .offset = offset, .bytes = bytes};
  };
  const Picoseconds begin = issue(access);
  core.lines_got += lines_of(bytes);
  if (in_one_line(offset, bytes)) {
    kernel_.advance(way.one_way);
    kernel_.synchronise();
    own_side_acts(target, bytes, true);
    acts(access, kernel_.now());
    settle(source, offset, bytes, false, kernel_.now());
    settle(target, bytes, true, kernel_.now());
    copy_in_line(target, mpb(source) + offset, bytes);
    const Work work = take_lines(core, offset, target, bytes, how);
    spend(core, way, way.read + work.time, work, true, way.one_way);
    return ends(access, begin);
  }
  Transfer& transfer = open(core, true, source, offset, static_cast<std::byte*>(target), bytes, how, way);
  // The request of the first line is on its way before the first look at the buffer.
  kernel_.advance(way.one_way);
  transfer.ahead = way.one_way;
  carry(transfer);
  ends(access, begin);
}

} // namespace mesh
