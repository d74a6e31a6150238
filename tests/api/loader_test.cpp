// SPDX-License-Identifier: Apache-2.0
// The loader's parts that a program cannot see: the heap of a UE, and the checks on a program's file.
#include "catch.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "process/heap/heap.hpp"
#include "process/image/file.hpp"
#include "process/image/image.hpp"
#include "process/image/kept.hpp"

using rcce::heap::Heap;
using rcce::heap::HeapArena;
using rcce::image::ImageFile;

namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

/// A few thousand calls with blocks of all sizes; returns each block's distance from the heap's base, in
/// order.
std::vector<std::ptrdiff_t> exercise(Heap& heap, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::pair<unsigned char*, std::size_t>> blocks;
  std::vector<std::ptrdiff_t> places;
  bool intact = true;
  const auto fill = [](unsigned char* block, std::size_t bytes) {
    std::memset(block, static_cast<int>(bytes % 251), bytes);
  };
  const auto check = [&](const unsigned char* block, std::size_t bytes, std::size_t written) {
    for (std::size_t i = 0; i < bytes; ++i) intact = intact && block[i] == written % 251;
  };
  for (int step = 0; step < 4000; ++step) {
    const std::size_t bytes = random() % (random() % 20 == 0 ? 100'000 : 300);
    const std::size_t which = blocks.empty() ? 0 : random() % blocks.size();
    void* block = nullptr;
    switch (blocks.size() < 20 ? 0 : random() % 4) {
    case 0:
      block = heap.allocate(bytes);
      break;
    case 1:
      block = heap.allocate_aligned(std::size_t{16} << (random() % 9), bytes);
      break;
    case 2: {
      auto& [old, before] = blocks[which];
      auto* moved = static_cast<unsigned char*>(heap.reallocate(old, bytes));
      if (moved == nullptr) return {};
      check(moved, std::min(before, bytes), before);
      fill(moved, bytes);
      blocks[which] = {moved, bytes};
      places.push_back(reinterpret_cast<std::byte*>(moved) - heap.base());
      continue;
    }
    default:
      check(blocks[which].first, blocks[which].second, blocks[which].second);
      heap.free(blocks[which].first);
      blocks[which] = blocks.back();
      blocks.pop_back();
      continue;
    }
    if (block == nullptr || heap.usable_bytes(block) < bytes) return {};
    fill(static_cast<unsigned char*>(block), bytes);
    blocks.emplace_back(static_cast<unsigned char*>(block), bytes);
    places.push_back(static_cast<std::byte*>(block) - heap.base());
  }
  for (const auto& [block, bytes] : blocks) {
    check(block, bytes, bytes);
    heap.free(block);
  }
  return intact ? places : std::vector<std::ptrdiff_t>{};
}

std::string refusal(const std::string& path) {
  try {
    const ImageFile file(path);
  } catch (const mesh::UserError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, std::initializer_list<const char*> parts) {
  return std::all_of(parts.begin(), parts.end(),
                     [&](const char* part) { return text.find(part) != std::string::npos; });
}

std::filesystem::path scratch(const std::string& name) {
  return std::filesystem::temp_directory_path() / fmt::format("rockcreek_loader_test_{}_{}", getpid(), name);
}

} // namespace

TEST_CASE("blocks keep their contents and two heaps give the same places", "[heap]") {
  HeapArena arena(2, 64 * megabyte);
  HeapArena elsewhere(1, 16 * megabyte);
  for (const unsigned seed : {1U, 2U, 3U}) {
    INFO("seed " << seed);
    const auto places = exercise(arena.heaps()[0], seed);
    REQUIRE_FALSE(places.empty());
    CHECK(exercise(arena.heaps()[1], seed) == places);
    CHECK(exercise(elsewhere.heaps()[0], seed) == places);
  }
}

TEST_CASE("alignment is kept", "[heap]") {
  HeapArena arena(1, 16 * megabyte);
  Heap& heap = arena.heaps()[0];
  for (std::size_t alignment = 1; alignment <= megabyte; alignment *= 2) {
    INFO("alignment " << alignment);
    void* block = heap.allocate_aligned(alignment, 40);
    REQUIRE(block != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(block) % alignment == 0);
  }
  for (const std::size_t bytes : {0, 1, 15, 16, 17, 4096})
    CHECK(reinterpret_cast<std::uintptr_t>(heap.allocate(bytes)) % 16 == 0);
}

TEST_CASE("a full heap says no and goes on", "[heap]") {
  HeapArena arena(2, megabyte);
  Heap& heap = arena.heaps()[0];
  CHECK(heap.allocate(megabyte) == nullptr);
  CHECK(heap.allocate(SIZE_MAX) == nullptr);
  CHECK(heap.allocate(SIZE_MAX - 64) == nullptr);
  CHECK(heap.allocate_aligned(std::size_t{1} << 40, 1) == nullptr);
  void* most = heap.allocate(megabyte - 8192);
  REQUIRE(most != nullptr);
  CHECK(heap.allocate(16384) == nullptr);
  CHECK(heap.reallocate(most, 2 * megabyte) == nullptr);
  heap.free(most);
  std::vector<void*> blocks;
  while (void* block = heap.allocate(1000)) blocks.push_back(block);
  CHECK(blocks.size() > 900);
  for (void* block : blocks) heap.free(block);
  CHECK(heap.allocate(megabyte - 8192) != nullptr);
}

TEST_CASE("no two blocks of zero bytes are the same", "[heap]") {
  HeapArena arena(1, megabyte);
  Heap& heap = arena.heaps()[0];
  void* first = heap.allocate(0);
  void* second = heap.allocate(0);
  CHECK(first != nullptr);
  CHECK(first != second);
}

TEST_CASE("the owner of a block is found, and only of a block", "[heap]") {
  int local = 0;
  void* outside = std::malloc(10);
  void* inside = nullptr;
  {
    HeapArena arena(3, megabyte);
    inside = arena.heaps()[2].allocate(10);
    CHECK(HeapArena::owner(inside) == &arena.heaps()[2]);
    CHECK(HeapArena::owner(&local) == nullptr);
    CHECK(HeapArena::owner(outside) == nullptr);
    CHECK(HeapArena::owner(nullptr) == nullptr);
#ifndef __SANITIZE_ADDRESS__ // the checker's free() stands before ours
    void* block = arena.heaps()[1].allocate(10);
    std::free(block); // the C library's name finds the heap by the address
    CHECK(arena.heaps()[1].allocate(10) == block);
#endif
  }
  CHECK(HeapArena::owner(inside) == nullptr);
  std::free(outside);
}

TEST_CASE("files that are no programs are refused with the reason", "[image]") {
  const auto text = scratch("text");
  std::ofstream(text) << "#!/bin/sh\n";
  CHECK(has(refusal("/nowhere/prog"), {"'/nowhere/prog' cannot be opened: No such file or directory"}));
  CHECK(has(refusal("/tmp"), {"is a folder"}));
  CHECK(has(refusal(text.string()), {"no ELF file", "rccecc"}));
  CHECK(has(refusal(ROCKCREEK_LIBRARY), {"rockcreek_image", "rccecc"}));
  std::filesystem::remove(text);
}

TEST_CASE("a program cut short or altered is refused or read, never more", "[image]") {
  if (!std::filesystem::exists(ROCKCREEK_PROGRAM)) return;
  CHECK(refusal(ROCKCREEK_PROGRAM).empty());
  std::ifstream file(ROCKCREEK_PROGRAM, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto copy = scratch("damaged");
  const auto write = [&](const std::string& contents) { std::ofstream(copy, std::ios::binary) << contents; };
  std::size_t refused = 0;
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 1 + whole.size() / 97) {
    write(whole.substr(0, bytes));
    refused += refusal(copy.string()).empty() ? 0 : 1;
  }
  CHECK(refused > 20);
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    std::string altered = whole;
    // Mostly headers and tables, which are at the front.
    for (int k = 0; k < 4; ++k)
      altered[random() % std::min<std::size_t>(altered.size(), 4096)] = static_cast<char>(random());
    write(altered);
    static_cast<void>(refusal(copy.string()));
  }
  std::filesystem::remove(copy);
}

