// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/probes.hpp"

#include "mesh_sim/observe/observers.hpp"

namespace mesh::coherent {
namespace {

Access word_access(Access::Kind kind, int thread, Word word, Picoseconds at) noexcept {
  return {.kind = kind,
          .write = kind == Access::Kind::store,
          .core = thread,
          .target = shared_memory,
          .offset = word.address,
          .bytes = 1, // words may be closer to each other than they are long
          .at = at};
}
void tell_acted(const Observers& observers, const Access& access) {
  observers.notify(&Observer::acted, EventMask::acts, access);
}

Wait word_wait(Wait::Target on, int thread, Word word, Picoseconds begin) noexcept {
  return {.on = on, .core = thread, .target = shared_memory, .offset = word.address, .begin = begin};
}

constexpr std::string_view call_names[] = {"load",
                                           "store",
                                           "compare_exchange",
                                           "fetch_add",
                                           "exchange",
                                           "test_and_set",
                                           "fence",
                                           "wait",
                                           "wait_all",
                                           "spin_exchange",
                                           "spin_compare_exchange",
                                           "futex_wait",
                                           "futex_wake",
                                           "copy",
                                           "combine"};
static_assert(std::size(call_names) == static_cast<std::size_t>(CoreCall::count));

} // namespace

void ProbeSet::set_observers(Observers* observers) {
  observers_ = observers;
  if (observers == nullptr) return;
  for (std::size_t call = 0; call < kinds_.size(); ++call)
    kinds_[call] = observers->call_kind(call_names[call]);
}

void ProbeSet::tell_begin(int thread, CoreCall what) const {
  observers_->notify(
      &Observer::call_begins, EventMask::calls,
      Call{.core = thread, .kind = kinds_[static_cast<std::size_t>(what)], .at = kernel_.now()});
}

void ProbeSet::tell_end(int thread, CoreCall what, std::size_t bytes) const {
  observers_->notify(&Observer::call_ends, EventMask::calls,
                     Call{.core = thread,
                          .kind = kinds_[static_cast<std::size_t>(what)],
                          .bytes = bytes,
                          .at = kernel_.now()});
}

void ProbeSet::sleeps(int thread, Word word) const {
  if (observers_ == nullptr) return;
  observers_->notify(&Observer::wait_begins, EventMask::waits,
                     word_wait(Wait::Target::word, thread, word, kernel_.now()));
}

void ProbeSet::awake(int thread, Word word, Picoseconds begin, const Cause& cause) const {
  if (observers_ == nullptr) return;
  Wait wait = word_wait(Wait::Target::word, thread, word, begin);
  wait.end = kernel_.now();
  wait.cause = cause;
  observers_->notify(&Observer::wait_ends, EventMask::waits, wait);
}

void ProbeSet::tell_queued(int thread, Word word, Picoseconds since) const {
  Wait wait = word_wait(Wait::Target::line, thread, word, since);
  observers_->notify(&Observer::wait_begins, EventMask::waits, wait);
  wait.end = kernel_.now();
  wait.cause = {Cause::Kind::turn, -1, wait.end};
  observers_->notify(&Observer::wait_ends, EventMask::waits, wait);
}

void ProbeSet::tell_loaded(int thread, Word word, Picoseconds at) const {
  tell_acted(*observers_, word_access(Access::Kind::load, thread, word, at));
}

void ProbeSet::tell_stored(int thread, Word word, Picoseconds at, bool posted) const {
  Access access = word_access(Access::Kind::store, thread, word, at);
  access.delivered = posted;
  tell_acted(*observers_, access);
}

void ProbeSet::posts(int thread, Word word) const {
  if (observers_ == nullptr) return;
  Access access = word_access(Access::Kind::store, thread, word, kernel_.now());
  access.delivered = true;
  observers_->notify(&Observer::issued, EventMask::issues, access);
}

void ProbeSet::segment(int thread, bool write, const Block& block, std::size_t from, std::size_t to) const {
  if (observers_ == nullptr) return;
  tell_acted(*observers_,
             {.kind = write ? Access::Kind::put : Access::Kind::get,
              .write = write,
              .core = thread,
              .target = shared_memory,
              .offset = block.address + from,
              .bytes = to - from,
              .at = kernel_.now()});
}

} // namespace mesh::coherent
