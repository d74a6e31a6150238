// SPDX-License-Identifier: Apache-2.0
// Everything that the reproduction of the fork-join publication simulates, each point once.
#pragma once

#include <span>

#include "fork_join/measure.hpp"

namespace rccebench::fork_join {

struct Machine {
  const char* name; ///< a preset, and the publication's name but for `printed`
  const char* printed;
  int cores;
};
/// In the order of the tables; the last four have several sockets, and the last four but x4440 both data
/// sets.
inline constexpr Machine machines[] = {
    {"core2d", "core2d", 2},        {"core2q", "core2q", 4}, {"i5-750", "i5", 4},   {"nehalem", "nehalem", 8},
    {"barcelona", "barcelona", 16}, {"x4440", "x4440", 24},  {"x4600", "x4600", 32}};
inline constexpr std::span<const Machine> multi_socket = std::span(machines).subspan(3);

/// What table I leaves for each poller of the start word: 240 to 340 ns on the machines with AMD processors.
[[nodiscard]] inline double published_service_ns(const Machine& machine) {
  return std::string_view(machine.name) == "nehalem" ? 190 : 300;
}

class Simulated {
 public:
  /// `jobs` points side by side. False after Ctrl-C.
  bool run(unsigned jobs);

  [[nodiscard]] const Result& at(const std::string& workload, const std::string& variant,
                                 const std::string& machine, bool reset = false) const;
  [[nodiscard]] double seconds(const std::string& workload, const std::string& variant,
                               const std::string& machine, bool reset = false) const {
    return at(workload, variant, machine, reset).seconds;
  }
  /// sync-only, flat-padded, on chosen hardware threads: "core2q one die", "core2q two dies", "nehalem
  /// siblings", "i5-750 neighbours", "i5-750 apart".
  [[nodiscard]] double placed(const std::string& name) const { return placed_.at(name).seconds; }
  /// Seconds of 10,000,000 empty regions where a polled line serves each reader in published_service_ns: of
  /// machines with several sockets. To find out what statements fail for.
  [[nodiscard]] double what_if(const std::string& variant, const std::string& machine) const {
    return what_if_.at(machine + "/" + variant).seconds;
  }
  /// The regions of an optimisation, by the data set's place.
  [[nodiscard]] const likelihood::Counts& counts(std::size_t data_set) const { return counts_.at(data_set); }

 private:
  std::map<std::string, Result> timings_, placed_, what_if_;
  std::vector<likelihood::Counts> counts_;
};

/// Whether the publication prints this variant for the workload.
[[nodiscard]] bool is_measured(const std::string& workload, const std::string& variant);

} // namespace rccebench::fork_join
