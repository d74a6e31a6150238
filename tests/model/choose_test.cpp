// What `auto` takes follows from the predictions of the table's rows.
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
