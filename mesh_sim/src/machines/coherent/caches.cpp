// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/caches.hpp"

#include "mesh_sim/machines/coherent/sockets.hpp"

namespace mesh::coherent {

namespace {

std::vector<TagCache> tag_caches(std::int64_t count, double kilobytes, std::int64_t ways) {
  if (kilobytes <= 0) return {};
  return {static_cast<std::size_t>(count),
          TagCache(static_cast<std::size_t>(kilobytes * 1024), static_cast<int>(ways))};
}

} // namespace

Caches::Caches(const Part& part)
    : Part(part),
      private_(tag_caches(config_.cores(), config_.private_kb, config_.private_ways)),
      shared_(tag_caches(config_.nodes, config_.private_kb > 0 ? config_.shared_kb : 0, config_.shared_ways)),
      sockets_(std::make_unique<const Sockets>(config_)),
      memory_free_(static_cast<std::size_t>(config_.nodes)),
      link_free_(static_cast<std::size_t>(sockets_->links())) {}

Caches::~Caches() = default;

/// The line is fetched from its owner, else by a load from the nearest copy; a write waits for the farthest
/// copy to be gone. Without copies it comes from a shared cache or from memory.
Caches::Transfer Caches::transfer(Line& line, int core, Operation operation) {
  ++transfers_;
  const int node = costs_.node(core), home = memory_.home_of(line, node);
  const bool write = writes(operation);
  int copies = 0, nearest = most_places, farthest = -1, nearest_node = node, farthest_node = node;
  const auto look = [&](int other) {
    if (other == core) return;
    ++copies;
    const int other_node = costs_.node(other), place = costs_.place(node, other_node);
    if (place < nearest) nearest = place, nearest_node = other_node;
    if (place > farthest) farthest = place, farthest_node = other_node;
  };
  const bool sole = line.owner != Line::none && line.state != State::owned;
  if (sole || (line.owner != Line::none && line.owner != core && !write))
    look(line.owner);
  else
    line.holders.each(look);

  if (copies > 0) {
    const int place = write ? farthest : nearest, source = write ? farthest_node : nearest_node;
    Picoseconds latency = costs_.latency(operation, line.state, place);
    const bool all_asked =
        write && costs_.broadcasts && (line.state == State::shared || line.state == State::owned);
    if (!all_asked) latency += costs_.detour(node, home, source);
    if (write && copies > 1) latency += costs_.invalidation * (copies - 1);
    return {latency, source, false};
  }
  // Nobody else has a copy that the requester could not use itself.
  if (line.holders.has(core)) return {costs_.latency(operation, line.state, 0), node, false};
  if (line.shared_caches != 0) {
    if ((line.shared_caches >> node & 1) != 0)
      return {write ? costs_.latency(operation, State::shared, 0) : costs_.shared_hit, node, false};
    const int other = std::countr_zero(line.shared_caches);
    return {costs_.latency(operation, State::shared, costs_.place(node, other)) +
                costs_.detour(node, home, other),
            other, false};
  }
  return {costs_.latency(operation, State::invalid, costs_.place(node, home)), home, true};
}

/// The wait of the transfer for the memory and the links that it needs. The lines of a stream are one event,
/// but their slots lie apart in time, and others' fit between them: the work since the stream's beginning
/// counts.
Picoseconds Caches::resource_delay(const Transfer& transfer, int node, Picoseconds start, Picoseconds since) {
  Picoseconds delay = 0;
  const auto pass = [&](Picoseconds& free, Picoseconds slot) {
    const Picoseconds earliest = std::max(since, free);
    delay = std::max(delay, earliest - start);
    free = earliest + slot;
  };
  const auto source = static_cast<std::size_t>(transfer.source);
  if (transfer.from_memory && costs_.memory_read > 0) pass(memory_free_[source], costs_.memory_read);
  if (costs_.link > 0)
    for (const int link : sockets_->path(transfer.source, node))
      pass(link_free_[static_cast<std::size_t>(link)], costs_.link);
  return delay;
}

void Caches::write_back(int node) {
  if (costs_.memory_write == 0) return;
  Picoseconds& free = memory_free_[static_cast<std::size_t>(node)];
  free = std::max(free, kernel_.now()) + costs_.memory_write;
}

void Caches::take_copy(Line& line, int core, bool write) {
  if (write) {
    line.holders.clear();
    line.shared_caches = 0;
    line.shared_dirty = false;
    line.owner = static_cast<std::int16_t>(core);
    line.state = State::modified;
  } else if (line.holders.empty()) {
    line.owner = static_cast<std::int16_t>(core);
    line.state = line.shared_dirty ? State::modified : State::exclusive;
    line.shared_caches = 0;
    line.shared_dirty = false;
  } else if (line.state == State::modified && costs_.owned) {
    line.state = State::owned;
  } else if (line.state != State::owned) {
    // A change stays in the node, whose shared cache has it, until another node reads it.
    const bool changed = line.state == State::modified || line.shared_dirty;
    line.shared_dirty = changed && costs_.node(line.holders.first()) == costs_.node(core);
    if (changed && !line.shared_dirty) write_back(line.home);
    line.state = State::shared;
    line.owner = Line::none;
  }
  line.holders.add(core);
  keep(line, core);
}

void Caches::set_state(Line& line, int core, State state) {
  (void)memory_.home_of(line, costs_.node(core));
  line.holders.clear();
  line.shared_caches = 0;
  line.shared_dirty = false;
  line.owner =
      state == State::invalid || state == State::shared ? Line::none : static_cast<std::int16_t>(core);
  line.state = state;
  if (state == State::invalid) return;
  line.holders.add(core);
  keep(line, core);
}

void Caches::keep(Line& line, int core) {
  if (private_.empty()) return;
  const std::uint32_t victim = private_[static_cast<std::size_t>(core)].insert(
      memory_.index_of(line), [&](std::uint32_t other) { return !memory_.line(other).holders.has(core); });
  if (victim != TagCache::none) evict(memory_.line(victim), core);
}

/// A line leaves a private cache: the shared cache of the node takes it, or memory if it is changed.
void Caches::evict(Line& line, int core) {
  line.holders.remove(core);
  const bool answers = line.owner == core;
  const bool dirty = answers && (line.state == State::modified || line.state == State::owned);
  if (answers) line.owner = Line::none;
  if (!line.holders.empty()) {
    if (answers) line.state = State::shared;
    if (dirty) write_back(line.home);
    return;
  }
  line.state = State::invalid;
  line.shared_dirty = line.shared_dirty || dirty;
  if (shared_.empty()) {
    if (line.shared_dirty) write_back(line.home);
    line.shared_dirty = false;
    return;
  }
  keep_in_shared(line, costs_.node(core));
}

void Caches::keep_in_shared(Line& line, int node) {
  line.shared_caches |= std::uint64_t{1} << node;
  const std::uint32_t victim =
      shared_[static_cast<std::size_t>(node)].insert(memory_.index_of(line), [&](std::uint32_t other) {
        return (memory_.line(other).shared_caches >> node & 1) == 0;
      });
  if (victim != TagCache::none) evict_from_shared(memory_.line(victim), node);
}

void Caches::evict_from_shared(Line& line, int node) {
  line.shared_caches &= ~(std::uint64_t{1} << node);
  if (line.shared_caches != 0 || !line.shared_dirty) return;
  line.shared_dirty = false;
  write_back(line.home);
}

} // namespace mesh::coherent
