// SPDX-License-Identifier: Apache-2.0
#include "lab/identity.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include <dlfcn.h>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/backend.hpp"
#include "lab/compiled_programs.hpp"
#include "mesh_sim/parameters.hpp"
#include "rcce_emu/job.hpp"
#include "rcce_emu/version.hpp"

namespace lab {
namespace {

namespace fs = std::filesystem;

/// The library that has the simulator, or the executable.
fs::path library_of_jobs() {
  Dl_info info{};
  return dladdr(reinterpret_cast<const void*>(&rcce::run_job), &info) != 0 ? fs::path(info.dli_fname)
                                                                           : fs::path();
}

/// Once in a process, after the files of --with have been compiled.
const std::string& digest_of_programs() {
  static const std::string digest = [] {
    std::vector<fs::path> files{"/proc/self/exe", library_of_jobs()};
    const fs::path images = program_path("", Generation::rcce20).parent_path();
    for (const auto& one : fs::directory_iterator(images)) files.push_back(one.path());
    std::ranges::sort(files);
    const auto own = compiled_programs();
    files.insert(files.end(), own.begin(), own.end());
    std::string all;
    // Many megabytes: 64 bits of each are enough to tell builds apart, and a hundred times as fast as SHA-1.
    for (const fs::path& file : files)
      all += fmt::format("{:016x}", std::hash<std::string>()(text_of_file(file)));
    return digest_of(all);
  }();
  return digest;
}

} // namespace

std::string digest_of(std::string_view bytes) {
  static const boost::uuids::name_generator_sha1 generator(boost::uuids::ns::oid());
  const boost::uuids::uuid digest = generator(std::string(bytes));
  return fmt::format("{:02x}", fmt::join(digest.begin(), digest.end(), ""));
}

std::string digest_of(const Machine& machine) {
  Machine copy = machine; // tables of parameters lead into what they describe
  std::string text = mesh::write_parameters(copy.config.table());
  text += mesh::write_parameters(copy.costs.parameters());
  if (!machine.host_file.empty()) text += text_of_file(machine.host_file);
  return digest_of(text);
}

std::string stored_key(const std::string& name, const std::string& machine) {
  return fmt::format("{} machine={} program={} model={}", name, machine, digest_of_programs(),
                     rcce::model_revision);
}

std::string stored_key(const Point& point) {
  if (point.backend->takes_turns() || point.statistics) return {};
  // Points that follow each other mostly share their machine.
  thread_local std::pair<std::shared_ptr<const Machine>, std::string> last;
  if (last.first != point.machine) last = {point.machine, digest_of(*point.machine)};
  return stored_key(point.key(), last.second);
}

std::string stored_key(const Machine& machine, const Run& run) {
  if (!run.recording.records.empty() || run.place == ProgramSource::file) return {};
  return stored_key(fmt::format("{}:rcce={}:copies={}:cores={}:{}", run.program, text_of(run.generation),
                                run.copies, fmt::join(run.cores, ","), fmt::join(run.arguments, "_")),
                    digest_of(machine));
}

} // namespace lab
