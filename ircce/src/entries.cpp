// SPDX-License-Identifier: Apache-2.0
// The C surface: what the iRCCE part of a program image calls (image/ircce_entries.h). Each entry opens the
// call and hands over; no exception leaves it.
#include "blocking.hpp"
#include "copies.hpp"
#include "counters.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/communication.hpp"
#include "library/protocol/polling.hpp"
#include "line_flags.hpp"
#include "requests.hpp"
#include "rwth.hpp"
#include "start.hpp"

using namespace rcce;
using namespace rcce::ircce;

namespace {

/// A call of this library from start to end.
class IrcceCall {
 public:
  IrcceCall(void* ue, const ImageInterface* of, const protocol::Function& function)
      : call_(ue, function), state_(state_of(call_.library(), *of)) {}
  /// With the partner and size of a message, for reports.
  IrcceCall(void* ue, const ImageInterface* of, const protocol::Function& function, int peer, long bytes)
      : IrcceCall(ue, of, function) {
    call_.message(peer, bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  }
  [[nodiscard]] State& state() const { return state_; }

 private:
  protocol::Call call_;
  State& state_;
};

void looked_at_own(const IrcceCall& call) {
  protocol::Library& library = call.state().library;
  protocol::looked(library, {"the flag", library.rank()});
}

/// A request that has been posted: while it stays pending, it goes on in any later call.
int posted(State& state, int result) {
  if (result == state.codes.pending) protocol::stays_pending(state.library);
  return result;
}

} // namespace

#define ENTRY(type) extern "C" __attribute__((visibility("default"))) type
#define HEAD void *ue, const struct rockcreek_ircce *of, const char *name

// --- requests
// -----------------------------------------------------------------------------------------------------

ENTRY(int) rockcreek_ircce_init(HEAD, int first_counter, int second_counter) noexcept {
  const IrcceCall call(ue, of, name);
  return start(call.state(), first_counter, second_counter);
}

ENTRY(int) rockcreek_ircce_isend(HEAD, char* buffer, long size, int dest, void* request, int how) noexcept {
  const IrcceCall call(ue, of, {name, protocol::sends}, dest, size);
  return posted(call.state(), isend(call.state(), buffer, size, dest, request, how));
}

ENTRY(int) rockcreek_ircce_irecv(HEAD, char* buffer, long size, int source, void* request, int how) noexcept {
  const IrcceCall call(ue, of, {name, protocol::receives}, source, size);
  return posted(call.state(), irecv(call.state(), buffer, size, source, request, how));
}

ENTRY(int) rockcreek_ircce_isend_test(HEAD, void* request, int* test) noexcept {
  const IrcceCall call(ue, of, {name, protocol::sends});
  return isend_test(call.state(), request, test);
}

ENTRY(int) rockcreek_ircce_irecv_test(HEAD, void* request, int* test) noexcept {
  const IrcceCall call(ue, of, {name, protocol::receives});
  return irecv_test(call.state(), request, test);
}

ENTRY(int) rockcreek_ircce_isend_wait(HEAD, void* request) noexcept {
  const IrcceCall call(ue, of, {name, protocol::sends});
  return isend_wait(call.state(), request);
}

ENTRY(int) rockcreek_ircce_irecv_wait(HEAD, void* request) noexcept {
  const IrcceCall call(ue, of, {name, protocol::receives});
  return irecv_wait(call.state(), request);
}

ENTRY(int) rockcreek_ircce_isend_push(HEAD) noexcept {
  const IrcceCall call(ue, of, {name, protocol::sends});
  return isend_push(call.state());
}

ENTRY(int) rockcreek_ircce_irecv_push(HEAD) noexcept {
  const IrcceCall call(ue, of, {name, protocol::receives});
  return irecv_push(call.state());
}

ENTRY(int) rockcreek_ircce_isend_cancel(HEAD, void* request, int* test) noexcept {
  const IrcceCall call(ue, of, {name, protocol::sends});
  return isend_cancel(call.state(), request, test);
}

ENTRY(int) rockcreek_ircce_irecv_cancel(HEAD, void* request, int* test) noexcept {
  const IrcceCall call(ue, of, {name, protocol::receives});
  return irecv_cancel(call.state(), request, test);
}

ENTRY(int) rockcreek_ircce_status(HEAD, void* send, void* receive) noexcept {
  const IrcceCall call(ue, of, name);
  return status(call.state(), send, receive);
}

ENTRY(struct rockcreek_ircce_element*)
rockcreek_ircce_test_list(HEAD, struct rockcreek_ircce_element* first, int any) noexcept {
  const IrcceCall call(ue, of, name);
  return test_list(call.state(), first, any != 0);
}

ENTRY(struct rockcreek_ircce_element*)
rockcreek_ircce_wait_list(HEAD, struct rockcreek_ircce_element* first, int any) noexcept {
  const IrcceCall call(ue, of, name);
  return wait_list(call.state(), first, any != 0);
}

// --- blocking messages, probing, collectives
// ----------------------------------------------------------------------

ENTRY(int) rockcreek_ircce_ssend(HEAD, char* buffer, long size, int dest) noexcept {
  const IrcceCall call(ue, of, {name, protocol::sends}, dest, size);
  return ssend(call.state(), buffer, size, dest);
}

ENTRY(int) rockcreek_ircce_srecv(HEAD, char* buffer, long size, int source, int* test) noexcept {
  const IrcceCall call(ue, of, {name, protocol::receives}, source, size);
  return srecv(call.state(), buffer, size, source, test);
}

ENTRY(int) rockcreek_ircce_probe(HEAD, int source, int* rank) noexcept {
  const IrcceCall call(ue, of, name, source, 0);
  return probe(call.state(), source, rank);
}

ENTRY(int) rockcreek_ircce_iprobe(HEAD, int source, int* rank, int* found) noexcept {
  const IrcceCall call(ue, of, name, source, 0);
  return iprobe(call.state(), source, rank, found);
}

ENTRY(int) rockcreek_ircce_msend(HEAD, char* buffer, long size) noexcept {
  const IrcceCall call(ue, of, {name, protocol::sends});
  return msend(call.state(), buffer, size);
}

ENTRY(int) rockcreek_ircce_mrecv(HEAD, char* buffer, long size, int source) noexcept {
  const IrcceCall call(ue, of, {name, protocol::receives}, source, size);
  return mrecv(call.state(), buffer, size, source);
}

ENTRY(int) rockcreek_ircce_barrier(HEAD, void* comm) noexcept {
  const IrcceCall call(ue, of, {name, protocol::collective});
  protocol::tell_collective(call.state().library, {call.state().library.image, comm}, name);
  return barrier(call.state(), comm);
}

// --- copies, memory
// -----------------------------------------------------------------------------------------------

ENTRY(int)
rockcreek_ircce_put(HEAD, rockcreek_ircce_mpb target, rockcreek_ircce_mpb source, int bytes,
                    int id) noexcept {
  const IrcceCall call(ue, of, name, id, bytes);
  put(call.state(), target, source, bytes, id);
  return success;
}

ENTRY(int)
rockcreek_ircce_get(HEAD, rockcreek_ircce_mpb target, rockcreek_ircce_mpb source, int bytes,
                    int id) noexcept {
  const IrcceCall call(ue, of, {name, protocol::copies_from}, id, bytes);
  get(call.state(), target, source, bytes, id);
  protocol::looked(call.state().library, {.what = "the buffer", .owner = id, .asks = false});
  return success;
}

ENTRY(void) rockcreek_ircce_copy(HEAD, void* target, const void* source, size_t bytes) noexcept {
  const IrcceCall call(ue, of, name);
  ircce::copy(call.state(), target, source, bytes);
}

ENTRY(rockcreek_ircce_mpb) rockcreek_ircce_malloc(HEAD, size_t size) noexcept {
  const IrcceCall call(ue, of, name);
  return take_payload(call.state(), size);
}

// --- flags, counters
// ----------------------------------------------------------------------------------------------

ENTRY(int) rockcreek_ircce_line_alloc(HEAD, void* flag) noexcept {
  const IrcceCall call(ue, of, name);
  return line_alloc(call.state(), flag);
}

ENTRY(int)
rockcreek_ircce_line_write(HEAD, const void* flag, int value, int id, const void* tag, int bytes) noexcept {
  const IrcceCall call(ue, of, {name, protocol::uses_flag}, id, 0);
  if (const int refusal = refusal_of_tag(call.state(), tag, bytes); refusal != 0) return refusal;
  return line_write(call.state(), flag, value, id, tag, bytes);
}

ENTRY(int)
rockcreek_ircce_line_read(HEAD, const void* flag, int* value, int id, void* tag, int bytes) noexcept {
  const IrcceCall call(ue, of, {name, protocol::copies_from | protocol::uses_flag}, id, 0);
  if (const int refusal = refusal_of_tag(call.state(), tag, bytes); refusal != 0) return refusal;
  const int read = line_read(call.state(), flag, value, id, tag, bytes);
  protocol::looked(call.state().library, {"the flag", id});
  return read;
}

ENTRY(int) rockcreek_ircce_line_wait(HEAD, const void* flag, int value, void* tag, int bytes) noexcept {
  const IrcceCall call(ue, of, {name, protocol::uses_flag});
  if (const int refusal = refusal_of_tag(call.state(), tag, bytes); refusal != 0) return refusal;
  const protocol::WaitsFor waiting(call.state().library, "user", call.state().library.rank());
  return line_wait(call.state(), flag, value, tag, bytes);
}

ENTRY(int)
rockcreek_ircce_line_test(HEAD, const void* flag, int value, int* result, void* tag, int bytes) noexcept {
  const IrcceCall call(ue, of, {name, protocol::uses_flag});
  if (const int refusal = refusal_of_tag(call.state(), tag, bytes); refusal != 0) return refusal;
  const int tested = line_test(call.state(), flag, value, result, tag, bytes);
  if (*result == 0) looked_at_own(call);
  return tested;
}

ENTRY(int) rockcreek_ircce_test_flag(HEAD, void* flag, int value, int* result) noexcept {
  const IrcceCall call(ue, of, {name, protocol::uses_flag});
  const int tested = test_flag(call.state(), flag, value, result);
  if (*result == 0) looked_at_own(call);
  return tested;
}

ENTRY(int) rockcreek_ircce_counter_alloc(HEAD, int* counter) noexcept {
  const IrcceCall call(ue, of, name);
  return counter_alloc(call.state(), *counter) ? success : call.state().codes.error;
}

ENTRY(int) rockcreek_ircce_counter_increment(HEAD, int counter) noexcept {
  const IrcceCall call(ue, of, name);
  return counter_increment(call.state(), counter);
}

ENTRY(int) rockcreek_ircce_counter_read(HEAD, int counter) noexcept {
  const IrcceCall call(ue, of, name);
  const int value = counter_read(call.state(), counter);
  protocol::looked(call.state().library, {.what = "atomic counter", .number = counter});
  return value;
}

ENTRY(void) rockcreek_ircce_counter_write(HEAD, int counter, int value) noexcept {
  const IrcceCall call(ue, of, name);
  counter_write(call.state(), counter, value);
}

// --- RWTH's RCCE
// --------------------------------------------------------------------------------------------------

ENTRY(int)
rockcreek_rwth_send(HEAD, char* buffer, size_t size, int dest, int how, const void* tag, int bytes) noexcept {
  const IrcceCall call(ue, of, {name, protocol::sends}, dest, static_cast<long>(size));
  if (const int refusal = refusal_of_tag(call.state(), tag, bytes); refusal != 0) return refusal;
  return rwth::send(call.state(), buffer, size, dest, how, {const_cast<void*>(tag), bytes});
}

ENTRY(int)
rockcreek_rwth_recv(HEAD, char* buffer, size_t size, int source, int* test, int how, void* tag,
                    int bytes) noexcept {
  const IrcceCall call(ue, of, {name, protocol::receives}, source, static_cast<long>(size));
  if (const int refusal = refusal_of_tag(call.state(), tag, bytes); refusal != 0) return refusal;
  return rwth::receive(call.state(), buffer, size, source, test, how, {tag, bytes});
}

ENTRY(int)
rockcreek_rwth_probe(HEAD, int source, int* test, rockcreek_ircce_mpb* payload, void* tag,
                     int bytes) noexcept {
  const IrcceCall call(ue, of, name, source, 0);
  if (const int refusal = refusal_of_tag(call.state(), tag, bytes); refusal != 0) return refusal;
  return rwth::probe(call.state(), source, test, payload, {tag, bytes});
}

ENTRY(int) rockcreek_rwth_msend(HEAD, char* buffer, size_t size) noexcept {
  const IrcceCall call(ue, of, {name, protocol::sends});
  return rwth::send_to_all(call.state(), buffer, size);
}

ENTRY(int) rockcreek_rwth_mrecv(HEAD, char* buffer, size_t size, int source) noexcept {
  const IrcceCall call(ue, of, {name, protocol::receives}, source, static_cast<long>(size));
  return rwth::receive_of_all(call.state(), buffer, size, source);
}

ENTRY(int) rockcreek_rwth_isend(HEAD, char* buffer, size_t size, int dest, void* request) noexcept {
  const IrcceCall call(ue, of, {name, protocol::sends}, dest, static_cast<long>(size));
  return posted(call.state(), rwth::isend(call.state(), buffer, size, dest, request));
}

ENTRY(int)
rockcreek_rwth_irecv(HEAD, char* buffer, size_t size, int source, void* request, int how) noexcept {
  const IrcceCall call(ue, of, {name, protocol::receives}, source, static_cast<long>(size));
  return posted(call.state(), rwth::irecv(call.state(), buffer, size, source, request, how));
}

ENTRY(int) rockcreek_rwth_irecv_push(HEAD, int source) noexcept {
  const IrcceCall call(ue, of, {name, protocol::receives});
  return rwth::irecv_push(call.state(), source);
}

ENTRY(int) rockcreek_rwth_counter_barrier(HEAD, void* comm) noexcept {
  const IrcceCall call(ue, of, {name, protocol::collective});
  return rwth::counter_barrier(call.state(), comm);
}

ENTRY(int)
rockcreek_rwth_tree_barrier(HEAD, void* comm, int parent, int children, const int* child) noexcept {
  const IrcceCall call(ue, of, {name, protocol::collective});
  return rwth::tree_barrier(call.state(), comm, parent, children, child);
}

ENTRY(int) rockcreek_rwth_step_barrier(HEAD, void* comm, int* step, int* label) noexcept {
  const IrcceCall call(ue, of, {name, protocol::collective});
  const int result = rwth::step_barrier(call.state(), comm, *step, *label);
  if (result == call.state().codes.pending)
    protocol::looked(call.state().library, {"flag of a barrier", call.state().library.rank()});
  return result;
}

ENTRY(int) rockcreek_rwth_lock(HEAD, int id, int once) noexcept {
  const IrcceCall call(ue, of, name);
  return rwth::lock(call.state(), id, once != 0);
}

// --- messages of one line
// -----------------------------------------------------------------------------------------

ENTRY(int)
rockcreek_ircce_line_message(HEAD, int sending, char* buffer, int peer, void* request) noexcept {
  const IrcceCall call(ue, of, {name, sending != 0 ? protocol::sends : protocol::receives}, peer,
                       mesh::line_bytes);
  return line_message(call.state(), sending != 0, buffer, peer, request);
}

ENTRY(int) rockcreek_ircce_push_lines(HEAD, int sending) noexcept {
  const IrcceCall call(ue, of, {name, sending != 0 ? protocol::sends : protocol::receives});
  return push_lines(call.state(), sending != 0);
}
