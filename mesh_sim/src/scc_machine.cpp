#include "mesh_sim/scc_machine.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>

#include "host_copy.hpp"

namespace mesh {

namespace {

constexpr std::size_t lines_of(std::size_t bytes) {
  return (bytes + line_bytes - 1) / line_bytes;
}

/// Copies are charged for as many private lines as they fill, from the line of their first byte on. The
/// further line that an unaligned copy touches is left out: where a compiler puts an array must not show in
/// communication times.
const std::byte* line_start(const void* address) {
  return static_cast<const std::byte*>(address) - reinterpret_cast<std::uintptr_t>(address) % line_bytes;
}

Picoseconds period(double mhz) {
  return std::llround(1e6 / mhz);
}

// Shared memory is laid out over the controllers in slots of 16 MB, one table entry of the chip each.
constexpr std::size_t shared_slot_bytes = std::size_t{16} << 20;

} // namespace

SccMachine::CoreState::CoreState(const MachineConfig& config, int core, const Topology& topology,
                                 Cache::Tag* tags)
    : tile(topology.tile_of(CoreId{core})),
      controller(topology.controller_of(tile)),
      l1(static_cast<std::size_t>(config.l1_bytes), static_cast<std::size_t>(config.l1_ways), tags),
      l2(static_cast<std::size_t>(config.l2_bytes), static_cast<std::size_t>(config.l2_ways),
         tags +
             Cache::tag_words(static_cast<std::size_t>(config.l1_bytes),
                              static_cast<std::size_t>(config.l1_ways))),
      memory(config.frames == "random" ? Frames::random : Frames::contiguous,
             static_cast<std::uint64_t>(config.frame_seed) * 65536 + static_cast<std::uint64_t>(core)) {}

SccMachine::SccMachine(const MachineConfig& config, std::size_t stack_bytes, std::size_t shared_bytes)
    : config_(config),
      topology_(static_cast<int>(config.columns), static_cast<int>(config.rows),
                static_cast<int>(config.cores_per_tile)),
      kernel_(topology_.cores(), stack_bytes),
      network_(topology_, config.contention),
      energy_(config, topology_),
      mpb_bytes_(static_cast<std::size_t>(config.mpb_bytes)),
      mpbs_(mpb_bytes_ * static_cast<std::size_t>(topology_.cores())),
      shared_(shared_bytes),
      tags_((Cache::tag_words(static_cast<std::size_t>(config.l1_bytes),
                              static_cast<std::size_t>(config.l1_ways)) +
             Cache::tag_words(static_cast<std::size_t>(config.l2_bytes),
                              static_cast<std::size_t>(config.l2_ways))) *
            sizeof(Cache::Tag) * static_cast<std::size_t>(topology_.cores())),
      data_flits_(1 +
                  static_cast<int>((static_cast<std::int64_t>(line_bytes) + config.link_bytes - 1) /
                                   config.link_bytes)),
      mesh_cycle_(period(config.mesh_clock_mhz)),
      ram_cycle_(period(config.dram_clock_mhz / 2)),
      controller_line_(std::llround(static_cast<double>(line_bytes) * 1000 / config.controller_gb_per_s)),
      tile_cycle_(static_cast<std::size_t>(topology_.tiles())),
      ports_(static_cast<std::size_t>(topology_.tiles())),
      controllers_(Topology::controllers),
      watchers_(static_cast<std::size_t>(topology_.cores())),
      locks_(static_cast<std::size_t>(topology_.cores())),
      counters_(2 * static_cast<std::size_t>(topology_.cores())) {
  const std::size_t words = tags_.size() / sizeof(Cache::Tag) / static_cast<std::size_t>(topology_.cores());
  cores_.reserve(static_cast<std::size_t>(topology_.cores()));
  for (int core = 0; core < topology_.cores(); ++core)
    cores_.emplace_back(config_, core, topology_,
                        reinterpret_cast<Cache::Tag*>(tags_.data()) + words * static_cast<std::size_t>(core));
  for (int tile = 0; tile < topology_.tiles(); ++tile) set_clock(tile, static_cast<int>(config.tile_divider));
  kernel_.on_deliver([](void* self, Picoseconds at,
                        std::uint32_t token) { static_cast<SccMachine*>(self)->deliver(at, token); },
                     this);
  kernel_.on_last_call(
      [](void* self) {
        auto* machine = static_cast<SccMachine*>(self);
        Picoseconds latest = 0;
        for (int core = 0; core < machine->topology_.cores(); ++core)
          latest = std::max(latest, machine->kernel_.clock(core));
        return machine->recheck_watchers(latest);
      },
      this);
}

SccMachine::~SccMachine() = default;

// --- clocks
// -----------------------------------------------------------------------------------------------------------

void SccMachine::set_clock(int tile, int divider) noexcept {
  const Picoseconds cycle = period(config_.global_clock_mhz / divider);
  tile_cycle_[static_cast<std::size_t>(tile)] = cycle;
  for (int z = 0; z < topology_.cores_per_tile(); ++z) {
    CoreState& core = cores_[static_cast<std::size_t>(tile) * topology_.cores_per_tile() + z];
    core.cycle = cycle;
    const int hops = topology_.hops(core.tile, topology_.controller_tile(core.controller));
    core.dram_line = config_.dram_core_cycles * cycle + mesh_cycles(2 * config_.router_cycles * hops) +
        config_.dram_ram_cycles * ram_cycle_;
  }
}

void SccMachine::set_tile_divider(int tile, int divider) {
  if (kernel_.current() >= 0) kernel_.synchronise();
  energy_.set_divider(tile, divider, kernel_.now());
  set_clock(tile, divider);
}

void SccMachine::set_voltage(int domain, double volt) {
  if (kernel_.current() >= 0) kernel_.synchronise();
  energy_.set_voltage(domain, volt, kernel_.now());
}

/// The calling core, about to use its caches. What never leaves them is put there at the first use only: of
/// ten thousand cores those that do nothing shall take no memory.
SccMachine::CoreState& SccMachine::active() noexcept {
  CoreState& core = me();
  if (!core.active) {
    core.active = true;
    core.l1.keep(static_cast<unsigned>(config_.l1_kept_lines));
    core.l2.keep(static_cast<unsigned>(config_.l2_kept_pages) * (AddressSpace::page_bytes / line_bytes));
  }
  return core;
}

// --- where things are
// -----------------------------------------------------------------------------------------------

SccMachine::Passage SccMachine::passage(const CoreState& core, int target) const noexcept {
  const TileId tile = topology_.tile_of(CoreId{target});
  if (tile == core.tile) {
    const Picoseconds trip = mesh_cycles(config_.mpb_local_mesh_cycles);
    return {tile, trip / 2, config_.mpb_read_cycles * core.cycle + trip};
  }
  const Picoseconds one_way = mesh_cycles(config_.router_cycles * topology_.hops(core.tile, tile));
  return {tile, one_way, (config_.mpb_read_cycles + config_.mpb_remote_cycles) * core.cycle + 2 * one_way};
}

SccMachine::Place SccMachine::place_of(const void* address) const noexcept {
  if (mpbs_.contains(address)) return Place::mpb;
  if (shared_.contains(address)) return Place::shared;
  return Place::priv;
}

void SccMachine::check(int target, std::size_t offset, std::size_t bytes) const {
  if (target < 0 || target >= topology_.cores() || offset > mpb_bytes_ || bytes > mpb_bytes_ - offset)
    throw UserError(fmt::format("access to bytes {}..{} of the message-passing buffer of core {}; there are "
                                "{} cores with {} bytes each",
                                offset, offset + bytes, target, topology_.cores(), mpb_bytes_));
}

void SccMachine::map_private(int core, const void* base, std::size_t bytes) {
  cores_[static_cast<std::size_t>(core)].memory.map(base, bytes);
}

void SccMachine::note(int kind, int target, std::size_t offset, std::size_t bytes) noexcept {
  ++accesses_;
  const auto who = static_cast<std::uint64_t>(kernel_.current()) << 32 | static_cast<std::uint64_t>(target);
  const auto what = static_cast<std::uint64_t>(kind) << 60 | static_cast<std::uint64_t>(offset) << 32 |
      static_cast<std::uint64_t>(bytes);
  digest_ =
      (digest_ ^ (static_cast<std::uint64_t>(kernel_.now()) * 0x9e3779b97f4a7c15u + who)) * 0x100000001b3u;
  digest_ = (digest_ ^ (digest_ >> 29) ^ what) * 0x9fb21c651e98df25u;
}

// --- private side of a copy
// --------------------------------------------------------------------------------------------

/// Calls visit(first line, count) for the private lines of a copy, in runs that lie in consecutive sets under
/// one tag.
template <class Visit>
void SccMachine::for_each_run(CoreState& core, const void* address, std::size_t bytes, Visit&& visit) {
  const unsigned group = std::min({core.l1.sets(), core.l2.sets(), Cache::longest_run});
  const std::byte* at = line_start(address);
  for (std::size_t left = lines_of(bytes); left > 0;) {
    const std::uint64_t line = core.memory.physical(at) / line_bytes;
    const auto count = static_cast<unsigned>(std::min<std::size_t>(group - (line & (group - 1)), left));
    visit(line, count);
    at += count * line_bytes;
    left -= count;
  }
}

/// Runs lines of private memory through the caches as loads do; every absent line is fetched. With `store`
/// they are then stored to, which costs nothing of its own.
SccMachine::Work SccMachine::read_private(CoreState& core, const void* address, std::size_t bytes,
                                          bool store) {
  Work work;
  for_each_run(core, address, bytes, [&](std::uint64_t line, unsigned count) {
    Cache::Lanes missed;
    const unsigned l1_hits = core.l1.read(line, count, nullptr, &missed).hits;
    work.time += config_.l1_line_cycles * core.cycle * count;
    Cache::Counts l2;
    if (l1_hits == 0) {
      l2 = store ? core.l2.read_then_write(line, count) : core.l2.read(line, count, nullptr, nullptr);
    } else {
      if (l1_hits < count) l2 = core.l2.read(line, count, &missed, nullptr);
      if (store) core.l2.write(line, count, nullptr, nullptr);
      if (l1_hits == count) return;
    }
    const unsigned dram = count - l1_hits - l2.hits;
    work.time += config_.l2_line_cycles * core.cycle * l2.hits +
        (core.dram_line + config_.dram_copy_cycles * core.cycle) * dram +
        config_.dram_write_back_cycles * core.cycle * l2.written_back;
    work.dram += dram + l2.written_back;
    core.l2_hits += l2.hits;
    core.dram_lines += dram;
    core.write_backs += l2.written_back;
  });
  return work;
}

/// Runs lines of private memory through the caches as the stores of a copy do.
SccMachine::Work SccMachine::write_private(CoreState& core, const void* address, std::size_t bytes,
                                           Copy how) {
  // Present since that read; the stores themselves are part of the copy loop's cost.
  if (how == Copy::prefetching) return read_private(core, address, bytes, true);
  Work work;
  constexpr unsigned words_per_line = line_bytes / 4;
  for_each_run(core, address, bytes, [&](std::uint64_t line, unsigned count) {
    Cache::Lanes not_l1, not_l2;
    const unsigned l1_hits = core.l1.write(line, count, nullptr, &not_l1).hits;
    core.l2.write(line, count, nullptr, &not_l2);
    const unsigned dram = Cache::Lanes::common(not_l1, not_l2, line, count);
    const unsigned l2_hits = count - l1_hits - dram;
    work.time += words_per_line * core.cycle *
        (config_.plain_store_l1_cycles * l1_hits + config_.plain_store_l2_cycles * l2_hits +
         config_.plain_store_dram_cycles * dram);
    work.dram += dram * words_per_line;
    core.l2_hits += l2_hits;
    core.dram_lines += dram;
  });
  return work;
}

/// The side of a copy that is not the MPB given by core and offset.
SccMachine::Work SccMachine::other_side(CoreState& core, const void* address, std::size_t bytes, bool write,
                                        Copy how) {
  const auto lines = static_cast<Picoseconds>(lines_of(bytes));
  switch (place_of(address)) {
  case Place::mpb: {
    const auto target = static_cast<int>(
        static_cast<std::size_t>(static_cast<const std::byte*>(address) - mpbs_.data()) / mpb_bytes_);
    const Passage way = passage(core, target);
    return {lines * (write ? config_.mpb_write_cycles * core.cycle : way.read), 0};
  }
  case Place::shared: {
    // Uncached: every word is an access of its own to the controller that holds the slot.
    const auto slot =
        static_cast<std::size_t>(static_cast<const std::byte*>(address) - shared_.data()) / shared_slot_bytes;
    const int hops =
        topology_.hops(core.tile, topology_.controller_tile(static_cast<int>(slot % Topology::controllers)));
    const int own_hops = topology_.hops(core.tile, topology_.controller_tile(core.controller));
    const Picoseconds word = core.dram_line + mesh_cycles(2 * config_.router_cycles * (hops - own_hops));
    return {static_cast<Picoseconds>((bytes + 3) / 4) * word, static_cast<std::uint32_t>((bytes + 3) / 4)};
  }
  case Place::priv:
    break;
  }
  return write ? write_private(core, address, bytes, how) : read_private(core, address, bytes, false);
}

void SccMachine::touch(const void* base, std::size_t bytes, bool write) {
  if (write)
    write_private(active(), base, bytes, Copy::plain);
  else
    read_private(active(), base, bytes, false);
}

// --- copies
// ---------------------------------------------------------------------------------------------------------------

Picoseconds SccMachine::worst_line(const CoreState& core, Copy how) const noexcept {
  const Picoseconds line = (config_.mpb_read_cycles + config_.mpb_remote_cycles + config_.dram_copy_cycles +
                            config_.dram_write_back_cycles + config_.l1_line_cycles) *
          core.cycle +
      2 * core.dram_line + mesh_cycles(2 * config_.router_cycles * (topology_.columns() + topology_.rows()));
  return how == Copy::prefetching ? line : line + 8 * config_.plain_store_dram_cycles * core.cycle;
}

/// Lines of the next event of a copy. As long as nobody else can act meanwhile, many lines are exactly as
/// good as one by one; otherwise the granularity decides.
std::uint32_t SccMachine::segment_lines(std::size_t bytes_left, Picoseconds worst_line) const noexcept {
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

/// Waiting for links and the MPB's port. The stream sets out when its first request or store does.
Picoseconds SccMachine::mesh_waits(const CoreState& core, const Passage& way, Stream lines, bool reading) {
  const Picoseconds hop = mesh_cycles(config_.router_cycles);
  Picoseconds waits = network_.send(core.tile, way.tile, lines, reading ? 1 : data_flits_, mesh_cycle_, hop);
  if (config_.contention) {
    const auto tile = static_cast<std::size_t>(index(way.tile));
    const Picoseconds port = ports_[tile].serve(lines, config_.mpb_port_cycles * tile_cycle_[tile]);
    lines.delay(port);
    waits += port;
  }
  if (reading) waits += network_.send(way.tile, core.tile, lines, data_flits_, mesh_cycle_, hop);
  return waits;
}

/// Waiting for the core's memory controller and the links to it.
Picoseconds SccMachine::controller_waits(const CoreState& core, Stream lines, std::uint32_t dram) {
  if (dram == 0) return 0;
  lines.lines = dram;
  const Picoseconds hop = mesh_cycles(config_.router_cycles);
  const TileId tile = topology_.controller_tile(core.controller);
  Picoseconds waits = network_.send(core.tile, tile, lines, 1, mesh_cycle_, hop);
  if (config_.contention) {
    const Picoseconds served =
        controllers_[static_cast<std::size_t>(core.controller)].serve(lines, controller_line_);
    lines.delay(served);
    waits += served;
  }
  return waits + network_.send(tile, core.tile, lines, data_flits_, mesh_cycle_, hop);
}

/// Accounts for a segment that takes `time` unhindered, of which `ahead` has passed already, plus what the
/// core has to wait for others.
void SccMachine::spend(const CoreState& core, const Passage& way, std::uint32_t lines, Picoseconds time,
                       const Work& work, bool reading, Picoseconds ahead) {
  const Picoseconds issue = kernel_.now() - ahead;
  const Stream stream{issue, issue + (lines == 1 ? 0 : time - time / lines), lines,
                      issue + time <= kernel_.horizon()};
  const Picoseconds waits =
      mesh_waits(core, way, stream, reading) + controller_waits(core, stream, work.dram);
  kernel_.advance(time - ahead + waits);
}

void SccMachine::put(int target, std::size_t offset, const void* source, std::size_t bytes, Copy how) {
  check(target, offset, bytes);
  if (bytes == 0) return;
  CoreState& core = active();
  const Passage way = passage(core, target);
  const Picoseconds write_line = config_.mpb_write_cycles * core.cycle;
  kernel_.synchronise();
  note(1, target, offset, bytes);
  core.lines_put += lines_of(bytes);
  if (bytes <= line_bytes && offset / line_bytes == (offset + bytes - 1) / line_bytes) {
    const Work work = other_side(core, source, bytes, false, how);
    std::byte line[line_bytes];
    std::memcpy(line, source, bytes);
    spend(core, way, 1, write_line + work.time, work, false, 0);
    post_store(target, offset, line, bytes, kernel_.now() + way.one_way);
    return;
  }
  const Picoseconds worst = worst_line(core, how);
  const auto* from = static_cast<const std::byte*>(source);
  for (std::size_t done = 0; done < bytes;) {
    kernel_.synchronise();
    const std::uint32_t lines = segment_lines(bytes - done, worst);
    const std::size_t n = std::min(lines * line_bytes, bytes - done);
    const Work work = other_side(core, from + done, n, false, how);
    copy_bytes(mpb(target) + offset + done, from + done, n);
    spend(core, way, lines, lines * write_line + work.time, work, false, 0);
    done += n;
  }
  written(target, offset, bytes, kernel_.now() + way.one_way);
}

void SccMachine::get(void* target, int source, std::size_t offset, std::size_t bytes, Copy how) {
  check(source, offset, bytes);
  if (bytes == 0) return;
  CoreState& core = active();
  const Passage way = passage(core, source);
  core.l1.invalidate_mpb();
  note(2, source, offset, bytes);
  core.lines_got += lines_of(bytes);
  // The request of the first line is on its way before the first look at the buffer.
  kernel_.advance(way.one_way);
  Picoseconds ahead = way.one_way;
  const Picoseconds worst = worst_line(core, how);
  auto* to = static_cast<std::byte*>(target);
  // Lines of both sides share L1: where many are taken together, a page of one passes before a page of the
  // other.
  constexpr std::size_t pass_bytes = std::size_t{Cache::longest_run} * line_bytes;
  for (std::size_t done = 0; done < bytes;) {
    kernel_.synchronise();
    const std::uint32_t lines = segment_lines(bytes - done, worst);
    const std::size_t n = std::min(lines * line_bytes, bytes - done);
    Work work;
    for (std::size_t at = done; at < done + n; at += pass_bytes) {
      const std::size_t bytes_now = std::min(pass_bytes, done + n - at);
      core.l1.read_mpb(offset + at, static_cast<unsigned>(lines_of(bytes_now)));
      copy_bytes(to + at, mpb(source) + offset + at, bytes_now);
      const Work part = other_side(core, to + at, bytes_now, true, how);
      work.time += part.time;
      work.dram += part.dram;
    }
    spend(core, way, lines, lines * way.read + work.time, work, true, ahead);
    ahead = 0;
    done += n;
  }
}

// --- single lines
// ------------------------------------------------------------------------------------------------------

void SccMachine::store(int target, std::size_t offset, const void* data, std::size_t bytes) {
  check(target, offset, bytes);
  CoreState& core = me();
  const Passage way = passage(core, target);
  kernel_.synchronise();
  note(3, target, offset, bytes);
  spend(core, way, 1, config_.mpb_write_cycles * core.cycle, {}, false, 0);
  post_store(target, offset, data, bytes, kernel_.now() + way.one_way);
}

void SccMachine::update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) {
  std::uint8_t old = 0;
  load(target, offset, &old, 1);
  CoreState& core = me();
  const Passage way = passage(core, target);
  kernel_.synchronise();
  note(4, target, offset, 1);
  spend(core, way, 1, config_.mpb_write_cycles * core.cycle, {}, false, 0);
  const std::uint32_t slot = pending_slot();
  pending_[slot] = {Pending::Kind::bits, mask, 1, target, offset, {static_cast<std::byte>(value)}};
  kernel_.post(kernel_.now() + way.one_way, slot);
}

void SccMachine::load(int source, std::size_t offset, void* data, std::size_t bytes) {
  check(source, offset, bytes);
  CoreState& core = active();
  const Passage way = passage(core, source);
  core.l1.invalidate_mpb();
  kernel_.advance(way.one_way);
  kernel_.synchronise();
  note(5, source, offset, bytes);
  core.l1.read_mpb(offset, 1);
  std::memcpy(data, mpb(source) + offset, bytes);
  spend(core, way, 1, way.read, {}, true, way.one_way);
}

void SccMachine::post_store(int target, std::size_t offset, const void* data, std::size_t bytes,
                            Picoseconds visible) {
  const std::uint32_t slot = pending_slot();
  Pending& pending = pending_[slot];
  pending.kind = Pending::Kind::bytes;
  pending.bytes = static_cast<std::uint32_t>(bytes);
  pending.target = target;
  pending.offset = offset;
  std::memcpy(pending.data, data, bytes);
  kernel_.post(visible, slot);
}

std::uint32_t SccMachine::pending_slot() {
  if (free_pending_.empty()) {
    pending_.emplace_back();
    return static_cast<std::uint32_t>(pending_.size() - 1);
  }
  const std::uint32_t slot = free_pending_.back();
  free_pending_.pop_back();
  return slot;
}

void SccMachine::deliver(Picoseconds at, std::uint32_t token) {
  const Pending& pending = pending_[token];
  std::byte* const place = mpb(pending.target) + pending.offset;
  switch (pending.kind) {
  case Pending::Kind::bytes:
    std::memcpy(place, pending.data, pending.bytes);
    written(pending.target, pending.offset, pending.bytes, at);
    break;
  case Pending::Kind::bits: {
    const auto mask = static_cast<std::byte>(pending.mask);
    *place = (*place & ~mask) | (pending.data[0] & mask);
    written(pending.target, pending.offset, 1, at);
    break;
  }
  case Pending::Kind::lock: {
    locks_[static_cast<std::size_t>(pending.target)] = 0;
    // Of all who poll the register, the one whose next look comes first finds it free.
    int first = -1;
    Picoseconds earliest = 0;
    for (const int core : watchers_[static_cast<std::size_t>(pending.target)]) {
      const Watch& watch = cores_[static_cast<std::size_t>(core)].watch;
      if (!watch.on_lock || !kernel_.blocked(core)) continue;
      const Picoseconds look = poll_at(watch, at) - watch.finish + watch.sample;
      if (first < 0 || look < earliest || (look == earliest && core < first)) first = core, earliest = look;
    }
    if (first >= 0) kernel_.wake(first, poll_at(cores_[static_cast<std::size_t>(first)].watch, at));
    break;
  }
  }
  free_pending_.push_back(token);
}

// --- waiting
// -----------------------------------------------------------------------------------------------------------

/// When a poller goes on that can see its wish from `at` on.
Picoseconds SccMachine::poll_at(const Watch& watch, Picoseconds at) noexcept {
  const Picoseconds late = at - (watch.start + watch.sample);
  const Picoseconds polls = late <= 0 ? 0 : (late + watch.period - 1) / watch.period;
  return watch.start + polls * watch.period + watch.finish;
}

bool SccMachine::met(const Watch& watch) const noexcept {
  if (watch.on_lock) return locks_[static_cast<std::size_t>(watch.target)] == 0;
  std::uint32_t word = 0;
  std::memcpy(&word, mpbs_.data() + static_cast<std::size_t>(watch.target) * mpb_bytes_ + watch.offset,
              watch.condition.bytes);
  return watch.condition.holds(word);
}

/// Bytes of an MPB have become visible: wakes those whose condition they meet.
void SccMachine::written(int target, std::size_t offset, std::size_t bytes, Picoseconds at) {
  for (const int core : watchers_[static_cast<std::size_t>(target)]) {
    const Watch& watch = cores_[static_cast<std::size_t>(core)].watch;
    if (watch.on_lock || watch.offset >= offset + bytes || offset >= watch.offset + watch.condition.bytes)
      continue;
    if (kernel_.blocked(core) && met(watch)) kernel_.wake(core, poll_at(watch, at));
  }
}

/// Finds sleepers whose wish a plain store has met, which went past the machine.
bool SccMachine::recheck_watchers(Picoseconds at) {
  bool any = false;
  for (const auto& watchers : watchers_)
    for (const int core : watchers) {
      const Watch& watch = cores_[static_cast<std::size_t>(core)].watch;
      if (!kernel_.blocked(core) || !met(watch)) continue;
      kernel_.wake(core, poll_at(watch, at));
      any = true;
    }
  return any;
}

void SccMachine::sleep_on(const Watch& watch) {
  const int self = kernel_.current();
  me().watch = watch;
  std::vector<int>& watchers = watchers_[static_cast<std::size_t>(watch.target)];
  watchers.push_back(self);
  kernel_.block();
  watchers.erase(std::find(watchers.begin(), watchers.end(), self));
}

void SccMachine::wait(int source, std::size_t offset, Condition condition, Cycles overhead) {
  check(source, offset, condition.bytes);
  CoreState& core = active();
  const Passage way = passage(core, source);
  core.l1.invalidate_mpb();
  core.l1.read_mpb(offset, 1);
  kernel_.synchronise();
  note(6, source, offset, condition.bytes);
  Watch watch;
  watch.target = source;
  watch.offset = offset;
  watch.condition = condition;
  watch.period = way.read + overhead * core.cycle;
  watch.sample = overhead * core.cycle + way.one_way; // the loop's own work comes before the look
  watch.finish = watch.period;
  for (;;) {
    watch.start = kernel_.now();
    if (met(watch)) {
      kernel_.advance(watch.period);
      return;
    }
    sleep_on(watch);
    if (met(watch)) return; // else it was taken back before this core looked
  }
}

void SccMachine::spin(unsigned rounds) {
  kernel_.advance(me().dram_line * rounds);
  kernel_.synchronise();
  recheck_watchers(kernel_.now());
}

// --- registers
// ---------------------------------------------------------------------------------------------------------

Picoseconds SccMachine::register_cycles(const CoreState& core, TileId tile, Cycles cycles) const noexcept {
  if (tile == core.tile) cycles = std::max<Cycles>(cycles - config_.lock_local_discount_cycles / 2, 0);
  return cycles * core.cycle;
}

bool SccMachine::lock_try(int core_of_lock) {
  check(core_of_lock, 0, 0);
  const CoreState& core = me();
  const TileId tile = topology_.tile_of(CoreId{core_of_lock});
  const Picoseconds one_way = mesh_cycles(config_.router_cycles * topology_.hops(core.tile, tile));
  kernel_.advance(one_way);
  kernel_.synchronise();
  note(7, core_of_lock, 0, 0);
  std::uint8_t& taken = locks_[static_cast<std::size_t>(core_of_lock)];
  const bool won = taken == 0;
  taken = 1;
  kernel_.advance(one_way + register_cycles(core, tile, config_.lock_acquire_cycles));
  return won;
}

void SccMachine::lock_acquire(int core_of_lock) {
  const CoreState& core = me();
  const TileId tile = topology_.tile_of(CoreId{core_of_lock});
  while (!lock_try(core_of_lock)) {
    const Picoseconds one_way = mesh_cycles(config_.router_cycles * topology_.hops(core.tile, tile));
    Watch watch;
    watch.target = core_of_lock;
    watch.on_lock = true;
    watch.period = 2 * one_way + register_cycles(core, tile, config_.lock_acquire_cycles);
    watch.sample = one_way;
    kernel_.synchronise();
    watch.start = kernel_.now();
    // Goes on at the issue of the poll that will find the register free, and then tries like everybody else.
    if (!met(watch)) sleep_on(watch);
  }
}

void SccMachine::lock_release(int core_of_lock) {
  check(core_of_lock, 0, 0);
  const CoreState& core = me();
  const TileId tile = topology_.tile_of(CoreId{core_of_lock});
  const Picoseconds one_way = mesh_cycles(config_.router_cycles * topology_.hops(core.tile, tile));
  const Picoseconds own = register_cycles(core, tile, config_.lock_release_cycles);
  kernel_.synchronise();
  note(8, core_of_lock, 0, 0);
  const std::uint32_t slot = pending_slot();
  pending_[slot] = {Pending::Kind::lock, 0, 0, core_of_lock, 0, {}};
  kernel_.post(kernel_.now() + own + one_way, slot);
  // Two round trips: see lock_release_cycles.
  kernel_.advance(own + 4 * one_way);
}

std::uint32_t SccMachine::counter_access(int counter, bool write, std::uint32_t value, bool increment) {
  if (counter < 0 || static_cast<std::size_t>(counter) >= counters_.size())
    throw UserError(fmt::format("atomic counter {} is out of range 0..{}", counter, counters_.size() - 1));
  const CoreState& core = me();
  const Picoseconds half =
      mesh_cycles(config_.router_cycles *
                  (1 + topology_.hops(core.tile, topology_.tile_at(topology_.columns() / 2, 0)))) +
      config_.counter_cycles * core.cycle / 2;
  kernel_.advance(half);
  kernel_.synchronise();
  note(9, counter, 0, value);
  std::uint32_t& word = counters_[static_cast<std::size_t>(counter)];
  const std::uint32_t old = word;
  if (write) word = value;
  if (increment) ++word;
  kernel_.advance(half);
  return old;
}

} // namespace mesh
