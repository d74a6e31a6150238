// SPDX-License-Identifier: Apache-2.0
// Parameters of a cache-coherent machine: what each access costs, by operation, state of the line and
// distance, and the rules that make requests wait. A machine is a text of `name = value` lines
// (mesh_sim/parameters.hpp); the presets are such texts, in mesh_sim/machines/coherent/presets, with the
// source of every number in its comment. A number that no source gives is marked there by the word "guess" in
// its comment.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mesh {
struct Parameter; // parameters.hpp
using ParameterTable = std::vector<Parameter>;
} // namespace mesh

namespace mesh::coherent {

/// A core's access to a line.
enum class Operation : std::uint8_t { load, store, cas, fetch_add, test_and_set, exchange };
inline constexpr std::size_t operations = 6;

/// The state of a line, as the rows of the published tables name it.
enum class State : std::uint8_t {
  modified,  ///< one cache has it and has changed it
  owned,     ///< one cache answers for a changed line that others have copies of
  exclusive, ///< one cache has it, memory too
  shared,    ///< several caches have it, memory too
  invalid,   ///< no cache has it
};
inline constexpr std::size_t states = 5;

[[nodiscard]] std::string_view name(Operation operation) noexcept;
[[nodiscard]] std::string_view name(State state) noexcept;

inline constexpr std::size_t line_size = 64; ///< bytes of a line, on every machine of this family
inline constexpr int most_cores = 128;       ///< physical cores; a line keeps one bit for each
inline constexpr int most_nodes = 64;
inline constexpr int most_places = 16;

struct Config {
  std::string name = "unnamed";

  // [machine]
  double clock_mhz = 2000;
  std::int64_t nodes = 1, cores_per_node = 4, threads_per_core = 1, nodes_per_socket = 1;
  std::string layout = "nodes", home = "first_touch";
  std::int64_t mesh_columns = 1;

  /// [distance]: row i holds the place of every node as seen from node i. All empty: 0 to itself, 1 to any
  /// other.
  std::array<std::vector<double>, most_nodes> distance;

  /// [load], [store], ...: cycles by state and place. Empty rows are filled in by complete().
  std::array<std::array<std::vector<double>, states>, operations> latency;

  // [hit]
  double hit_load = 3, hit_store = 1, hit_atomic = 20, hit_line = 4, sibling = 20;

  // [queue]
  std::string reads = "overlapping", scans = "overlapping";
  double read_occupancy = 20, hold = 0.5, poll_gap = 5, pause = 10;

  // [rules]
  bool owned = true;
  std::string probes = "directory";
  double leg = 0, home_penalty = 0, invalidation = 0, busy_sibling = 1;
  std::int64_t store_buffer = 0;

  // [cache]
  double private_kb = 0, shared_kb = 0, shared_hit = 40;
  std::int64_t private_ways = 8, shared_ways = 16;

  // [memory]
  double read_gbs = 0, write_gbs = 0, link_gbs = 0, misses = 10;

  // [futex]
  double futex_sleep = 2100, futex_wake = 2700, futex_turnaround = 7000;

  [[nodiscard]] ParameterTable parameters();

  /// Fills rows that the file leaves out: `exclusive` and `shared` as `modified`, `owned` as `shared`, an
  /// operation's `invalid` as the load's, a whole operation as `cas`, `cas` as `store`, `store` as `load`.
  /// Throws UserError where parameters that are allowed one by one do not fit together.
  void complete();

  [[nodiscard]] int cores() const noexcept { return static_cast<int>(nodes * cores_per_node); }
  [[nodiscard]] int threads() const noexcept { return static_cast<int>(cores() * threads_per_core); }
  /// Number of places: the columns of the latency rows.
  [[nodiscard]] int places() const noexcept;
  /// Distance of two nodes as a place: 0 is the nearest.
  [[nodiscard]] int place(int from_node, int to_node) const noexcept;
};

/// A machine of the table of all (machines.hpp) by its name, or the machine file at that path. Throws
/// UserError that lists the presets, and for machines of other kinds.
[[nodiscard]] Config load_machine(std::string_view name_or_file);

} // namespace mesh::coherent
