// SPDX-License-Identifier: Apache-2.0
// Parameters of a cluster whose network cards can run programs: nodes, cards, the fat tree between them, the
// hosts' messages, and what disturbs them. A machine is a text of `name = value` lines
// (mesh_sim/parameters.hpp); the presets are such texts, in mesh_sim/machines/cluster/presets, with unit and
// source of every number in its comment: "guess" marks what no source gives, "fitted" what was chosen to meet
// a published figure, and which.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mesh_sim/units.hpp"

namespace mesh {
struct Parameter; // parameters.hpp
using ParameterTable = std::vector<Parameter>;
} // namespace mesh

namespace mesh::cluster {

enum class Operation : std::uint8_t { sum, min, max };
inline constexpr std::size_t operations = 3;
enum class Type : std::uint8_t { int32, int64, float32, float64 };
inline constexpr std::size_t types = 4;

[[nodiscard]] std::string_view name(Operation operation) noexcept;
[[nodiscard]] std::string_view name(Type type) noexcept;
[[nodiscard]] constexpr std::size_t bytes_of(Type type) noexcept {
  return type == Type::int32 || type == Type::float32 ? 4 : 8;
}

/// The elements and operation of a reduction.
struct Vector {
  Type type = Type::float64;
  Operation operation = Operation::sum;
};

inline constexpr int most_nodes = 65536;
inline constexpr std::int64_t most_elements = 1 << 20; ///< most elements of a vector that is reduced
/// Lengths at which a file gives the cost of combining: 1, 2, 4 and 8 elements.
inline constexpr std::size_t combining_points = 4;

/// When daemons ran on a node that was watched for `length`; it is repeated for ever.
struct Trace {
  struct Daemon {
    Picoseconds start, duration;
  };
  std::vector<Daemon> daemons; ///< by start
  Picoseconds length = 0;
};

/// Reads lines "start TAB duration" in ns; lines that begin with '#' are left out. A line "period TAB number"
/// gives the length; else it is the end of the last daemon. Throws UserError "FILE line N: ...".
[[nodiscard]] Trace read_trace(const std::string& path);

/// The switches of a level, and the cables between them and what is below: cards, or switches.
struct TreeLevel {
  std::int64_t down = 0; ///< cards or switches below each switch
  std::int64_t up = 1;   ///< switches of this level to which each of those is linked
  std::int64_t parallel = 1;
  double bandwidth_mbs = 0; ///< a cable's, in each direction
  double cable_ns = 0;
};

/// Over three switches a message passes the cables of so many levels, each twice.
inline constexpr std::size_t levels_in_wire = 2;
inline constexpr std::size_t most_levels = 16;       ///< levels of a fat tree that is given by levels
inline constexpr std::int64_t most_cables = 1 << 23; ///< its cables

/// Times in microseconds, as the file has them.
struct Config {
  std::string name = "unnamed";

  // [machine]
  std::int64_t nodes = 906, processors = 2;

  // [network]
  std::int64_t radix = 8, packet_bytes = 64;
  double wire = 0.33, switch_ns = 35, backbone_mbs = 0;
  std::vector<double> bandwidth_mbs = {325}; ///< a cable's: one of all levels, or one of each
  /// By level, from the cards up. Without `down` the levels follow from the radix.
  std::vector<double> down, up, parallel, cable_ns;
  bool distance = true, links = true;

  // [card]
  double start = 2.5, end = 2.0, post = 0.5, wake = 1.75, receive = 0.42, further = 0.16, extra = 0,
         step_factor = 1;
  bool send_blocks = false, gather_wakes = false;
  /// [combine]: by operation and type, for 1, 2, 4 and 8 elements; empty rows are filled in by complete().
  std::array<std::array<std::vector<double>, types>, operations> combine;

  // [hardware]
  double barrier = 4.7, broadcast = 6.5;

  // [host]
  double entry = 3, send = 0.5, latency = 3.98, take = 1.1, element = 0.01, gap = 0, shared_memory = 2,
         timing = 0, timing_jitter = 0;
  std::int64_t eager_bytes = 16384;

  // [noise]
  double daemons = 0, daemon_ms = 10, late_chance = 0, late = 90;
  std::string durations = "exponential";
  bool co_scheduled = false;
  std::shared_ptr<const Trace> trace; ///< instead of Poisson daemons; not in a machine file

  [[nodiscard]] ParameterTable parameters();
  /// Fills in rows of [combine] that the file leaves out. Throws UserError where parameters that are allowed
  /// one by one do not fit together.
  void complete();

  /// The card's time for one message of so many elements beside receiving it; linear between the points and
  /// beyond the last one.
  [[nodiscard]] Picoseconds combining(Operation operation, Type type, std::int64_t elements) const;
  /// The card's time for one message: receiving its packets and, if it combines, combining.
  [[nodiscard]] Picoseconds card_step(Vector what, std::int64_t elements, bool combines = true) const;
  /// Microseconds from card to card over three switches until a message's last byte is there.
  [[nodiscard]] double flight(std::int64_t bytes) const;
  /// Packets of a message; one that has no bytes is one.
  [[nodiscard]] std::int64_t packets(std::int64_t bytes) const noexcept {
    return bytes <= packet_bytes ? 1 : (bytes + packet_bytes - 1) / packet_bytes;
  }
  /// The fat tree's levels that so many nodes need, from the cards up: as given, or with half the radix down
  /// and half up. Throws UserError where those that are given carry fewer nodes.
  [[nodiscard]] std::vector<TreeLevel> levels(std::int64_t of_nodes) const;

 private:
  /// Says what is wrong with the levels; empty where nothing is.
  [[nodiscard]] std::string misfit_of_levels() const;
  [[nodiscard]] TreeLevel level(std::size_t at) const;
};

[[nodiscard]] constexpr Picoseconds picoseconds(double us) noexcept {
  return static_cast<Picoseconds>(us * picoseconds_per_microsecond + 0.5);
}

/// A machine of the table of all (machines.hpp) by its name, or the machine file at that path. Throws
/// UserError that lists the presets, and for machines of other kinds.
[[nodiscard]] Config load_machine(std::string_view name_or_file);

} // namespace mesh::cluster
