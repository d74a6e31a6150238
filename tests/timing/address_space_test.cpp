// SPDX-License-Identifier: Apache-2.0
// Do physical addresses depend on what a core touches, and on nothing else?
#include <set>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/parts/address_space.hpp"

using mesh::AddressSpace;
using mesh::Frames;

namespace {

const void* at(std::uintptr_t address) {
  return reinterpret_cast<const void*>(address);
}

std::vector<std::uint64_t> frames_of_walk(std::uintptr_t heap, std::uintptr_t stack, Frames frames) {
  AddressSpace space(frames, 3);
  space.map(at(stack), 1 << 20);
  space.map(at(heap), 1 << 24);
  std::vector<std::uint64_t> seen;
  for (const std::uintptr_t page : {0u, 5u, 1u, 5u, 900u, 0u})
    seen.push_back(space.physical(at(heap + page * 4096 + 100)));
  seen.push_back(space.physical(at(stack + 8)));
  return seen;
}

} // namespace

TEST_CASE("the host's addresses do not matter") {
  const Frames frames = GENERATE(Frames::contiguous, Frames::random);
  CHECK(frames_of_walk(0x10000000, 0x7f0000000000, frames) ==
        frames_of_walk(0x555500000000, 0x20000000, frames));
}

TEST_CASE("contiguous frames follow the order of first touch") {
  CHECK(frames_of_walk(0x10000000, 0x20000000, Frames::contiguous) ==
        std::vector<std::uint64_t>{100, 4096 + 100, 2 * 4096 + 100, 4096 + 100, 3 * 4096 + 100, 100,
                                   4 * 4096 + 8});
}

TEST_CASE("random frames never repeat and depend on the seed") {
  std::vector<std::uint64_t> first;
  for (const std::uint64_t seed : {1u, 2u}) {
    AddressSpace space(Frames::random, seed);
    space.map(at(0x40000000), std::size_t{1} << 27);
    std::set<std::uint64_t> seen;
    for (std::uintptr_t page = 0; page < 32768; ++page)
      seen.insert(space.physical(at(0x40000000 + page * 4096)));
    CHECK(seen.size() == 32768);
    CHECK(*seen.rbegin() < 32768 * 4096u);
    first.push_back(space.physical(at(0x40000000)));
  }
  CHECK(first[0] != first[1]);
}

TEST_CASE("memory that nobody declared gets frames too") {
  AddressSpace space(Frames::contiguous, 1);
  CHECK(space.physical(at(0x1000 + 12)) == 12);
  CHECK(space.physical(at(0x9000)) == 4096);
  CHECK(space.physical(at(0x1000)) == 0);
}
