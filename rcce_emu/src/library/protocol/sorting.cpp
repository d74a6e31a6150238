// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/sorting.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace rcce::protocol {

void sort_elements(char* base, std::size_t count, std::size_t bytes,
                   int (*compare)(const void*, const void*)) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return compare(base + left * bytes, base + right * bytes) < 0;
  });
  const std::vector<char> unsorted(base, base + count * bytes);
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(unsorted.data() + order[i] * bytes, bytes, base + i * bytes);
  }
}

} // namespace rcce::protocol
