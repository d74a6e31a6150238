#include "help.hpp"

#include "rcce_emu/version.hpp"

namespace rcce::compiler {

std::string help_text(const std::string& name) {
  return "usage: " + name + R"( [option | file]...

Compiles and links RCCE programs for rccerun, as mpicc does for mpirun. Options of the compiler are passed on;
rccecc is for C, rccec++ for C++ (which takes .c files as C++ too).

  --cc clang|gcc|PATH   the compiler that does the work (default: clang, else gcc)
  --rcce 1.0|2.0        generation of the library (default: 2.0); recorded in each object, and all objects of
                        a program have to agree
  --ircce 1.x|2.0       generation of iRCCE.h (default: 2.0); recorded and checked in the same way
  --ircce tm2c          iRCCE 1.x with the calls that tm2c has added
  --rwth                RWTH Aachen's RCCE, a modified 1.0 whose RCCE.h has non-blocking, pipelined and tagged
                        messages of its own; recorded and checked in the same way
  --spin-hooks          with a compiler that the waiting-loop pass does not fit (gcc): call the runtime every
                        1,024 basic blocks, so that a core that spins on memory lets the others run; slows
                        computing down
  --observe             (clang) tell the runtime of the program's own loads and stores to shared memory and buffers, for
                        rccerun --explore and --check mpb, which else do not see them; other runs differ in host
                        time only
  --rpath DIRS          where the program looks for librcce.so when it starts, as the linker's -rpath takes it
                        ("$ORIGIN/../lib"); default: the folder of this installation
  -show                 print the commands instead of running them
  -show-archive         print the archive for the given -DGORY, -DSINGLEBITFLAGS, -DRC_POWER_MANAGEMENT
  -show-include         print the folder of RCCE.h
  -show-lib             print the folder of librcce.so
  -show-root            print a folder that serves as RCCEROOT of Makefiles:
                        make CCOMPILE=rccecc RCCEROOT=$(rccecc -show-root)
  --help, --version

Variant of the library: by -DGORY, -DSINGLEBITFLAGS, -DRC_POWER_MANAGEMENT, by an archive
libRCCE_<bigflags|smallflags>_<gory|nongory>_<nopwrmgmt|pwrmgmt>.a or -lRCCE_... on the link line; gory or not
is what the objects were compiled for. -DRCCE_MAXNP=N allows more than 48 units of execution.

Dropped, since programs are loaded once per core on the host: -static, -pie, -m32, -mcpu=, -march=pentium and
the like; -openmp, -fopenmp (RCCE_APP has to stay main); -restrict and other options of Intel's compiler.
-lm is always linked. RCCECC_OPTIONS in the environment holds words to be read first ("--cc gcc --rcce 1.0").
)";
}

std::string version_text(const std::string& compiler, bool yields_in_loops) {
  return std::string("rccecc (Rockcreek) ") + rcce::version_text + "\ncompiler " + compiler +
      (yields_in_loops ? ", loops that wait on memory yield\n"
                       : ", loops that wait on memory do not yield\n");
}

} // namespace rcce::compiler
