// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mesh {

/// The traits of a public call of the library above, as bits of a set. Code that decides by a call uses them,
/// not its name.
enum class CallTraits : std::uint8_t {
  none = 0,
  sends = 1U << 0,       ///< a message, to the peer
  receives = 1U << 1,    ///< a message, from the peer
  collective = 1U << 2,  ///< every member of a group makes it
  copies_from = 1U << 3, ///< moves data from the peer's buffer
  ends = 1U << 4,        ///< the library's last call
  computes = 1U << 5,    ///< stands for code of the program
  uses_flag = 1U << 6,   ///< a flag that the caller gives it: writes, reads or awaits it
};
constexpr CallTraits operator|(CallTraits a, CallTraits b) noexcept {
  return static_cast<CallTraits>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr CallTraits without(CallTraits traits, CallTraits some) noexcept {
  return static_cast<CallTraits>(static_cast<unsigned>(traits) & ~static_cast<unsigned>(some));
}
/// True if the call has one of these traits.
constexpr bool has(CallTraits traits, CallTraits some) noexcept {
  return (static_cast<unsigned>(traits) & static_cast<unsigned>(some)) != 0;
}

} // namespace mesh
