// SPDX-License-Identifier: Apache-2.0
// Has two libraries of its own and opens a third.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <stdexcept>

#include "objects.hpp"
#include "RCCE.h"

int of_program = 1000;
int interposed() {
  return 2;
}

static void plugin(const char* path, const char* other_path) {
  void* const handle = dlopen(path, RTLD_NOW);
  if (handle == nullptr) {
    std::printf("dlopen: %s\n", dlerror());
    return;
  }
  auto* const plugged = reinterpret_cast<int (*)()>(dlsym(handle, "plugged"));
  plugged();
  std::printf("same handle: %d\n", handle == dlopen(other_path, RTLD_NOW));
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(plugged), &info);
  std::printf("%s in %s\n", info.dli_sname, info.dli_fname);
  std::printf("program's: %d, by default plugin's: %p\n", dlsym(RTLD_DEFAULT, "of_program") == &of_program,
              dlsym(RTLD_DEFAULT, "plugged"));
  std::printf("missing: %p", dlsym(handle, "missing"));
  std::printf(" %s\n", dlerror());
  std::printf("closed once: %d\n", dlclose(handle));
  plugged();
  std::printf("closed twice: %d\n", dlclose(handle));
  void* const again = dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
  std::printf("new: %d, by default: %d\n", reinterpret_cast<int (*)()>(dlsym(again, "plugged"))(),
              dlsym(RTLD_DEFAULT, "plugged") != nullptr);
  std::printf("no library: %d %s\n", dlopen("./missing.so", RTLD_NOW) == nullptr, dlerror());
}

int main(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  setenv("OWN_WORD", RCCE_ue() == 0 ? "zero" : "other", 1);
  use();
  RCCE_barrier(&RCCE_COMM_WORLD);
  use();
  try {
    throw_from_library();
  } catch (const std::runtime_error& error) {
    std::printf("caught '%s': hits %d, inline %d, program's %d\n", error.what(), hits, shared_by_inline,
                of_program);
  }
  // Blocks of the library are the UE's own: beside the program's.
  char* const mine = static_cast<char*>(std::malloc(64));
  char* const theirs = static_cast<char*>(block_of_library(64));
  std::printf("blocks lie together: %d\n", theirs - mine < 4096 && mine - theirs < 4096);
  std::free(theirs);
  if (argc > 2) plugin(argv[1], argv[2]);
  RCCE_finalize();
  return 0;
}
