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
class Transport {
 public:
  virtual ~Transport() = default;

  [[nodiscard]] virtual int rank() const noexcept = 0;      ///< rank of this process
  [[nodiscard]] virtual int processes() const noexcept = 0; ///< processes of the job
  /// By rank: its host, called by the rank of the first process there.
  [[nodiscard]] virtual int host_of(int rank) const noexcept = 0;
  /// True if all processes share a host.
  [[nodiscard]] virtual bool one_host() const noexcept = 0;

  /// Memory of each host, shared by its processes and reached by those of others: zeros, at a border of a
  /// page. Once, by all processes with the same number of bytes; returns when all have it. Throws
  /// std::bad_alloc.
  [[nodiscard]] virtual std::span<std::byte> share(std::size_t bytes) = 0;

  // --- between hosts ---------------------------------------------------------------------------------------
  using Receiver = void(void* context, int from, std::span<const std::byte> message);
  /// By all processes, before the first message, which has at most `longest` bytes. `receiver` is called
  /// within progress() and whatever waits here, and calls nothing of this object.
  virtual void receive_with(Receiver* receiver, void* context, std::size_t longest) = 0;
  /// Returns at once, with the message copied. Messages from one process to another arrive in their order.
  virtual void send(int rank, std::span<const std::byte> message) = 0;
  /// Returns when the receiver there has been given all that this process has sent to it.
  virtual void settle(int rank) = 0;
  virtual void get(void* to, int rank, std::size_t at, std::size_t bytes) = 0;
  // --- to any host: atomic among all that use them, and not with the host's own atomic operations
  // -----------
  /// Returns the word as it was.
  virtual std::uint32_t compare_and_swap(int rank, std::size_t at, std::uint32_t expected,
                                         std::uint32_t wanted) = 0;
  virtual std::uint32_t fetch_and_add(int rank, std::size_t at, std::uint32_t summand) = 0;
  virtual std::uint32_t exchange(int rank, std::size_t at, std::uint32_t value) = 0;
  [[nodiscard]] virtual std::uint32_t fetch(int rank, std::size_t at) = 0;

  /// Lets others' accesses to this process' memory come through, and one of their messages; whether one has.
  virtual bool progress() = 0;
  /// Returns when all processes have called it.
  virtual void barrier() = 0;
  /// The texts of all processes by rank, at rank 0; nothing elsewhere. Called by all processes.
  [[nodiscard]] virtual std::vector<std::string> gather(std::string own) = 0;
  /// Ends all processes now with this status.
  [[noreturn]] virtual void abort(int status) = 0;
};

/// Starts MPI; once in a process. MPI ends with the object, when all processes have come so far.
using Start = Transport*();
inline constexpr const char* start_name = "rockcreek_start_mpi";

} // namespace rcce::mpi
