// What `auto` takes follows from the predictions of the table's rows.
#include <algorithm>
#include <limits>
#include <string_view>

#include "algorithms/table.hpp"
#include "catch.hpp"

using algorithms::Algorithm;
using algorithms::Call;
using algorithms::Choice;
using algorithms::Operation;
using algorithms::Platform;

namespace {

bool no_stages(const Algorithm& row) {
  return row.name != "bcast/staged_pull";
}
bool nothing(const Algorithm&) {
  return false;
}

} // namespace

TEST_CASE("every row has a prediction; it grows with the message and is nothing for one rank") {
  for (const Algorithm& row : algorithms::table()) {
    CAPTURE(row.name);
    REQUIRE(row.predict_us != nullptr);
    if (row.operation != Operation::bcast) continue;
    double before = 0;
    for (const std::size_t bytes : {32U, 4096U, 65536U, 1048576U}) {
      const double us = row.predict_us(Platform{}, {.ues = 48, .bytes = bytes});
      CHECK(us > before);
      before = us;
    }
  }
}

TEST_CASE("faster clocks are predicted to be faster, plain copies slower") {
  const Platform slow, fast{.core_mhz = 800, .mesh_mhz = 1600, .dram_mhz = 1066};
  const Platform plain{.plain_copies = true, .rcce_10 = true};
  for (const Algorithm& row : algorithms::table()) {
    const Call call{.ues = 48, .bytes = 190000};
    CAPTURE(row.name);
    CHECK(row.predict_us(fast, call) < row.predict_us(slow, call));
    if (row.name == "bcast/binomial") CHECK(row.predict_us(plain, call) > 2 * row.predict_us(slow, call));
  }
}

TEST_CASE("staged_pull is predicted with the stages that are asked for") {
  const auto predicted = [](int stages) {
    return algorithms::find("bcast/staged_pull")
        ->predict_us(Platform{}, {.ues = 48, .bytes = 190000, .stages = stages});
  };
  CHECK(predicted(0) == predicted(4));
  for (const int stages : {1, 2, 8, 24, 48}) CHECK(predicted(stages) > predicted(4));
  CHECK(predicted(48) == predicted(99));
}

TEST_CASE("a prediction that may stop is either what it is otherwise or above what was asked for") {
  for (const Algorithm& row : algorithms::table())
    for (const int ues : {2, 7, 48})
      for (const std::size_t bytes : {32U, 10000U, 300000U}) {
        Call call{.ues = ues, .bytes = bytes};
        const double us = row.predict_us(Platform{}, call);
        CAPTURE(row.name, ues, bytes, us);
        for (const double share : {0.0, 0.1, 0.9, 0.999, 1.0, 1.5}) {
          call.at_most_us = us * share;
          const double found = row.predict_us(Platform{}, call);
          if (share < 1)
            CHECK(found > call.at_most_us);
          else
            CHECK(found == us);
        }
      }
}

TEST_CASE("the choice is that of all predictions, though most are not made to their end") {
  for (const int ues : {3, 12, 48})
    for (const std::size_t bytes : {1U, 500U, 8192U, 70000U, 1000000U})
      for (const std::size_t part : {std::size_t{0}, std::size_t{777}}) {
        const Call call{.ues = ues, .root = ues / 2, .bytes = bytes, .part_bytes = part};
        const Choice choice = choose(Operation::bcast, Platform{}, call, no_stages);
        double least = std::numeric_limits<double>::infinity();
        std::string_view name;
        for (const Algorithm& row : algorithms::table()) {
          if (row.operation != Operation::bcast || !no_stages(row)) continue;
          for (std::size_t tried = row.part_bytes / 2; tried <= 2 * row.part_bytes;
               tried = std::max<std::size_t>(1, 2 * tried)) {
            Call candidate = call;
            if (part == 0) candidate.part_bytes = tried;
            const double us = row.predict_us(Platform{}, candidate);
            if (us < least) least = us, name = row.name;
            if (part != 0 || row.part_bytes == 0 || bytes <= tried) break;
          }
        }
        CAPTURE(ues, bytes, part);
        CHECK(choice.algorithm->name == name);
        CHECK(choice.predicted_us == least);
        CHECK(choice.call.at_most_us == call.at_most_us);
      }
}

TEST_CASE("the longest message and the largest options take no longer") {
  double before = 0;
  for (const std::size_t bytes :
       {std::size_t{1} << 24, std::size_t{1} << 30, std::size_t{1} << 40, std::size_t{1} << 62}) {
    const Choice choice = choose(Operation::bcast, Platform{}, {.ues = 48, .bytes = bytes});
    CHECK(choice.predicted_us > before);
    CHECK(choice.call.bytes == bytes);
    before = choice.predicted_us;
  }
  for (const int most : {1000, std::numeric_limits<int>::max()}) {
    const Choice choice =
        choose(Operation::barrier, Platform{}, {.ues = 48, .fan_out = most, .stages = most});
    CHECK(choice.predicted_us ==
          choose(Operation::barrier, Platform{}, {.ues = 48, .fan_out = 48}).predicted_us);
  }
}

TEST_CASE("more ranks than buffers have room for end, too") {
  for (const int ues : {200, 5000})
    for (const bool rcce_10 : {false, true}) {
      const Choice choice =
          choose(Operation::bcast, Platform{.rcce_10 = rcce_10}, {.ues = ues, .bytes = 10000});
      REQUIRE(choice.algorithm != nullptr);
      if (ues == 5000) CHECK(choice.algorithm->name != "bcast/staged_pull");
    }
}

TEST_CASE("the choice is the smallest prediction among the usable") {
  for (const int ues : {2, 3, 12, 24, 48})
    for (const std::size_t bytes : {32U, 1000U, 8192U, 190000U, 1900000U}) {
      const Call call{.ues = ues, .bytes = bytes};
      const Choice all = choose(Operation::bcast, Platform{}, call);
      const Choice some = choose(Operation::bcast, Platform{}, call, no_stages);
      CAPTURE(ues, bytes, all.algorithm->name, some.algorithm->name);
      CHECK(all.algorithm->name == "bcast/staged_pull");
      CHECK(some.algorithm->name != "bcast/staged_pull");
      CHECK(all.predicted_us < some.predicted_us);
      CHECK(some.call.bytes == bytes);
      CHECK(some.predicted_us == some.algorithm->predict_us(Platform{}, some.call));
      for (const Algorithm& row : algorithms::table())
        if (row.operation == Operation::bcast && !row.whole_mesh)
          CHECK(all.predicted_us <= row.predict_us(Platform{}, call));
    }
  CHECK(choose(Operation::bcast, Platform{}, Call{}, nothing).algorithm == nullptr);
  CHECK_FALSE(choose(Operation::barrier, Platform{}, Call{.ues = 2}).algorithm->uses_registers);
}
