// SPDX-License-Identifier: Apache-2.0
// The data of a reduction: what a card computes is what any processor with IEEE 754 arithmetic computes.
#include <algorithm>
#include <cstring>

#include "mesh_sim/machines/cluster/machine.hpp"

namespace mesh::cluster {
namespace {

template <class T, class Operator>
void combine_as(std::byte* own, const std::byte* other, std::size_t count, Operator combine) {
  for (std::size_t i = 0; i < count; ++i) {
    T a, b;
    std::memcpy(&a, own + i * sizeof(T), sizeof(T));
    std::memcpy(&b, other + i * sizeof(T), sizeof(T));
    a = combine(a, b);
    std::memcpy(own + i * sizeof(T), &a, sizeof(T));
  }
}

/// Sums of integers wrap around.
template <class T>
T sum(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  else
    return a + b;
}

template <class T>
Values::Combine combine_of(Operation operation) {
  switch (operation) {
  case Operation::min:
    return [](std::byte* own, const std::byte* other, std::size_t count) {
      combine_as<T>(own, other, count, [](T a, T b) { return b < a ? b : a; });
    };
  case Operation::max:
    return [](std::byte* own, const std::byte* other, std::size_t count) {
      combine_as<T>(own, other, count, [](T a, T b) { return a < b ? b : a; });
    };
  case Operation::sum:
    break;
  }
  return [](std::byte* own, const std::byte* other, std::size_t count) {
    combine_as<T>(own, other, count, sum<T>);
  };
}

Values::Combine combine_of(Vector what) {
  switch (what.type) {
  case Type::int32:
    return combine_of<std::int32_t>(what.operation);
  case Type::int64:
    return combine_of<std::int64_t>(what.operation);
  case Type::float32:
    return combine_of<float>(what.operation);
  case Type::float64:
    break;
  }
  return combine_of<double>(what.operation);
}

} // namespace

Values::Values(int nodes, std::size_t elements, std::size_t element_bytes, Combine combine)
    : element_bytes_(element_bytes),
      bytes_(elements * element_bytes),
      combine_(std::move(combine)),
      data_(static_cast<std::size_t>(nodes) * bytes_) {}

Values::Values(int nodes, std::size_t elements, Vector what)
    : Values(nodes, elements, bytes_of(what.type), combine_of(what)) {}

void Values::sent(const Program::Message& message, std::uint32_t number) {
  const std::byte* from = at(message.from, message.elements.begin);
  carried_[number].assign(from, from + message.elements.size() * element_bytes_);
}

void Values::combined(const Program::Message& message, std::uint32_t number, Side side) {
  std::byte* own = at(message.to, message.elements.begin);
  std::vector<std::byte>& other = carried_[number];
  if (side == Side::behind) {
    combine_(own, other.data(), message.elements.size());
  } else {
    combine_(other.data(), own, message.elements.size());
    std::copy(other.begin(), other.end(), own);
  }
  std::vector<std::byte>().swap(other);
}

void Values::placed(const Program::Message& message, std::uint32_t number) {
  std::copy(carried_[number].begin(), carried_[number].end(), at(message.to, message.elements.begin));
  std::vector<std::byte>().swap(carried_[number]);
}

} // namespace mesh::cluster
