// SPDX-License-Identifier: Apache-2.0
// Entries: messages, collectives, communicators, locks.
#include <atomic>

#include "library/protocol/combine.hpp"
#include "library/protocol/communication.hpp"
#include "library/protocol/diagnostics.hpp"
#include "library/protocol/entry.hpp"
#include "library/protocol/locks.hpp"
#include "library/protocol/messages.hpp"
#include "library/protocol/polling.hpp"

using namespace rcce;
using namespace rcce::protocol;

namespace {

/// The operation as another image does it, where one stands beside the program (protocol/substitutes).
template <class Act>
int instead(const Call& call, void* comm, Act&& act) {
  Library& library = call.library();
  if (!library.substitutes) return ROCKCREEK_NOT_SUBSTITUTED;
  return library.substitutes->instead(library, view(library, comm), act);
}

/// Counts the time of a call as that of the program's own code, for which it stands.
class OwnWork {
 public:
  explicit OwnWork(Library& library) : library_(library), begin_(library.core.now()) {}
  ~OwnWork() { library_.ue.own_time += library_.core.now() - begin_; }
  OwnWork(const OwnWork&) = delete;
  OwnWork& operator=(const OwnWork&) = delete;

 private:
  Library& library_;
  const Picoseconds begin_;
};

/// A barrier of all UEs, by which they have allocated alike.
class EveryonesBarrier {
 public:
  EveryonesBarrier(Library& library, const void* comm)
      : library_(library), is_(comm == library.image.comm_world) {
    if (is_) note_barrier(library_);
  }
  ~EveryonesBarrier() {
    if (is_) note_barrier_over(library_);
  }
  EveryonesBarrier(const EveryonesBarrier&) = delete;
  EveryonesBarrier& operator=(const EveryonesBarrier&) = delete;

 private:
  Library& library_;
  const bool is_;
};

} // namespace

// --- messages ----------------------------------------------------------------------------------------------

ROCKCREEK_FLAT_ENTRY(int) rockcreek_send(void* ue, char* buffer, size_t size, int dest) noexcept {
  Call call(ue, {"RCCE_send", sends});
  call.message(dest, size);
  const int result = send(call.library(), buffer, size, dest);
  call.sent();
  return result;
}

ROCKCREEK_FLAT_ENTRY(int) rockcreek_recv(void* ue, char* buffer, size_t size, int source) noexcept {
  Call call(ue, {"RCCE_recv", receives});
  call.message(source, size);
  const int result = receive(call.library(), buffer, size, source);
  call.received();
  return result;
}

ROCKCREEK_ENTRY(int)
rockcreek_recv_test(void* ue, char* buffer, size_t size, int source, int* test) noexcept {
  Call call(ue, {"RCCE_recv_test", receives});
  call.message(source, size);
  Library& library = call.library();
  if (!library.valid_rank(source)) return error_return(library, *library.image.debug_comm, Error::id);
  *test =
      size == 0 || receive_if_sent(library, channel(library, source, library.rank()), buffer, size, source);
  if (*test == 0)
    looked(library, {"flag sent", library.rank(), source});
  else
    call.received();
  return 0;
}

ROCKCREEK_ENTRY(int)
rockcreek_send_gory(void* ue, char* buffer, rockcreek_mpb combuf, size_t chunk, void* ready, void* sent,
                    size_t size, int dest) noexcept {
  Call call(ue, {"RCCE_send", sends});
  call.message(dest, size);
  if (size > 0) send_segments(call.library(), {combuf, chunk, ready, sent}, buffer, size, dest);
  call.sent();
  return 0;
}

ROCKCREEK_ENTRY(int)
rockcreek_recv_gory(void* ue, char* buffer, rockcreek_mpb combuf, size_t chunk, void* ready, void* sent,
                    size_t size, int source, int* test) noexcept {
  Call call(ue, {test != nullptr ? "RCCE_recv_test" : "RCCE_recv", receives});
  call.message(source, size);
  const Channel channel{combuf, chunk, ready, sent};
  if (test != nullptr) {
    *test = size == 0 || receive_if_sent(call.library(), channel, buffer, size, source);
    if (*test == 0)
      looked(call.library(), {"flag sent", call.library().rank(), source});
    else
      call.received();
  } else if (size > 0) {
    receive_segments(call.library(), channel, buffer, size, source);
    call.received();
  }
  return 0;
}

ROCKCREEK_ENTRY(int) rockcreek_comm_bcast(void* ue, char* buffer, size_t num, int root, void* comm) noexcept {
  const Call call(ue, {"RCCE_bcast", collective});
  if (const int done = instead(call, comm, [&](const auto& offer) { return offer.bcast(buffer, num, root); });
      done != ROCKCREEK_NOT_SUBSTITUTED)
    return done;
  return broadcast(call.library(), buffer, num, root, view(call.library(), comm));
}

