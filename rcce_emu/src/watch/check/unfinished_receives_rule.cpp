// SPDX-License-Identifier: Apache-2.0
// The buffer of a receive is read, or sent on, before its request has been waited for or tested.
// Examples: receive-sent-on and receive-looked-at of tests/misuse/checked.c.
#include <functional>
#include <vector>

#include "engine/ue/job_state.hpp"
#include "watch/check/rule.hpp"

namespace rcce::check {
namespace {

class UnfinishedReceives final : public Rule {
 public:
  explicit UnfinishedReceives(CheckedJob& job)
      : Rule(job), open_(static_cast<std::size_t>(job.job.size())), watched_(open_.size()) {}

  void program(const Ue& ue, const mesh::ProgramFact& program) override { watched_[index_of(ue)] = program; }

  void receive(const Ue& ue, const mesh::ReceiveFact& receive) override {
    std::vector<Receive>& open = open_[index_of(ue)];
    if (receive.kind == mesh::ReceiveFact::Kind::finished) {
      std::erase_if(open, [&](const Receive& one) { return one.request == receive.request; });
      return;
    }
    Side posted = side_of(ue);
    posted.call = receive.call;
    posted.peer = receive.peer;
    posted.bytes = receive.bytes;
    posted.at = receive.at;
    posted.traits = receive.traits;
    open.push_back({receive.request, receive.buffer, receive.bytes, posted});
    // They may lie anywhere.
    if (const mesh::ProgramFact& watched = watched_[index_of(ue)]; watched.begin != nullptr) {
      *watched.begin = 0;
      *watched.bytes = ~0UL;
    }
  }

  void reads(const Ue& ue, const std::byte* memory, std::size_t bytes, std::uintptr_t code) override {
    for (const Receive& one : open_[index_of(ue)]) {
      if (!std::less<>{}(memory, one.buffer + one.bytes) || !std::less<>{}(one.buffer, memory + bytes))
        continue;
      Side side = side_of(ue);
      side.code = code;
      job_.findings.add("the buffer of an unfinished receive is read", one.posted, side,
                        "wait for the request, or test it, before its buffer is used");
    }
  }

 private:
  struct Receive {
    const void* request;
    const std::byte* buffer;
    std::size_t bytes;
    Side posted;
  };
  std::vector<std::vector<Receive>> open_; ///< by rank
  std::vector<mesh::ProgramFact> watched_; ///< by rank: words that say which addresses the program tells of
};

} // namespace

constinit const MakeRule unfinished_receives_rule = make<UnfinishedReceives>;

} // namespace rcce::check
