// SPDX-License-Identifier: Apache-2.0
// Reads what object files say of themselves, and mends one thing in linked programs. Knows just enough of ELF
// and ar.
#pragma once

#include <string>
#include <vector>

namespace rcce::compiler {

struct ObjectRecord {
  std::string file; ///< member of an archive: "(prog.o)"; else empty
  std::string text; ///< as RCCE.h wrote it: "generation=20 gory=0 maxnp=48"
};

/// The records of an object file or of every member of an archive; nothing for other files.
[[nodiscard]] std::vector<ObjectRecord> read_records(const std::string& path);

/// The same of objects that have code, with what the pass that counts cycles has left in them; empty text: it
/// has not worked on them.
[[nodiscard]] std::vector<ObjectRecord> read_code(const std::string& path);

/// True if the archive is one of ours, that is, holds the member `rockcreek_stub`. Members that a build has
/// added to it are the user's and must be linked.
[[nodiscard]] bool is_stub_archive(const std::string& path);

/// Gives a linked program the DT_DEBUG entry that debuggers find shared libraries by, in place of a spare
/// DT_NULL. The linker writes one into ordinary programs only, and ours are linked with -shared.
void add_debug_entry(const std::string& path);

} // namespace rcce::compiler
