// Clocks of ranks that exchange messages by RCCE_send and RCCE_recv, or by iRCCE's non-blocking pair.
#pragma once

#include <algorithm>
#include <vector>

#include "model/costs.hpp"

namespace algorithms::model {

class Exchanges {
 public:
  Exchanges(const Costs& costs, int ranks)
      : costs_(costs),
        clock_(static_cast<std::size_t>(ranks), 0.0),
        // The flags of all pairs take lines of the buffer, and so does the dummy line.
        chunk_lines_(static_cast<double>(costs.platform().mpb_bytes / line_bytes) - 1 -
                     (costs.platform().rcce_10 ? 2.0 * ranks + 1 : (2.0 * ranks + 2) / line_bytes + 1)) {}

  [[nodiscard]] double& clock(int rank) { return clock_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] double last() const { return *std::max_element(clock_.begin(), clock_.end()); }

  /// One message; both ranks are in their calls from the time that their clocks show. `overhead` is what each
  /// piece costs more than RCCE's, on each side.
  void message(int from, int to, std::size_t bytes, const Where& source, const Where& target,
               double overhead = 0) {
    double &sender = clock(from), &receiver = clock(to);
    sender += costs_.call;
    receiver += costs_.call;
    const auto one = [&](double lines) {
      sender +=
          overhead + costs_.piece + costs_.put + costs_.put_lines(lines, from, source) + costs_.flag_write;
      receiver = std::max(receiver + overhead + costs_.piece + costs_.poll, sender + costs_.notice(from, to));
      receiver +=
          costs_.flag_write + costs_.get + costs_.get_lines(lines, to, from, target) + costs_.flag_write;
      sender = std::max(sender + costs_.poll, receiver + costs_.notice(to, from)) + costs_.flag_write;
    };
    auto whole = static_cast<double>(bytes / line_bytes);
    for (; whole > 0; whole -= chunk_lines_) one(std::min(whole, chunk_lines_));
    if (bytes % line_bytes != 0) one(1);
  }

 private:
  const Costs& costs_;
  std::vector<double> clock_;
  double chunk_lines_;
};

} // namespace algorithms::model
