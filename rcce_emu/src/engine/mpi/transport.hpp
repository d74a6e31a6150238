// SPDX-License-Identifier: Apache-2.0
// What the MPI engine needs of MPI: memory that the processes of one host share, and one-sided access to that
// of other hosts. Implemented in librcce_mpi.so (transport.cpp), the one file that is linked with an MPI
// library, so that the runtime runs without one. Knows nothing of cores and buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rcce::mpi {

/// All calls from one thread at a time. A place is (rank of a process, byte offset in the memory of its
/// host). Errors of MPI end all processes, as MPI's own handler does.
enum class Leave { now, with_next };

class Transport {
 public:
  virtual ~Transport() = default;

  [[nodiscard]] virtual int rank() const noexcept = 0;      ///< of this process
  [[nodiscard]] virtual int processes() const noexcept = 0; ///< of the job
  /// By rank: its host, called by the rank of the first process there.
  [[nodiscard]] virtual int host_of(int rank) const noexcept = 0;
  /// Whether all do.
  [[nodiscard]] virtual bool one_host() const noexcept = 0;

  /// Memory of each host, shared by its processes and reached by those of others: zeros, at a border of a
  /// page. Once, by all processes with the same number of bytes; returns when all have it. Throws
  /// std::bad_alloc.
  [[nodiscard]] virtual std::span<std::byte> share(std::size_t bytes) = 0;

  // --- to other hosts: complete at both ends on return, but words and bytes
  // -----------------------------------------------------
  virtual void put(int rank, std::size_t at, const void* from, std::size_t bytes) = 0;
  /// The same bytes to several places.
  virtual void put_each(int rank, std::span<const std::size_t> at, const void* from, std::size_t bytes) = 0;
  virtual void get(void* to, int rank, std::size_t at, std::size_t bytes) = 0;
  /// Words that readers see whole, in the order of the calls, and before whatever this process writes later.
  /// With `Leave::with_next` they may travel together with the next words that go there, and no earlier.
  virtual void put_words(int rank, std::size_t at, std::span<const std::uint32_t> words,
                         Leave when = Leave::now) = 0;
  virtual void put_bytes(int rank, std::size_t at, std::span<const std::uint8_t> bytes) = 0;
  // --- to any host: atomic among all that use them, and not with the host's own atomic operations
  // -----------
  /// Returns the word as it was.
  virtual std::uint32_t compare_and_swap(int rank, std::size_t at, std::uint32_t expected,
                                         std::uint32_t wanted) = 0;
  virtual std::uint32_t fetch_and_add(int rank, std::size_t at, std::uint32_t summand) = 0;
  virtual std::uint32_t exchange(int rank, std::size_t at, std::uint32_t value) = 0;
  [[nodiscard]] virtual std::uint32_t fetch(int rank, std::size_t at) = 0;

  /// Lets others' accesses to this process' memory come through, and makes them visible.
  virtual void progress() = 0;
  /// Returns when all processes have called it.
  virtual void barrier() = 0;
  /// What each gives, by rank, at rank 0; nothing elsewhere. By all processes.
  [[nodiscard]] virtual std::vector<std::string> gather(std::string own) = 0;
  /// Ends all processes now with this status.
  [[noreturn]] virtual void abort(int status) = 0;
};

/// Starts MPI; once in a process. MPI ends with the object, when all processes have come so far.
using Start = Transport*();
inline constexpr const char* start_name = "rockcreek_start_mpi";

} // namespace rcce::mpi
