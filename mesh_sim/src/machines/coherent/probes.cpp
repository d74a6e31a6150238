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

} // namespace

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
