// SPDX-License-Identifier: Apache-2.0
// Where things go: allocations, flags, segments of a message, and who has a register when. Figures are those
// of the interface's pages.
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "engine/stamped_fabric.hpp"
#include "library/protocol/block_list.hpp"
#include "library/protocol/flag_table.hpp"
#include "library/protocol/host_compute.hpp"
#include "library/protocol/power.hpp"
#include "library/protocol/segments.hpp"
#include "library/protocol/sorting.hpp"

using namespace rcce::protocol;

TEST_CASE("a freed block is not used again while the tail has room") {
  BlockList blocks;
  blocks.reset(8128);
  const auto a = blocks.allocate(32);
  CHECK(a == std::optional<std::size_t>(0));
  CHECK(blocks.allocate(64) == std::optional<std::size_t>(32));
  blocks.release(*a);
  CHECK(blocks.allocate(128) == std::optional<std::size_t>(96));
  CHECK(blocks.allocate(8128 - 224) == std::optional<std::size_t>(224));
  CHECK(blocks.allocate(32) == std::optional<std::size_t>(0));
  CHECK_FALSE(blocks.allocate(32));
  CHECK_FALSE(blocks.allocate(0));
}

TEST_CASE("freed neighbours merge, and with the tail") {
  BlockList blocks;
  blocks.reset(320);
  std::vector<std::size_t> at;
  for (int i = 0; i < 10; ++i) at.push_back(*blocks.allocate(32));
  CHECK_FALSE(blocks.allocate(32));
  blocks.release(at[3]);
  blocks.release(at[5]);
  CHECK_FALSE(blocks.allocate(96));
  blocks.release(at[4]);
  CHECK(blocks.allocate(96) == std::optional<std::size_t>(96));
  blocks.release(7); // no block begins there
  blocks.release(at[9]);
  blocks.release(at[8]);
  CHECK(blocks.allocate(64) == std::optional<std::size_t>(256));
}

TEST_CASE("a request is halved until it fits") {
  BlockList blocks;
  blocks.reset(8128);
  std::size_t granted = 1;
  const auto allocate = [&](std::size_t bytes) { return blocks.allocate(bytes); };
  CHECK(allocate_request(100000, 32, granted, allocate) == std::optional<std::size_t>(0));
  CHECK(granted == 6272);
  CHECK_FALSE(allocate_request(0, 32, granted, allocate));
  CHECK(granted == 0);
  while (blocks.allocate(32)) {
  }
  CHECK_FALSE(allocate_request(100000, 32, granted, allocate));
  CHECK(granted == 0);
}

TEST_CASE("flags are packed in order of allocation") {
  FlagTable bytes(32), bits(256);
  std::size_t next = 32;
  const auto line = [&]() -> std::optional<std::size_t> { return std::exchange(next, next + 32); };
  for (int k = 0; k < 100; ++k) {
    const auto position = bytes.allocate(line);
    REQUIRE(position);
    CHECK(position->line == static_cast<std::size_t>(32 + k / 32 * 32));
    CHECK(position->location == k % 32);
  }
  CHECK_FALSE(bytes.full());
  for (int k = 0; k < 256; ++k) CHECK(bits.allocate(line)->location == k);
  CHECK(bits.full());
  CHECK_FALSE(bits.allocate([]() -> std::optional<std::size_t> { return std::nullopt; }));
}

TEST_CASE("a row of flags is taken as one after the other") {
  for (const int per_line : {1, 4, 32, 256})
    for (const int before : {0, 1, 2, 4, 31, 300})
      for (const std::size_t count : {1u, 3u, 32u, 2000u}) {
        CAPTURE(per_line, before, count);
        FlagTable single(per_line), row(per_line);
        std::size_t next = 32, next_of_row = 32;
        const auto line = [&]() -> std::optional<std::size_t> { return std::exchange(next, next + 32); };
        const auto line_of_row = [&]() -> std::optional<std::size_t> {
          return std::exchange(next_of_row, next_of_row + 32);
        };
        for (int k = 0; k < before; ++k) {
          (void)single.allocate(line);
          (void)row.allocate(line_of_row);
        }
        const auto first = row.allocate_row(count, line_of_row);
        REQUIRE(first == static_cast<std::size_t>(before));
        for (std::size_t k = 0; k < count; ++k) {
          const auto wanted = single.allocate(line), found = std::optional(row.position(*first + k));
          REQUIRE(wanted->line == found->line);
          REQUIRE(wanted->location == found->location);
        }
        CHECK(next == next_of_row);
        CHECK(row.taken() == single.taken());
        CHECK(row.full() == single.full());
        CHECK(row.allocate(line_of_row)->location == single.allocate(line)->location);
        const FlagPosition freed = row.position(*first + count / 2);
        (void)row.release(freed, false);
        REQUIRE(row.taken() == static_cast<long long>(before) + static_cast<long long>(count));
        const auto again = row.allocate(line_of_row);
        REQUIRE(again->line == freed.line);
        REQUIRE(again->location == freed.location);
      }
  FlagTable none(4);
  int lines = 0;
  CHECK_FALSE(none.allocate_row(9, [&]() -> std::optional<std::size_t> {
    if (lines == 2) return std::nullopt;
    return 32 * lines++;
  }));
  CHECK(none.taken() == 8);
}

