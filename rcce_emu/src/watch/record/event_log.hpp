// SPDX-License-Identifier: Apache-2.0
// What the cores of one process do with the library, kept until those of all processes can be told one after
// the other.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mesh_sim/observe/observers.hpp"

namespace rcce::record {

class EventLog final : public mesh::Observer {
 public:
  /// `told_by` knows the names of calls and outlives this.
  explicit EventLog(mesh::Observers& told_by) : told_by_(told_by) {}

  [[nodiscard]] mesh::EventMask wants() const override { return mesh::library_events; }
  void call_begins(const mesh::Call& call) override { events_.emplace_back(Begin{call}); }
  void call_ends(const mesh::Call& call) override { events_.emplace_back(End{call}); }
  void message(const mesh::Message& message) override { events_.emplace_back(message); }

  /// For another process that runs the same library.
  [[nodiscard]] std::string bytes() const;
  /// Tells the events of all logs, as bytes() has written them: those of one core in their order, among cores
  /// by time, then by core. Numbers of calls become those of `told_by`.
  void replay(std::span<const std::string> logs, const mesh::Observers& to) const;

 private:
  struct Begin {
    mesh::Call call;
  };
  struct End {
    mesh::Call call;
  };
  using Event = std::variant<Begin, End, mesh::Message>;

  mesh::Observers& told_by_;
  std::vector<Event> events_;
};

} // namespace rcce::record
