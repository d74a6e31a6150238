// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/copies.hpp"

#include <algorithm>
#include <utility>

#include "kernel/asan.hpp"
#include "mesh_sim/parts/host_copy.hpp"

namespace mesh::scc {

namespace {

constexpr std::size_t longest_by_line = 48; ///< lines of a copy that is not worth blocks
constexpr std::uint32_t shortest_block = 8; ///< lines
/// With more cores that crowd one resource, blocks err by several percent (tests/model/blocks.sh).
constexpr int most_cores_in_blocks = 48;

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
      blocks_(costs.config().granularity == "blocks" ||
              (costs.config().granularity == "auto" && costs.topology().cores() <= most_cores_in_blocks)),
      by_line_(costs.config().granularity == "lines"),
      transfers_(static_cast<std::size_t>(costs.topology().cores())),
      movers_(transfers_.size()) {}

/// True if the copy's own fiber must move its lines: if an intervention stands in between, and under a
/// checker that is to name the program's call.
bool Copies::step_by_itself() const noexcept {
  return probes_.intervention() != nullptr || asan::present();
}

Transfer& Copies::open(CoreState& core, const Transfer::Task& task) {
  const int self = kernel_.current();
  Transfer& transfer = transfers_[static_cast<std::size_t>(self)];
  const MemoryPlacement place = costs_.place_of(task.own);
  transfer.task = task;
  if (place == MemoryPlacement::mpb) transfer.task.own_mpb = costs_.spot_of(task.own);
  transfer.worst_line = worst_line(core, task.how);
  transfer.waits_for_itself = contention_ &&
      traffic_.slowest_service(task.route_cost.tile) > costs_.copy(core, task.route_cost, 1, task.reading) +
              costs_.line_work(core, SccCosts::Found::l1).time;
  transfer.progress = {};
  transfer.block = {};
  survey(core, transfer, place);
  if (contention_) {
    Transfer::CachedRoute& known = transfer.cached_route();
    const TileId tile = task.route_cost.tile;
    if (std::exchange(known.tile, index(tile)) != index(tile))
      traffic_.find_route(known.path, core, tile, task.reading);
  }
  transfer.mode = place == MemoryPlacement::shared || probes_.intervention() != nullptr
      ? Transfer::Mode::at_once
      : blocks_ && lines_of(task.bytes) > longest_by_line ? Transfer::Mode::blocks
                                                          : Transfer::Mode::late;
  join_movers(self, transfer);
  if (transfer.mode == Transfer::Mode::blocks) ++in_blocks_;
  return transfer;
}

/// Finds the lines on the core's side, which go through its caches.
void Copies::survey(CoreState& core, Transfer& transfer, MemoryPlacement place) {
  const Transfer::Task& task = transfer.task;
  transfer.survey.made = place != MemoryPlacement::shared;
  if (!transfer.survey.made) return;
  if (place == MemoryPlacement::priv && !step_by_itself())
    probe(task.own, task.bytes, task.reading && task.moves);
  if (place == MemoryPlacement::mpb)
    costs_.find_mpb(core, task.mpb.offset, task.bytes, task.reading);
  else if (task.reading)
    costs_.find_taken(core, task.mpb.offset, task.own, task.bytes, task.how);
  else
    costs_.find_read(core, task.own, task.bytes);
  std::swap(transfer.survey.extents, core.extents);
  transfer.survey.extent = 0;
  transfer.survey.cycle = 0;
}

/// Joins the movers of the MPBs on both sides. If another copy uses the same bytes, this one races.
void Copies::join_movers(int self, Transfer& transfer) {
  const Transfer::Task& task = transfer.task;
  if (task.own_mpb.core == task.mpb.core) transfer.mode = Transfer::Mode::racing;
  const auto join = [&](SccCosts::Spot spot, bool writing) {
    std::vector<int>& movers = movers_[static_cast<std::size_t>(spot.core)];
    for (const int other : movers)
      if (transfers_[static_cast<std::size_t>(other)].task.races(spot, task.bytes, writing))
        transfer.mode = Transfer::Mode::racing;
    movers.push_back(self);
  };
  join(task.mpb, !task.reading);
  if (task.own_mpb.core >= 0 && task.own_mpb.core != task.mpb.core) join(task.own_mpb, task.reading);
}

void Copies::renew_port(int tile) noexcept {
  for (Transfer& transfer : transfers_)
    for (Transfer::CachedRoute& known : transfer.known)
      if (known.tile == tile) traffic_.renew_port(known.path, tile);
}

void Copies::close(Transfer& transfer) {
  const Transfer::Task& task = transfer.task;
  const int self = kernel_.current();
  move_bytes(transfer, task.bytes);
  if (transfer.mode == Transfer::Mode::blocks) {
    --in_blocks_;
    traffic_.withdraw(costs_.core_state(self), transfer.to_mpb(), transfer.block.at_controller);
  }
  const auto leave = [&](int mpb) {
    std::vector<int>& movers = movers_[static_cast<std::size_t>(mpb)];
    *std::ranges::find(movers, self) = movers.back();
    movers.pop_back();
  };
  leave(task.mpb.core);
  if (task.own_mpb.core >= 0 && task.own_mpb.core != task.mpb.core) leave(task.own_mpb.core);
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

/// The time of the next lines, of that many bytes, on the core's side.
[[gnu::always_inline]] inline SccCosts::Work Copies::own_side(CoreState& core, Transfer& transfer,
                                                              std::uint32_t lines, std::size_t bytes) {
  const Transfer::Task& task = transfer.task;
  if (transfer.survey.made) return next_lines(core, transfer, lines);
  const std::size_t done = transfer.progress.done;
  const Work work = task.reading
      ? costs_.take_lines(core, task.mpb.offset + done, task.own + done, bytes, task.how)
      : costs_.other_side(core, task.own + done, bytes, false, task.how);
  transfer.progress.memory += work.time;
  return work;
}

/// The same of those that have been surveyed.
[[gnu::always_inline]] inline SccCosts::Work Copies::next_lines(const CoreState& core, Transfer& transfer,
                                                                std::uint32_t lines) const noexcept {
  Transfer::Survey& survey = transfer.survey;
  const Transfer::Task& task = transfer.task;
  Work work;
  while (lines > 0) {
    SccCosts::Extent& extent = survey.extents[survey.extent];
    if (survey.cycle != core.cycle) {
      if (extent.found != SccCosts::Found::mpb)
        survey.line = costs_.line_work(core, extent.found);
      else
        survey.line = {costs_.copy(core, costs_.route_cost(core, task.own_mpb.core), 1, !task.reading)};
      survey.cycle = core.cycle;
    }
    const std::uint32_t n = std::min(lines, extent.lines);
    work.time += survey.line.time * n;
    work.dram += survey.line.dram * n;
    work.fetch = std::max(work.fetch, survey.line.fetch);
    lines -= n;
    extent.lines -= n;
    if (extent.lines == 0) {
      ++survey.extent;
      survey.cycle = 0;
    }
  }
  if (task.own_mpb.core < 0) transfer.progress.memory += work.time;
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
  const int own_blocks = transfer.mode == Transfer::Mode::blocks ? 1 : 0;
  if (by_line_ || transfer.waits_for_itself || transfer.mode == Transfer::Mode::racing ||
      in_blocks_ > own_blocks)
    return 1;
  const std::size_t left = lines_of(transfer.left());
  const Picoseconds time = kernel_.horizon() - kernel_.now(), worst = transfer.worst_line;
  if (time < worst) return 1;
  if (time >= worst * static_cast<Picoseconds>(left)) return static_cast<std::uint32_t>(left);
  return static_cast<std::uint32_t>(std::min(left, static_cast<std::size_t>(time / worst)));
}

/// The time that the last block's lines waited beyond the wait that was known at its begin, judged by the
/// present wait of like lines; below 0 if they waited less. Bounded so that the next lines do not act before
/// their time.
static Picoseconds belated_wait(const Transfer::Block& last, std::int64_t lines, Picoseconds unhindered,
                                Picoseconds waited) noexcept {
  if (last.lines == 0 || last.unhindered * lines != unhindered * last.lines) return 0;
  return std::max((waited * last.lines / lines - last.waited) / 2, -unhindered / 2);
}

bool Copies::step(CoreState& core, Transfer& transfer) {
  Transfer::Progress& progress = transfer.progress;
  if (transfer.mode == Transfer::Mode::blocks && progress.done > 0 && transfer.left() > line_bytes) {
    step_block(core, transfer);
    return false;
  }
  const std::uint32_t lines = segment_lines(transfer);
  const std::size_t n = std::min(lines * line_bytes, transfer.left());
  const Work work = own_side(core, transfer, lines, n);
  transfer.block.from = progress.done += n;
  if (transfer.moves_at_once()) [[unlikely]]
    move_at_once(transfer, n);
  if (probes_.acts_matter()) [[unlikely]]
    segment_acts(transfer, progress.done - n, n);
  const Picoseconds time =
      costs_.copy(core, transfer.task.route_cost, lines, transfer.task.reading) + work.time;
  Picoseconds waited = 0;
  if (contention_) {
    const Picoseconds issue = kernel_.now() - progress.ahead;
    waited = traffic_.copy_waits(core, transfer.to_mpb(), work, issue, lines);
    // Nobody meets the other lines: who acts behind the horizon comes when the last one has been served.
    if (lines > 1 && work.dram > 0)
      waited += traffic_.together(core, transfer.to_mpb()) * (std::min(work.dram, lines) - 1);
  }
  const bool last_step = transfer.left() == 0;
  if (Transfer::Block& block = transfer.block; contention_ && block.lines > 0)
    waited += belated_wait(
        block, 1, time,
        traffic_.line_beside_others(core, transfer.to_mpb(), block.at_controller, work, time) - time);
  kernel_.advance(time + waited - (last_step ? progress.ahead : 0));
  return last_step;
}

/// The next lines but the last, as one event.
void Copies::step_block(CoreState& core, Transfer& transfer) {
  Transfer::Block& block = transfer.block;
  const auto left = static_cast<std::uint32_t>(lines_of(transfer.left())) - 1;
  const auto lines = static_cast<std::uint32_t>(std::min<std::int64_t>(left, block.most_next));
  const Work work = next_lines(core, transfer, lines);
  const Picoseconds unhindered =
      costs_.copy(core, transfer.task.route_cost, lines, transfer.task.reading) + work.time;
  const Picoseconds waited = contention_
      ? traffic_.beside_others(core, transfer.to_mpb(), block.at_controller, work, lines, unhindered) -
          unhindered
      : 0;
  const Picoseconds time = unhindered + waited + belated_wait(block, lines, unhindered, waited);
  // As many lines as wait for two lines' time.
  const std::int64_t patient =
      waited == 0 ? INT64_MAX : std::max<std::int64_t>(shortest_block, 2 * unhindered / waited);
  block = {.at_controller = block.at_controller,
           .from = transfer.progress.done,
           .begin = kernel_.now(),
           .period = time / lines,
           .lines = lines,
           .unhindered = unhindered,
           .waited = waited,
           .most_next = contention_ ? std::min<std::int64_t>(patient, 2 * lines) : patient};
  transfer.progress.done += lines * line_bytes;
  if (probes_.acts_matter()) [[unlikely]]
    segment_acts(transfer, block.from, lines * line_bytes);
  kernel_.advance(time);
}

// --- bytes ---

/// Copies those of the lines before byte `to`.
void Copies::move_bytes(Transfer& transfer, std::size_t to) noexcept {
  const Transfer::Task& task = transfer.task;
  if (!task.moves) return;
  std::size_t& moved = transfer.progress.moved;
  if (to <= moved) return;
  std::byte* const in_mpb = costs_.mpb(task.mpb.core) + task.mpb.offset + moved;
  std::byte* const own = task.own + moved;
  if (task.reading)
    copy_bytes(own, in_mpb, to - moved);
  else
    copy_bytes(in_mpb, own, to - moved);
  moved = to;
}

/// Moves the last `n` bytes, whose lines have just been accounted for. The source comes first: this copy is
/// under way itself, so its own bytes move with the others' into the target.
void Copies::move_at_once(Transfer& transfer, std::size_t n) {
  const Transfer::Task& task = transfer.task;
  const std::size_t from = transfer.progress.done - n;
  if (!task.reading) commit(task.own + from, n, false, kernel_.now());
  commit(task.mpb.core, task.mpb.offset + from, n, !task.reading, kernel_.now());
  if (task.reading) commit(task.own + from, n, true, kernel_.now());
  move_bytes(transfer, transfer.progress.done);
}

/// Both sides of the copy's `bytes` bytes from its byte `from` on.
void Copies::segment_acts(const Transfer& transfer, std::size_t from, std::size_t bytes) {
  const Transfer::Task& task = transfer.task;
  own_side_acts(task.own + from, bytes, task.reading);
  probes_.notify_acts({.kind = task.reading ? Access::Kind::get : Access::Kind::put,
                       .write = !task.reading,
                       .more = from + bytes < task.bytes,
                       .target = task.mpb.core,
                       .offset = task.mpb.offset + from,
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

void Copies::commit_movers(SccCosts::Spot first, std::size_t bytes, bool writing, Picoseconds at) noexcept {
  for (const int core : movers_[static_cast<std::size_t>(first.core)]) {
    Transfer& transfer = transfers_[static_cast<std::size_t>(core)];
    if (transfer.task.races(first, bytes, writing)) move_bytes(transfer, transfer.come_to(at));
  }
}

void Copies::commit(const void* own, std::size_t bytes, bool writing, Picoseconds at) noexcept {
  if (costs_.place_of(own) != MemoryPlacement::mpb) return;
  const SccCosts::Spot spot = costs_.spot_of(own);
  commit(spot.core, spot.offset, bytes, writing, at);
}

void Copies::commit_all(Picoseconds at) noexcept {
  for (const std::vector<int>& movers : movers_)
    for (const int core : movers) {
      Transfer& transfer = transfers_[static_cast<std::size_t>(core)];
      move_bytes(transfer, transfer.come_to(at));
    }
}

} // namespace mesh::scc