TEST_CASE("the lowest free flag of the first line with room is taken") {
  FlagTable table(4);
  std::size_t next = 0;
  const auto line = [&]() -> std::optional<std::size_t> { return std::exchange(next, next + 32); };
  for (int k = 0; k < 12; ++k) (void)table.allocate(line);
  CHECK_FALSE(table.release({0, 2}, true));
  CHECK_FALSE(table.release({0, 2}, true)); // twice does no harm
  CHECK_FALSE(table.release({32, 1}, true));
  CHECK(table.allocate(line)->line == 0);
  CHECK(table.allocate(line)->location == 1);
  for (int k = 0; k < 3; ++k) CHECK_FALSE(table.release({32, k}, true));
  CHECK(table.release({32, 3}, true)); // the line is empty: back to the allocator
  CHECK_FALSE(table.knows(32));
  CHECK(table.full());
  for (int k = 0; k < 4; ++k) CHECK_FALSE(table.release({0, k}, true)); // the first line stays
  CHECK(table.knows(0));
}

TEST_CASE("every flag of a line has bits of its own") {
  for (const unsigned generation : {10u, 20u}) {
    for (const bool small : {false, true}) {
      const FlagScheme& scheme = FlagScheme::of(generation, small);
      std::vector<int> uses(32 * 8);
      for (int location = 0; location < scheme.per_line; ++location) {
        const FlagWord word = flag_word(scheme, location);
        REQUIRE(word.offset + scheme.word_bytes <= 32);
        for (std::size_t bit = 0; bit < 32; ++bit) {
          if ((word.mask >> bit & 1u) != 0) ++uses[word.offset * 8 + bit];
        }
      }
      for (const int n : uses) CHECK(n <= 1);
    }
  }
  CHECK(flag_word(FlagScheme::of(20, true), 13).offset == 1);
  CHECK(flag_word(FlagScheme::of(20, true), 13).mask == 1u << 5);
  CHECK(flag_word(FlagScheme::of(20, false), 31).offset == 31);
}

TEST_CASE("messages are cut as on the chip") {
  const auto segments = [](std::size_t size, std::size_t chunk) {
    std::vector<std::size_t> result;
    std::size_t expected = 0;
    for (auto segment = segment_at(0, size, chunk); segment.bytes > 0;
         segment = segment_at(segment.end(), size, chunk)) {
      CHECK(segment.offset == expected);
      expected += segment.bytes;
      result.push_back(segment.bytes);
    }
    CHECK(expected == size);
    return result;
  };
  using Segments = std::vector<std::size_t>;
  CHECK(segments(0, 8128).empty());
  CHECK(segments(4, 8128) == Segments{4});
  CHECK(segments(32, 8128) == Segments{32});
  CHECK(segments(33, 8128) == Segments{32, 1});
  CHECK(segments(8128, 8128) == Segments{8128});
  CHECK(segments(8132, 8128) == Segments{8128, 4});
  CHECK(segments(8160, 8128) == Segments{8128, 32});
  CHECK(segments(8161, 8128) == Segments{8128, 32, 1});
  CHECK(segments(100, 32) == Segments{32, 32, 32, 4});
}

TEST_CASE("least voltage for a divider") {
  CHECK(least_level(2) == 4);
  CHECK(least_level(3) == 1);
  CHECK(least_level(4) == 0);
  CHECK(least_level(16) == 0);
  CHECK(least_level(1) == -1);
}

TEST_CASE("elements that compare equal keep their order") {
  int values[] = {31, 12, 11, 32, 13, 21};
  sort_elements(reinterpret_cast<char*>(values), 6, sizeof(int), [](const void* a, const void* b) {
    return *static_cast<const int*>(a) / 10 - *static_cast<const int*>(b) / 10;
  });
  const std::vector<int> sorted(values, values + 6);
  CHECK(sorted == std::vector<int>{12, 11, 13, 21, 31, 32});
}

TEST_CASE("a register is free at an instant at which nobody had it, whoever took it first on the host") {
  rcce::RegisterTimes times;
  rcce::Picoseconds free = 0;
  CHECK_FALSE(times.taken_at(150, free));
  times.took(100);
  times.gives_back(200);
  times.took(300);
  times.gives_back(400);
  CHECK_FALSE(times.taken_at(99, free));
  CHECK(times.taken_at(100, free));
  CHECK(free == 200);
  CHECK(times.taken_at(399, free));
  CHECK(free == 400);
  CHECK_FALSE(times.taken_at(200, free));
  CHECK_FALSE(times.taken_at(400, free));
}

TEST_CASE("the host's time between two calls is charged once") {
  HostCompute own(1, 1e9);
  own.begin();
  CHECK(own.end(1) >= 0);
  CHECK(own.end(1) == 0);
}
