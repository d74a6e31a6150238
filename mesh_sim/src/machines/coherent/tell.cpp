// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/machine.hpp"

#include "mesh_sim/observe/observers.hpp"

namespace mesh::coherent {

namespace {

Access word_access(Access::Kind kind, bool delivered, int thread, Word word, Picoseconds at) {
  return {.kind = kind,
          .write = kind == Access::Kind::store,
          .delivered = delivered,
          .core = thread,
          .target = shared_memory,
          .offset = word.address,
          .bytes = 1, // words may be closer to each other than they are long
          .at = at};
}

} // namespace

void Machine::notify(Access::Kind kind, bool delivered, int thread, Word word, Picoseconds at) const {
  observers_->notify(&Observer::acted, EventMask::acts, word_access(kind, delivered, thread, word, at));
}

void Machine::tell_store(int thread, const Request& request, bool delivered) const {
  if (observers_ != nullptr) notify(Access::Kind::store, delivered, thread, request.word, request.at);
}

void Machine::tell_change(int thread, const Request& request) const {
  if (observers_ == nullptr || values_[request.word.slot] == request.old) return;
  notify(Access::Kind::load, false, thread, request.word, request.at);
  notify(Access::Kind::store, false, thread, request.word, request.at);
}

void Machine::tell_posted(int thread, Word word) const {
  if (observers_ != nullptr)
    observers_->notify(&Observer::issued, EventMask::issues,
                       word_access(Access::Kind::store, true, thread, word, kernel_.now()));
}

void Machine::tell_piece(int thread, Access::Kind kind, const Block& block, std::size_t from,
                         std::size_t to) const {
  if (observers_ == nullptr) return;
  observers_->notify(&Observer::acted, EventMask::acts,
                     Access{.kind = kind,
                            .write = kind == Access::Kind::put,
                            .core = thread,
                            .target = shared_memory,
                            .offset = block.address + from,
                            .bytes = to - from,
                            .at = kernel_.now()});
}

} // namespace mesh::coherent
