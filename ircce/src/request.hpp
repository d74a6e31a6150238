// SPDX-License-Identifier: Apache-2.0
// A program's request object: the fields that programs may read, kept up to date. The library itself goes by
// its own records (transfer.hpp), so what a program writes there, apart from `finished`, changes nothing.
#pragma once

#include <cstddef>

#include "image/ircce_entries.h"

namespace rcce::ircce {

/// The structs have the names of the variables and words of the image.
using ImageInterface = struct ::rockcreek_ircce;
using RequestLayout = struct ::rockcreek_ircce_layout;
using ListElement = struct ::rockcreek_ircce_element;

/// Values of `label` in a request: nothing done yet, or waiting for a flag.
inline constexpr int label_start = 0, label_waits = 1;

/// A view; copies refer to the same object.
class Request {
 public:
  Request(const RequestLayout& layout, void* request)
      : layout_(&layout), base_(static_cast<std::byte*>(request)) {}

  [[nodiscard]] void* address() const { return base_; }
  [[nodiscard]] int& finished() const { return at<int>(layout_->finished); }
  [[nodiscard]] int& peer() const { return at<int>(layout_->peer); }
  [[nodiscard]] std::size_t& size() const { return at<std::size_t>(layout_->size); }
  [[nodiscard]] void*& next() const { return at<void*>(layout_->next); }
  [[nodiscard]] char*& buffer() const { return at<char*>(layout_->privbuf); }
  [[nodiscard]] void*& mpb_buffer() const { return at<void*>(layout_->combuf); }
  [[nodiscard]] std::size_t& chunk() const { return at<std::size_t>(layout_->chunk); }
  [[nodiscard]] void*& ready() const { return at<void*>(layout_->ready); }
  [[nodiscard]] void*& sent() const { return at<void*>(layout_->sent); }
  [[nodiscard]] std::size_t& in_chunks() const { return at<std::size_t>(layout_->wsize); }
  [[nodiscard]] std::size_t& remainder() const { return at<std::size_t>(layout_->remainder); }
  [[nodiscard]] std::size_t& segment_bytes() const { return at<std::size_t>(layout_->nbytes); }
  [[nodiscard]] char*& segment() const { return at<char*>(layout_->bufptr); }
  [[nodiscard]] int& label() const { return at<int>(layout_->label); }

  /// Fields that not every kind of request has.
  void set_started(int value) const { set(layout_->started, value); }
  void set_sync(int value) const { set(layout_->sync, value); }
  void set_copies(bool value) const { set(layout_->copy, static_cast<int>(value)); }
  void set_flag_value(int value) const {
    if (layout_->flag_set_bytes == sizeof(long)) {
      set(layout_->flag_set_value, static_cast<long>(value));
    } else {
      set(layout_->flag_set_value, value);
    }
  }
  void set_parts(std::size_t first, std::size_t second) const {
    set(layout_->subchunk1, first);
    set(layout_->subchunk2, second);
  }

 private:
  template <class T>
  [[nodiscard]] T& at(unsigned offset) const {
    return *reinterpret_cast<T*>(base_ + offset);
  }
  template <class T>
  void set(unsigned offset, T value) const {
    if (offset != 0) at<T>(offset) = value;
  }

  const RequestLayout* layout_;
  std::byte* base_;
};

} // namespace rcce::ircce
