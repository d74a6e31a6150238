// SPDX-License-Identifier: Apache-2.0
// The eight variants of the library (times its two generations), as archives are named after them and as
// object files remember them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rcce::compiler {

inline constexpr std::string_view headers_max_np = "48"; ///< RCCE_MAXNP as RCCE.h has it where nobody says

struct Variant {
  unsigned generation = 20; ///< 10: RCCE 1.0, 20: RCCE 2.0
  unsigned ircce = 20;      ///< 10: iRCCE 1.x, 20: iRCCE 2.0
  bool rwth = false;        ///< RWTH's RCCE, a modified 1.0
  bool smallflags = false;
  bool gory = false;
  bool power = false;
  bool observed = false;     ///< some objects are compiled by --observe
  bool all_observed = false; ///< all are
  bool memory = false;       ///< some objects are compiled by --memory
  bool counted = false;      ///< some objects count their cycles
  std::string uncounted;     ///< those that do not, "old.o, libold.a(part.o)"
  std::string max_np;        ///< text of RCCE_MAXNP; empty: as headers_max_np
  bool named = false;        ///< an archive or -l option named a variant
};

/// Macros for `rwth`: RCCE.h then includes the header of the library on top.
inline constexpr const char* rwth_macros[] = {"-DROCKCREEK_RWTH", "-DROCKCREEK_EXTENSION=<RCCE_rwth.h>"};

/// Takes a variant from an archive's name, "libRCCE_bigflags_gory_nopwrmgmt.a" with any folder in front, or
/// from the name behind -l. False if it is no name of the library.
bool read_archive_name(std::string_view name, Variant& variant);

/// libRCCE_<flags>_<api>_<power>.a
[[nodiscard]] std::string archive_name(const Variant& variant);

/// A file that is linked, and the name that the user knows it by.
struct LinkedFile {
  std::string path;
  std::string shown;
};

/// Completes `variant` by what the objects and archives say of themselves (the section .rockcreek that RCCE.h
/// leaves in each). Generation and gory mode change what calls mean, so objects have to agree; the flag mode
/// is decided by the link line alone, as with the original library. Throws std::runtime_error that names two
/// files which disagree. `generation_asked`, `ircce_asked`: the link line itself names the generation; where
/// `variant.rwth` is set, it asks for that.
void reconcile(std::span<const LinkedFile> files, bool generation_asked, bool ircce_asked, Variant& variant);

} // namespace rcce::compiler
