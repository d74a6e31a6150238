// SPDX-License-Identifier: Apache-2.0
// A UE's private copy of the program: its globals, its code, its thread-local variables. Two ways of making
// copies stand behind it: the dynamic linker (image_dlopen.cpp) and our own (clone.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "image/file.hpp"
#include "rcce_emu/image.h"

namespace rcce::heap {
class Heap;
}

namespace rcce::image {

/// A copy in memory, relocated and bound. None of its code runs by itself.
class Image {
 public:
  Image(const ImageFile& file, std::byte* base) noexcept : file_(file), base_(base) {}
  virtual ~Image() = default;
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  using Main = int (*)(int argc, char** argv, char** environment);

  [[nodiscard]] const ImageFile& file() const noexcept { return file_; }
  [[nodiscard]] std::byte* base() const noexcept { return base_; } ///< host address of virtual address 0
  [[nodiscard]] std::span<std::byte> all() const noexcept { return range(file_.span()); }
  [[nodiscard]] std::span<std::byte> data() const noexcept { return range(file_.data()); }
  [[nodiscard]] std::span<std::byte> text() const noexcept { return range(file_.text()); }
  [[nodiscard]] struct rockcreek_image& variables() const noexcept {
    return *reinterpret_cast<struct rockcreek_image*>(base_ + file_.variables_address());
  }
  [[nodiscard]] Main main() const noexcept { return reinterpret_cast<Main>(base_ + file_.main()); }

  /// Runs the constructors of static objects; on the UE's own context, as everything of the image.
  void construct(int argc, char** argv, char** environment) const;
  /// Functions marked as destructors, in order of calling; static objects' destructors are registered by
  /// their constructors instead.
  [[nodiscard]] std::size_t destructors() const noexcept;
  void destruct(std::size_t which) const;

  struct Word {
    ImageFile::Address address;
    std::uint64_t value;
  };
  /// Changes words of the copy before any of its code runs.
  virtual void write(std::span<const Word> words);

 private:
  [[nodiscard]] std::span<std::byte> range(ImageFile::Range addresses) const noexcept {
    return {base_ + addresses.begin, addresses.bytes()};
  }

  const ImageFile& file_;
  std::byte* base_;
};

/// Whether the clone loader can place this program; if not, why.
[[nodiscard]] const char* obstacle_to_cloning(const ImageFile& file);

/// One copy per heap. Thread-local variables lie on the heap, as its first block. The file has to outlive the
/// copies. Throws UserError where the program cannot be loaded.
[[nodiscard]] std::vector<std::unique_ptr<Image>> load_by_dlopen(const ImageFile& file,
                                                                 std::span<heap::Heap> heaps);
[[nodiscard]] std::vector<std::unique_ptr<Image>> load_clones(const ImageFile& file,
                                                              std::span<heap::Heap> heaps);

} // namespace rcce::image
