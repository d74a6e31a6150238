// SPDX-License-Identifier: Apache-2.0
// dlopen() and its kind: a UE opens copies of its own of the program's libraries. Libraries of the system
// stay the dynamic linker's, and so do their handles.
#include "process/libc/libraries/dynamic.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <link.h>

#include <fmt/format.h>

#include "engine/ue/job_state.hpp"
#include "mesh_sim/errors.hpp"
#include "process/image/image.hpp"
#include "process/image/tls.hpp"
#include "process/libc/exports.hpp"
#include "process/libc/libraries/exit.hpp"
#include "process/libc/libraries/own_libraries.hpp"

namespace rcce::libc {
namespace {

/// The UE that calls, where it has libraries at all.
Ue* asking_ue() {
  Ue* const ue = calling_ue();
  return ue == nullptr || ue->process->own_libraries == nullptr ? nullptr : ue;
}

void fail(Ue& ue, std::string text) {
  auto& linker = ue.process->c.linker;
  if (!linker) linker = std::make_unique<process::LinkerState>();
  linker->error = std::move(text);
}

/// After a call of the dynamic linker's own for the UE.
template <class Result>
Result noted(Ue& ue, Result result, bool failed) {
  if (const char* const error = failed ? ::dlerror() : nullptr) fail(ue, error);
  return result;
}

/// A handle that is one of ours; null where it is the dynamic linker's.
process::LibraryCopy* copy_of(const Ue& ue, const void* handle) {
  for (const auto& copy : ue.process->libraries)
    if (copy.get() == handle) return copy.get();
  return nullptr;
}

bool is_program(const Ue& ue, const void* handle) {
  return handle == ue.process->image.get();
}

/// The file whose code calls: its run path counts.
const image::ImageFile& caller_file(const Ue& ue, const void* caller) {
  const image::Image* const image = process::image_of(ue, caller);
  return image == nullptr ? ue.process->image->file() : image->file();
}

void* address_in(const image::Image& image, std::size_t index) {
  const Elf64_Sym symbol = image.file().symbol(index);
  if (symbol.st_shndx == SHN_ABS) return reinterpret_cast<void*>(symbol.st_value);
  if (ELF64_ST_TYPE(symbol.st_info) == STT_TLS) return image.thread_locals() + symbol.st_value;
  std::byte* const address = image.base() + symbol.st_value;
  if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) return reinterpret_cast<void* (*)()>(address)();
  return address;
}

/// In copies of the UE; null where none of them defines it.
void* find_in(std::span<image::Image* const> images, std::string_view name) {
  for (const image::Image* const image : images)
    if (const auto index = image->file().definition(name)) return address_in(*image, *index);
  return nullptr;
}

/// The runtime and what it needs: what lies behind the program in the search.
void* runtime_handle() {
  static void* const handle = [] {
    Dl_info here{};
    dladdr(reinterpret_cast<const void*>(&runtime_handle), &here);
    return ::dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }();
  return handle;
}

/// `where`: the file that lacks it.
void* find_shared(Ue& ue, void* handle, const char* name, const image::ImageFile& where) {
  if (const std::uint64_t own = ue.process->own_libraries->substitute(name, true); own != 0)
    return reinterpret_cast<void*>(own);
  const std::array<std::string_view, 1> wanted{name};
  if (void* const variable = process::own_variable(wanted.front(), ue.process->c.variables)) return variable;
  ::dlerror();
  void* const found = ::dlsym(handle, name);
  const char* const error = found == nullptr ? ::dlerror() : nullptr;
  if (error != nullptr) fail(ue, fmt::format("{}: undefined symbol: {}", where.path(), name));
  return found;
}

/// The definition behind the copy that calls.
void* find_next(Ue& ue, const char* name, const void* caller) {
  auto images = ue.process->own_libraries->search(ue);
  const auto here = std::ranges::find(images, process::image_of(ue, caller));
  if (here != images.end()) images.erase(images.begin(), here + 1);
  if (void* const found = find_in(images, name)) return found;
  return find_shared(ue, runtime_handle(), name, caller_file(ue, caller));
}

void* own_dlsym(void* handle, const char* name, const void* caller) {
  Ue* const ue = asking_ue();
  if (ue == nullptr) return ::dlsym(handle, name);
  JobLibraries& libraries = *ue->process->own_libraries;
  if (handle == RTLD_NEXT) return find_next(*ue, name, caller);
  if (handle == RTLD_DEFAULT || is_program(*ue, handle)) {
    if (void* const found = find_in(libraries.search(*ue), name)) return found;
    return find_shared(*ue, RTLD_DEFAULT, name, ue->process->image->file());
  }
  if (process::LibraryCopy* const copy = copy_of(*ue, handle)) {
    if (void* const found = find_in(libraries.search_of(*ue, *copy), name)) return found;
    return find_shared(*ue, copy->image->link_map(), name, copy->image->file());
  }
  ::dlerror();
  void* const found = ::dlsym(handle, name);
  return noted(*ue, found, found == nullptr);
}

void* own_dlopen(const char* name, int flags, const void* caller) {
  Ue* const ue = asking_ue();
  if (ue == nullptr) return ::dlopen(name, flags);
  if (name == nullptr) return ue->process->image.get();
  JobLibraries::Opened opened;
  try {
    const OutsideUe outside;
    opened = ue->process->own_libraries->open(
        *ue, name, caller_file(*ue, caller),
        {(flags & RTLD_GLOBAL) != 0, (flags & RTLD_NOLOAD) != 0, (flags & RTLD_NODELETE) != 0});
  } catch (const mesh::UserError& error) {
    fail(*ue, error.what());
    return nullptr;
  }
  if (opened.copy != nullptr) {
    construct_libraries(*ue);
    return opened.copy;
  }
  if (opened.path.empty()) return nullptr;
  ::dlerror();
  void* const handle = ::dlopen(opened.path.c_str(), flags);
  return noted(*ue, handle, handle == nullptr);
}

int own_dlclose(void* handle) {
  Ue* const ue = asking_ue();
  if (ue == nullptr) return ::dlclose(handle);
  if (is_program(*ue, handle)) return 0;
  process::LibraryCopy* const copy = copy_of(*ue, handle);
  if (copy == nullptr) return noted(*ue, ::dlclose(handle), true);
  if (copy->opened == 0 && !copy->linked) {
    fail(*ue, copy->image->file().path() + ": shared object not open");
    return -1;
  }
  for (process::LibraryCopy* const closed : ue->process->own_libraries->closed_with(*ue, *copy)) {
    run_exit_functions_of(*ue, *closed->image);
    destroy_library(*closed);
    closed->constructed = closed->global = false;
  }
  return 0;
}

char* own_dlerror() {
  Ue* const ue = asking_ue();
  if (ue == nullptr) return ::dlerror();
  process::LinkerState* const linker = ue->process->c.linker.get();
  if (linker == nullptr || linker->error.empty()) return nullptr;
  linker->told = std::exchange(linker->error, {});
  return linker->told.data();
}

int own_dladdr(const void* address, Dl_info* info) {
  Ue* const ue = asking_ue();
  const image::Image* const image = ue == nullptr ? nullptr : process::image_of(*ue, address);
  if (image == nullptr) return ::dladdr(address, info);
  const std::ptrdiff_t moved = image->base() - image->linked_base();
  if (::dladdr(static_cast<const std::byte*>(address) - moved, info) == 0) return 0;
  info->dli_fname = image->file().path().c_str();
  info->dli_fbase = static_cast<std::byte*>(info->dli_fbase) + moved;
  if (info->dli_saddr != nullptr) info->dli_saddr = static_cast<std::byte*>(info->dli_saddr) + moved;
  return 1;
}

/// Handles that are ours stand for the dynamic linker's.
int own_dlinfo(void* handle, int request, void* answer) {
  Ue* const ue = asking_ue();
  if (ue == nullptr) return ::dlinfo(handle, request, answer);
  if (is_program(*ue, handle)) handle = ue->process->image->link_map();
  if (process::LibraryCopy* const copy = copy_of(*ue, handle)) handle = copy->image->link_map();
  const int result = ::dlinfo(handle, request, answer);
  return noted(*ue, result, result != 0);
}

} // namespace
} // namespace rcce::libc

