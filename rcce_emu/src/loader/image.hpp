// A UE's private copy of the program: its globals, its code, its thread-local variables.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "rcce_emu/image.h"

namespace rcce::loader {

/// A copy in memory, relocated and bound, whose code has not run yet.
class Image {
 public:
  virtual ~Image() = default;
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  using Function = void (*)(int argc, char** argv, char** environment);
  using Main = int (*)(int argc, char** argv, char** environment);

  std::string file;                            ///< path of the program
  std::byte* base = nullptr;                   ///< host address of the file's virtual address 0
  std::size_t bytes = 0;                       ///< from base to the end of its last segment
  std::span<std::byte> data;                   ///< writable segment, .bss included
  std::span<const std::byte> text;             ///< executable segment
  struct rockcreek_image* variables = nullptr; ///< its symbol rockcreek_image
  Main main = nullptr;
  std::span<const Function> constructors; ///< in order of calling
  std::span<void (*const)()> destructors; ///< in order of calling

 protected:
  Image() = default;
};

} // namespace rcce::loader
