// SPDX-License-Identifier: Apache-2.0
// Names for addresses in a program file: function, source file and line, as far as the tools of the host and
// the program's debug information tell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rcce::host {

/// "solve at stencil.c:12 (stencil+0x11a2)" for each offset in the file; without addr2line or debug
/// information only what is known. Allocates; starts a process and waits for it.
[[nodiscard]] std::vector<std::string> describe_offsets(const std::string& file,
                                                        const std::vector<std::uintptr_t>& offsets);

/// A place in a source, as far as it is known.
struct Position {
  std::string function; ///< "prog+0x11a2" where it is not known
  std::string file;     ///< without its folder; empty: not known
  int line = 0;         ///< 0: not known
};
/// For each offset the functions there: the innermost of those that have been inlined first, at least one.
[[nodiscard]] std::vector<std::vector<Position>> positions_of(const std::string& file,
                                                              const std::vector<std::uintptr_t>& offsets);

} // namespace rcce::host
