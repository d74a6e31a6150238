// SPDX-License-Identifier: Apache-2.0
#include "process/heap_check.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <sys/mman.h>
#include <unwind.h>

#include "process/image/image.hpp"
#include "process/process.hpp"

namespace rcce::process {
namespace {

constexpr std::size_t red_zone_bytes = 32; ///< at least, on either side
constexpr unsigned char red_zone_byte = 0xfb;
/// Freed blocks are kept up to this part of the heap.
constexpr std::size_t kept_part = 4;
constexpr std::size_t page_bytes = 4096;
/// Blocks on pages of their own in a job. Each splits a mapping in three, of which Linux gives a process
/// 65,530.
constexpr std::size_t most_in_job = 16384;
/// Places that have allocated what is never freed: so many are told.
constexpr std::size_t told_places = 16;

// Calls, as reports name them.
constexpr const char* allocation = "malloc() or new";
constexpr const char* resizing = "realloc()";
constexpr const char* end_of_ue = "the end of the UE";

/// Bytes behind the block that are watched: up to the end of a unit of the heap, and a whole red zone.
constexpr std::size_t behind(std::size_t bytes) {
  return red_zone_bytes + (16 - bytes % 16) % 16;
}

const std::byte* first_other(const std::byte* from, const std::byte* end, unsigned char byte) {
  return std::find_if(from, end, [byte](std::byte b) { return b != std::byte{byte}; });
}

struct Walk {
  const Ue* ue;
  const void** next;
  const void** end;
};

_Unwind_Reason_Code note_place(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  const auto* pc = reinterpret_cast<const std::byte*>(_Unwind_GetIP(context)) - 1;
  if (place_of(*walk.ue, pc).file != nullptr) *walk.next++ = pc;
  return walk.next == walk.end ? _URC_END_OF_STACK : _URC_NO_REASON;
}

} // namespace

HeapCheck::HeapCheck(Ue& ue, std::size_t ues) noexcept : ue_(ue), most_with_pages_(most_in_job / ues) {}

HeapCheck::Places HeapCheck::places_here() const {
  Places places{};
  Walk walk{&ue_, places.data(), places.data() + places.size()};
  _Unwind_Backtrace(note_place, &walk);
  return places;
}

std::string HeapCheck::places_text(const char* what, const Places& places) const {
  std::vector<CodeLocation> found;
  for (const void* place : places) {
    if (place == nullptr) break;
    found.push_back(place_of(ue_, place));
  }
  if (found.empty()) return {};
  std::vector<std::string> names = describe(found);
  // malloc() and its kin are part of the program's file, but have no lines.
  const auto source = std::find_if(names.begin(), names.end(),
                                   [](const std::string& name) { return name.find(" at ") != name.npos; });
  if (source != names.end()) names.erase(names.begin(), source);
  std::string text;
  for (const std::string& name : names)
    text += fmt::format("\n  {} {}", text.empty() ? what : "  called from", name);
  return text;
}

void HeapCheck::fail(const std::string& what, const Block& block) const {
  heap::end_by_heap_fault(what + places_text("allocated in", block.allocated) +
                          (block.in_use ? "" : places_text("freed in", block.freed)));
}

HeapCheck::Block& HeapCheck::known(const char* call, const void* block) {
  const auto found = blocks_.find(block);
  if (found == blocks_.end()) heap::end_by_heap_fault({heap::HeapFault::Kind::no_block, call, block});
  if (!found->second.in_use)
    fail(fmt::format("{} of a block of {} bytes at {} that has been freed before", call, found->second.bytes,
                     block),
         found->second);
  return found->second;
}

void HeapCheck::check_red_zones(const char* call, const std::byte* start, const Block& block) const {
  const std::byte* const end = start + block.bytes;
  if (const auto* at = first_other(start - block.in_front, start, red_zone_byte); at != start)
    fail(fmt::format(
             "{} finds that the block of {} bytes at {} has been written to {} bytes before its beginning",
             call, block.bytes, static_cast<const void*>(start), start - at),
         block);
  const std::byte* const last = end + behind(block.bytes);
  if (const auto* at = first_other(end, last, red_zone_byte); at != last)
    fail(fmt::format(
             "{} finds that the block of {} bytes at {} has been written to beyond its end, at byte {}", call,
             block.bytes, static_cast<const void*>(start), at - start),
         block);
}

void HeapCheck::check_freed(const char* call, const std::byte* start, const Block& block) const {
  const std::byte* const end = start + block.bytes;
  if (const auto* at = first_other(start, end, freed_byte); at != end)
    fail(fmt::format(
             "{} finds that the block of {} bytes at {} has been written to after it was freed, at byte {}",
             call, block.bytes, static_cast<const void*>(start), at - start),
         block);
}

void HeapCheck::fence(std::byte* start, Block& block) noexcept {
  if (block.own_pages == 0) return;
  // The host may refuse: then the block is only filled.
  block.fenced = mprotect(start - block.in_front, block.own_pages, PROT_NONE) == 0;
  if (block.fenced) fenced_.push_back(start);
}

void HeapCheck::lift_fence(std::byte* start, Block& block) noexcept {
  if (block.own_pages == 0) return;
  if (block.fenced) mprotect(start - block.in_front, block.own_pages, PROT_READ | PROT_WRITE);
  block.fenced = false;
  block.own_pages = 0;
  --with_pages_;
}

std::byte* HeapCheck::place(heap::Heap& heap, std::size_t alignment, std::size_t all) {
  void* found = nullptr;
  while ((found = heap.allocate_aligned(alignment, all)) == nullptr) {
    if (freed_.empty()) break;
    release_oldest(allocation);
  }
  return static_cast<std::byte*>(found);
}

void* HeapCheck::allocate(heap::Heap& heap, std::size_t alignment, std::size_t bytes) {
  const std::size_t in_front = std::max(alignment, red_zone_bytes);
  if (bytes > heap.bytes() || in_front > heap.bytes()) return nullptr;
  const std::size_t all = in_front + bytes + behind(bytes);
  while (with_pages_ >= most_with_pages_ && !fenced_.empty()) {
    std::byte* const oldest = fenced_.front();
    fenced_.pop_front();
    const auto found = blocks_.find(oldest);
    if (found != blocks_.end() && found->second.fenced) lift_fence(oldest, found->second);
  }
  // The heap's word in front of the next block must not lie on them.
  std::size_t own_pages =
      with_pages_ < most_with_pages_ ? (all + page_bytes - 1) / page_bytes * page_bytes : 0;
  std::byte* whole =
      own_pages == 0 ? nullptr : place(heap, std::max(alignment, page_bytes), own_pages + red_zone_bytes);
  if (whole == nullptr) {
    own_pages = 0;
    whole = place(heap, std::max<std::size_t>(alignment, 16), all);
  }
  if (whole == nullptr) return nullptr;
  if (own_pages != 0) ++with_pages_;
  auto* const start = whole + in_front;
  std::memset(start - in_front, red_zone_byte, in_front);
  std::memset(start + bytes, red_zone_byte, behind(bytes));
  blocks_.insert_or_assign(start, Block{bytes, in_front, places_here(), {}, true, own_pages, false});
  return start;
}

void HeapCheck::free(heap::Heap& heap, void* block, const char* call) {
  Block& found = known(call, block);
  auto* const start = static_cast<std::byte*>(block);
  check_red_zones(call, start, found);
  found.in_use = false;
  found.freed = places_here();
  std::memset(start, freed_byte, found.bytes);
  fence(start, found);
  freed_.push_back(start);
  freed_bytes_ += found.in_front + found.bytes;
  while (freed_bytes_ > heap.bytes() / kept_part) release_oldest(call);
}

void HeapCheck::release_oldest(const char* call) {
  std::byte* const start = freed_.front();
  freed_.pop_front();
  const auto found = blocks_.find(start);
  lift_fence(start, found->second);
  const Block block = found->second;
  check_freed(call, start, block);
  freed_bytes_ -= block.in_front + block.bytes;
  blocks_.erase(found);
  void* const whole = start - block.in_front;
  ue_.process->heap->of(whole).free(whole);
}

void* HeapCheck::reallocate(heap::Heap& heap, void* block, std::size_t bytes) {
  const std::size_t before = known(resizing, block).bytes;
  void* moved = allocate(heap, 0, bytes);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, block, std::min(before, bytes));
  free(heap, block, resizing);
  return moved;
}

