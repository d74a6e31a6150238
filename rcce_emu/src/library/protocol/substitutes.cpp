// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/substitutes.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "library/protocol/entry.hpp"
#include "library/protocol/library.hpp"

namespace rcce::protocol {
namespace {

template <class T>
void copy_words(T* to, const T* from, std::size_t count) {
  std::copy(from, from + count, to);
}

} // namespace

int Substitutes::size_of(const Library& library) {
  return library.size();
}

void Substitutes::begin(Library& library) {
  if (offered_ == nullptr) return;
  const ImageVariables& own = library.image;
  const auto ues = static_cast<std::size_t>(library.size());
  *theirs_.np = *own.np;
  *theirs_.iam = *own.iam;
  *theirs_.my_coreid = *own.my_coreid;
  *theirs_.refclock_ghz = *own.refclock_ghz;
  *theirs_.buff_size = *own.buff_size;
  *theirs_.fool_write_combine_buffer = *own.fool_write_combine_buffer;
  copy_words(theirs_.coreid, own.coreid, ues);
  copy_words(theirs_.comm_buffer, own.comm_buffer, ues);
  std::memcpy(theirs_.sent_flag, own.sent_flag, ues * own.flag_bytes);
  std::memcpy(theirs_.ready_flag, own.ready_flag, ues * own.flag_bytes);
  follow(library);
  busy_ = true;
  if (offered_->begin(wish_.c_str()) != 0) std::exit(2);
  busy_ = false;
  begun_ = true;
}

void Substitutes::follow(const Library& library) {
  const ImageVariables& own = library.image;
  *theirs_.buff_ptr = *own.buff_ptr;
  *theirs_.flags_start = *own.flags_start;
  *theirs_.chunk = *own.chunk;
  std::memcpy(theirs_.comm_world, own.comm_world, own.comm_bytes);
}

void Substitutes::enter(const Library& library) {
  follow(library);
  entered_ = library.core.now();
}

void Substitutes::prepared(Library& library) const {
  library.ue.preparation += library.core.now() - entered_;
}

} // namespace rcce::protocol

using namespace rcce;
using namespace rcce::protocol;

ROCKCREEK_ENTRY(void) rockcreek_substitute(void* ue, const struct rockcreek_substitutes* offer) {
  auto* const caller = static_cast<Ue*>(ue);
  if (caller == nullptr || offer == nullptr) return;
  if (Library& library = library_of(*caller); library.substitutes) library.substitutes->offer(*offer);
}

ROCKCREEK_ENTRY(void) rockcreek_follow(void* ue) {
  auto* const caller = static_cast<Ue*>(ue);
  if (caller == nullptr) return;
  Library& library = library_of(*caller);
  if (!library.substitutes) return;
  library.substitutes->follow(library);
  library.substitutes->prepared(library);
}
