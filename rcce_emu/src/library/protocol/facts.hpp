// SPDX-License-Identifier: Apache-2.0
// What the library tells observers of a run that no machine could tell (mesh_sim/observe/facts.hpp).
#pragma once

#include "engine/ue/ue.hpp"
#include "mesh_sim/observe/facts.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "rcce_emu/engine.hpp"

namespace rcce::protocol {

using mesh::CollectiveFact, mesh::FlagFact, mesh::MemoryFact, mesh::PlainAccess, mesh::ProgramFact,
    mesh::ReceiveFact;

[[gnu::cold, gnu::noinline]] inline void tell_observers_of(const Ue& ue, const mesh::Fact& fact) {
  ue.facts->notify_alone(&mesh::Observer::fact, mesh::EventMask::facts, fact);
}
/// Nothing, unless somebody wants to hear of facts; who has to work for one asks `ue.facts` first.
template <class What>
void tell_fact(const Ue& ue, const What& what) {
  if (ue.facts != nullptr) [[unlikely]]
    tell_observers_of(ue, {ue.core->id(), what});
}

} // namespace rcce::protocol
