// SPDX-License-Identifier: Apache-2.0
// Requests for words, each from its issue to its effect: the queue at the line, the owner's moment, the
// wake-up of those who poll. A request takes effect when it is served.
#pragma once

#include "mesh_sim/machines/coherent/rings.hpp"

namespace mesh::coherent {

/// An access to a word, and its result.
struct Request {
  Operation operation;
  Word word;
  std::uint64_t operand = 0, expected = 0;
  std::uint64_t old = 0; ///< the word's value beforehand
  bool changed = false;  ///< true if the word was written
  bool hit = false;      ///< true if the core's own cache has answered
  Picoseconds at = 0;    ///< when it took effect
};

class Accesses : Part {
 public:
  Accesses(const Part& part, Caches& caches, LineQueues& queues, Rings& rings)
      : Part(part),
        caches_(caches),
        queues_(queues),
        rings_(rings),
        tracks_siblings_(config_.threads_per_core > 1) {}

  /// Serves a request of the current context for `thread`; returns when its answer is there, which may be
  /// later than the clock that it leaves behind. Nobody is told.
  [[nodiscard]] Picoseconds issue(int thread, Request& request);
  /// The same, until its answer is there.
  void access(int thread, Request& request) { kernel_.advance_to(issue(thread, request)); }
  /// A read-modify-write, of which observers are told. Returns it with what it gave.
  Request modify(int thread, Request request);
  using Succeeded = bool (*)(const Request&);
  /// The same again and again, until it succeeds; returns the word's value beforehand.
  std::uint64_t spin(int thread, Request request, Succeeded succeeded);

  /// A digest of every access: who, when, which line, and what it found.
  [[nodiscard]] std::uint64_t digest() const noexcept { return digest_; }

 private:
  [[nodiscard]] bool may_hit(const Line& line, int core, Operation operation) const noexcept;
  [[nodiscard]] Picoseconds issue_hit(Line& line, int thread, Request& request);
  void apply(Line& line, Request& request, int thread, Picoseconds done);
  void notify_change(int thread, const Request& request) const;

  Caches& caches_;
  LineQueues& queues_;
  Rings& rings_;
  bool tracks_siblings_;
  std::uint64_t digest_ = 0;
};

} // namespace mesh::coherent
