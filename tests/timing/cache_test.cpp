// SPDX-License-Identifier: Apache-2.0
// Do the vectorised tags answer like the plainest cache that can be written?
#include <algorithm>
#include <random>
#include <vector>

#include "cache_reference.hpp"
#include "catch.hpp"
#include "mesh_sim/parts/cache.hpp"

using mesh::Cache;

TEST_CASE("random runs of reads, writes and message-passing lines") {
  struct Shape {
    std::size_t bytes, ways;
  };
  const Shape shape = GENERATE(Shape{16384, 4}, Shape{262144, 4}, Shape{8192, 2}, Shape{1024, 4},
                               Shape{4096, 1}, Shape{16384, 8});
  CAPTURE(shape.bytes, shape.ways);
  REQUIRE(Cache::possible(shape.bytes, shape.ways));
  std::vector<Cache::Tag> tags(Cache::tag_words(shape.bytes, shape.ways));
  Cache cache(shape.bytes, shape.ways, tags.data());
  const unsigned kept = GENERATE(0u, 5u);
  cache.keep(kept);
  CacheReference plain(cache.sets(), static_cast<unsigned>(shape.ways), kept);
  const unsigned group = std::min(cache.sets(), Cache::longest_run);
  std::minstd_rand random(7);
  for (int step = 0; step < 20'000; ++step) {
    const unsigned first = static_cast<unsigned>(random()) % group;
    const unsigned count = 1 + static_cast<unsigned>(random()) % (group - first);
    const std::uint64_t line = random() % (3 * shape.bytes / 32 / group) * group + first;
    const unsigned action = static_cast<unsigned>(random()) % 11;
    CAPTURE(step, line, count, action);
    if (action == 0) {
      cache.invalidate_mpb();
      plain.invalidate_mpb();
    } else if (action == 1) {
      const unsigned lines = random() % 2 == 0 ? 1 : count;
      cache.read_mpb(line % 256 * 32, lines);
      for (unsigned i = 0; i < lines; ++i) plain.read_mpb(line % 256 + i);
    } else if (action == 7) { // looks at a flag that is not set for a while
      const std::uint64_t flag = random() % 16;
      for (std::uint64_t looks = random() % 4; looks > 0; --looks) {
        cache.read_mpb(flag * 32, 1);
        plain.read_mpb(flag);
        if (random() % 8 == 0) continue;
        cache.invalidate_mpb();
        plain.invalidate_mpb();
      }
    } else if (action > 8) { // a program's own accesses
      for (std::uint64_t accesses = random() % 32; accesses > 0; --accesses) {
        const std::uint64_t one = line + random() % count;
        unsigned written_back = 0;
        const bool write = random() % 2 == 0;
        const bool hit = write ? plain.write(one) : plain.read(one, written_back);
        const Cache::Counts counts = write ? cache.write_line(one) : cache.read_line(one);
        REQUIRE(counts.hits == (hit ? 1 : 0));
        REQUIRE(counts.written_back == written_back);
      }
    } else if (action == 6) {
      Cache::LineSet missed, made_room;
      const Cache::Counts counts = cache.read_then_write(line, count, &missed, &made_room);
      unsigned hits = 0, written_back = 0;
      for (unsigned i = 0; i < count; ++i) {
        const unsigned place = static_cast<unsigned>(line % Cache::block_sets) + i, before = written_back;
        const bool hit = plain.read(line + i, written_back);
        hits += hit ? 1 : 0;
        plain.write(line + i);
        REQUIRE(missed.has(place) == !hit);
        REQUIRE(made_room.has(place) == (written_back != before));
      }
      REQUIRE(counts.hits == hits);
      REQUIRE(counts.written_back == written_back);
    } else {
      const bool masked = action == 2 || action == 3;
      const bool write = action % 2 != 0;
      // Chosen by chance, or what a smaller cache in front would let through: whole blocks mostly.
      const unsigned place = first % Cache::block_sets, hole = static_cast<unsigned>(random()) % count;
      const bool scattered = random() % 2 == 0;
      Cache::LineSet wanted, missed, made_room;
      wanted.clear();
      for (unsigned i = 0; i < count; ++i)
        if (!masked || (scattered ? random() % 2 != 0 : i >= hole)) wanted.set(place + i);
      const Cache::LineSet* const mask = masked ? &wanted : nullptr;
      const Cache::Counts counts = write ? cache.write(line, count, mask, &missed)
                                         : cache.read(line, count, mask, &missed, &made_room);
      unsigned hits = 0, written_back = 0;
      bool lanes_agree = true;
      for (unsigned i = 0; i < count; ++i) {
        bool hit = false;
        const unsigned before = written_back;
        if (wanted.has(place + i)) hit = write ? plain.write(line + i) : plain.read(line + i, written_back);
        hits += hit ? 1 : 0;
        lanes_agree = lanes_agree && missed.has(place + i) == (wanted.has(place + i) && !hit) &&
            (write || made_room.has(place + i) == (written_back != before));
      }
      REQUIRE(counts.hits == hits);
      REQUIRE(counts.written_back == written_back);
      REQUIRE(lanes_agree);
    }
  }
}

TEST_CASE("shapes that cannot be simulated are told apart") {
  CHECK(Cache::possible(16384, 4));
  CHECK_FALSE(Cache::possible(16384, 3));
  CHECK_FALSE(Cache::possible(10000, 4));
  CHECK_FALSE(Cache::possible(128, 4));
}
