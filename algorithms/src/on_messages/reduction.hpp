// SPDX-License-Identifier: Apache-2.0
// What reductions in plain RCCE code share: memory for partial results, and the steps that they consist of.
#pragma once

#include <cstddef>
#include <cstdlib>

#include <RCCE.h>

#include "algorithms/algorithm.h"

namespace algorithms {

/// Partial results begin at pages, so that times do not depend on where the heap had room.
inline constexpr std::size_t page_bytes = 4096;

/// Memory of so many bytes, whole pages. Kept until the UE ends, for the next call of any reduction uses it
/// again. Null where there is no memory.
inline char* partial_results(std::size_t bytes) {
  static struct Kept {
    char* memory = nullptr;
    std::size_t room = 0;
    ~Kept() { std::free(memory); }
  } kept;
  if (bytes <= kept.room) return kept.memory;
  std::free(kept.memory);
  kept.memory = static_cast<char*>(std::aligned_alloc(page_bytes, bytes));
  kept.room = kept.memory != nullptr ? bytes : 0;
  return kept.memory;
}

/// target := target op operand, of a part of a call's vector.
inline int combine_bytes(const rockcreek_call& call, char* target, const char* operand, std::size_t bytes) {
  if (bytes == 0) return RCCE_SUCCESS;
  return rcce_combine(call.op, call.type, target, operand,
                      static_cast<int>(bytes / (call.bytes / call.count)));
}

/// One UE's part of a call that combines elements. All functions return RCCE_SUCCESS or the error of the call
/// that failed; ranges are of elements.
class Reduction {
 public:
  explicit Reduction(const rockcreek_call& call)
      : call_(call), element_(call.count > 0 ? call.bytes / call.count : 0) {}

  [[nodiscard]] std::size_t count() const { return call_.count; }
  [[nodiscard]] std::size_t bytes() const { return call_.bytes; }
  /// The own operand, which is not to be written.
  [[nodiscard]] const char* source() const { return call_.source; }
  /// A vector of partial results, by number from 0; they exist after prepare_partial.
  [[nodiscard]] char* partial(std::size_t number) const { return partial_ + number * rounded(); }

  /// Makes `vectors` vectors of partial results.
  int prepare_partial(std::size_t vectors) {
    partial_ = partial_results(vectors * rounded());
    if (partial_ != nullptr || bytes() == 0) return RCCE_SUCCESS;
    return rockcreek_refuse("%s: no memory for %zu vectors of %zu bytes", call_.algorithm->name, vectors,
                            call_.bytes);
  }

  /// Copies a vector.
  void copy(char* to, const char* from) const { copy(to, from, 0, count()); }
  void copy(char* to, const char* from, std::size_t begin, std::size_t end) const {
    const std::size_t offset = begin * element_;
    rcce_copy(to + offset, from + offset, (end - begin) * element_);
  }

  int send(const char* vector, int rank) const { return send(vector, 0, count(), rank); }
  int send(const char* vector, std::size_t begin, std::size_t end, int rank) const {
    if (begin == end) return RCCE_SUCCESS;
    return RCCE_send(const_cast<char*>(vector) + begin * element_, (end - begin) * element_, rank);
  }

  int receive(char* vector, int rank) const { return receive(vector, 0, count(), rank); }
  int receive(char* vector, std::size_t begin, std::size_t end, int rank) const {
    if (begin == end) return RCCE_SUCCESS;
    return RCCE_recv(vector + begin * element_, (end - begin) * element_, rank);
  }

  /// target := target op operand.
  int combine(char* target, const char* operand) const { return combine(target, operand, 0, count()); }
  int combine(char* target, const char* operand, std::size_t begin, std::size_t end) const {
    if (begin == end) return RCCE_SUCCESS;
    return rcce_combine(call_.op, call_.type, target + begin * element_, operand + begin * element_,
                        static_cast<int>(end - begin));
  }

  /// Receives an operand into `incoming` and combines it: target := target op incoming.
  int take(char* target, char* incoming, int rank) const { return take(target, incoming, 0, count(), rank); }
  int take(char* target, char* incoming, std::size_t begin, std::size_t end, int rank) const {
    const int error = receive(incoming, begin, end, rank);
    return error != RCCE_SUCCESS ? error : combine(target, incoming, begin, end);
  }

 private:
  /// Bytes from one vector of partial results to the next.
  [[nodiscard]] std::size_t rounded() const { return (bytes() + page_bytes - 1) / page_bytes * page_bytes; }

  const rockcreek_call& call_;
  std::size_t element_;
  char* partial_ = nullptr;
};

} // namespace algorithms