TEST_CASE("an image built for another format or generation is refused", "[image]") {
  if (!std::filesystem::exists(ROCKCREEK_PROGRAM)) return;
  const ImageFile good(ROCKCREEK_PROGRAM);
  std::ifstream file(ROCKCREEK_PROGRAM, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto& variables = good.variables();
  const std::string head(reinterpret_cast<const char*>(&variables), 6 * sizeof(unsigned));
  const std::size_t at = whole.find(head);
  REQUIRE(at != std::string::npos);
  const auto altered = [&](std::size_t word, unsigned value) {
    std::string contents = whole;
    std::memcpy(contents.data() + at + word * sizeof(unsigned), &value, sizeof value);
    const auto copy = scratch("other");
    std::ofstream(copy, std::ios::binary) << contents;
    const std::string text = refusal(copy.string());
    std::filesystem::remove(copy);
    return text;
  };
  CHECK(has(altered(0, 77), {"image format 77", "build it again"}));
  CHECK(has(altered(1, 30), {"generation 30"}));
}

TEST_CASE("kept pages are zero for the next arena, whoever has written where", "[heap]") {
  constexpr std::size_t bytes = 64 * megabyte;
  const auto written = [](HeapArena& arena) {
    for (rcce::heap::Heap& heap : arena.heaps())
      for (std::size_t at = 0; at < bytes; at += 4096)
        if (heap.base()[at] != std::byte{0}) return true;
    return false;
  };
  std::byte* base = nullptr;
  for (const std::size_t heaps : {3, 5, 1}) {
    HeapArena arena(heaps, bytes, HeapArena::Pages::kept);
    REQUIRE(!written(arena));
    CHECK((base == nullptr || arena.heaps()[0].base() == base));
    base = arena.heaps()[0].base();
    for (rcce::heap::Heap& heap : arena.heaps()) {
      std::memset(heap.allocate(300'000), 0xa5, 300'000);
      std::memset(heap.other().allocate(5'000), 0xa5, 5'000);
      heap.base()[bytes / 2] = std::byte{0xa5}; // of nobody's block
      heap.free(heap.allocate(100'000));
    }
  }
  HeapArena other(3, bytes); // has pages of its own
  CHECK(other.heaps()[0].base() != base);
}

TEST_CASE("a kept clone is as one that is made anew, whatever its UE has written", "[image]") {
  const auto variables = [](const rcce::image::Image& image) {
    return image.range(image.file().data()); // initial values, those after relocation, and zeros
  };
  std::vector<std::byte> first;
  const std::byte* place = nullptr;
  for (const std::size_t ues : {2, 2, 3}) {
    HeapArena arena(ues, 64 * megabyte, HeapArena::Pages::kept);
    rcce::image::Program program(ROCKCREEK_PROGRAM, ues, true);
    const auto image = program.copies(true).make(0, arena.heaps()[0]);
    const std::span<std::byte> bytes = variables(*image);
    REQUIRE(bytes.size() > 1000);
    if (place == nullptr) first.assign(bytes.begin(), bytes.end());
    CHECK((place == nullptr || bytes.data() == place));
    CHECK(std::equal(bytes.begin(), bytes.end(), first.begin(), first.end()));
    place = bytes.data();
    std::fill(bytes.begin(), bytes.end(), std::byte{0xa5});
  }
  HeapArena arena(2, 64 * megabyte);
  rcce::image::Program anew(ROCKCREEK_PROGRAM, 2, false);
  CHECK(variables(*anew.copies(true).make(0, arena.heaps()[0])).data() != place);
}
