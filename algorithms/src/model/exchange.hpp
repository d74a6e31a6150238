// Clocks of ranks that exchange messages by RCCE_send and RCCE_recv, or by iRCCE's non-blocking pair.
#pragma once

#include <algorithm>
#include <vector>

#include "model/costs.hpp"

namespace algorithms::model {

class Exchanges {
 public:
  Exchanges(const Costs& costs, const Call& call) : Exchanges(costs, call.ues, call.at_most_us) {}
  Exchanges(const Costs& costs, int ranks, double at_most_us)
      : costs_(costs),
        at_most_us_(at_most_us),
        clock_(static_cast<std::size_t>(ranks), 0.0),
        announced_(clock_),
        taken_(clock_),
        // The flags of all pairs take lines of the buffer, and so does the dummy line. With too many ranks
        // for one line of payload there is nothing to predict; what is predicted then at least ends.
        chunk_lines_(
            std::max(1.0,
                     static_cast<double>(costs.platform().mpb_bytes / line_bytes) - 1 -
                         (costs.platform().rcce_10 ? 2.0 * ranks + 1 : (2.0 * ranks + 2) / line_bytes + 1))) {
  }

  [[nodiscard]] double& clock(int rank) { return clock_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] double last() const { return *std::max_element(clock_.begin(), clock_.end()); }

  /// Nothing that may still come can make last() less than what was asked for at most.
  [[nodiscard]] bool over() const { return over_; }

  /// One message by RCCE_send and RCCE_recv; both ranks are in their calls from the time that their clocks
  /// show.
  void message(int from, int to, std::size_t bytes, const Where& source, const Where& target) {
    clock(from) += costs_.call;
    clock(to) += costs_.call;
    for_each_piece(bytes, [&](double lines) {
      clock(from) += costs_.piece + costs_.put + costs_.put_lines(lines, from, source) + costs_.flag_write;
      clock(to) += costs_.piece;
      clock(from) =
          std::max(clock(from) + costs_.poll, take(from, to, lines, target, clock(from))) + costs_.flag_write;
    });
    over_ = over_ || clock(from) > at_most_us_;
  }

  /// A message by iRCCE's non-blocking calls, which take `overhead` more on each side.
  struct Post {
    int from, to;
    std::size_t bytes;
    Where source, target;
    double overhead;
  };

  /// The sender puts the first piece into its MPB and goes on.
  void begin(const Post& post) {
    clock(post.from) += post.overhead;
    announce(post, std::min(chunk_lines_, static_cast<double>(lines_of(post.bytes))));
  }
  /// Whether the receiver has it before its eyes when it would otherwise wait for its own last post to be
  /// taken.
  [[nodiscard]] bool arrived(const Post& post) {
    const double free = std::max(clock(post.to), taken_[static_cast<std::size_t>(post.to)]);
    return free >= announced_at(post.from) + costs_.notice(post.from, post.to);
  }
  /// The receiver takes it, and what follows in pieces.
  void finish(const Post& post) {
    clock(post.to) += post.overhead;
    bool first = true;
    for_each_piece(post.bytes, [&](double lines) {
      if (!first) announce(post, lines);
      first = false;
      clock(post.to) += costs_.piece;
      taken_[static_cast<std::size_t>(post.from)] =
          take(post.from, post.to, lines, post.target, announced_at(post.from));
    });
    over_ = over_ || clock(post.to) > at_most_us_;
  }
  void all(const Post& post) {
    begin(post);
    finish(post);
  }
  /// The rank waits until its last posted message has been taken.
  void settle(int rank) {
    double& taken = taken_[static_cast<std::size_t>(rank)];
    if (taken > 0) clock(rank) = std::max(clock(rank) + costs_.poll, taken) + costs_.flag_write;
    taken = 0;
  }

 private:
  template <class One>
  void for_each_piece(std::size_t bytes, One&& one) const {
    for (auto lines = static_cast<double>(bytes / line_bytes); lines > 0; lines -= chunk_lines_)
      one(std::min(lines, chunk_lines_));
    if (bytes % line_bytes != 0) one(1);
  }

  void announce(const Post& post, double lines) {
    settle(post.from);
    clock(post.from) +=
        costs_.piece + costs_.put + costs_.put_lines(lines, post.from, post.source) + costs_.flag_write;
    announced_at(post.from) = clock(post.from);
  }
  [[nodiscard]] double& announced_at(int rank) { return announced_[static_cast<std::size_t>(rank)]; }

  /// The receiver gets a piece that the sender announced at a certain time; when the sender sees that it did.
  double take(int from, int to, double lines, const Where& target, double announced) {
    double& receiver = clock(to);
    receiver = std::max(receiver + costs_.poll, announced + costs_.notice(from, to));
    receiver +=
        costs_.flag_write + costs_.get + costs_.get_lines(lines, to, from, target) + costs_.flag_write;
    return receiver + costs_.notice(to, from);
  }

  const Costs& costs_;
  double at_most_us_;
  bool over_ = false;
  std::vector<double> clock_;
  std::vector<double> announced_, taken_; ///< of each rank's last post; taken: 0 where there is none
  double chunk_lines_;
};

} // namespace algorithms::model
