// SPDX-License-Identifier: Apache-2.0
// A binomial tree of ranks each of which has the blocks of its subtree in a row: what scatter/binomial and
// gather/binomial share.
#pragma once

#include <algorithm>
#include <cstddef>

#include <RCCE.h>

#include "algorithms/shapes/binomial.hpp"
#include "algorithms/shapes/message.hpp"
#include "on_messages/blocks.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {

/// One UE's place. A subtree has ranks that follow each other, rank 0 behind the last one.
class BlockTree {
 public:
  explicit BlockTree(const rockcreek_call& call)
      : call_(call),
        blocks_(call),
        virtual_(virtual_rank(blocks_.self(), call.root, blocks_.ranks())),
        ranks_held_(ranks_of(virtual_)) {}

  /// RCCE_SUCCESS, or why there is no memory for the row.
  int make_row() {
    row_ = partial_results((held() + page_bytes) / page_bytes * page_bytes);
    if (row_ != nullptr) return RCCE_SUCCESS;
    return rockcreek_refuse("%s: no memory for %zu bytes", call_.algorithm->name, held());
  }

  [[nodiscard]] const Blocks& blocks() const { return blocks_; }
  [[nodiscard]] bool is_root() const { return virtual_ == 0; }
  /// The blocks of this rank's subtree, from its own on.
  [[nodiscard]] char* row() const { return row_; }
  [[nodiscard]] std::size_t held() const { return blocks_.bytes_from(blocks_.self(), ranks_held_); }
  [[nodiscard]] int parent() const { return real(binomial::parent(virtual_)); }

  /// Children are at the distances 1, 2, 4 ... first_distance(), as far as there are such ranks.
  [[nodiscard]] int first_distance() const { return binomial::first_distance(virtual_, blocks_.ranks()); }
  [[nodiscard]] bool has_child(int distance) const { return virtual_ + distance < blocks_.ranks(); }
  [[nodiscard]] int child(int distance) const { return real(virtual_ + distance); }
  /// The child's part of the row.
  [[nodiscard]] char* part(int distance) const { return row_ + blocks_.bytes_from(blocks_.self(), distance); }
  [[nodiscard]] std::size_t part_bytes(int distance) const {
    return blocks_.bytes_from(child(distance), ranks_of(virtual_ + distance));
  }

 private:
  [[nodiscard]] int real(int v) const { return real_rank(v, call_.root, blocks_.ranks()); }
  [[nodiscard]] int ranks_of(int v) const {
    return std::min(binomial::span(v, blocks_.ranks()), blocks_.ranks() - v);
  }

  const rockcreek_call& call_;
  const Blocks blocks_;
  const int virtual_, ranks_held_;
  char* row_ = nullptr;
};

} // namespace algorithms
