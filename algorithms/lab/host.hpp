// SPDX-License-Identifier: Apache-2.0
// Collectives of this host's own threads, in wall-clock time: the algorithms of shared memory, and what else
// is at hand: std::barrier, OpenMP's and oneTBB's own where this was built with them. Nothing else should run
// meanwhile.
#pragma once

#include <string_view>

#include "lab/backend.hpp"

namespace lab {

/// The machine of this name is the host.
inline constexpr std::string_view host_name = "host";

/// This host as a machine: it has processors, and no parameters to set.
[[nodiscard]] Machine host_machine();
/// Processors that this process may use.
[[nodiscard]] int host_processors();

class Host final : public Backend {
 public:
  /// As backend_of(); one per set of files. Of each operation (bcast, reduce, barrier) ours first.
  [[nodiscard]] static std::shared_ptr<const Host> with(const std::vector<std::string>& files);

  [[nodiscard]] std::string_view name() const override { return "host"; }
  [[nodiscard]] bool takes_files_for(World world) const override { return world == World::memory; }
  [[nodiscard]] std::vector<std::int64_t> usual_ranks(const Machine& machine) const override;
  [[nodiscard]] std::string misfit(const Point& point) const override;
  [[nodiscard]] double weight(const Point& point) const override;
  [[nodiscard]] Result measure(const Point& point) const override;
  /// Other libraries' own are taken as they are.
  [[nodiscard]] Verdict check(const Point& point) const override;
  [[nodiscard]] bool checks_alone() const override { return true; }
  [[nodiscard]] bool takes_turns() const override { return true; }
  /// Their series take turns, so that what else the host does meets all of them alike. A reduction is timed
  /// with the region around it.
  [[nodiscard]] std::vector<Result> run_in_turns(std::span<const Point> points,
                                                 const std::function<bool()>& goes_on) const override;

 private:
  Host();
};

} // namespace lab
