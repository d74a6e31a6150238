// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/copies.hpp"

#include <algorithm>
#include <utility>

#include "kernel/asan.hpp"
#include "mesh_sim/parts/host_copy.hpp"

namespace mesh::scc {

namespace {

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
  transfer.progress = {};
  survey(core, transfer, place);
  if (contention_) {
    Transfer::CachedRoute& known = transfer.cached_route();
    const TileId tile = task.route_cost.tile;
    if (std::exchange(known.tile, index(tile)) != index(tile)) {
      traffic_.find_route(known.path, core, tile, task.reading);
      known.forget_patterns();
    }
  }
  transfer.mode = place == MemoryPlacement::shared || probes_.intervention() != nullptr
      ? Transfer::Mode::at_once
      : Transfer::Mode::late;
  join_movers(self, transfer);
  const Work all = whole_side(core, transfer);
  transfer.wanted = traffic_.want_controller(
      core, all, all.time + costs_.copy(core, task.route_cost, lines_of(task.bytes), task.reading));
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

void Copies::tell_runs() {
  for (Transfer& transfer : transfers_)
    if (transfer.run.lines > 0)
      traffic_.tell_run(transfer.run, costs_.core_state(transfer.run.core), transfer.to_mpb(),
                        transfer.line_in_run);
}

void Copies::change_clock(int tile) {
  const int cores = costs_.topology().cores_per_tile();
  for (int core = tile * cores; core < (tile + 1) * cores; ++core) {
    Transfer::Task& task = transfers_[static_cast<std::size_t>(core)].task;
    if (task.mpb.core >= 0) task.route_cost = costs_.route_cost(costs_.core_state(core), task.mpb.core);
  }
  for (Transfer& transfer : transfers_) {
    if (transfer.run.lines > 0) traffic_.cut(transfer.run);
    for (Transfer::CachedRoute& known : transfer.known)
      if (known.tile == tile) {
        traffic_.renew_port(known.path, tile);
        known.forget_patterns();
      }
  }
}

void Copies::close(Transfer& transfer) {
  const Transfer::Task& task = transfer.task;
  const int self = kernel_.current();
  move_bytes(transfer, task.bytes);
  const auto leave = [&](int mpb) {
    std::vector<int>& movers = movers_[static_cast<std::size_t>(mpb)];
    *std::ranges::find(movers, self) = movers.back();
    movers.pop_back();
  };
  leave(task.mpb.core);
  traffic_.leave_controller(costs_.core_state(self), transfer.wanted);
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

/// Cost of the next line, of that many bytes, on the core's side.
[[gnu::always_inline]] inline SccCosts::Work Copies::own_side(CoreState& core, Transfer& transfer,
                                                              std::size_t bytes) {
  const Transfer::Task& task = transfer.task;
  Work work;
  if (transfer.survey.made) {
    work = next_line(core, transfer);
    pass_lines(transfer, 1);
  } else {
    const std::size_t done = transfer.progress.done;
    work = task.reading ? costs_.take_lines(core, task.mpb.offset + done, task.own + done, bytes, task.how)
                        : costs_.other_side(core, task.own + done, bytes, false, task.how);
  }
  if (task.own_mpb.core < 0) transfer.progress.memory += work.time;
  return work;
}

/// Cost of all lines on the core's side.
SccCosts::Work Copies::whole_side(CoreState& core, const Transfer& transfer) {
  const Transfer::Task& task = transfer.task;
  if (task.own_mpb.core >= 0) return {};
  if (transfer.survey.made) return costs_.total(core, transfer.survey.extents);
  return costs_.other_side(core, task.own, task.bytes, task.reading, task.how);
}

/// The same of one that has been surveyed, and of those alike behind it.
[[gnu::always_inline]] inline const SccCosts::Work& Copies::next_line(const CoreState& core,
                                                                      Transfer& transfer) const noexcept {
  Transfer::Survey& survey = transfer.survey;
  const Transfer::Task& task = transfer.task;
  if (survey.cycle != core.cycle) {
    const SccCosts::Found found = survey.extents[survey.extent].found;
    if (found != SccCosts::Found::mpb)
      survey.line = costs_.line_work(core, found);
    else
      survey.line = {costs_.copy(core, costs_.route_cost(core, task.own_mpb.core), 1, !task.reading)};
    survey.cycle = core.cycle;
  }
  return survey.line;
}

/// The survey goes on behind so many lines alike.
[[gnu::always_inline]] inline void Copies::pass_lines(Transfer& transfer, std::uint32_t lines) noexcept {
  Transfer::Survey& survey = transfer.survey;
  SccCosts::Extent& extent = survey.extents[survey.extent];
  extent.lines -= lines;
  if (extent.lines > 0) return;
  ++survey.extent;
  survey.cycle = 0;
}

/// The first of the lines to come that writes a word that somebody polls; all if there is none.
std::uint32_t Copies::first_polled(const Transfer& transfer, std::uint32_t lines) const noexcept {
  const Transfer::Task& task = transfer.task;
  const std::byte* const to = task.reading ? task.own : costs_.mpb(task.mpb.core) + task.mpb.offset;
  kernel_.for_each_polled([&](const PolledWord& word) {
    const std::ptrdiff_t at = static_cast<const std::byte*>(word.address) - (to + transfer.progress.done);
    if (at + word.bytes <= 0) return;
    lines = static_cast<std::uint32_t>(
        std::min<std::ptrdiff_t>(lines, std::max<std::ptrdiff_t>(at, 0) / std::ptrdiff_t{line_bytes}));
  });
  return lines;
}

/// The next lines but the last, as many as are alike and wait for nobody, as one event; false if they are too
/// few.
bool Copies::step_run(CoreState& core, Transfer& transfer) {
  if (transfer.mode != Transfer::Mode::late || by_line_ || !transfer.survey.made || probes_.acts_matter())
    return false;
  const Transfer::Survey& survey = transfer.survey;
  const auto left = static_cast<std::uint32_t>(lines_of(transfer.left())) - 1;
  const std::uint32_t alike = first_polled(transfer, std::min(left, survey.extents[survey.extent].lines));
  if (alike < LineRun::shortest) return false;
  const Work& work = next_line(core, transfer);
  const std::uint32_t lines =
      traffic_.begin_run(transfer.run, transfer.cached_route().pattern(work), core, transfer.to_mpb(), work,
                         costs_.copy(core, transfer.task.route_cost, 1, transfer.task.reading) + work.time,
                         transfer.progress.ahead, alike);
  if (lines == 0) {
    learn(transfer.patience, 0);
    return false;
  }
  transfer.line_in_run = work;
  kernel_.advance_to(transfer.run.at(lines));
  return true;
}

/// Among others a run of few lines costs more than they do: the next look is the later, the shorter it was.
void Copies::learn(Transfer::Patience& patience, std::uint32_t lines) noexcept {
  constexpr std::uint32_t most = 24, poor = 3, good = 8;
  if (lines < poor)
    patience.wanted = std::min(2 * patience.wanted + 1, most);
  else if (lines >= good)
    patience.wanted /= 2;
  patience.lines = 0;
}

void Copies::end_run(CoreState& core, Transfer& transfer) {
  const std::uint32_t lines = transfer.run.lines;
  traffic_.end_run(transfer.run, core, transfer.to_mpb(), transfer.line_in_run);
  pass_lines(transfer, lines);
  transfer.progress.done += lines * line_bytes;
  if (transfer.task.own_mpb.core < 0) transfer.progress.memory += transfer.line_in_run.time * lines;
  learn(transfer.patience, lines);
}

bool Copies::step(CoreState& core, Transfer& transfer) {
  Transfer::Progress& progress = transfer.progress;
  if (transfer.run.lines > 0) end_run(core, transfer);
  if (transfer.patience.lines >= transfer.patience.wanted && step_run(core, transfer)) return false;
  const std::size_t n = std::min(line_bytes, transfer.left());
  const Work work = own_side(core, transfer, n);
  progress.done += n;
  if (transfer.moves_at_once()) [[unlikely]]
    move_at_once(transfer, n);
  if (probes_.acts_matter()) [[unlikely]]
    line_acts(transfer, progress.done - n, n);
  const Picoseconds time = costs_.copy(core, transfer.task.route_cost, 1, transfer.task.reading) + work.time;
  Picoseconds waited = 0;
  if (contention_)
    waited = traffic_.copy_waits(core, transfer.to_mpb(), work, kernel_.now() - progress.ahead);
  transfer.patience.lines = waited > 0 ? 0 : transfer.patience.lines + 1;
  const bool last_step = transfer.left() == 0;
  kernel_.advance(time + waited - (last_step ? progress.ahead : 0));
  return last_step;
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

/// Moves the last `n` bytes, whose line has just been accounted for, behind what others have read and
/// written.
void Copies::move_at_once(Transfer& transfer, std::size_t n) {
  const Transfer::Task& task = transfer.task;
  const std::size_t from = transfer.progress.done - n;
  if (!task.reading) commit(task.own + from, n, false);
  commit(task.mpb.core, task.mpb.offset + from, n, !task.reading);
  if (task.reading) commit(task.own + from, n, true);
  move_bytes(transfer, transfer.progress.done);
}

/// Both sides of the copy's `bytes` bytes from its byte `from` on.
void Copies::line_acts(const Transfer& transfer, std::size_t from, std::size_t bytes) {
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

void Copies::commit_movers(SccCosts::Spot first, std::size_t bytes, bool writing) noexcept {
  const Kernel::Turn turn = kernel_.turn();
  for (const int core : movers_[static_cast<std::size_t>(first.core)]) {
    if (core == turn.context) continue; // its line comes behind all that others have read and written
    Transfer& transfer = transfers_[static_cast<std::size_t>(core)];
    if (transfer.task.races(first, bytes, writing)) move_bytes(transfer, transfer.come_to(turn));
  }
}

void Copies::commit(const void* own, std::size_t bytes, bool writing) noexcept {
  if (costs_.place_of(own) != MemoryPlacement::mpb) return;
  const SccCosts::Spot spot = costs_.spot_of(own);
  commit(spot.core, spot.offset, bytes, writing);
}

void Copies::commit_all() noexcept {
  for (const std::vector<int>& movers : movers_)
    for (const int core : movers) {
      Transfer& transfer = transfers_[static_cast<std::size_t>(core)];
      move_bytes(transfer, transfer.come_to(kernel_.turn()));
    }
}

void Copies::settle() {
  commit_all();
  for (Transfer& transfer : transfers_) {
    if (transfer.run.lines == 0) continue;
    const std::uint32_t line = first_polled(transfer, transfer.run.lines);
    if (line < transfer.run.lines && line >= transfer.run.acted) traffic_.cut(transfer.run, line);
  }
}

} // namespace mesh::scc
