// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/measured_part.hpp"

#include <algorithm>

namespace mesh {

MeasuredPart::MeasuredPart(std::string_view begins_after, std::string_view ends_with, int number, int cores,
                           Observers& told_by)
    : begins_after_(told_by.call_kind(begins_after)),
      ends_with_(told_by.call_kind(ends_with)),
      wanted_(number),
      cores_(static_cast<std::size_t>(cores)) {}

Picoseconds MeasuredPart::end() const noexcept {
  Picoseconds latest = 0;
  for (const PerCore& one : cores_) latest = std::max(latest, one.end);
  return latest;
}

Access MeasuredPart::shifted(Access access) const noexcept {
  access.at -= origin_;
  if (access.visible > 0) access.visible -= origin_;
  return access;
}

Wait MeasuredPart::shifted(Wait wait) const noexcept {
  wait.begin -= origin_;
  wait.end -= origin_;
  wait.cause.at -= origin_;
  return wait;
}

void MeasuredPart::call_begins(const Call& call) {
  if (!inside(call.core)) return;
  Call shifted = call;
  shifted.at -= origin_;
  inner_.notify(&Observer::call_begins, EventMask::calls, shifted);
}

void MeasuredPart::call_ends(const Call& call) {
  PerCore& one = cores_[static_cast<std::size_t>(call.core)];
  if (one.inside) {
    Call shifted = call;
    shifted.at -= origin_;
    inner_.notify(&Observer::call_ends, EventMask::calls, shifted);
  } else if (call.kind == begins_after_ && one.between && ++one.number == wanted_) {
    one.inside = true;
    if (origin_ < 0) origin_ = call.at; // one instant for all
    inner_.notify(&Observer::core_starts, EventMask::cores, call.core, call.at - origin_);
  }
  if (call.kind == begins_after_) one.between = false;
  if (call.kind != ends_with_) return;
  one.between = true;
  if (!one.inside) return;
  one.inside = false;
  one.end = call.at - origin_;
  inner_.notify(&Observer::core_ends, EventMask::cores, call.core, one.end);
}

void MeasuredPart::message(const Message& message) {
  if (!inside(message.received ? message.receiver : message.sender)) return;
  Message shifted = message;
  shifted.begin -= origin_;
  shifted.end -= origin_;
  inner_.notify(&Observer::message, EventMask::messages, shifted);
}

void MeasuredPart::issued(const Access& access) {
  if (inside(access.core)) inner_.notify(&Observer::issued, EventMask::issues, shifted(access));
}

void MeasuredPart::acted(const Access& access) {
  if (inside(access.core)) inner_.notify(&Observer::acted, EventMask::acts, shifted(access));
}

void MeasuredPart::ended(const Access& access, Picoseconds begin) {
  if (inside(access.core)) inner_.notify(&Observer::ended, EventMask::ends, shifted(access), begin - origin_);
}

void MeasuredPart::wait_begins(const Wait& wait) {
  if (inside(wait.core)) inner_.notify(&Observer::wait_begins, EventMask::waits, shifted(wait));
}

void MeasuredPart::wait_ends(const Wait& wait) {
  if (inside(wait.core)) inner_.notify(&Observer::wait_ends, EventMask::waits, shifted(wait));
}

void MeasuredPart::served(const Service& service) {
  if (!inside(service.core)) return;
  Service shifted = service;
  shifted.from -= origin_;
  shifted.to -= origin_;
  inner_.notify(&Observer::served, EventMask::resources, shifted);
}

} // namespace mesh