std::size_t HeapCheck::bytes(const void* block) const {
  const auto found = blocks_.find(block);
  return found == blocks_.end() ? 0 : found->second.bytes;
}

std::string HeapCheck::leaks_text(std::size_t& count) const {
  struct Leak {
    std::size_t blocks = 0, bytes = 0;
  };
  std::map<Places, Leak> leaks; // addresses of one copy: in the order of the program's file
  for (const auto& [start, block] : blocks_) {
    if (!block.in_use) continue;
    Leak& leak = leaks[block.allocated];
    ++leak.blocks;
    leak.bytes += block.bytes;
  }
  std::string text;
  std::size_t told = 0;
  const std::string who = fmt::format("rank {} (core {:02})", ue_.rank, ue_.core->id());
  for (const auto& [places, leak] : leaks) {
    if (told++ == told_places) {
      text += fmt::format("rccerun: check: {}: {} more places\n", who, leaks.size() - told_places);
      break;
    }
    text += fmt::format("rccerun: check: {}: {} {} never freed, {} bytes{}\n", who, leak.blocks,
                        leak.blocks == 1 ? "block is" : "blocks are", leak.bytes,
                        places_text("allocated in", places));
  }
  count = leaks.size();
  return text;
}

std::string HeapCheck::end(bool leaks, std::size_t& count) {
  for (const auto& [start, block] : blocks_) {
    if (block.in_use)
      check_red_zones(end_of_ue, static_cast<const std::byte*>(start), block);
    else if (!block.fenced)
      check_freed(end_of_ue, static_cast<const std::byte*>(start), block);
  }
  count = 0;
  return leaks ? leaks_text(count) : std::string();
}

const HeapCheck::Blocks::value_type* HeapCheck::freed_at(std::uintptr_t address) const noexcept {
  const auto next = blocks_.upper_bound(reinterpret_cast<const std::byte*>(address));
  if (next == blocks_.begin()) return nullptr;
  const auto& found = *std::prev(next);
  const std::size_t byte = address - reinterpret_cast<std::uintptr_t>(found.first);
  return found.second.in_use || byte >= found.second.bytes ? nullptr : &found;
}

std::string HeapCheck::freed_text(std::uintptr_t address) const {
  const Blocks::value_type* const freed = freed_at(address);
  if (freed == nullptr) return {};
  const auto& [start, block] = *freed;
  const std::size_t byte = address - reinterpret_cast<std::uintptr_t>(start);
  return fmt::format("byte {} of a block of {} bytes at {} that has been freed{}{}", byte, block.bytes, start,
                     places_text("allocated in", block.allocated), places_text("freed in", block.freed));
}

} // namespace rcce::process
