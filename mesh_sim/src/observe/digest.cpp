// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/digest.hpp"

namespace mesh {
namespace {

/// The number of a kind in the hash; recorded digests depend on it.
constexpr std::uint64_t number_of(Access::Kind kind) {
  switch (kind) {
  case Access::Kind::put:
    return 1;
  case Access::Kind::get:
    return 2;
  case Access::Kind::store:
    return 3;
  case Access::Kind::update:
    return 4;
  case Access::Kind::load:
    return 5;
  case Access::Kind::wait:
  case Access::Kind::look:
    return 6;
  case Access::Kind::lock_try:
    return 7;
  case Access::Kind::lock_release:
    return 8;
  case Access::Kind::counter:
    return 9;
  }
  return 0;
}

} // namespace

void Digest::issued(const Access& access) {
  const auto who = static_cast<std::uint64_t>(access.core) << 32 | static_cast<std::uint64_t>(access.target);
  const auto what = number_of(access.kind) << 60 | static_cast<std::uint64_t>(access.offset) << 32 |
      static_cast<std::uint64_t>(access.kind == Access::Kind::counter ? access.value : access.bytes);
  value_ = (value_ ^ (static_cast<std::uint64_t>(access.at) * 0x9e3779b97f4a7c15u + who)) * 0x100000001b3u;
  value_ = (value_ ^ (value_ >> 29) ^ what) * 0x9fb21c651e98df25u;
}

} // namespace mesh
