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

} // namespace rcce::host
