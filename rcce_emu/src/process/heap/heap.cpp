// SPDX-License-Identifier: Apache-2.0
// Places of blocks. Among free blocks the smallest that fits is taken, from its lower end.
#include "process/heap/heap.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>

#include "process/heap/words.hpp"

namespace rcce::heap {

using namespace words;

namespace {

constexpr std::size_t page_bytes = 4096, huge_page_bytes = std::size_t{2} << 20;
/// Taken at first: one page, because at thousands of UEs most heaps never hold more.
constexpr std::size_t first_bytes = page_bytes;
/// A heap at least doubles when it grows, up to this step, so that growing stays rare.
constexpr std::size_t largest_step = std::size_t{1} << 20;
/// Bytes beside the block itself: heads, and the smallest block before and after it.
constexpr std::size_t block_overhead = 256;
/// The first block of a program: simulated times depend on which lines of its caches a block meets.
constexpr Unit first_unit = 5;
/// Bytes at the beginning of a new block that are always cleared.
constexpr std::size_t cleared_bytes = 32;

// Calls, as reports name them.
constexpr const char* allocation = "malloc() or new";
constexpr const char* release = "free() or delete";
constexpr const char* resizing = "realloc()";
constexpr const char* question = "malloc_usable_size()";

constexpr Unit units_for(std::size_t bytes, Unit least) {
  return std::max<Unit>(least, bytes <= 8 ? 1 : (bytes - 8 + 15) / 16 + 1);
}
constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

} // namespace

void Heap::set_live(Unit unit, Unit units) noexcept {
  head(unit) = live_head(unit, units);
}

void Heap::set_free(Unit unit, Unit units) noexcept {
  head(unit) = free_head(unit, units);
  const Unit next = unit + units;
  if (!is_sealed(next, head(next))) fail_free(unit, units);
  head(next) = with_before(next, head(next), units);
  if (next == end_)
    top_ = unit;
  else if (units >= large)
    tags_[next / 64 - 1] = unit; // of a KB that lies within the free block
}

void Heap::end_free(Unit unit, Unit units) noexcept {
  const Unit next = unit + units;
  if (!is_sealed(next, head(next))) fail_free(unit, units);
  head(next) = with_before(next, head(next), 0);
  if (next == end_) top_ = end_;
}

Heap::Unit Heap::known_block(const char* call, const void* block) const noexcept {
  const std::size_t at = offset(block);
  const Unit unit = at / 16;
  if (at % 16 != 0 || at >= bytes_ || !inside(unit))
    end_by_heap_fault({HeapFault::Kind::no_block, call, block});
  const Word word = head(unit);
  if (!is_sealed(unit, word) || units_of(word) > end_ - unit) fail_head(call, block);
  if (!is_in_use(word)) fail(HeapFault::Kind::freed_twice, call, unit, units_of(word));
  return unit;
}

Heap::Word Heap::known_next(const char* call, Unit unit, Unit units) const noexcept {
  const Unit next = unit + units;
  const Word word = head(next);
  if (!is_sealed(next, word) || before(word) != 0 || units_of(word) > end_ - next)
    fail(HeapFault::Kind::end_written, call, unit, units);
  return word;
}

void Heap::begin() noexcept {
  lists_.reset(new (std::nothrow) Lists);
  if (!lists_) return;
  taken_ = first_bytes;
  const bool lower = from_ == From::lower_end;
  first_ = lower ? first_unit : (bytes_ - taken_) / 16 + 1;
  end_ = lower ? taken_ / 16 : bytes_ / 16;
  head(end_) = sealed(end_, in_use);
  set_free(first_, end_ - first_);
}

bool Heap::grow(std::size_t bytes) noexcept {
  was_full_ = !take_more(bytes);
  return !was_full_;
}

bool Heap::take_more(std::size_t bytes) noexcept {
  const std::size_t room = bytes_ - taken_ - other_->taken_;
  if (taken_ == 0) {
    if (room < first_bytes) return false;
    begin();
    return taken_ != 0;
  }
  const std::size_t wanted =
      round_up(std::max(bytes + block_overhead, std::min(taken_, largest_step)), page_bytes);
  if (room == 0 || bytes + block_overhead > room) return false;
  const std::size_t step = std::min(wanted, room);
  taken_ += step;
  // A page of 2 MB costs the host a third of what 512 of 4 KB cost. A block of two or more will fill them.
  if (large_blocks_in_huge_pages_ && bytes >= 2 * huge_page_bytes) {
    const std::size_t begin = from_ == From::lower_end ? taken_ - step : bytes_ - taken_;
    madvise(base_ + begin, step, MADV_HUGEPAGE);
  }
  if (from_ == From::lower_end) {
    const Unit start = top_;
    if (start != end_ && free_units(start) != end_ - start) fail_free(start, 0);
    head(end_) = free_head(end_, 0); // in the midst of free memory
    end_ += step / 16;
    head(end_) = sealed(end_, in_use);
    set_free(start, end_ - start);
  } else {
    const Word word = head(first_);
    if (!is_sealed(first_, word)) fail_head(allocation, address(first_));
    first_ -= step / 16;
    give_back(first_, step / 16, 0, word);
  }
  return true;
}

void* Heap::take(Unit units) noexcept {
  Unit unit = best_fit(units);
  Unit found = unit == 0 ? 0 : free_units(unit);
  const Unit spare = end_ - top_;
  if (spare >= units && (unit == 0 || spare < found)) {
    unit = top_;
    found = spare;
    if (head(unit) != free_head(unit, found)) fail_free(unit, found);
  } else if (unit == 0) {
    return nullptr;
  } else {
    remove(unit, found);
  }
  const Unit next = unit + found;
  const Unit rest = found - units;
  if (rest >= least_units) {
    set_live(unit, units);
    set_free(unit + units, rest);
    if (next != end_) insert(unit + units, rest, none_between(rest, found));
  } else {
    set_live(unit, found);
    end_free(unit, found);
  }
  void* block = address(unit);
  std::memset(block, 0, cleared_bytes);
  return block;
}

void* Heap::allocate(std::size_t bytes) noexcept {
  if (bytes >= bytes_) {
    was_full_ = true;
    return nullptr;
  }
  const Unit units = units_for(bytes, least_units);
  do {
    if (taken_ == 0) continue;
    if (void* block = take(units)) return block;
  } while (grow(bytes));
  return nullptr;
}

void Heap::give_back(Unit unit, Unit units, Word own, Word next_word) noexcept {
  const Unit next = unit + units;
  Unit place = 0; // size of the free block whose place among all the result may keep
  bool keeps = false;
  head(unit) = free_head(unit, units);
  Unit in_front = before(own);
  if (in_front != 0) {
    const Unit start = in_front < large ? unit - in_front : tags_[unit / 64 - 1];
    if (!inside(start) || start >= unit || head(start) != free_head(start, unit - start))
      fail_free(start, inside(start) && start < unit ? unit - start : 0);
    in_front = unit - start;
  }
  if (!is_in_use(next_word)) {
    const Unit behind = free_units(next);
    units += behind;
    if (next != top_) {
      place = behind;
      keeps = is_last(next, behind);
      remove(next, behind);
    }
  }
  if (in_front != 0) {
    place = in_front;
    unit -= in_front;
    units += in_front;
    keeps = is_last(unit, in_front);
    remove(unit, in_front);
  }
  set_free(unit, units);
  if (unit + units != end_) insert(unit, units, place != 0 && !(keeps && none_between(place, units)));
}

void Heap::free(void* block) noexcept {
  const Unit unit = known_block(release, block);
  const Word own = head(unit);
  const Unit units = units_of(own);
  give_back(unit, units, own, known_next(release, unit, units));
}

void Heap::resize(Unit unit, Unit units) noexcept {
  head(unit) = sealed(unit, (head(unit) & ~size_mask) | units);
}

void Heap::shrink(Unit unit, Unit units, Unit keep) noexcept {
  if (units - keep < least_units) return;
  const Word next_word = known_next(resizing, unit, units);
  resize(unit, keep);
  give_back(unit + keep, units - keep, 0, next_word);
}

bool Heap::widen(Unit unit, Unit units, Unit wanted) noexcept {
  const Unit next = unit + units;
  if (is_in_use(known_next(resizing, unit, units))) return false;
  const Unit behind = free_units(next);
  if (units + behind < wanted) return false;
  const Unit after = next + behind;
  const Unit rest = units + behind - wanted;
  const bool last = next != top_ && is_first(next, behind) && behind - rest >= least_units;
  if (next != top_) remove(next, behind);
  if (rest >= least_units) {
    resize(unit, wanted);
    set_free(unit + wanted, rest);
    if (after != end_) insert(unit + wanted, rest, last && none_between(rest, behind));
  } else {
    resize(unit, units + behind);
    end_free(unit, units + behind);
  }
  return true;
}

void* Heap::allocate_aligned(std::size_t alignment, std::size_t bytes) noexcept {
  if (bytes >= bytes_ || alignment >= bytes_) return nullptr;
  if (alignment <= 16) return allocate(bytes);
  // Room for the smallest block in front of the aligned one, and for one behind.
  const std::size_t smallest = least_units * 16;
  const std::size_t wide =
      std::max((bytes > 8 ? bytes - 8 : bytes) + alignment, smallest) + 2 * smallest - 16;
  void* block = nullptr;
  do {
    if (taken_ != 0) block = take(units_for(wide, least_units));
  } while (block == nullptr && grow(bytes + alignment));
  if (block == nullptr) return nullptr;
  const Unit unit = offset(block) / 16;
  const Unit all = units_of(head(unit));
  const auto here = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t there =
      here % alignment == 0 ? here : (here + smallest + alignment - 1) & ~(alignment - 1);
  const Unit at = unit + (there - here) / 16;
  if (at != unit) set_live(at, unit + all - at);
  shrink(at, unit + all - at, units_for(bytes, least_units));
  if (at != unit) give_back(unit, at - unit, 0, head(at));
  return address(at);
}

void* Heap::reallocate(void* block, std::size_t bytes) noexcept {
  const Unit unit = known_block(resizing, block);
  const Unit units = units_of(head(unit));
  if (bytes >= bytes_) return nullptr;
  const std::size_t before_bytes = bytes_of(units);
  const Unit wanted = units_for(bytes, least_units);
  if (bytes <= before_bytes) {
    // Only what fills its units: which places are free later, and simulated times with them, hang on it.
    if (bytes < 8 || bytes_of(wanted) == bytes) shrink(unit, units, wanted);
    return block;
  }
  if (widen(unit, units, wanted)) return block;
  void* moved = allocate(bytes);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, block, before_bytes);
  free(block);
  return moved;
}

std::size_t Heap::usable_bytes(const void* block) const noexcept {
  return bytes_of(units_of(head(known_block(question, block))));
}

} // namespace rcce::heap
