// SPDX-License-Identifier: Apache-2.0
// Which engine runs a job, and how a run ends: what those who start jobs know of engines (engine.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace rcce {

/// How a run came to its end.
enum class Outcome : std::uint8_t {
  finished, ///< every core's body has returned or called exit()
  deadlock, ///< cores are left and none of them can ever run again
  stopped,  ///< stop() was called
};

enum class EngineKind : std::uint8_t {
  sim,     ///< simulated time on fibers in one thread
  threads, ///< a thread per UE
  mpi,     ///< a process of an MPI job per UE
};

/// As in `--engine NAME`.
[[nodiscard]] constexpr const char* name_of(EngineKind engine) {
  return engine == EngineKind::sim ? "sim" : engine == EngineKind::threads ? "threads" : "mpi";
}

/// The clock that UEs on several host threads read.
enum class TimeSource : std::uint8_t {
  wall,      ///< the host's
  simulated, ///< that of the simulated machine, without contention
};

/// Which engine, and what it reserves.
struct EngineOptions {
  EngineKind kind = EngineKind::sim;
  TimeSource time = TimeSource::wall; ///< the simulation engine knows simulated time only
  std::size_t stack_bytes = std::size_t{16} << 20;
  std::size_t shared_memory_bytes = std::size_t{64} << 20;
  /// Some of the program's code stores to shared memory without a store point (rccecc's count_cycles): what
  /// it has stored counts from where it gives way. Simulation engine only.
  bool stores_unseen = false;
  bool moves_payload = true; ///< false: mesh::MessageBuffers::leave_payload(); simulation engine only
};

} // namespace rcce