extern "C" {

[[gnu::visibility("hidden")]] void* rockcreek_dlopen(const char* name, int flags) {
  return rcce::libc::own_dlopen(name, flags, __builtin_return_address(0));
}
[[gnu::visibility("hidden")]] void* rockcreek_dlsym(void* handle, const char* name) {
  return rcce::libc::own_dlsym(handle, name, __builtin_return_address(0));
}
/// Versions of the program's own names are not told apart.
[[gnu::visibility("hidden")]] void* rockcreek_dlvsym(void* handle, const char* name, const char*) {
  return rcce::libc::own_dlsym(handle, name, __builtin_return_address(0));
}

} // extern "C"

namespace rcce::libc {

std::span<const rockcreek_own_function> dynamic_functions() noexcept {
  static const std::array<rockcreek_own_function, 7> functions{
      {{"dlopen", reinterpret_cast<void*>(&rockcreek_dlopen)},
       {"dlsym", reinterpret_cast<void*>(&rockcreek_dlsym)},
       {"dlvsym", reinterpret_cast<void*>(&rockcreek_dlvsym)},
       {"dlclose", reinterpret_cast<void*>(&own_dlclose)},
       {"dlerror", reinterpret_cast<void*>(&own_dlerror)},
       {"dladdr", reinterpret_cast<void*>(&own_dladdr)},
       {"dlinfo", reinterpret_cast<void*>(&own_dlinfo)}}};
  return functions;
}

} // namespace rcce::libc
