// SPDX-License-Identifier: Apache-2.0
#include "watch/check/signals.hpp"

#include <algorithm>
#include <cstring>

namespace rcce::check {

using mesh::line_bytes;

void Signals::write(std::size_t place, std::span<const std::byte> values, std::uint8_t mask,
                    const Snapshot& known) {
  Store store{known, {}, {}};
  const std::size_t first = place % line_bytes;
  std::memset(reinterpret_cast<unsigned char*>(store.mask.data()) + first, mask, values.size());
  std::memcpy(reinterpret_cast<unsigned char*>(store.values.data()) + first, values.data(), values.size());
  std::vector<Store>& stores = lines_[place / line_bytes];
  stores.push_back(std::move(store));
  // Of each bit the last two stores matter.
  Bits once{}, twice{};
  for (std::size_t at = stores.size(); at-- > 0;) {
    std::uint64_t left = 0;
    for (std::size_t word = 0; word < words; ++word) {
      const std::uint64_t own = stores[at].mask[word];
      left |= own & ~twice[word];
      twice[word] |= once[word] & own;
      once[word] |= own;
    }
    if (left == 0) stores[at].known = nullptr;
  }
  std::erase_if(stores, [](const Store& one) { return one.known == nullptr; });
}

bool Signals::read(std::size_t place, std::span<const std::byte> values, std::span<const std::uint8_t> masks,
                   Clocks& clocks, int ue) const {
  const std::size_t first = place % line_bytes;
  Bits seen{}, left{};
  std::memcpy(reinterpret_cast<unsigned char*>(seen.data()) + first, values.data(), values.size());
  std::memcpy(reinterpret_cast<unsigned char*>(left.data()) + first, masks.data(), masks.size());
  if (const auto found = lines_.find(place / line_bytes); found != lines_.end()) {
    const std::vector<Store>& stores = found->second;
    for (std::size_t at = stores.size(); at-- > 0;) {
      const Store& store = stores[at];
      std::uint64_t matching = 0;
      for (std::size_t word = 0; word < words; ++word) {
        const std::uint64_t common = left[word] & store.mask[word] & ~(store.values[word] ^ seen[word]);
        matching |= common;
        left[word] &= ~common;
      }
      if (matching != 0) clocks.acquire(ue, store.known);
    }
  }
  return std::ranges::equal(
      seen, left, [](std::uint64_t bits, std::uint64_t unexplained) { return (bits & unexplained) == 0; });
}

} // namespace rcce::check
