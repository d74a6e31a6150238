// SPDX-License-Identifier: Apache-2.0
// One copy of a program's file in memory, loaded by the dynamic linker.
#pragma once

#include <cstddef>

#include "process/image/file.hpp"

namespace rcce::image {

/// A memfd with the file's prepared contents. Its descriptor stays open as long as it lives, because
/// debuggers read copies through it.
class MemoryFile {
 public:
  explicit MemoryFile(const ImageFile& file);
  ~MemoryFile();
  MemoryFile(MemoryFile&& other) noexcept;
  MemoryFile& operator=(MemoryFile&&) = delete;

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

/// A MemoryFile as the dynamic linker has loaded it; unloaded on destruction.
class Loaded {
 public:
  Loaded(const ImageFile& file, const MemoryFile& memory);
  ~Loaded();
  Loaded(Loaded&& other) noexcept;
  Loaded& operator=(Loaded&&) = delete;

  [[nodiscard]] std::byte* base() const noexcept { return base_; }
  [[nodiscard]] void* link_map() const noexcept { return handle_; }

 private:
  void* handle_;
  std::byte* base_;
};

/// Lets this process open `files` more descriptors, as far as its hard limit goes.
void raise_descriptor_limit(std::size_t files);

} // namespace rcce::image
