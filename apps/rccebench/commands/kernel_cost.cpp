// SPDX-License-Identifier: Apache-2.0
#include "commands/kernel_cost.hpp"

#include <cstddef>
#include <ctime>
#include <vector>

#include "mesh_sim/kernel/fiber.hpp"
#include "mesh_sim/kernel/kernel.hpp"

namespace rccebench {
namespace {

constexpr std::size_t stack_bytes = 64 * 1024;

/// A ring of fibers, each of which continues the next, until `jumps_left` is used up: then the one whose turn
/// it is jumps out.
struct Ring {
  std::vector<mesh::FiberHandle> handles;
  mesh::FiberHandle outside = nullptr;
  std::size_t at = 0; ///< the fiber that runs
  std::int64_t jumps_left = 0;
  bool from_outside = true;

  void remember(mesh::FiberHandle who_jumped_here) {
    if (from_outside)
      outside = who_jumped_here;
    else
      handles[at == 0 ? handles.size() - 1 : at - 1] = who_jumped_here;
    from_outside = false;
  }

  /// Continues the ring where it stopped and comes back after `jumps`.
  void run(std::int64_t jumps) {
    jumps_left = jumps;
    from_outside = true;
    handles[at] = mesh::jump(handles[at], this).from;
  }
};

void ring_member(mesh::FiberJump came) {
  Ring& ring = *static_cast<Ring*>(came.data);
  ring.remember(came.from);
  for (;;) {
    mesh::FiberHandle next = ring.outside;
    if (ring.jumps_left-- > 0) {
      ring.at = ring.at + 1 == ring.handles.size() ? 0 : ring.at + 1;
      next = ring.handles[ring.at];
    }
    ring.remember(mesh::jump(next, &ring).from);
  }
}

} // namespace

double processor_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

double switch_nanoseconds(int fibers, int rounds) {
  mesh::StackPool stacks(static_cast<std::size_t>(fibers), stack_bytes);
  Ring ring;
  for (int i = 0; i < fibers; ++i)
    ring.handles.push_back(mesh::make_fiber(stacks.stack(static_cast<std::size_t>(i)), ring_member));
  ring.run(fibers); // everybody has started and touched its stack
  const double start = processor_nanoseconds();
  ring.run(std::int64_t{fibers} * rounds);
  return (processor_nanoseconds() - start) / (static_cast<double>(fibers) * rounds);
}

double event_nanoseconds(int cores, std::int64_t events) {
  mesh::Kernel kernel(cores, stack_bytes);
  const std::int64_t each = events / cores;
  for (int core = 0; core < cores; ++core)
    kernel.start(core, [&kernel, core, each] {
      std::uint32_t random = 12345U + static_cast<std::uint32_t>(core) * 2654435761U;
      for (std::int64_t i = 0; i < each; ++i) {
        random = random * 1664525U + 1013904223U;
        kernel.advance(1 + static_cast<mesh::Picoseconds>((random >> 16) % 200));
        kernel.synchronise();
      }
    });
  const double start = processor_nanoseconds();
  (void)kernel.run();
  return (processor_nanoseconds() - start) / static_cast<double>(each * cores);
}

} // namespace rccebench
