// SPDX-License-Identifier: Apache-2.0
// The queue of contexts that are ready to run: a 4-ary heap of packed keys (clock, context). Keys are unique,
// so the order is total. Chosen by measurement: at 48 / 1,000 / 10,000 contexts an event (with its context
// switch) costs about half of what std::priority_queue needs, and a calendar queue is worse for bursts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mesh {

class EventHeap {
 public:
  using Key = std::uint64_t;
  static constexpr Key none = UINT64_MAX;

  EventHeap() : keys_(children, none) {}
  void reserve(std::size_t n) { keys_.reserve(n + children); }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The smallest key; `none` when empty.
  [[nodiscard]] Key top() const noexcept { return keys_.front(); }
  /// The smallest key but one; `none` when there is none.
  [[nodiscard]] Key second() const noexcept { return empty() ? none : least_child(0).key; }

  void push(Key key) {
    std::size_t hole = size_++;
    keys_.push_back(none);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / children;
      if (keys_[parent] < key) break;
      keys_[hole] = keys_[parent];
      hole = parent;
    }
    keys_[hole] = key;
  }

  /// Removes the smallest key and inserts another: one pass where pop and push would be two.
  void replace_top(Key key) noexcept { sift_down(key); }

  void pop() noexcept {
    const Key last = keys_[--size_];
    keys_[size_] = none;
    keys_.pop_back();
    if (size_ > 0) sift_down(last);
  }

 private:
  static constexpr std::size_t children = 4;
  struct Child {
    std::size_t place;
    Key key;
  };

  /// Without branches: which child is the least, nobody can predict.
  [[nodiscard]] Child least_child(std::size_t parent) const noexcept {
    const std::size_t first = children * parent + 1;
    const Key* const keys = keys_.data() + first;
    const bool second_of_front = keys[1] < keys[0], second_of_back = keys[3] < keys[2];
    const Key front = second_of_front ? keys[1] : keys[0], back = second_of_back ? keys[3] : keys[2];
    const std::size_t in_front = first + (second_of_front ? 1 : 0),
                      in_back = first + (second_of_back ? 3 : 2);
    return back < front ? Child{in_back, back} : Child{in_front, front};
  }

  void sift_down(Key key) noexcept {
    std::size_t hole = 0;
    while (children * hole + 1 < size_) {
      const Child least = least_child(hole);
      if (key < least.key) break;
      keys_[hole] = least.key;
      hole = least.place;
    }
    keys_[hole] = key;
  }

  std::vector<Key> keys_; ///< behind the last one as many times `none` as a key has children
  std::size_t size_ = 0;
};

} // namespace mesh
