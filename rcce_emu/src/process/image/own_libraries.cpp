// SPDX-License-Identifier: Apache-2.0
#include "process/image/own_libraries.hpp"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <map>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/errors.hpp"
#include "process/image/held_constructors.h"
#include "process/image/library_search.hpp"

namespace rcce::image {
namespace {

std::pair<dev_t, ino_t> identity_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino};
}

bool is_systems(const std::string& path) {
  char real[PATH_MAX];
  return rockcreek_is_system_path(realpath(path.c_str(), real) == nullptr ? path.c_str() : real) != 0;
}

void share(OwnLibrary& library, const std::string& reason, bool warn) {
  library.shared = true;
  library.reason = reason;
  library.warn = warn;
}

} // namespace

OwnLibraries::OwnLibraries(ImageFile& program) : program_(program) {
  needs_ = add_needs(program, {&program});
  finish(0);
  leave_out(program, needs_);
  for (const std::size_t library : std::views::reverse(needs_)) construct_first(library, order_);
}

std::optional<std::size_t> OwnLibraries::known(const std::string& name) const {
  for (std::size_t i = 0; i < libraries_.size(); ++i) {
    const OwnLibrary& library = *libraries_[i];
    if (library.name == name || (library.file && library.file->library_name() == name)) return i;
  }
  return std::nullopt;
}

std::size_t OwnLibraries::add(const std::string& name, const Loaders& loaders) {
  if (const auto index = known(name)) return *index;
  auto library = std::make_unique<OwnLibrary>();
  library->name = name;
  if (const auto found = find_library(name, loaders)) {
    library->path = found->path;
    library->reason = "found by " + found->by;
    library->identity = identity_of(found->path);
    const auto same = std::ranges::find_if(
        libraries_, [&](const auto& other) { return other->identity == library->identity; });
    if (same != libraries_.end()) return static_cast<std::size_t>(same - libraries_.begin());
  }
  decide(*library);
  const std::size_t index = libraries_.size();
  libraries_.push_back(std::move(library));
  if (const ImageFile* const file = libraries_[index]->file.get()) {
    Loaders inner{file};
    inner.insert(inner.end(), loaders.begin(), loaders.end());
    libraries_[index]->needs = add_needs(*file, inner);
  }
  return index;
}

std::vector<std::size_t> OwnLibraries::add_needs(const ImageFile& file, const Loaders& loaders) {
  std::vector<std::size_t> needs;
  for (const std::string& name : file.needed()) needs.push_back(add(name, loaders));
  return needs;
}

void OwnLibraries::decide(OwnLibrary& library) const {
  if (library.path.empty()) return share(library, "found by the system's own search", false);
  if (is_systems(library.path)) return share(library, "in a folder of the system", false);
  switch (rockcreek_user_of(library.name.c_str())) {
  case rockcreek_used_by_runtime:
    return share(library, "part of the runtime, or needed by it", false);
  case rockcreek_used_by_system:
    return share(library, "a shared library of the system needs it", true);
  case rockcreek_used_by_program:
    break;
  }
  try {
    library.file = std::make_unique<ImageFile>(library.path, ImageFile::Kind::library);
  } catch (const mesh::UserError& error) {
    return share(library, error.what(), true);
  }
  if (const char* const obstacle = library.file->obstacle_to_copying()) share(library, obstacle, true);
}

void OwnLibraries::finish(std::size_t begin) {
  check_thread_locals(program_, begin);
  for (std::size_t i = begin; i < libraries_.size(); ++i)
    if (libraries_[i]->copied()) check_thread_locals(*libraries_[i]->file, begin);
  share_what_shared_need(begin);
  for (std::size_t i = begin; i < libraries_.size(); ++i) {
    OwnLibrary& library = *libraries_[i];
    if (library.shared)
      library.file.reset();
    else
      leave_out(*library.file, library.needs);
  }
}

void OwnLibraries::share_what_shared_need(std::size_t begin) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& library : libraries_) {
      if (!library->shared || library->file == nullptr) continue;
      for (const std::size_t needed : library->needs) {
        if (libraries_[needed]->shared || needed < begin) continue;
        share(*libraries_[needed], fmt::format("'{}' needs it, which is shared", library->name), true);
        changed = true;
      }
    }
  }
}

