// SPDX-License-Identifier: Apache-2.0
// An observer of whoever runs the job: what it allocates while a UE runs is none of that UE's memory.
#pragma once

#include "engine/ue/job_state.hpp"
#include "mesh_sim/observe/observer.hpp"

namespace rcce::record {

using mesh::Picoseconds;

class OutsideObserver final : public mesh::Observer {
 public:
  explicit OutsideObserver(mesh::Observer& inner) : inner_(inner) {}

  [[nodiscard]] mesh::EventMask wants() const override { return inner_.wants(); }
  void core_starts(int core, Picoseconds at) override {
    outside([&] { inner_.core_starts(core, at); });
  }
  void core_ends(int core, Picoseconds at) override {
    outside([&] { inner_.core_ends(core, at); });
  }
  void switches(int from, int to) override {
    outside([&] { inner_.switches(from, to); });
  }
  void call_begins(const mesh::Call& call) override {
    outside([&] { inner_.call_begins(call); });
  }
  void call_ends(const mesh::Call& call) override {
    outside([&] { inner_.call_ends(call); });
  }
  void message(const mesh::Message& message) override {
    outside([&] { inner_.message(message); });
  }
  void ran(int core, Picoseconds time) override {
    outside([&] { inner_.ran(core, time); });
  }
  void issued(const mesh::Access& access) override {
    outside([&] { inner_.issued(access); });
  }
  void acted(const mesh::Access& access) override {
    outside([&] { inner_.acted(access); });
  }
  void ended(const mesh::Access& access, Picoseconds begin) override {
    outside([&] { inner_.ended(access, begin); });
  }
  void wait_begins(const mesh::Wait& wait) override {
    outside([&] { inner_.wait_begins(wait); });
  }
  void wait_ends(const mesh::Wait& wait) override {
    outside([&] { inner_.wait_ends(wait); });
  }
  void served(const mesh::Service& service) override {
    outside([&] { inner_.served(service); });
  }
  void touched(const mesh::Touch& touch) override {
    outside([&] { inner_.touched(touch); });
  }
  void looped(int core, Picoseconds at) override {
    outside([&] { inner_.looped(core, at); });
  }
  void fact(const mesh::Fact& fact) override {
    outside([&] { inner_.fact(fact); });
  }
  void unfinished(const mesh::Unfinished& core) override {
    outside([&] { inner_.unfinished(core); });
  }

 private:
  template <class Event>
  static void outside(Event event) {
    const OutsideUe nobody;
    event();
  }

  mesh::Observer& inner_;
};

} // namespace rcce::record
