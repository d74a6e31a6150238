// SPDX-License-Identifier: Apache-2.0
// The checker's part that the run tells: accesses to message-passing buffers (MPBs), registers and counters,
// and what programs say of their own use of memory.
#include "check/checker.hpp"

namespace rcce::check {

using Kind = mesh::Access::Kind;

/// What it is about to store or copy, and what it is about to read: others may come in between.
void Checker::issued(const mesh::Access& access) {
  const Ue& ue = ue_on(access.core);
  const MpbRange range{access.target, access.offset, access.bytes};
  switch (access.kind) {
  case Kind::put:
    return copies_to(ue, range, access.own);
  case Kind::get:
    return gets(ue, range, access.own);
  case Kind::store:
    return stores(ue, range, access.own, 0xff);
  case Kind::update: {
    const auto bits = static_cast<std::byte>(access.value);
    return stores(ue, range, &bits, static_cast<std::uint8_t>(access.mask));
  }
  case Kind::load:
    return access.more ? void() : loads(ue, range);
  case Kind::lock_release:
    return lock_released(ue, access.target);
  default:
    return;
  }
}

/// What a core has seen or taken at that moment. Copies act in segments, of which it needs none.
void Checker::acted(const mesh::Access& access) {
  if (!access.done) return;
  const Ue& ue = ue_on(access.core);
  switch (access.kind) {
  case Kind::wait:
  case Kind::look:
    return waited(ue, {access.target, access.offset, access.bytes}, access.mask);
  case Kind::lock_try:
    return lock_taken(ue, access.target);
  case Kind::counter:
    if (access.write) counter_changes(ue, access.target, !access.added);
    if (!access.write || access.added) counter_seen(ue, access.target);
    return;
  default:
    return;
  }
}

/// What it has read.
void Checker::ended(const mesh::Access& access, Picoseconds /*begin*/) {
  const MpbRange from{access.target, access.offset, access.bytes};
  if (access.kind == Kind::get)
    copied_from(ue_on(access.core), from, access.own);
  else if (access.kind == Kind::load && !access.more)
    loaded(ue_on(access.core), from, access.own);
}

void Checker::touched(const mesh::Touch& touch) {
  touches(ue_on(touch.core), touch.memory, touch.bytes, touch.write);
}

void Checker::looped(int core, Picoseconds /*at*/) {
  spun(ue_on(core));
}

} // namespace rcce::check
