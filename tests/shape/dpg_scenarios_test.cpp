// SPDX-License-Identifier: Apache-2.0
// Does reduce/dynamic_pair in shared memory, its own code driven step by step, do what the scenarios of pair
// generation say?
#include <string>

#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>

#include "algorithms/explore/scenarios.hpp"
#include "catch.hpp"
#include "explore/run.hpp"

namespace explore = algorithms::explore;
namespace in_memory = algorithms::in_memory;
using explore::Action;
using explore::Memory;
using Json = boost::property_tree::ptree;

namespace {

constexpr int pieces = 2;

/// [rank, count], or null, as a word.
std::uint64_t word_of(const Json& json) {
  if (json.empty()) return 0;
  return json.front().second.get_value<std::uint64_t>() * 65536 +
      json.back().second.get_value<std::uint64_t>();
}

class Driven {
 public:
  Driven(int threads, int flags, int operations)
      : threads_(threads),
        flags_(flags),
        stacks_(static_cast<std::size_t>(threads), 64 * 1024),
        scenario_(explore::reduce_scenario(
            [flags](Memory& memory, const auto& operation, std::size_t bytes) {
              return in_memory::make_reduction<Memory, in_memory::DynamicPair<Memory>>(
                  memory, operation, bytes, in_memory::ReduceOptions{.flags = flags});
            },
            pieces, operations)),
        run_(threads, scenario_, stacks_) {}

  void step(const Json& json) {
    const int thread = json.get<int>("thread");
    const auto what = json.get<std::string>("do");
    INFO(what << " by thread " << thread << " in operation " << json.get<int>("op"));
    if (what == "enter") {
      while (!at_flag(thread)) REQUIRE(advance(thread));
    } else if (what == "register" || what == "take") {
      REQUIRE(run_.next(thread).kind == Action::Kind::compare_exchange);
      const std::uint64_t expected = run_.next(thread).expected;
      CHECK((expected == 0) == (what == "register"));
      CHECK((run_.step(thread) == expected) == json.get<bool>("ok"));
      CHECK(flag(json.get<int>("op")) == word_of(json.get_child("flag_after")));
    } else if (what == "load") {
      REQUIRE(run_.next(thread).kind == Action::Kind::load);
      CHECK(run_.step(thread) == word_of(json.get_child("seen")));
    } else if (what == "merge") {
      merge(json, thread, json.get<int>("slave"));
    } else {
      CHECK(what == "leave");
      while (!at_input(thread)) REQUIRE(advance(thread));
    }
  }
  /// Behind four words of each thread, merge.hpp's.
  [[nodiscard]] std::uint64_t flag(int operation) const {
    return run_.state().contents.words[static_cast<std::size_t>(4 * threads_ + operation % flags_)];
  }

 private:
  [[nodiscard]] bool at_flag(int thread) const {
    return run_.next(thread).kind == Action::Kind::compare_exchange;
  }
  /// About to write its next input, or at its end.
  [[nodiscard]] bool at_input(int thread) const {
    const Action& next = run_.next(thread);
    return next.kind == Action::Kind::end ||
        (next.kind == Action::Kind::blocks && next.ranges.size() == 1 &&
         next.ranges[0].from == static_cast<std::size_t>(thread) * pieces * sizeof(explore::Element));
  }
  bool advance(int thread) {
    if (!run_.ready(thread)) return false;
    (void)run_.step(thread);
    return true;
  }
  void merge(const Json& json, int master, int slave) {
    bool done = false;
    while (!done && (advance(master) || advance(slave))) done = at_flag(master) || at_input(master);
    CHECK(done); // also where contributions of two operations get mixed
    const int operation = json.get<int>("op");
    if (!json.get<bool>("final")) return;
    explore::Element sum;
    for (const auto& one : json.get_child("contributions"))
      sum = sum +
          explore::contribution(one.second.back().second.get_value<int>(),
                                one.second.front().second.get_value<int>() - 1);
    const Memory::Block result{static_cast<std::size_t>(threads_ + operation - 1) * pieces *
                                   sizeof(explore::Element),
                               pieces * sizeof(explore::Element)};
    for (std::size_t i = 0; i < pieces; ++i)
      CHECK(run_.state().contents.value<explore::Element>(result, i).count == sum.count);
  }

  int threads_, flags_;
  mesh::StackPool stacks_;
  explore::Scenario scenario_;
  explore::Run run_;
};

} // namespace

TEST_CASE("every scenario of pair generation comes about as listed") {
  Json json;
  boost::property_tree::read_json(std::string(ROCKCREEK_VECTORS) + "/dpg-scenarios.json", json);
  int scenarios = 0;
  for (const auto& [key, scenario] : json.get_child("scenarios")) {
    INFO(scenario.get<std::string>("name"));
    Driven driven(scenario.get<int>("threads"), scenario.get<int>("flags"), 2);
    int number = 0;
    for (const auto& [none, step] : scenario.get_child("steps")) {
      INFO("step " << ++number);
      driven.step(step);
    }
    int operation = 0; // flags are listed from that of the first one on
    for (const auto& [none, value] : scenario.get_child("flags_at_end"))
      CHECK(driven.flag(++operation) == word_of(value));
    ++scenarios;
  }
  CHECK(scenarios == 6);
}
