// SPDX-License-Identifier: Apache-2.0
#include "help.hpp"

#include <algorithm>
#include <string_view>

#include "option_table.hpp"
#include "rcce_emu/version.hpp"

namespace rcce::compiler {
namespace {

/// A row for each option, its help broken at blanks.
std::string options_text() {
  constexpr std::size_t column = 24, width = 114;
  std::string text;
  for (const OptionRow& option : option_table()) {
    std::string line = "  " + std::string(option.name);
    if (!option.value.empty()) line.append(" ").append(option.value);
    line.resize(std::max(column, line.size() + 2), ' ');
    bool begins = true;
    for (std::string_view rest = option.help; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      if (!begins && line.size() + 1 + end > width) {
        text += line + '\n';
        line.assign(column, ' ');
        begins = true;
      }
      line.append(begins ? "" : " ").append(rest.substr(0, end));
      begins = false;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    text += line + '\n';
  }
  return text;
}

} // namespace

std::string help_text(const std::string& name) {
  return "usage: " + name + R"( [option | file]...

Compiles and links RCCE programs for rccerun, as mpicc does for mpirun. Options of the compiler are passed on;
rccecc is for C, rccec++ for C++ (which takes .c files as C++ too).

)" + options_text() +
      R"(
Variant of the library: by -DGORY, -DSINGLEBITFLAGS, -DRC_POWER_MANAGEMENT, by an archive
libRCCE_<bigflags|smallflags>_<gory|nongory>_<nopwrmgmt|pwrmgmt>.a or -lRCCE_... on the link line; gory or not
is what the objects were compiled for. -DRCCE_MAXNP=N allows more than 48 units of execution.

Dropped, since programs are loaded once per core on the host: -static, -pie, -m32, -mcpu=, -march=pentium and
the like; -openmp, -fopenmp (a unit of execution is one thread; omp.h has its functions); -restrict and other
options of Intel's compiler.
-lm is always linked. RCCECC_OPTIONS in the environment holds words to be read first ("--cc gcc --rcce 1.0").
)";
}

std::string usage_text(const std::string& name) {
  const std::string files =
      name.find("++") != std::string::npos ? " program.cpp -o program" : " program.c -o program";
  return name + ": no input files\nusage: " + name + " [option | file]...\nexamples:\n  " + name + " -O2" +
      files + "\n  " + name + " -O2 -DGORY" + files + "   for programs of the gory interface\n  " + name +
      " -O2 --rcce 1.0" + files + "   for programs of RCCE 1.0\n  make CCOMPILE=" + name + " RCCEROOT=$(" +
      name + " -show-root)   by a program's own Makefile\nrccerun -nue 48 ./program runs it. " + name +
      " --help lists all options; options of the compiler are passed on.\n";
}

std::string version_text(const std::string& compiler, bool yields_in_loops) {
  return std::string("rccecc (Rockcreek) ") + rcce::version_text + "\ncompiler " + compiler +
      (yields_in_loops ? ", loops that wait on memory yield\n"
                       : ", loops that wait on memory do not yield\n");
}

} // namespace rcce::compiler
