// SPDX-License-Identifier: Apache-2.0
// An observer of whoever runs the job: what it allocates while a UE runs is none of that UE's memory.
#pragma once

#include "mesh_sim/observe/observer.hpp"

namespace rcce::record {

using mesh::Picoseconds;

class OutsideObserver final : public mesh::Observer {
 public:
  explicit OutsideObserver(mesh::Observer& inner) : inner_(inner) {}

  [[nodiscard]] mesh::EventMask wants() const override { return inner_.wants(); }
  void core_starts(int core, Picoseconds at) override;
  void core_ends(int core, Picoseconds at) override;
  void switches(int from, int to) override;
  void call_begins(const mesh::Call& call) override;
  void call_ends(const mesh::Call& call) override;
  void message(const mesh::Message& message) override;
  void issued(const mesh::Access& access) override;
  void acted(const mesh::Access& access) override;
  void ended(const mesh::Access& access, Picoseconds begin) override;
  void wait_begins(const mesh::Wait& wait) override;
  void wait_ends(const mesh::Wait& wait) override;
  void served(const mesh::Service& service) override;
  void touched(const mesh::Touch& touch) override;
  void looped(int core, Picoseconds at) override;
  void fact(const mesh::Fact& fact) override;
  void unfinished(const mesh::Unfinished& core) override;

 private:
  mesh::Observer& inner_;
};

} // namespace rcce::record
