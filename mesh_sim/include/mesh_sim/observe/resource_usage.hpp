// Statistics of links, message-passing buffers' ports and memory controllers: what has passed each, how long
// that took, and how long the queues were.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mesh_sim/observe/observer.hpp"
#include "mesh_sim/observe/statistics.hpp"

namespace mesh {

class ResourceUsage final : public Observer {
 public:
  [[nodiscard]] Told wants() const override { return Told::resources; }
  void served(const Service& service) override;

  /// After the run, which has ended at `end`; `name` gives the name of a resource.
  void report(Statistics& to, const std::function<std::string(ResourceId)>& name, Picoseconds end) const;

 private:
  /// A core's packet that waits until it is served.
  struct Waiting {
    int core;
    Picoseconds from, until;
  };
  struct Load {
    Picoseconds busy = 0, queued = 0, longest_wait = 0;
    std::uint64_t packets = 0, bytes = 0;
    std::uint32_t worst_queue = 0;
    std::vector<Waiting> queue; ///< of each core the last one, as long as others may have met it
  };
  static void join_queue(Load& load, const Service& service);

  std::vector<Load> loads_[3]; ///< by kind and number
};

} // namespace mesh
