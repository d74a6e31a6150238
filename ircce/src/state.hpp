// SPDX-License-Identifier: Apache-2.0
// The iRCCE library of one UE: its requests and queues. One send queue for all destinations, since one
// outgoing message at a time fits into the MPB; one receive queue per source; and the receives that have no
// source yet. Only the head of a queue is active. Functions over it are in one header per part.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "costs.hpp"
#include "library/protocol/library.hpp"
#include "library/protocol/messages.hpp"
#include "mesh_sim/parts/address_space.hpp"
#include "request.hpp"
#include "segments.hpp"

namespace rcce::ircce {

inline constexpr int success = 0;
inline constexpr int any_source = -1;

/// States as numbers; iRCCE 2.0 has put an error code before those of 1.x.
struct Codes {
  int error, pending, reserved, not_enqueued;
};

/// One message under way.
struct Transfer {
  Request request;
  bool sending;
  bool pipelined;
  const char* call; ///< that posted it
  char* buffer;
  std::size_t size;
  int peer;          ///< any_source: none found yet
  bool any_length;   ///< the sender's first flag tells the size
  Picoseconds begin; ///< clock when it was posted
  protocol::Channel channel;

  std::size_t offset = 0; ///< bytes whose segments have been completed
  bool begun = false;     ///< the first segment is announced, or has arrived
  bool line = false;      ///< one of tm2c's messages of one line, which have queues and places of their own
  bool stores = true;     ///< a receiver that only wants the message gone stores nothing
  void* tag = nullptr;    ///< travels with the first flag
  int tag_bytes = 0;
};

class BufferChecks;

class State final : public protocol::Extension {
 public:
  State(protocol::Library& library, const ImageInterface& image);
  ~State() override;

  void finalizing() override;
  void sending(int dest) override;
  void receiving(int source) override;
  std::vector<std::string> awaited() override;
  bool awaits_any() override {
    return listed == nullptr && other != nullptr ? other->awaits_any() : listed_any;
  }
  std::vector<OpenMessage> open_messages() override;

  protocol::Library& library;
  const ImageInterface& image;
  const IrcceCosts costs;
  const Copy copy;
  const Codes codes;
  const bool any_length; ///< flags carry sizes, and small messages

  std::deque<Transfer*> sends;
  std::map<int, std::deque<Transfer*>> receives; ///< by source; none of them empty
  std::deque<Transfer*> unmatched;               ///< any-source receives

  std::map<int, std::deque<Transfer*>> line_sends, line_receives; ///< tm2c's, by partner; none of them empty

  [[nodiscard]] bool first_generation() const { return image.generation < 20; }
  [[nodiscard]] Request send_request(void* request) const { return {image.send, request}; }
  [[nodiscard]] Request receive_request(void* request) const { return {image.receive, request}; }
  /// The record of an unfinished request, or null.
  [[nodiscard]] Transfer* find(const void* request);
  /// The head of the queue that it is in; null for an unmatched receive.
  [[nodiscard]] Transfer* head_of(const Transfer& transfer);

  /// Takes a request in: makes its record, sets the program's fields. Ends the UE if it is unfinished.
  Transfer& enter(Transfer transfer);
  /// Puts it at the end of its queue. Returns whether it is the head.
  bool enqueue(Transfer& transfer);
  void dequeue(Transfer& transfer);
  /// The message has been passed on in full: leaves its queue; the program sees it as finished.
  void finish(Transfer& transfer);
  /// Forgets a request without finishing it.
  void drop(Transfer& transfer);
  void set_recent(int source, std::size_t length) const;

  /// The error for a rank that does not exist.
  [[nodiscard]] int bad_rank() const;
  /// The same for a size below 0, which the original passed by in silence.
  [[nodiscard]] int bad_size() const;

  /// "iRCCE_isend to rank 2, 64 bytes".
  [[nodiscard]] static std::string name_of(const Transfer& transfer);
  /// On stderr, once for each kind of cause.
  void warn_once(bool& told, const std::string& what) const;

  /// The byte of pipelined messages of no bytes.
  [[nodiscard]] char* dummy();
  [[nodiscard]] bool is_dummy(const char* buffer) const { return dummy_ && buffer == &dummy_->byte; }

  /// The state of another interface that the program uses too, iRCCE's or that of RWTH's RCCE; each has its
  /// own queues.
  std::unique_ptr<State> other;

  std::unique_ptr<BufferChecks> checks; ///< null unless the job is checked

  const ListElement* listed = nullptr; ///< the list that it waits for, or null
  bool listed_any = false;             ///< for one of it

  bool told_stray = false, told_overlap = false, told_taken = false;
  int counters_taken = 0; ///< atomic counters handed out
  int barrier_turn = 0;   ///< which of its two counters the barrier uses next
  int barrier_counters[2] = {-1, -1};

 private:
  /// All that are not finished, by queues.
  [[nodiscard]] std::vector<const Transfer*> left() const;
  [[nodiscard]] std::map<int, std::deque<Transfer*>>& queues_by_peer(const Transfer& transfer);
  void show_queue(const Transfer& of);

  /// It meets the simulated caches, so its place in a page must not depend on the host's allocator.
  struct alignas(mesh::AddressSpace::page_bytes) Dummy {
    char byte = 0;
  };
  std::unique_ptr<Dummy> dummy_; ///< few programs need it

  std::unordered_map<const void*, std::unique_ptr<Transfer>>
      unfinished_; ///< by the program's object; never walked
};

/// Stores a result where the program wants it.
inline void tell(int* place, int value) {
  if (place != nullptr) *place = value;
}

/// The state of a UE for that interface, made at its first use.
[[nodiscard]] State& state_of(protocol::Library& library, const ImageInterface& image);

} // namespace rcce::ircce
