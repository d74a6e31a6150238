// What a UE is told whose heap is damaged.
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

#include "heap/heap.hpp"
#include "heap/words.hpp"
#include "job_state.hpp"
#include "libc/exports.hpp"
#include "run/faults.hpp"

namespace rcce::loader {
namespace {

using namespace heap_words;

/// Blocks that are looked at to name the one in front of a damaged word: milliseconds.
constexpr std::size_t most_steps = 1 << 20;

std::string block_text(const void* block, std::size_t bytes) {
  return bytes == 0 ? fmt::format("block at {}", block)
                    : fmt::format("block of up to {} bytes at {}", bytes, block);
}

std::string fault_text(const HeapFault& fault) {
  using Kind = HeapFault::Kind;
  const std::string block = block_text(fault.block, fault.bytes);
  switch (fault.kind) {
  case Kind::freed_twice:
    return fmt::format("{} of a {} that has been freed before", fault.call, block);
  case Kind::no_block:
    return fmt::format("{} of address {}, where no block begins", fault.call, fault.block);
  case Kind::head_written:
    return fmt::format("{} finds the word in front of the {} overwritten: before its beginning{}", fault.call,
                       block,
                       fault.in_front == nullptr ? ", or beyond the end of another"
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

} // namespace

void end_by_heap_fault(const std::string& text) {
  if (Ue* ue = calling_ue()) abort_ue(*ue, "heap: " + text);
  // No UE's call: a block that was handed to another thread, or that outlives its UE.
  const std::string line = fmt::format("rccerun: heap: {}\n", text);
  static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
  std::abort();
}

void end_by_heap_fault(const HeapFault& fault) {
  const Ue* ue = calling_ue();
  const bool checked = ue != nullptr && ue->job->options().check_heap;
  end_by_heap_fault(fault_text(fault) +
                    (checked ? "" : "; --check heap says where blocks were allocated and freed"));
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

} // namespace rcce::loader
