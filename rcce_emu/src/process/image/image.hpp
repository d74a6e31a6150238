// SPDX-License-Identifier: Apache-2.0
// A UE's private copy of the program, or of one of the program's own libraries: its globals, its code, its
// thread-local variables. Two ways of making copies stand behind it: the dynamic linker (dlopened.cpp) and
// our own (clone.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "process/image/file.hpp"
#include "rcce_emu/image.h"

namespace rcce::heap {
class Heap;
}

namespace rcce::image {

/// A copy in memory, relocated and bound. None of its code runs by itself.
class Image {
 public:
  Image(const ImageFile& file, std::byte* base, std::byte* thread_locals) noexcept
      : file_(file), base_(base), thread_locals_(thread_locals) {}
  virtual ~Image() = default;
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  using Main = int (*)(int argc, char** argv, char** environment);

  [[nodiscard]] const ImageFile& file() const noexcept { return file_; }
  [[nodiscard]] std::byte* base() const noexcept { return base_; } ///< host address of virtual address 0
  [[nodiscard]] std::span<std::byte> all() const noexcept { return range(file_.span()); }
  [[nodiscard]] std::span<std::byte> data() const noexcept { return range(file_.data()); }
  [[nodiscard]] std::span<std::byte> text() const noexcept { return range(file_.text()); }
  /// Its block of thread-local variables, on the UE's heap; null where it has none.
  [[nodiscard]] std::byte* thread_locals() const noexcept { return thread_locals_; }
  /// The dynamic linker's entry of the copy, or of the template that it was made from.
  [[nodiscard]] virtual void* link_map() const noexcept = 0;
  /// The address at which the dynamic linker has put that.
  [[nodiscard]] virtual std::byte* linked_base() const noexcept = 0;
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

  /// Bytes of the copy.
  [[nodiscard]] std::span<std::byte> range(ImageFile::Range addresses) const noexcept {
    return {base_ + addresses.begin, addresses.bytes()};
  }

  struct Word {
    ImageFile::Address address;
    std::uint64_t value;
  };
  /// Changes words of the copy before any of its code runs.
  virtual void write(std::span<const Word> words);
  /// Copies of the file that have not written to the whole pages among these bytes of this copy's variables
  /// find them there, too, and share them: once in memory for all. Does nothing where each has a file of its
  /// own.
  virtual void share(std::span<const std::byte> /*bytes*/) const {}

 private:
  const ImageFile& file_;
  std::byte* base_;
  std::byte* thread_locals_;
};

/// Makes copies of one file, which has to outlive them.
class Copies {
 public:
  virtual ~Copies() = default;
  Copies() = default;
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  /// The copy of a UE. Thread-local variables lie on its heap, as the first block where it is the program's.
  /// Throws UserError where the file cannot be loaded.
  [[nodiscard]] virtual std::unique_ptr<Image> make(std::size_t ue, heap::Heap& heap) = 0;
};

[[nodiscard]] std::unique_ptr<Copies> copies_by_dlopen(const ImageFile& file);
/// For up to `ues` UEs.
[[nodiscard]] std::unique_ptr<Copies> copies_by_cloning(const ImageFile& file, std::size_t ues);
/// One of the two. By the dynamic linker each takes a file of memory: the limit of open files is raised for
/// them.
[[nodiscard]] std::unique_ptr<Copies> copies_of(const ImageFile& file, std::size_t ues, bool clones);
/// Null if the clone loader can place this file; otherwise the reason why not.
[[nodiscard]] const char* obstacle_to_cloning(const ImageFile& file);

} // namespace rcce::image
