// SPDX-License-Identifier: Apache-2.0
// jobs COUNT PROGRAM: runs jobs one after the other in one process, on both engines, with both loaders, most
// of them well, some ending in a deadlock, by a crash or by exit(). Prints what the process holds after a
// tenth of them and at the end: memory, descriptors, mappings, threads.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

#include "rcce_emu/job.hpp"

namespace {

struct Holdings {
  long resident_kib = 0, descriptors = 0, mappings = 0, threads = 0;
};

long entries(const char* folder) {
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

Holdings holdings() {
  Holdings now;
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  now.resident_kib = resident * (sysconf(_SC_PAGESIZE) / 1024);
  now.descriptors = entries("/proc/self/fd");
  now.threads = entries("/proc/self/task");
  std::ifstream maps("/proc/self/maps");
  now.mappings = std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
  return now;
}

struct Kind {
  const char* argument;
  int status;
};

/// Arguments of tests/misuse/wrong.c.
constexpr Kind kinds[] = {{"finalize-early", 0}, {"no-init", 0}, {"exit7", 7},        {"finalize-early", 0},
                          {"both-send", 121},    {"no-init", 0}, {"null-write", 139}, {"finalize-early", 0}};

} // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int count = std::atoi(argv[1]);
  Holdings tenth;
  for (int i = 0; i < count; ++i) {
    if (i == count / 10) tenth = holdings();
    const Kind& kind = kinds[static_cast<std::size_t>(i) % std::size(kinds)];
    rcce::JobOptions options;
    options.program = argv[2];
    options.cores = {0, 1, 2};
    if (kind.status == 121) options.cores.pop_back();
    options.arguments = {kind.argument};
    options.engine.kind = i / 8 % 2 == 0 ? rcce::EngineKind::sim : rcce::EngineKind::threads;
    options.process.loading = i / 16 % 2 == 0 ? rcce::Loading::dlopen : rcce::Loading::clone;
    options.output.sink = [](int, std::string_view) {};
    const int status = rcce::run_job(options).status;
    if (status != kind.status) {
      std::printf("job %d, %s: status %d, expected %d\n", i, kind.argument, status, kind.status);
      return 1;
    }
  }
  const Holdings end = holdings();
  std::printf("jobs %d resident KiB at a tenth %ld at the end %ld growth %ld\n", count, tenth.resident_kib,
              end.resident_kib, end.resident_kib - tenth.resident_kib);
  std::printf("descriptors %ld and %ld, mappings %ld and %ld, threads %ld and %ld\n", tenth.descriptors,
              end.descriptors, tenth.mappings, end.mappings, tenth.threads, end.threads);
  return end.descriptors == tenth.descriptors && end.threads == 1 ? 0 : 1;
}
