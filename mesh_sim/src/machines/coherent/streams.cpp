// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/streams.hpp"

#include "mesh_sim/observe/events.hpp"

namespace mesh::coherent {

namespace {

/// Bytes that are one event: others act between two of them.
constexpr std::size_t segment_bytes = 4096;

[[nodiscard]] std::size_t lines_of(Address address, std::size_t bytes) noexcept {
  return static_cast<std::size_t>((address + bytes + line_size - 1) / line_size - address / line_size);
}

} // namespace

/// Fetches one line of a stream at time `at`; returns when the next may follow.
Picoseconds Streams::fetch(Line& line, int core, Operation operation, Picoseconds at, Picoseconds since,
                           bool first) {
  const bool write = writes(operation);
  const Picoseconds start = std::max(at, line.busy_until);
  const Caches::Transfer from = caches_.transfer(line, core, operation);
  const Picoseconds begin = start + caches_.resource_delay(from, costs_.node(core), start, since);
  const Picoseconds step = std::llround(static_cast<double>(from.latency) / costs_.misses);
  line.busy_until = begin + (write ? step : std::min(step, costs_.read_occupancy));
  caches_.take_copy(line, core, write);
  const Picoseconds visible = begin + from.latency;
  if (write)
    queues_.wake_sleepers(line, visible + costs_.poll_gap, {Cause::Kind::copy, kernel_.current(), visible});
  return begin + (first ? from.latency : step);
}

void Streams::move(int core, Block target, std::span<const Block> sources, std::size_t from, std::size_t to,
                   Picoseconds compute_per_line, Beginning& first) {
  std::size_t lines = lines_of(target.address + from, to - from);
  for (const Block& source : sources) lines = std::max(lines, lines_of(source.address + from, to - from));
  const Picoseconds since = kernel_.now();
  Picoseconds at = since;
  for (std::size_t i = 0; i < lines; ++i) {
    Picoseconds next = at + compute_per_line;
    Picoseconds loads_from = at; // when a load may follow the last one that misses
    const auto access = [&](const Block& block, Operation operation, bool& is_first) {
      const Address address = (block.address + from) / line_size + i;
      if (address > (block.address + to - 1) / line_size) return;
      Line& line = memory_.line(address);
      next += costs_.hit_line;
      const bool miss = !Caches::hits(line, core, operation);
      // Loads of all sources share the core's misses in flight; requests for ownership have theirs.
      const Picoseconds issued = operation == Operation::load ? std::max(at, loads_from) : at;
      const Picoseconds done = miss ? fetch(line, core, operation, issued, since, is_first) : issued;
      if (!miss && writes(operation)) line.state = State::modified;
      if (miss && is_first) {
        // Loads begin a stream and are waited for; its first store follows them.
        is_first = false;
        at = std::max(at, done);
        next = std::max(next, at);
      }
      next = std::max(next, done);
      if (miss && operation == Operation::load) loads_from = done;
    };
    for (const Block& source : sources) access(source, Operation::load, first.load);
    access(target, Operation::store, first.store);
    at = next;
  }
  kernel_.advance_to(at);
}

void Streams::stream(int thread, Block target, std::span<const Block> sources, Picoseconds compute_per_line,
                     const Segment& segment) {
  const int core = placement_.core_of(thread);
  const std::size_t passes = std::max<std::size_t>(2, sources.size()) - 1;
  Beginning first;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const Block further[] = {target, sources[std::min(pass + 1, sources.size() - 1)]};
    const std::span<const Block> read =
        pass == 0 ? sources.first(std::min<std::size_t>(2, sources.size())) : std::span(further);
    for (std::size_t from = 0; from < target.bytes;) {
      // Segments end where lines of the target do.
      const auto offset = static_cast<std::size_t>((target.address + from) % line_size);
      const std::size_t to = std::min(target.bytes, from + segment_bytes - offset);
      kernel_.synchronise();
      segment(pass, from, to);
      // What the stream writes is told when it is complete.
      for (const Block& source : read.subspan(pass == 0 ? 0 : 1))
        probes_.segment(thread, false, source, from, to);
      if (pass + 1 == passes) probes_.segment(thread, true, target, from, to);
      move(core, target, read, from, to, compute_per_line, first);
      from = to;
    }
  }
}

} // namespace mesh::coherent
