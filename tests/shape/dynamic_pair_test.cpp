// SPDX-License-Identifier: Apache-2.0
// reduce/dynamic_pair: whatever order the ranks come in, every operand ends in the result of its operation,
// once.
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>

#include "algorithms/shapes/dynamic_pair.hpp"
#include "catch.hpp"

namespace dynamic_pair = algorithms::dynamic_pair;

namespace {

/// Ranks that reduce several times by pairs of reduce/dynamic_pair, one step of one rank after the other in
/// an order drawn at random. A rank is at once in its next reduction when it is done with one.
class DynamicPairs {
 public:
  DynamicPairs(int ranks, int words, int operations, std::uint32_t seed)
      : operations_(operations), random_(seed), words_(static_cast<std::size_t>(words), dynamic_pair::empty) {
    for (int rank = 0; rank < ranks; ++rank) ranks_.push_back({.held = {{0, rank}}});
  }

  /// How many reductions ended with every operand once.
  int run() {
    int right = 0;
    for (std::vector<int> ready = free_ranks(); !ready.empty(); ready = free_ranks()) {
      const int rank = ready[random_() % ready.size()];
      Rank& self = ranks_[static_cast<std::size_t>(rank)];
      dynamic_pair::Word& word = words_[static_cast<std::size_t>(self.operation) % words_.size()];
      const dynamic_pair::Word found = dynamic_pair::visit(word, rank, static_cast<int>(self.held.size()));
      if (found == dynamic_pair::empty) {
        self.waits = true;
        continue;
      }
      Rank& partner = ranks_[static_cast<std::size_t>(dynamic_pair::rank_of(found))];
      if (dynamic_pair::operands_of(found) != static_cast<int>(partner.held.size())) return -1;
      self.held.merge(partner.held);
      const int taken = dynamic_pair::rank_of(found);
      enter_next(partner, taken);
      if (self.held.size() < ranks_.size()) continue;
      std::set<std::pair<int, int>> all;
      for (int r = 0; r < static_cast<int>(ranks_.size()); ++r) all.insert({self.operation, r});
      right += self.held == all;
      enter_next(self, rank);
    }
    return right;
  }

 private:
  struct Rank {
    std::set<std::pair<int, int>> held; ///< operands: operation, rank
    int operation = 0;
    bool waits = false;
  };

  static void enter_next(Rank& rank, int number) {
    ++rank.operation;
    rank.waits = false;
    rank.held = {{rank.operation, number}};
  }
  [[nodiscard]] std::vector<int> free_ranks() const {
    std::vector<int> ready;
    for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) {
      const Rank& one = ranks_[static_cast<std::size_t>(rank)];
      if (!one.waits && one.operation < operations_) ready.push_back(rank);
    }
    return ready;
  }

  int operations_;
  std::mt19937 random_;
  std::vector<dynamic_pair::Word> words_;
  std::vector<Rank> ranks_;
};

} // namespace

TEST_CASE("operations stay apart with a word for each that may go on") {
  for (int ranks = 2; ranks <= 9; ++ranks)
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
      const int right = DynamicPairs(ranks, dynamic_pair::words(ranks), 20, seed).run();
      if (right == 20) continue;
      CAPTURE(ranks, seed, right);
      FAIL_CHECK("operands are lost or mixed");
    }
  int mixed = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) mixed += DynamicPairs(3, 1, 20, seed).run() != 20;
  CHECK(mixed > 0); // one word for all is too few from 3 ranks on
  CHECK(dynamic_pair::word_of(dynamic_pair::most_ranks, dynamic_pair::most_ranks) == 0xffffffffU);
  CHECK(dynamic_pair::rank_of(dynamic_pair::word_of(40000, 50000)) == 40000);
  CHECK(dynamic_pair::operands_of(dynamic_pair::word_of(40000, 50000)) == 50000);
}

namespace {

/// [rank, operands] as a word; null is empty.
dynamic_pair::Word word_in(const boost::property_tree::ptree& value) {
  std::vector<int> numbers;
  for (const auto& [index, number] : value) numbers.push_back(number.get_value<int>());
  return numbers.empty() ? dynamic_pair::empty : dynamic_pair::word_of(numbers.at(0), numbers.at(1));
}

} // namespace

TEST_CASE("the scenarios of the vectors") {
  boost::property_tree::ptree file;
  boost::property_tree::read_json(std::string(ROCKCREEK_VECTORS) + "/dpg-scenarios.json", file);
  int scenarios = 0, visits = 0;
  for (const auto& [key, scenario] : file.get_child("scenarios")) {
    CAPTURE(scenario.get<std::string>("name"));
    std::vector<dynamic_pair::Word> words(scenario.get<std::size_t>("flags"), dynamic_pair::empty);
    std::map<int, int> operands; // by rank, as of its last step
    dynamic_pair::Word taken = dynamic_pair::empty;
    for (const auto& [number, step] : scenario.get_child("steps")) {
      const int rank = step.get<int>("thread");
      const auto what = step.get<std::string>("do");
      if (what == "enter") operands[rank] = 1;
      if (what == "merge") {
        CHECK(dynamic_pair::rank_of(taken) == step.get<int>("slave"));
        operands[rank] += dynamic_pair::operands_of(taken);
        CHECK(operands[rank] == step.get<int>("count_after"));
      }
      // A visit here is one step, where shared memory needs several: those that succeed are the visits.
      if ((what != "register" && what != "take") || !step.get<bool>("ok")) continue;
      dynamic_pair::Word& word = words[(step.get<std::size_t>("op") - 1) % words.size()];
      const dynamic_pair::Word found = dynamic_pair::visit(word, rank, operands[rank]);
      CHECK((found == dynamic_pair::empty) == (what == "register"));
      if (what == "take") taken = found;
      CHECK(word == word_in(step.get_child("flag_after")));
      ++visits;
    }
    std::size_t flag = 0;
    for (const auto& [number, at_end] : scenario.get_child("flags_at_end"))
      CHECK(words.at(flag++) == word_in(at_end));
    ++scenarios;
  }
  CHECK(scenarios == 6);
  CHECK(visits > 20);
}
