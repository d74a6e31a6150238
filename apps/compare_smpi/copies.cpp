// SPDX-License-Identifier: Apache-2.0
// The bytes that a broadcast's schedule moves, copied by this process and nothing else: what is left when
// simulating costs nothing. As there, a segment of a message goes from its sender's private memory into the
// sender's message-passing buffer and from there into the receiver's memory; messages of one round take turns
// segment by segment.
//
//   copies linear|binomial|scatter_allgather REPETITIONS BYTES
//
// 48 ranks. Prints "REPETITIONS BYTES-COPIED-PER-REPETITION", after every rank's bytes were compared.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "algorithms/shapes/binomial.hpp"
#include "algorithms/shapes/linear.hpp"
#include "algorithms/shapes/scatter_allgather.hpp"

namespace {

constexpr int ranks = 48;
constexpr std::size_t mpb_bytes = 8192;

struct Message {
  int from, to;
  std::size_t offset, bytes;
};
using Round = std::vector<Message>;

/// Rounds of a binomial tree; `extent` says what a child is sent.
template <typename Extent>
std::vector<Round> tree(Extent&& extent) {
  std::vector<Round> rounds;
  for (int distance = algorithms::binomial::first_distance(0, ranks); distance > 0; distance /= 2) {
    Round round;
    for (int from = 0; from + distance < ranks; from += 2 * distance)
      round.push_back(extent(from, from + distance));
    rounds.push_back(round);
  }
  return rounds;
}

std::vector<Round> schedule(const std::string& algorithm, std::size_t bytes) {
  if (algorithm == "linear") {
    std::vector<Round> rounds;
    for (int round = 0; round < ranks - 1; ++round)
      rounds.push_back({{0, algorithms::linear::receiver(round, 0), 0, bytes}});
    return rounds;
  }
  if (algorithm == "binomial") return tree([&](int from, int to) { return Message{from, to, 0, bytes}; });
  if (algorithm != "scatter_allgather") return {};
  const algorithms::scatter_allgather::Shape shape(ranks, bytes);
  const auto blocks = [&](int from, int to, int begin, int end) {
    return Message{from, to, shape.offset(begin), shape.offset(end) - shape.offset(begin)};
  };
  auto rounds = tree([&](int from, int to) { return blocks(from, to, to, shape.held_end(to)); });
  for (int number = 0; number < shape.rounds(); ++number) {
    Round round;
    for (int from = 0; from < ranks; ++from) {
      const int block = shape.block_sent(from, number);
      if (shape.sends(from, number)) round.push_back(blocks(from, (from + 1) % ranks, block, block + 1));
    }
    rounds.push_back(round);
  }
  return rounds;
}

} // namespace

int main(int argc, char** argv) {
  const std::size_t bytes = argc == 4 ? std::strtoul(argv[3], nullptr, 10) : 0;
  const auto rounds = schedule(argc == 4 ? argv[1] : "", bytes);
  if (rounds.empty()) {
    std::puts("usage: copies linear|binomial|scatter_allgather REPETITIONS BYTES");
    return 2;
  }
  std::vector<std::vector<char>> own(ranks, std::vector<char>(bytes)),
      mpb(ranks, std::vector<char>(mpb_bytes));
  for (std::size_t i = 0; i < bytes; ++i) own[0][i] = static_cast<char>(i * 7 + 1);

  const int repetitions = std::atoi(argv[2]);
  std::size_t copied = 0;
  for (int repetition = 0; repetition < repetitions; ++repetition)
    for (const Round& round : rounds)
      for (std::size_t at = 0, more = 1; more != 0; at += mpb_bytes) {
        more = 0;
        for (const Message& message : round) {
          if (at >= message.bytes) continue;
          const std::size_t length = std::min(mpb_bytes, message.bytes - at);
          char* const buffer = mpb[static_cast<std::size_t>(message.from)].data();
          std::memcpy(buffer, own[static_cast<std::size_t>(message.from)].data() + message.offset + at,
                      length);
          std::memcpy(own[static_cast<std::size_t>(message.to)].data() + message.offset + at, buffer, length);
          copied += 2 * length;
          more = 1;
        }
      }

  for (int rank = 0; rank < ranks && repetitions > 0; ++rank)
    if (own[static_cast<std::size_t>(rank)] != own[0]) {
      std::printf("copies: rank %d: wrong bytes\n", rank);
      return 1;
    }
  if (repetitions > 0) std::printf("%d %zu\n", repetitions, copied / static_cast<std::size_t>(repetitions));
  return 0;
}
