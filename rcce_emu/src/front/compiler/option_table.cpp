// SPDX-License-Identifier: Apache-2.0
#include "option_table.hpp"

namespace rcce::compiler {
namespace {

constexpr OptionRow table[] = {
    {"--cc", "clang|gcc|PATH", "the compiler that does the work (default: clang, else gcc)"},
    {"--rcce", "1.0|2.0",
     "generation of the library (default: 2.0); recorded in each object, and all objects of a program have "
     "to "
     "agree"},
    {"--ircce", "1.x|2.0|tm2c",
     "generation of iRCCE.h (default: 2.0), tm2c being 1.x with the calls that tm2c has added; recorded and "
     "checked in the same way"},
    {"--rwth", "",
     "RWTH Aachen's RCCE, a modified 1.0 whose RCCE.h has non-blocking, pipelined and tagged messages of its "
     "own; recorded and checked in the same way"},
    {"--spin-hooks", "",
     "with a compiler that the waiting-loop pass does not fit (gcc): call the runtime every 1,024 basic "
     "blocks, so that a core that spins on memory lets the others run; slows computing down"},
    {"--observe", "",
     "(clang) tell the runtime of the program's own loads and stores to shared memory and buffers, for "
     "rccerun --explore and --check mpb, which else do not see them; every run of such a program takes more "
     "host time; simulated time stays, but for some nanoseconds where local variables lie elsewhere"},
    {"--no-count", "",
     "do not count the cycles of this code, which then takes no time (rccerun --compute): for code that "
     "stands "
     "for none of the program's, and for the last percent of host time"},
    {"--memory", "",
     "(clang) send the program's own loads and stores through the core's caches, for rccerun --compute "
     "cache; "
     "other runs differ in host time only"},
    {"--rpath", "DIRS",
     "where the program looks for librcce.so when it starts, as the linker's -rpath takes it "
     "(\"$ORIGIN/../lib\") (default: the folder of this installation)"},
    {"-show", "", "print the commands instead of running them"},
    {"-show-archive", "", "print the archive for the given -DGORY, -DSINGLEBITFLAGS, -DRC_POWER_MANAGEMENT"},
    {"-show-include", "", "print the folder of RCCE.h"},
    {"-show-lib", "", "print the folder of librcce.so"},
    {"-show-root", "",
     "print a folder that serves as RCCEROOT of Makefiles: make CCOMPILE=rccecc RCCEROOT=$(rccecc "
     "-show-root)"},
    {"--help", "", "this text"},
    {"--version", "", "release, and the compiler in use with what it can do"},
};

} // namespace

std::span<const OptionRow> option_table() noexcept {
  return table;
}

} // namespace rcce::compiler