ROCKCREEK_ENTRY(int)
rockcreek_comm_reduce(void* ue, char* in, char* out, int num, int type, int op, int root,
                      void* comm) noexcept {
  const Call call(ue, {"RCCE_reduce", collective});
  if (const int done =
          instead(call, comm, [&](const auto& offer) { return offer.reduce(in, out, num, type, op, root); });
      done != ROCKCREEK_NOT_SUBSTITUTED)
    return done;
  return reduce(call.library(), in, out, num, type, op, root, view(call.library(), comm));
}

ROCKCREEK_ENTRY(int)
rockcreek_comm_allreduce(void* ue, char* in, char* out, int num, int type, int op, void* comm) noexcept {
  const Call call(ue, {"RCCE_allreduce", collective});
  if (const int done =
          instead(call, comm, [&](const auto& offer) { return offer.allreduce(in, out, num, type, op); });
      done != ROCKCREEK_NOT_SUBSTITUTED)
    return done;
  return allreduce(call.library(), in, out, num, type, op, view(call.library(), comm));
}

ROCKCREEK_ENTRY(int)
rockcreek_combine(void* ue, int op, int type, void* target, const void* source, int count) noexcept {
  const Call call(ue, "rcce_combine");
  Library& library = call.library();
  if (const Error error = check_combination(op, type); error != Error::none)
    return error_return(library, *library.image.debug_comm, error);
  const OwnWork own(library);
  combine(library, op, type, static_cast<char*>(target), static_cast<const char*>(source),
          elements_of(library, count));
  return code(Error::none);
}

ROCKCREEK_ENTRY(void)
rockcreek_combines(void* ue, void* target, const void* source, int count, size_t element_bytes) noexcept {
  const Call call(ue, "rcce_combine_with");
  const OwnWork own(call.library());
  charge_combining(call.library(), target, source, elements_of(call.library(), count), element_bytes);
}

ROCKCREEK_ENTRY(void)
rockcreek_copy(void* ue, void* target, const void* source, unsigned long bytes) noexcept {
  const Call call(ue, "rcce_copy");
  const OwnWork own(call.library());
  copy_privately(call.library(), static_cast<char*>(target), static_cast<const char*>(source), bytes,
                 Copy::prefetching);
}

// --- communicators, barrier, locks -------------------------------------------------------------------------

ROCKCREEK_ENTRY(int)
rockcreek_comm_split(void* ue, int (*color)(int, void*), void* aux, void* comm) {
  const Call call(ue, {"RCCE_comm_split", collective});
  if (comm != call.library().image.comm_world)
    tell_collective(call.library(), call.library().world(), "RCCE_comm_split");
  return comm_split(call.library(), color, aux, view(call.library(), comm));
}

ROCKCREEK_ENTRY(int) rockcreek_comm_free(void* ue, void* comm) noexcept {
  const Call call(ue, "RCCE_comm_free");
  return comm_free(call.library(), view(call.library(), comm));
}

ROCKCREEK_ENTRY(int) rockcreek_comm_size(void* ue, void* comm, int* size) noexcept {
  const Call call(ue, "RCCE_comm_size", any_time);
  const Communicator of = view(call.library(), comm);
  if (of.initialized() != comm_magic) {
    return error_return(call.library(), *call.library().image.debug_comm, Error::comm_initialized);
  }
  *size = of.size();
  return 0;
}

ROCKCREEK_ENTRY(int) rockcreek_comm_rank(void* ue, void* comm, int* rank) noexcept {
  const Call call(ue, "RCCE_comm_rank", any_time);
  const Communicator of = view(call.library(), comm);
  if (of.initialized() != comm_magic) {
    return error_return(call.library(), *call.library().image.debug_comm, Error::comm_initialized);
  }
  *rank = of.my_rank();
  return 0;
}

ROCKCREEK_ENTRY(int) rockcreek_comm_barrier(void* ue, void* comm) noexcept {
  const Call call(ue, {"RCCE_barrier", collective});
  const EveryonesBarrier everyones(call.library(), comm);
  if (call.library().free_barriers) return barrier(call.library(), view(call.library(), comm));
  if (const int done = instead(call, comm, [](const auto& offer) { return offer.barrier(); });
      done != ROCKCREEK_NOT_SUBSTITUTED)
    return done;
  if (call.library().ue.facts != nullptr)
    tell_collective(call.library(), view(call.library(), comm), "RCCE_barrier");
  return barrier(call.library(), view(call.library(), comm));
}

ROCKCREEK_ENTRY(void) rockcreek_fence(void* ue) noexcept {
  const Call call(ue, "RCCE_fence", any_time);
  passed(call.library().ue);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

ROCKCREEK_ENTRY(int) rockcreek_acquire_lock(void* ue, int id) noexcept {
  const Call call(ue, "RCCE_acquire_lock");
  acquire_lock(call.library(), id);
  return 0;
}

ROCKCREEK_ENTRY(int) rockcreek_release_lock(void* ue, int id) noexcept {
  const Call call(ue, "RCCE_release_lock");
  release_lock(call.library(), id);
  return 0;
}
