#include "check/signals.hpp"

#include <algorithm>

namespace rcce::check {

void Signals::write(std::size_t place, std::span<const std::byte> values, std::uint8_t mask,
                    const Snapshot& known) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<Store>& stores = stores_[place + i];
    stores.push_back({known, mask, static_cast<std::uint8_t>(values[i])});
    // Of each bit the last two stores matter.
    std::uint8_t once = 0, twice = 0;
    for (std::size_t at = stores.size(); at-- > 0;) {
      const std::uint8_t own = stores[at].mask;
      if ((own & ~twice) == 0) stores[at].mask = 0;
      twice |= once & own;
      once |= own;
    }
    std::erase_if(stores, [](const Store& store) { return store.mask == 0; });
  }
}

bool Signals::read(std::size_t place, std::span<const std::byte> values, std::span<const std::uint8_t> masks,
                   Clocks& clocks, int ue) const {
  bool explained = true;
  const std::vector<Epoch>* last = nullptr; // the bytes of a line often come from one store
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint8_t left = masks[i];
    const auto value = static_cast<std::uint8_t>(values[i]);
    if (left == 0) continue;
    if (const auto found = stores_.find(place + i); found != stores_.end()) {
      for (std::size_t at = found->second.size(); at-- > 0 && left != 0;) {
        const Store& store = found->second[at];
        const std::uint8_t common = store.mask & left;
        if (common == 0 || ((store.value ^ value) & common) != 0) continue;
        if (store.known.get() != last) clocks.acquire(ue, store.known);
        last = store.known.get();
        left &= static_cast<std::uint8_t>(~common);
      }
    }
    if ((value & left) != 0) explained = false;
  }
  return explained;
}

} // namespace rcce::check
