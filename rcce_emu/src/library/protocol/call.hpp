// SPDX-License-Identifier: Apache-2.0
// The frame of every public call: scheduling point, software cost, and the record of what the UE is doing.
#pragma once

#include <cstddef>
#include <string_view>

#include "library/protocol/library.hpp"
#include "mesh_sim/observe/call_traits.hpp"

namespace mesh {
struct Call;
class Observer;
} // namespace mesh

namespace rcce::protocol {

/// Tells the user on stderr what the present call meets with: "rccerun: rank 3 (core 03): RCCE_send: `what`",
/// once for all UEs that meet with the same. `severity` in place of "rccerun: ".
void tell_user(const Library& library, std::string_view what, const char* severity = "rccerun: ");

/// Ends the UE with a message on stderr, where the original would have crashed or hung without a word.
[[noreturn, gnu::cold, gnu::noinline]] void misuse(const Library& library, std::string_view what);

/// A public function of the library: its name for people, and what it does for those who decide by it.
struct Function {
  const char* name; ///< lives as long as the UE
  mesh::CallTraits traits{};

  Function(const char* called) : name(called) {}
  Function(const char* called, mesh::CallTraits does) : name(called), traits(does) {}
};
using mesh::CallTraits::collective, mesh::CallTraits::computes, mesh::CallTraits::copies_from,
    mesh::CallTraits::receives, mesh::CallTraits::sends, mesh::CallTraits::uses_flag;

/// One public call from start to end; the activity of an enclosing call (a colour function may call) comes
/// back after it.
class Call {
 public:
  enum class Needs : bool { nothing, init };

  Call(void* ue, const Function& function, Needs needs = Needs::init);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  [[nodiscard]] Library& library() const { return library_; }

  /// The partner and size of a message, for reports.
  void message(int peer, std::size_t bytes) {
    library_.ue.activity.peer = peer;
    library_.ue.activity.bytes = bytes;
  }
  /// The message has been sent or received in full; for reports.
  void sent() { complete(library_.ue.last_send); }
  void received() { complete(library_.ue.last_receive); }

 private:
  void complete(Completed& transfer) const;
  [[nodiscard]] bool observed() const;
  // Out of the way of runs that nobody watches.
  [[gnu::noinline]] void notify(void (mesh::Observer::*event)(const mesh::Call&), Picoseconds at) const;
  [[nodiscard]] int number() const;
  using Numbered = Ue::CallNumbers::value_type;
  [[gnu::noinline]] void find_number(Numbered& to) const;
  [[gnu::noinline]] void ends() const;

  Library& library_;
  const bool nested_;
  Activity before_; ///< activity before a nested call
};

/// While it lives, reports say that the UE waits for this flag; `rank` is the one that writes it, the UE's
/// own where that is its peer or unknown.
class WaitsFor {
 public:
  WaitsFor(Library& library, const char* flag, int rank) : activity_(library.ue.activity) {
    flag_before_ = activity_.flag;
    rank_before_ = activity_.flag_rank;
    activity_.flag = flag;
    activity_.flag_rank = rank;
  }
  ~WaitsFor() {
    activity_.flag = flag_before_;
    activity_.flag_rank = rank_before_;
  }
  WaitsFor(const WaitsFor&) = delete;
  WaitsFor& operator=(const WaitsFor&) = delete;

 private:
  Activity& activity_;
  const char* flag_before_;
  int rank_before_;
};

} // namespace rcce::protocol
