// SPDX-License-Identifier: Apache-2.0
#include "process/image/library_search.hpp"

#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <sys/stat.h>

#include "process/image/held_constructors.h"
#include "rcce_emu/environment.hpp"

namespace rcce::image {
namespace {

/// The folders that the dynamic linker always searches.
constexpr std::string_view system_folders =
    "/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib:/usr/local/lib";

std::string folder_of(const std::string& path) {
  char real[PATH_MAX];
  const std::string whole = realpath(path.c_str(), real) == nullptr ? path : real;
  return whole.substr(0, whole.rfind('/'));
}

std::string short_name(const ImageFile& file) {
  return file.path().substr(file.path().rfind('/') + 1);
}

/// "$ORIGIN" is the folder of the file that names it.
std::string expanded(std::string folder, const ImageFile& file) {
  for (const std::string_view origin : {"$ORIGIN", "${ORIGIN}"})
    for (std::size_t at = 0; (at = folder.find(origin, at)) != folder.npos;)
      folder.replace(at, origin.size(), folder_of(file.absolute_path()));
  return folder;
}

/// False for files that the dynamic linker passes over, such as those for other processors.
bool is_library(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  Elf64_Ehdr header{};
  std::ifstream file(path, std::ios::binary);
  return file.read(reinterpret_cast<char*>(&header), sizeof header) &&
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
      header.e_machine == EM_X86_64;
}

std::optional<std::string> in_folders(const std::string& name, std::string_view folders,
                                      const ImageFile& file) {
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find_first_of(":;"), folders.size());
    const std::string folder = end == 0 ? "." : expanded(std::string(folders.substr(0, end)), file);
    folders.remove_prefix(std::min(end + 1, folders.size()));
    const std::string path = folder + '/' + name;
    if (is_library(path)) return path;
  }
  return std::nullopt;
}

} // namespace

std::optional<FoundLibrary> find_library(const std::string& name, std::span<const ImageFile* const> loaders) {
  if (name.find('/') != name.npos) {
    if (!is_library(name)) return std::nullopt;
    return FoundLibrary{name, "its path"};
  }
  const ImageFile& user = *loaders.front();
  if (user.run_path().empty()) {
    for (const ImageFile* const loader : loaders) {
      if (!loader->run_path().empty()) continue; // then DT_RPATH does not count
      if (const auto path = in_folders(name, loader->old_run_path(), *loader))
        return FoundLibrary{*path, "the run path of '" + short_name(*loader) + "'"};
    }
  }
  if (const char* const folders = std::getenv(environment::library_path.name))
    if (const auto path = in_folders(name, folders, *loaders.back()))
      return FoundLibrary{*path, environment::library_path.name};
  if (const auto path = in_folders(name, user.run_path(), user))
    return FoundLibrary{*path, "the run path of '" + short_name(user) + "'"};
  if (rockcreek_is_language_library(name.c_str()) != 0)
    if (const auto path = in_folders(name, system_folders, user))
      return FoundLibrary{*path, "the system's own search; it keeps what belongs to a process"};
  return std::nullopt;
}

} // namespace rcce::image