void OwnLibraries::check_thread_locals(const ImageFile& user, std::size_t begin) {
  for (const Elf64_Rela& relocation : user.relocations()) {
    const std::size_t index = ELF64_R_SYM(relocation.r_info);
    if (ELF64_R_TYPE(relocation.r_info) != R_X86_64_TPOFF64 || index == 0) continue;
    if (user.symbol(index).st_shndx != SHN_UNDEF) continue;
    const std::string_view name = user.symbol_name(user.symbol(index));
    for (const auto& library : libraries_ | std::views::drop(begin))
      if (library->copied() && library->file->definition(name))
        share(*library,
              fmt::format("{} reaches its thread-local variable '{}' by the initial-exec model (compile it "
                          "without -ftls-model)",
                          user.title(), name),
              true);
  }
}

void OwnLibraries::leave_out(ImageFile& file, const std::vector<std::size_t>& needs) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < needs.size(); ++i)
    if (libraries_[needs[i]]->copied()) names.push_back(file.needed()[i]);
  if (!names.empty() || !file.is_program()) file.leave_out(names);
}

std::vector<std::size_t> OwnLibraries::in_order_of_search() const {
  std::vector<std::size_t> order;
  for (const std::size_t library : needs_)
    if (at(library).copied() && std::ranges::find(order, library) == order.end()) order.push_back(library);
  search_next(order);
  return order;
}

std::vector<std::size_t> OwnLibraries::search_of(std::size_t library) const {
  std::vector<std::size_t> order;
  if (at(library).copied()) order.push_back(library);
  search_next(order);
  return order;
}

/// Breadth first, as the dynamic linker does.
void OwnLibraries::search_next(std::vector<std::size_t>& order) const {
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const std::size_t needed : at(order[i]).needs)
      if (at(needed).copied() && std::ranges::find(order, needed) == order.end()) order.push_back(needed);
}

std::vector<std::size_t> OwnLibraries::construction_of(std::size_t library) const {
  std::vector<std::size_t> order;
  construct_first(library, order);
  return order;
}

/// Those that stand last among the needs come first, as the dynamic linker has it.
void OwnLibraries::construct_first(std::size_t library, std::vector<std::size_t>& order) const {
  std::vector<std::size_t> open; // libraries that need one another in a circle
  const auto visit = [&](const auto& self, std::size_t index) -> void {
    if (!at(index).copied() || std::ranges::find(order, index) != order.end()) return;
    if (std::ranges::find(open, index) != open.end()) return;
    open.push_back(index);
    for (const std::size_t needed : std::views::reverse(at(index).needs)) self(self, needed);
    order.push_back(index);
  };
  visit(visit, library);
}

std::optional<std::size_t> OwnLibraries::open(const std::string& name, const ImageFile& by) {
  Loaders loaders{&by};
  if (&by != &program_) loaders.push_back(&program_);
  const std::size_t begin = libraries_.size();
  if (!known(name) && !find_library(name, loaders)) return std::nullopt;
  const std::size_t index = add(name, loaders);
  finish(begin);
  return index;
}

std::string OwnLibraries::warning() const {
  std::map<std::string, std::vector<std::string>> shared; // by reason
  for (const auto& library : libraries_)
    if (library->warn)
      shared[library->reason].push_back(
          fmt::format("'{}'", library->path.empty() ? library->name : library->path));
  std::string text;
  for (const auto& [reason, names] : shared)
    text += fmt::format("{}{} {}: {}", text.empty() ? "" : "; of ",
                        names.size() == 1 ? "library" : "libraries", fmt::join(names, ", "), reason);
  return text.empty() ? text : fmt::format("rccerun: all UEs share the variables of {}\n", text);
}

std::string OwnLibraries::listing() const {
  std::size_t width = 0;
  for (const auto& library : libraries_) width = std::max(width, library->name.size());
  std::string text;
  for (const auto& library : libraries_)
    text += fmt::format(
        "{}  {:{}}  {}{}\n", library->shared ? "shared" : "copied", library->name, width, library->reason,
        library->path.empty() || (library->shared && !library->warn) ? ""
                                                                     : fmt::format(": {}", library->path));
  return text;
}

void construct_shared(const OwnLibraries& libraries, int argc, char** argv, char** environment) {
  using Constructor = void (*)(int, char**, char**);
  for (std::size_t i = rockcreek_held_count; i-- > 0;) {
    const rockcreek_held& held = rockcreek_held_constructors[i];
    const auto identity = identity_of(held.library->l_name);
    bool copied = false;
    for (std::size_t k = 0; k < libraries.size(); ++k)
      copied |= libraries.at(k).copied() && libraries.at(k).identity == identity;
    if (copied) continue;
    const ElfW(Addr) base = held.library->l_addr;
    if (held.init != 0) reinterpret_cast<Constructor>(base + held.init)(argc, argv, environment);
    for (std::size_t k = 0; k < held.count; ++k)
      reinterpret_cast<const Constructor*>(base + held.array)[k](argc, argv, environment);
  }
}

} // namespace rcce::image
