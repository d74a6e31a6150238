// SPDX-License-Identifier: Apache-2.0
#include "watch/record/outside_observer.hpp"

#include "engine/ue/job_state.hpp"

namespace rcce::record {

void OutsideObserver::core_starts(int core, Picoseconds at) {
  const OutsideUe outside;
  inner_.core_starts(core, at);
}
void OutsideObserver::core_ends(int core, Picoseconds at) {
  const OutsideUe outside;
  inner_.core_ends(core, at);
}
void OutsideObserver::switches(int from, int to) {
  const OutsideUe outside;
  inner_.switches(from, to);
}
void OutsideObserver::call_begins(const mesh::Call& call) {
  const OutsideUe outside;
  inner_.call_begins(call);
}
void OutsideObserver::call_ends(const mesh::Call& call) {
  const OutsideUe outside;
  inner_.call_ends(call);
}
void OutsideObserver::message(const mesh::Message& message) {
  const OutsideUe outside;
  inner_.message(message);
}
void OutsideObserver::issued(const mesh::Access& access) {
  const OutsideUe outside;
  inner_.issued(access);
}
void OutsideObserver::acted(const mesh::Access& access) {
  const OutsideUe outside;
  inner_.acted(access);
}
void OutsideObserver::ended(const mesh::Access& access, Picoseconds begin) {
  const OutsideUe outside;
  inner_.ended(access, begin);
}
void OutsideObserver::wait_begins(const mesh::Wait& wait) {
  const OutsideUe outside;
  inner_.wait_begins(wait);
}
void OutsideObserver::wait_ends(const mesh::Wait& wait) {
  const OutsideUe outside;
  inner_.wait_ends(wait);
}
void OutsideObserver::served(const mesh::Service& service) {
  const OutsideUe outside;
  inner_.served(service);
}
void OutsideObserver::touched(const mesh::Touch& touch) {
  const OutsideUe outside;
  inner_.touched(touch);
}
void OutsideObserver::looped(int core, Picoseconds at) {
  const OutsideUe outside;
  inner_.looped(core, at);
}
void OutsideObserver::fact(const mesh::Fact& fact) {
  const OutsideUe outside;
  inner_.fact(fact);
}
void OutsideObserver::unfinished(const mesh::Unfinished& core) {
  const OutsideUe outside;
  inner_.unfinished(core);
}

} // namespace rcce::record
