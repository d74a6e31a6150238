// Statistics of what cores do with their time, of calls and of messages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh_sim/observe/observer.hpp"
#include "mesh_sim/observe/statistics.hpp"

namespace mesh {

class Usage final : public Observer {
 public:
  explicit Usage(int cores) : times_(static_cast<std::size_t>(cores)), cores_(times_.size()) {}

  [[nodiscard]] Told wants() const override { return Told::calls | Told::messages; }
  /// Of accesses and waits, for Observers::add_up().
  [[nodiscard]] std::span<AccessTimes> times() noexcept { return times_; }
  void call_begins(const Call& call) override;
  void call_ends(const Call& call) override;
  void message(const Message& message) override;

  /// From when until when a core has taken part; 0 and 0: not at all.
  struct Life {
    Picoseconds begin = 0, end = 0;
  };
  /// After the run, which ends with the last core; `call_names` by number of the call.
  void report(Statistics& to, std::span<const std::string> call_names, std::span<const Life> lives) const;

 private:
  struct PerCore {
    std::uint64_t sent = 0, bytes_sent = 0, received = 0, bytes_received = 0;
    std::vector<Picoseconds> open; ///< begins of the calls that it is in, the innermost last
  };
  struct PerCall {
    std::uint64_t count = 0;
    Picoseconds time = 0;
  };
  [[nodiscard]] PerCore& core(int id) { return cores_[static_cast<std::size_t>(id)]; }

  std::vector<AccessTimes> times_; ///< by core
  std::vector<PerCore> cores_;
  std::vector<PerCall> calls_; ///< by number
};

} // namespace mesh
