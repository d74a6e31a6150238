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
  explicit ResourceUsage(const Topology& topology) : packets_(topology) {}

  [[nodiscard]] Told wants() const override { return Told::queues; }
  /// Of all packets, for Observers::add_up().
  [[nodiscard]] PacketCounts& packets() noexcept { return packets_; }
  void queued(const Service& service) override;

  /// After the run, which has ended at `end`; `name` gives the name of a resource.
  void report(Statistics& to, const std::function<std::string(ResourceId)>& name, Picoseconds end) const;

 private:
  /// Packets that wait until they are served: of each core the last one, as long as others may have met it.
  struct Queue {
    std::vector<int> cores;
    std::vector<Picoseconds> from, until; ///< likewise
    std::size_t swept = 0;                ///< how many there were when those that nobody meets went
  };
  struct Waits {
    Picoseconds queued = 0, longest = 0;
    std::uint32_t worst_queue = 0;
    Queue queue;
  };
  /// How many wait when this one comes, itself among them.
  static std::uint32_t join(Queue& queue, const Service& service);
  static void sweep(Queue& queue, Picoseconds now);

  PacketCounts packets_;
  std::vector<Waits> waits_[3]; ///< by kind and number
};

} // namespace mesh
