#include "api/call.hpp"

#include <cstdio>
#include <cstdlib>

#include "api/on_core.hpp"
#include "libc/alarm.hpp"
#include "process/process.hpp"

namespace rcce::api {
namespace {

Library& library_of_caller(void* handle, const char* name) {
  auto* ue = static_cast<Ue*>(handle);
  if (ue == nullptr || ue->library == nullptr) {
    std::fprintf(stderr, "rockcreek: %s: the program was not started by the runtime; start it with rccerun\n",
                 name);
    std::abort();
  }
  return library_of(*ue);
}

/// The handler of an alarm may call the library itself.
[[gnu::noinline]] void ring(Ue& ue) {
  const Activity activity = ue.activity;
  ue.activity = {};
  libc::ring_alarm(ue);
  ue.activity = activity;
}

} // namespace

void misuse(const Library& library, std::string_view what) {
  const char* call = library.ue.activity.call;
  std::fflush(stdout);
  std::fprintf(stderr, "rccerun: rank %d (core %02d): %s: %.*s\n", library.ue.rank, library.core_id,
               call != nullptr ? call : "RCCE", static_cast<int>(what.size()), what.data());
  std::exit(1);
}

Call::Call(void* ue, const char* name, Needs needs)
    : library_(library_of_caller(ue, name)), nested_(library_.ue.activity.call != nullptr) {
  if (nested_)
    before_ = library_.ue.activity;
  else
    library_.charge_host_compute();
  library_.ue.count_call();
  library_.ue.activity = {};
  library_.ue.activity.call = name;
  if (needs == Needs::init && !library_.started) misuse(library_, "called before RCCE_init");
  on_core(library_, [&](auto& core) {
    library_.ue.activity.since = core.recent();
    core.schedule();
  });
  if (library_.ue.process->c.alarm != nullptr && !nested_) [[unlikely]]
    ring(library_.ue);
  library_.charge(library_.costs.call);
}

Call::~Call() {
  if (nested_)
    library_.ue.activity = before_;
  else
    library_.ue.activity.call = nullptr;
  if (library_.host_compute && !nested_) library_.host_compute->begin();
}

void Call::complete(Completed& transfer) const {
  const Activity& activity = library_.ue.activity;
  transfer.call = activity.call;
  transfer.peer = activity.peer;
  transfer.bytes = activity.bytes;
  transfer.begin = activity.since;
  transfer.end = on_core(library_, [](auto& core) { return core.recent(); });
}

} // namespace rcce::api
