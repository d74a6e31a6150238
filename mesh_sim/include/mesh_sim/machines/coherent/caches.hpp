// SPDX-License-Identifier: Apache-2.0
// Who has each line, what a transfer costs by the line's state and the distance of who has it, and what it
// leaves behind: copies, owners, lines that had to leave caches of limited size.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mesh_sim/machines/coherent/part.hpp"
#include "mesh_sim/machines/coherent/tag_cache.hpp"

namespace mesh::coherent {

class Sockets;

[[nodiscard]] constexpr bool writes(Operation operation) noexcept {
  return operation != Operation::load;
}

class Caches : Part {
 public:
  explicit Caches(const Part& part);
  ~Caches();

  /// True if the core's own cache answers.
  [[nodiscard]] static bool hits(const Line& line, int core, Operation operation) noexcept {
    return line.holders.has(core) &&
        (!writes(operation) ||
         (line.owner == core && (line.state == State::modified || line.state == State::exclusive)));
  }
  /// It has answered.
  void touch(const Line& line, int core) noexcept {
    if (!private_.empty()) private_[static_cast<std::size_t>(core)].touch(memory_.index_of(line));
  }

  struct Transfer {
    Picoseconds latency;
    int source; ///< node that the line comes from
    bool from_memory;
  };
  /// The transfer of a line to a core whose cache does not answer.
  [[nodiscard]] Transfer transfer(Line& line, int core, Operation operation);
  /// How many there were.
  [[nodiscard]] std::uint64_t transfers() const noexcept { return transfers_; }
  /// `since` is when the stream began that the transfer belongs to, or `start`.
  [[nodiscard]] Picoseconds resource_delay(const Transfer& transfer, int node, Picoseconds start,
                                           Picoseconds since);
  /// The core has the line from now on.
  void take_copy(Line& line, int core, bool write);
  /// The core alone has it, in that state; invalid: nobody has.
  void set_state(Line& line, int core, State state);

 private:
  void keep(Line& line, int core);
  void evict(Line& line, int core);
  void keep_in_shared(Line& line, int node);
  void evict_from_shared(Line& line, int node);
  void write_back(int node);

  std::vector<TagCache> private_, shared_; ///< by core, by node; empty: without limit
  const std::unique_ptr<const Sockets> sockets_;
  std::vector<Picoseconds> memory_free_, link_free_; ///< by node, by link
  std::uint64_t transfers_ = 0;
};

} // namespace mesh::coherent
