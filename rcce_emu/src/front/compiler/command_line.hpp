// SPDX-License-Identifier: Apache-2.0
// What the user asked for, taken from a command line in the manner of cc, gcc, clang or Intel's icc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "process.hpp"
#include "variant.hpp"

namespace rcce::compiler {

enum class Language : std::uint8_t { c, cxx };

/// The last step of the compilation.
enum class Stage : std::uint8_t {
  preprocess, ///< -E, -M, -MM, -fsyntax-only
  assemble,   ///< -S
  compile,    ///< -c
  link,
};

/// A positional word; their order matters to the linker.
struct Input {
  enum class Kind : std::uint8_t {
    c,      ///< C source
    cxx,    ///< C++ source
    other,  ///< assembler, header: compiled, but neither C nor C++ settings apply
    link,   ///< object, archive, -l..., -Wl,...: words for the linker
    object, ///< the same, but a file that may hold records of how it was compiled
  };
  Kind kind = Kind::link;
  Words words;          ///< as the compiler takes them
  std::string language; ///< argument of the last -x, if any
};

struct CommandLine {
  // what the wrapper itself is asked for
  bool help = false;
  bool version = false;
  bool show = false;       ///< print the commands instead of running them
  bool spin_hooks = false; ///< gcc: count basic blocks, so that waiting loops yield
  bool observe = false;    ///< the program's own loads and stores are told to the runtime
  bool memory = false;     ///< ... all of them, for the core's caches
  bool no_count = false;   ///< the program's cycles are not counted
  bool prepare = false;    ///< compile the program's part of the library, for the build of Rockcreek
  std::string print;       ///< "archive", "include", "lib" or "root": print that place and end
  std::string compiler;    ///< argument of --cc
  std::string run_path;    ///< argument of --rpath; empty: this installation's library folder
  std::optional<unsigned> generation; ///< argument of --rcce: 10 or 20
  std::optional<unsigned> ircce;      ///< argument of --ircce: 10 or 20

  Stage stage = Stage::link;
  bool shared = false;          ///< the user asks for a shared library or a partial link, not for a program
  bool forced_language = false; ///< -x was used
  std::string output;           ///< argument of -o; empty: the compiler's default
  Words options;                ///< for every step, in order
  std::vector<Input> inputs;
  bool address_sanitizer = false;
  bool sanitizer = false; ///< any -fsanitize=
  bool openmp = false;    ///< one of the options that ask for OpenMP, which are left out
  Variant asked;          ///< by --rwth, -D options and archive names
  Words image_macros;     ///< -D options that the program's part of the library has to know too
};

/// Reads the words after the command's name; response files (@file) are read where they stand. Throws
/// std::runtime_error for what is wrong with the wrapper's own options.
[[nodiscard]] CommandLine parse(const Words& words);

} // namespace rcce::compiler
