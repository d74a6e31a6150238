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

  void reserve(std::size_t n) { keys_.reserve(n); }
  [[nodiscard]] bool empty() const noexcept { return keys_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }
  /// The smallest key; `none` when empty.
  [[nodiscard]] Key top() const noexcept { return keys_.empty() ? none : keys_.front(); }

  /// The smallest key but one; `none` when there is none.
  [[nodiscard]] Key second() const noexcept {
    Key least = none;
    for (std::size_t child = 1; child < 5 && child < keys_.size(); ++child)
      least = keys_[child] < least ? keys_[child] : least;
    return least;
  }

  void push(Key key) {
    std::size_t hole = keys_.size();
    keys_.push_back(key);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 4;
      if (keys_[parent] < key) break;
      keys_[hole] = keys_[parent];
      hole = parent;
    }
    keys_[hole] = key;
  }

  /// Removes the smallest key and inserts another: one pass where pop and push would be two.
  void replace_top(Key key) noexcept { sift_down(key, keys_.size()); }

  void pop() noexcept {
    const Key last = keys_.back();
    keys_.pop_back();
    if (!keys_.empty()) sift_down(last, keys_.size());
  }

 private:
  void sift_down(Key key, std::size_t n) noexcept {
    std::size_t hole = 0;
    for (;;) {
      const std::size_t first = 4 * hole + 1;
      if (first >= n) break;
      std::size_t least = first;
      const std::size_t last = first + 4 < n ? first + 4 : n;
      for (std::size_t child = first + 1; child < last; ++child)
        if (keys_[child] < keys_[least]) least = child;
      if (key < keys_[least]) break;
      keys_[hole] = keys_[least];
      hole = least;
    }
    keys_[hole] = key;
  }

  std::vector<Key> keys_;
};

} // namespace mesh
