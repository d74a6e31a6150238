// SPDX-License-Identifier: Apache-2.0
// How messages are cut, against the vectors, and that the parts cover the message.
#include "algorithms/shapes/message.hpp"
#include "catch.hpp"
#include "csv.hpp"

using algorithms::Segmentation;

TEST_CASE("parts of cube and dopl as in the SCC broadcast thesis") {
  constexpr std::size_t cube_part = 4096, dopl_part = 8192, dopl_segment = 2048;
  for (const auto& row : csv::Table("part-sizes.csv")) {
    const std::size_t bytes = std::stoul(row.text("bytes"));
    CAPTURE(bytes);
    const Segmentation cube{bytes, cube_part};
    CHECK(cube.segments() == row.number("cube_parts"));
    if (cube.segments() > 0)
      CHECK(cube.length(cube.segments() - 1) == std::stoul(row.text("cube_last_part_bytes")));
    const Segmentation dopl{bytes, dopl_part};
    CHECK(dopl.segments() == row.number("dopl_parts"));
    if (dopl.segments() == 0) continue;
    CHECK(dopl.length(dopl.segments() - 1) == std::stoul(row.text("dopl_last_part_bytes")));
    const Segmentation segments{dopl.length(dopl.segments() - 1), dopl_segment};
    CHECK(segments.segments() == row.number("dopl_last_part_chunks"));
    CHECK(segments.length(segments.segments() - 1) == std::stoul(row.text("dopl_last_chunk_bytes")));
  }
}

TEST_CASE("parts cover the message") {
  int messages = 0;
  for (const std::size_t part_bytes : {1, 3, 32, 100}) {
    for (std::size_t bytes = 0; bytes < 1000; ++bytes) {
      const Segmentation cut{bytes, part_bytes};
      ++messages;
      std::size_t covered = 0;
      bool right = true;
      for (int part = 0; part < cut.segments(); ++part) {
        right =
            right && cut.offset(part) == covered && cut.length(part) > 0 && cut.length(part) <= part_bytes;
        covered += cut.length(part);
      }
      if (right && covered == bytes) continue;
      CAPTURE(bytes, part_bytes);
      FAIL_CHECK("parts do not cover the message");
    }
  }
  CHECK(messages == 4 * 1000);
}
