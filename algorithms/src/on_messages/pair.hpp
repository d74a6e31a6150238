// SPDX-License-Identifier: Apache-2.0
// Two ranks that combine their vectors together: each half of the elements, into the parent's vector.
#pragma once

#include <RCCE.h>

#include "algorithms/shapes/pair_tree.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {

/// The parent: target := target op the child's. `incoming` is memory for a vector.
inline int combine_as_parent(const Reduction& own, char* target, char* incoming, int child) {
  const std::size_t middle = pair_tree::middle(own.count());
  if (const int error = own.send(target, middle, own.count(), child)) return error;
  if (const int error = own.take(target, incoming, 0, middle, child)) return error;
  return own.receive(target, middle, own.count(), child);
}

/// The child, whose vector stays as it is.
inline int combine_as_child(const Reduction& own, const char* vector, char* incoming, int parent) {
  const std::size_t middle = pair_tree::middle(own.count());
  if (const int error = own.receive(incoming, middle, own.count(), parent)) return error;
  if (const int error = own.send(vector, 0, middle, parent)) return error;
  if (const int error = own.combine(incoming, vector, middle, own.count())) return error;
  return own.send(incoming, middle, own.count(), parent);
}

} // namespace algorithms
