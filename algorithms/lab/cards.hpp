// SPDX-License-Identifier: Apache-2.0
// Reductions on a simulated cluster, by its programmable network cards or by the hosts' messages. A rank is a
// node.
#pragma once

#include "lab/backend.hpp"
#include "mesh_sim/units.hpp"

namespace mesh {
class Observers;
} // namespace mesh
namespace mesh::cluster {
struct Config;
class Program;
struct Vector;
} // namespace mesh::cluster

namespace lab {

class Cards final : public Backend {
 public:
  /// As backend_of(); one per set of files.
  [[nodiscard]] static std::shared_ptr<const Cards> with(const std::vector<std::string>& files);

  [[nodiscard]] std::string_view name() const override { return "network cards"; }
  [[nodiscard]] std::string_view ranks() const override { return "nodes"; }
  [[nodiscard]] bool takes_files_for(World world) const override { return world == World::cards; }
  [[nodiscard]] int most_ranks(const Machine& machine) const override;
  [[nodiscard]] std::vector<std::int64_t> usual_ranks(const Machine& machine) const override;
  [[nodiscard]] std::string_view usual_sizes() const override { return "8"; }
  [[nodiscard]] std::string misfit(const Point& point) const override;
  [[nodiscard]] int usual_warm_up(const Point& /*point*/) const override { return 0; }
  /// Without noise all are the same; with it as many as make a quarter of a million nodes.
  [[nodiscard]] int usual_repetitions(const Point& point) const override;
  [[nodiscard]] double weight(const Point& point) const override;
  /// Times of the operation as a whole. Every element of the result is compared where the vectors of all
  /// nodes fit into 256 MiB.
  [[nodiscard]] Result measure(const Point& point) const override;
  [[nodiscard]] Verdict check(const Point& point) const override;
  [[nodiscard]] bool checks_alone() const override { return true; }
  [[nodiscard]] Limit limit(const Point& point) const override;

  [[nodiscard]] std::string unrecorded(const Point& point, std::string_view option) const override;
  /// The timeline of the first repetition, with its noise: a track for each host and each card in use.
  void record(const Point& point, const rcce::Records& records, int repetition) const override;
  /// One reduction without noise, of one node too, with those who hear of it; how long it took.
  [[nodiscard]] mesh::Picoseconds run_observed(const Point& point, mesh::Observers& observers) const;

  /// The machine, undisturbed where the point asks for that.
  [[nodiscard]] static mesh::cluster::Config config_of(const Point& point);
  [[nodiscard]] static mesh::cluster::Vector vector_of(const Point& point);
  [[nodiscard]] static mesh::cluster::Program program_of(const Point& point,
                                                         const mesh::cluster::Config& machine);

 private:
  Cards();
  /// The fault of the point's algorithm; empty: none.
  [[nodiscard]] std::string fault_of(const Point& point) const;
};

} // namespace lab
