// SPDX-License-Identifier: Apache-2.0
// bcast/linear, bcast/binomial and bcast/scatter_allgather: complete and free of deadlock for every n up to
// 100 and every root.
#include <algorithm>
#include <bit>
#include <vector>

#include "algorithms/shapes/binomial.hpp"
#include "algorithms/shapes/linear.hpp"
#include "algorithms/shapes/message.hpp"
#include "algorithms/shapes/scatter_allgather.hpp"
#include "catch.hpp"
#include "rendezvous.hpp"

namespace {

using Calls = std::vector<std::vector<rendezvous::Call>>;
constexpr int most_ranks = 100;

Calls& add(Calls& calls, int rank, bool send, int partner, int part) {
  calls[static_cast<std::size_t>(rank)].push_back({send, partner, part});
  return calls;
}

} // namespace

TEST_CASE("linear: every n and root") {
  int schedules = 0;
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    for (int root = 0; root < ranks; ++root) {
      Calls calls(static_cast<std::size_t>(ranks));
      for (int round = 0; round < ranks - 1; ++round)
        add(calls, root, true, algorithms::linear::receiver(round, root), 0);
      for (int rank = 0; rank < ranks; ++rank)
        if (rank != root) add(calls, rank, false, root, 0);
      ++schedules;
      const std::string fault = rendezvous::Replay(calls, root, 1).run();
      if (fault.empty()) continue;
      CAPTURE(ranks, root, fault);
      FAIL_CHECK("the schedule is wrong");
    }
  }
  CHECK(schedules == most_ranks * (most_ranks + 1) / 2);
}

TEST_CASE("binomial: every n and root; depth is ceil(log2 n)") {
  int schedules = 0;
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    for (int root = 0; root < ranks; ++root) {
      Calls calls(static_cast<std::size_t>(ranks));
      std::vector<int> round(static_cast<std::size_t>(ranks), 0); // by virtual rank: when it has the message
      int last = 0;
      for (int v = 0; v < ranks; ++v) {
        const int rank = algorithms::real_rank(v, root, ranks);
        if (v > 0)
          add(calls, rank, false, algorithms::real_rank(algorithms::binomial::parent(v), root, ranks), 0);
        int now = round[static_cast<std::size_t>(v)];
        for (int distance = algorithms::binomial::first_distance(v, ranks); distance > 0; distance /= 2) {
          if (v + distance >= ranks) continue;
          add(calls, rank, true, algorithms::real_rank(v + distance, root, ranks), 0);
          round[static_cast<std::size_t>(v + distance)] = ++now;
          last = std::max(last, now);
        }
      }
      ++schedules;
      const std::string fault = rendezvous::Replay(calls, root, 1).run();
      const int depth = static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1)));
      if (fault.empty() && last == depth) continue;
      CAPTURE(ranks, root, fault, last, depth);
      FAIL_CHECK("the schedule is wrong");
    }
  }
  CHECK(schedules == most_ranks * (most_ranks + 1) / 2);
}

TEST_CASE("scatter_allgather: every n and root; lengths with and without empty blocks") {
  int schedules = 0;
  using algorithms::scatter_allgather::Shape;
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    const auto size = static_cast<std::size_t>(ranks);
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{32}, std::size_t{33}, 32 * size / 2, 32 * size - 31,
          32 * size, 32 * size + 1, 1000 * size + 7}) {
      const Shape shape(ranks, bytes);
      bool blocks_fit = shape.offset(0) == 0 && shape.offset(ranks) == bytes;
      int filled = 0;
      for (int block = 0; block < ranks; ++block) {
        blocks_fit = blocks_fit && shape.offset(block) <= shape.offset(block + 1);
        if (shape.offset(block) < shape.offset(block + 1)) filled = block + 1;
      }
      for (int root = 0; root < ranks; ++root) {
        if (!rendezvous::taken(root, ranks, static_cast<int>(bytes))) continue;
        const auto real = [&](int v) { return algorithms::real_rank(v, root, ranks); };
        // A scatter message of several blocks stands as one call for each of them.
        Calls calls(size);
        for (int v = 0; v < ranks; ++v) {
          const auto several = [&](bool send, int begin, int end, int partner) {
            for (int block = begin; block < end && block < filled; ++block)
              add(calls, real(v), send, real(partner), block);
          };
          if (v > 0) several(false, v, shape.held_end(v), algorithms::binomial::parent(v));
          for (int distance = algorithms::binomial::first_distance(v, ranks); distance > 0; distance /= 2)
            if (v + distance < ranks) several(true, v + distance, shape.held_end(v + distance), v + distance);
          const int before = (v - 1 + ranks) % ranks, behind = (v + 1) % ranks;
          for (int round = 0; round < shape.rounds(); ++round) {
            const bool sends = shape.sends(v, round), receives = shape.sends(before, round);
            if (sends && Shape::sends_first(v))
              add(calls, real(v), true, real(behind), shape.block_sent(v, round));
            if (receives) add(calls, real(v), false, real(before), shape.block_sent(before, round));
            if (sends && !Shape::sends_first(v))
              add(calls, real(v), true, real(behind), shape.block_sent(v, round));
          }
        }
        ++schedules;
        rendezvous::Replay replay(calls, root, filled);
        const std::string fault = replay.run();
        if (fault.empty() && blocks_fit && replay.messages() == (ranks - 1) * filled) continue;
        CAPTURE(ranks, root, bytes, fault, blocks_fit, replay.messages());
        FAIL_CHECK("the schedule is wrong");
      }
    }
  }
  CHECK(schedules >= most_ranks * 9);
  if (rendezvous::whole()) CHECK(schedules == most_ranks * (most_ranks + 1) / 2 * 9);
}
