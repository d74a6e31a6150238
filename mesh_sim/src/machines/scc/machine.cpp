#include "mesh_sim/machines/scc/machine.hpp"

#include <algorithm>
#include <cmath>

#include "mesh_sim/parts/host_copy.hpp"

namespace mesh {

SccMachine::SccMachine(const MachineConfig& config, std::size_t stack_bytes, std::size_t shared_bytes)
    : SccCosts(config, shared_bytes),
      kernel_(topology_.cores(), stack_bytes),
      network_(topology_),
      energy_(config, topology_),
      blocks_(config.granularity == "blocks"),
      by_line_(config.granularity == "lines"),
      data_flits_(1 +
                  static_cast<int>((static_cast<std::int64_t>(line_bytes) + config.link_bytes - 1) /
                                   config.link_bytes)),
      controller_line_(std::llround(static_cast<double>(line_bytes) * 1000 / config.controller_gb_per_s)),
      dividers_(static_cast<std::size_t>(topology_.tiles())),
      tile_cycle_(static_cast<std::size_t>(topology_.tiles())),
      ports_(static_cast<std::size_t>(topology_.tiles())),
      controllers_(static_cast<std::size_t>(topology_.controllers())),
      to_controller_(static_cast<std::size_t>(topology_.cores())),
      transfers_(static_cast<std::size_t>(topology_.cores())),
      movers_(static_cast<std::size_t>(topology_.cores())),
      watches_(static_cast<std::size_t>(topology_.cores())),
      causes_(static_cast<std::size_t>(topology_.cores())),
      watchers_(static_cast<std::size_t>(topology_.cores())),
      locks_(static_cast<std::size_t>(topology_.cores())),
      counters_(static_cast<std::size_t>(counters())) {
  for (int tile = 0; tile < topology_.tiles(); ++tile) set_clock(tile, static_cast<int>(config.tile_divider));
  kernel_.on_deliver([](void* self, Picoseconds at,
                        std::uint32_t token) { static_cast<SccMachine*>(self)->deliver(at, token); },
                     this);
  kernel_.on_step(
      [](void* self, int core) {
        auto* machine = static_cast<SccMachine*>(self);
        const auto i = static_cast<std::size_t>(core);
        return machine->step(machine->cores_[i], machine->transfers_[i]);
      },
      this);
  kernel_.on_last_call(
      [](void* self) {
        auto* machine = static_cast<SccMachine*>(self);
        Picoseconds latest = 0;
        for (int core = 0; core < machine->topology_.cores(); ++core)
          latest = std::max(latest, machine->kernel_.clock(core));
        if (machine->recheck_watchers(latest)) return true;
        return machine->intervention_ != nullptr && machine->intervention_->last_call(machine->kernel_);
      },
      this);
}

SccMachine::~SccMachine() = default;

// --- clocks
// -----------------------------------------------------------------------------------------------------------

void SccMachine::set_clock(int tile, int divider) noexcept {
  dividers_[static_cast<std::size_t>(tile)] = divider;
  for (int z = 0; z < topology_.cores_per_tile(); ++z)
    tile_cycle_[static_cast<std::size_t>(tile)] =
        set_core_clock(tile * topology_.cores_per_tile() + z, divider);
  // Copies to and from the tile, under way or to come, meet its port at its new pace.
  Resource* const port = &ports_[static_cast<std::size_t>(tile)];
  for (Transfer& transfer : transfers_)
    for (Transfer::KnownWay& known : transfer.known)
      if (known.tile == tile)
        for (Leg& leg : known.way)
          if (leg.resource == port)
            leg.service = config_.mpb_port_cycles * tile_cycle_[static_cast<std::size_t>(tile)];
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

void SccMachine::touch(const void* base, std::size_t bytes, bool write) {
  if (write)
    write_private(active(), base, bytes, Copy::plain);
  else
    read_private(active(), base, bytes);
}

void SccMachine::plain(Access access) {
  before();
  kernel_.synchronise();
  if (access.target != mesh::shared_memory)
    settle(access.target, access.offset, access.bytes, access.write, kernel_.now());
  acts([&] { return access; }, kernel_.now());
}

// Accesses are told of out of the way of those that nobody wants to hear of.

void SccMachine::tell_issue(Access access) {
  access.core = kernel_.current();
  access.at = kernel_.now();
  observers_->tell(&Observer::issued, Told::issues, access);
}

void SccMachine::tell_acts(Access access, Picoseconds at) {
  access.core = kernel_.current();
  access.at = at;
  if (intervention_ != nullptr) intervention_->acts(kernel_, access);
  if (has(told_, Told::acts)) observers_->tell(&Observer::acted, Told::acts, access);
}

void SccMachine::tell_end(Access access, Picoseconds begin) {
  access.core = kernel_.current();
  access.at = kernel_.now();
  observers_->tell(&Observer::ended, Told::ends, access, begin);
}

/// The side of a copy that is not the MPB that it was called for.
void SccMachine::own_side_acts(const void* own, std::size_t bytes, bool write) {
  const Place place = acts_matter_ ? place_of(own) : Place::priv;
  if (place == Place::priv) return;
  Access access{
      .kind = write ? Access::Kind::store : Access::Kind::load, .write = write, .more = true, .bytes = bytes};
  if (place == Place::shared) {
    access.offset = static_cast<std::size_t>(static_cast<const std::byte*>(own) - shared_memory());
  } else {
    const auto at = static_cast<std::size_t>(static_cast<const std::byte*>(own) - mpbs_.data());
    access.target = static_cast<int>(at / mpb_bytes_);
    access.offset = at % mpb_bytes_;
  }
  tell_acts(access, kernel_.now());
}

// --- single lines
// ------------------------------------------------------------------------------------------------------

void SccMachine::store(int target, std::size_t offset, const void* data, std::size_t bytes) {
  check(target, offset, bytes);
  before();
  CoreState& core = me();
  const Passage way = passage(core, target);
  kernel_.synchronise();
  const auto access = [&] {
    return Access{.kind = Access::Kind::store,
                  .write = true,
                  .delivered = true,
                  .target = target,
                  .offset = offset,
                  .bytes = bytes};
  };
  const Picoseconds begin = issue(access);
  spend(core, way, write_line(core), {}, false, 0);
  const Picoseconds visible = kernel_.now() + way.one_way;
  post_store(target, offset, data, bytes, visible);
  acts(access, visible);
  ends(access, begin);
}

void SccMachine::update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) {
  check(target, offset, 1);
  before();
  CoreState& core = active();
  const Passage way = passage(core, target);
  std::uint8_t old = 0;
  load_line(core, way, target, offset, &old, 1, false);
  kernel_.synchronise();
  const auto access = [&] {
    return Access{.kind = Access::Kind::update,
                  .write = true,
                  .delivered = true,
                  .mask = mask,
                  .target = target,
                  .offset = offset,
                  .bytes = 1};
  };
  const Picoseconds begin = issue(access);
  spend(core, way, write_line(core), {}, false, 0);
  const Picoseconds visible = kernel_.now() + way.one_way;
  const std::uint32_t slot = pending_slot();
  pending_[slot] = {
      Pending::Kind::bits, mask, 1, kernel_.current(), target, offset, {static_cast<std::byte>(value)}};
  kernel_.post(visible, slot);
  acts(access, visible);
  ends(access, begin);
}

void SccMachine::load(int source, std::size_t offset, void* data, std::size_t bytes) {
  check(source, offset, bytes);
  before();
  CoreState& core = active();
  load_line(core, passage(core, source), source, offset, data, bytes, true);
}

/// A read of at most one line by the running core; `alone`: not a part of an update, which acts as a whole.
void SccMachine::load_line(CoreState& core, const Passage& way, int source, std::size_t offset, void* data,
                           std::size_t bytes, bool alone) {
  core.l1.invalidate_mpb();
  kernel_.advance(way.one_way);
  kernel_.synchronise();
  const auto access = [&] {
    return Access{.kind = Access::Kind::load, .target = source, .offset = offset, .bytes = bytes};
  };
  const Picoseconds begin = issue(access);
  core.l1.read_mpb(offset, 1);
  settle(source, offset, bytes, false, kernel_.now());
  copy_in_line(data, mpb(source) + offset, bytes);
  const Picoseconds looked = kernel_.now();
  spend(core, way, way.read, {}, true, way.one_way);
  if (alone) acts(access, looked);
  ends(access, begin);
}

void SccMachine::post_store(int target, std::size_t offset, const void* data, std::size_t bytes,
                            Picoseconds visible) {
  const std::uint32_t slot = pending_slot();
  Pending& pending = pending_[slot];
  pending.kind = Pending::Kind::bytes;
  pending.bytes = static_cast<std::uint32_t>(bytes);
  pending.core = kernel_.current();
  pending.target = target;
  pending.offset = offset;
  copy_in_line(pending.data, data, bytes);
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
  const Cause cause{Cause::Kind::store, pending.core, at};
  std::byte* const place = mpb(pending.target) + pending.offset;
  switch (pending.kind) {
  case Pending::Kind::bytes:
    settle(pending.target, pending.offset, pending.bytes, true, at);
    copy_in_line(place, pending.data, pending.bytes);
    written(pending.target, pending.offset, pending.bytes, cause);
    break;
  case Pending::Kind::bits: {
    const auto mask = static_cast<std::byte>(pending.mask);
    settle(pending.target, pending.offset, 1, true, at);
    *place = (*place & ~mask) | (pending.data[0] & mask);
    written(pending.target, pending.offset, 1, cause);
    break;
  }
  case Pending::Kind::lock: {
    locks_[static_cast<std::size_t>(pending.target)] = 0;
    // Of all who poll the register, the one whose next look comes first finds it free.
    int first = -1;
    Picoseconds earliest = 0;
    for (const int core : watchers_[static_cast<std::size_t>(pending.target)]) {
      const Watch& watch = watches_[static_cast<std::size_t>(core)];
      if (!watch.on_lock || !kernel_.blocked(core)) continue;
      const Picoseconds look = watch.end(at) - watch.finish + watch.sample;
      if (first < 0 || look < earliest || (look == earliest && core < first)) first = core, earliest = look;
    }
    if (first >= 0) wake_watcher(first, {Cause::Kind::lock_release, pending.core, at});
    break;
  }
  }
  free_pending_.push_back(token);
}

} // namespace mesh
