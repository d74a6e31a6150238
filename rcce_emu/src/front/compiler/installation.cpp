// SPDX-License-Identifier: Apache-2.0
#include "installation.hpp"

#include <filesystem>
#include <stdexcept>

namespace rcce::compiler {
namespace {

namespace fs = std::filesystem;

fs::path existing(const fs::path& path, const char* what) {
  if (!fs::exists(path)) {
    throw std::runtime_error(std::string("installation is incomplete: no ") + what + " at '" + path.string() +
                             "'; build or install Rockcreek again");
  }
  return path;
}

} // namespace

Installation Installation::find() {
  const fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  Installation here;
  here.include = existing(prefix / ROCKCREEK_INCLUDEDIR, "header folder").string();
  here.headers = existing(prefix / ROCKCREEK_INCLUDEDIR / "rcce", "RCCE headers").string();
  here.ircce_headers = existing(prefix / ROCKCREEK_INCLUDEDIR / "ircce", "iRCCE headers").string();
  here.ircce_image = existing(prefix / "share/rockcreek/ircce_image", "image sources of iRCCE").string();
  here.image = existing(prefix / "share/rockcreek/image", "image sources").string();
  here.root = (prefix / "share/rockcreek/rcce").string();
  // A build tree keeps libraries in lib even where the system's own folder for them has another name.
  const fs::path installed = prefix / ROCKCREEK_LIBDIR;
  here.libraries =
      existing(fs::exists(installed / "librcce.so.0") ? installed : prefix / "lib", "library folder")
          .string();
  const fs::path own_names = fs::path(here.libraries) / "rockcreek/own_names.map";
  if (fs::exists(own_names)) here.own_names = own_names.string();
  const fs::path pass = fs::path(here.libraries) / "rockcreek/wait_loops.so";
  if (fs::exists(pass)) here.pass = pass.string();
  const fs::path observing_pass = fs::path(here.libraries) / "rockcreek/observe.so";
  if (fs::exists(observing_pass)) here.observing_pass = observing_pass.string();
  const fs::path counting_pass = fs::path(here.libraries) / "rockcreek/count_cycles.so";
  if (fs::exists(counting_pass)) here.counting_pass = counting_pass.string();
  const fs::path memory_pass = fs::path(here.libraries) / "rockcreek/count_accesses.so";
  if (fs::exists(memory_pass)) here.memory_pass = memory_pass.string();
  return here;
}

} // namespace rcce::compiler
