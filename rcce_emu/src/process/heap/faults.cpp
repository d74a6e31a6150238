// SPDX-License-Identifier: Apache-2.0
// What a UE is told whose heap is damaged.
#include <fmt/format.h>

#include "process/heap/heap.hpp"
#include "process/heap/words.hpp"

namespace rcce::heap {
namespace {

using namespace words;

/// Blocks that are looked at to name the one in front of a damaged word: milliseconds.
constexpr std::size_t most_steps = 1 << 20;

std::string block_text(const void* block, std::size_t bytes) {
  return bytes == 0 ? fmt::format("block at {}", block)
                    : fmt::format("block of up to {} bytes at {}", bytes, block);
}

} // namespace

std::string fault_text(const HeapFault& fault) {
  using Kind = HeapFault::Kind;
  const std::string block = block_text(fault.block, fault.bytes);
  switch (fault.kind) {
  case Kind::freed_twice:
    return fmt::format("{} of a {} that has been freed before", fault.call, block);
  case Kind::no_block:
    return fmt::format("{} of address {}, where no block begins", fault.call, fault.block);
  case Kind::head_written:
    return fmt::format("{} finds the word in front of the {} overwritten: by a write before the block{}",
                       fault.call, block,
                       fault.in_front == nullptr ? ", or beyond the end of another block"
                                                 : ", or beyond the end of the " +
                               block_text(fault.in_front, fault.bytes_in_front) + " in front of it");
  case Kind::end_written:
    return fmt::format("{} finds that the {} has been written to beyond its end", fault.call, block);
  case Kind::freed_written:
    return fmt::format(
        "{} finds that a free {} has been written to: after it was freed, or beyond the end of the "
        "block in front of it",
        fault.call, block);
  }
  __builtin_unreachable();
}

void Heap::fail(HeapFault::Kind kind, const char* call, Unit unit, Unit units) const noexcept {
  end_by_heap_fault({kind, call, address(unit), bytes_of(units)});
}

void Heap::fail_free(Unit unit, Unit units) const noexcept {
  fail(HeapFault::Kind::freed_written, "a call", unit, units);
}

void Heap::fail_head(const char* call, const void* block) const noexcept {
  const Unit there = offset(block) / 16;
  Unit in_front = 0;
  Unit unit = first_;
  for (std::size_t i = 0; i < most_steps && unit < there; ++i) {
    const Word word = head(unit);
    if (!is_sealed(unit, word) || units_of(word) == 0) break;
    in_front = unit;
    unit += units_of(word);
  }
  if (unit > there) end_by_heap_fault({HeapFault::Kind::no_block, call, block});
  if (unit < there || in_front == 0) end_by_heap_fault({HeapFault::Kind::head_written, call, block});
  end_by_heap_fault(
      {HeapFault::Kind::head_written, call, block, 0, address(in_front), bytes_of(units_of(head(in_front)))});
}

} // namespace rcce::heap
