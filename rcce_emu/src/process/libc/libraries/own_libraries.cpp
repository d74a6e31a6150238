// SPDX-License-Identifier: Apache-2.0
#include "process/libc/libraries/own_libraries.hpp"

#include <algorithm>
#include <cstring>
#include <ranges>
#include <unistd.h>

#include "engine/ue/ue.hpp"
#include "process/image/dlopened.hpp"
#include "process/image/mappings.hpp"
#include "process/libc/libraries/dynamic.hpp"
#include "process/libc/state/own_heap.h"
#include "process/libc/state/raw_calls.hpp"
#include "process/libc/streams/own_streams.hpp"
#include "process/libc/waits/locks.hpp"
#include "process/own_variables.hpp"

extern "C" void* rockcreek_calling() {
  rcce::Ue* const ue = rcce::current_ue();
  return ue == nullptr || !ue->process ? nullptr : ue;
}

namespace rcce::libc {
namespace {

/// True if an address checker is linked to the program.
bool has_checked_heap(const image::ImageFile& program) {
  return std::ranges::any_of(program.relocations(), [&](const Elf64_Rela& relocation) {
    const std::size_t index = ELF64_R_SYM(relocation.r_info);
    return index != 0 && program.symbol_name(program.symbol(index)) == "__asan_init";
  });
}

/// Its variables, without what relocation has left constant.
std::span<std::byte> variables_of(const image::Image& image) {
  const auto data = image.data();
  const auto constant = image::page_down(image.file().constant_after_relocation().end);
  const auto begin = std::max(constant, image.file().data().begin) - image.file().data().begin;
  return data.subspan(std::min(begin, data.size()));
}

void keep_initial_data(process::LibraryCopy& copy) {
  const auto variables = variables_of(*copy.image);
  const auto locals = std::span(copy.image->thread_locals(), copy.image->file().thread_local_block().bytes);
  copy.initial_data.assign(variables.begin(), variables.end());
  copy.initial_data.insert(copy.initial_data.end(), locals.begin(), locals.end());
}

/// As if it were loaded anew.
void restore_initial_data(process::LibraryCopy& copy) {
  const auto variables = variables_of(*copy.image);
  const auto locals = copy.image->file().thread_local_block().bytes;
  std::memcpy(variables.data(), copy.initial_data.data(), variables.size());
  if (locals != 0)
    std::memcpy(copy.image->thread_locals(), copy.initial_data.data() + variables.size(), locals);
  copy.constructed = false;
  copy.destructors_run = 0;
}

std::vector<const image::ImageFile*> files_of(std::span<image::Image* const> images) {
  std::vector<const image::ImageFile*> files;
  for (const image::Image* const image : images) files.push_back(&image->file());
  return files;
}

} // namespace

struct JobLibraries::Part {
  std::unique_ptr<image::Copies> copies;
  std::vector<process::VariableReference> variables, streams;
  std::vector<image::Binding> bindings; ///< bindings of a library that the program is linked to
};

JobLibraries::JobLibraries(image::ImageFile& program, std::size_t ues)
    : own_(program), ues_(ues), checker_has_heap_(has_checked_heap(program)) {}

JobLibraries::~JobLibraries() = default;

std::vector<const image::ImageFile*> JobLibraries::files() const {
  std::vector<const image::ImageFile*> files{&own_.program()};
  for (const std::size_t library : own_.in_order_of_construction())
    files.push_back(own_.at(library).file.get());
  return files;
}

JobLibraries::Part& JobLibraries::part(std::size_t library) {
  if (parts_.size() <= library) parts_.resize(library + 1);
  if (parts_[library]) return *parts_[library];
  const image::ImageFile& file = *own_.at(library).file;
  auto part = std::make_unique<Part>();
  if (clones_ && image::obstacle_to_cloning(file) == nullptr) {
    part->copies = image::copies_by_cloning(file, ues_);
  } else {
    image::raise_descriptor_limit((1 + parts_.size()) * ues_);
    part->copies = image::copies_by_dlopen(file);
  }
  part->variables = process::variable_references(file);
  part->streams = stream_references(file);
  return *(parts_[library] = std::move(part));
}

process::LibraryCopy* JobLibraries::find(const Ue& ue, std::size_t library) const {
  for (const auto& copy : ue.process->libraries)
    if (copy->library == library) return copy.get();
  return nullptr;
}

process::LibraryCopy& JobLibraries::add(Ue& ue, std::size_t library) {
  auto copy = std::make_unique<process::LibraryCopy>();
  copy->library = library;
  copy->image = part(library).copies->make(static_cast<std::size_t>(ue.rank), *ue.process->heap);
  return *ue.process->libraries.emplace_back(std::move(copy));
}

void JobLibraries::lead(Ue& ue, image::Image& image, Part& part) {
  process::lead_to_own(image, part.variables, ue.process->c.variables);
  give_streams(ue, image, part.streams);
}

void JobLibraries::give(Ue& ue) {
  for (const std::size_t library : own_.in_order_of_construction()) add(ue, library).linked = true;
  // A program without libraries of its own needs none of this but the functions that open some.
  const bool alone = ue.process->libraries.empty();
  const auto scope = alone ? std::vector<image::Image*>{} : search(ue);
  const auto files = files_of(scope);
  if (!bound_) {
    of_program_ = image::bindings_of(own_.program(), files,
                                     [this](std::string_view name) { return substitute(name, false); });
    for (const std::size_t library : own_.in_order_of_construction())
      part(library).bindings = image::bindings_of(
          *own_.at(library).file, files, [this](std::string_view name) { return substitute(name, true); });
    bound_ = true;
  }
  image::bind(*ue.process->image, of_program_, scope);
  for (const auto& copy : ue.process->libraries) {
    lead(ue, *copy->image, part(copy->library));
    image::bind(*copy->image, part(copy->library).bindings, scope);
  }
}

JobLibraries::Opened JobLibraries::open(Ue& ue, const std::string& name, const image::ImageFile& by,
                                        Opening how) {
  const std::lock_guard guard(mutex_);
  const auto index = own_.open(name, by);
  if (!index) return {nullptr, name};
  if (!own_.at(*index).copied()) return {nullptr, own_.at(*index).path.empty() ? name : own_.at(*index).path};
  process::LibraryCopy* top = find(ue, *index);
  if (how.known && (top == nullptr || (top->opened == 0 && !top->linked))) return {nullptr, {}};
  std::vector<process::LibraryCopy*> fresh;
  for (const std::size_t library : own_.construction_of(*index)) {
    process::LibraryCopy* const known = find(ue, library);
    if (known == nullptr) {
      fresh.push_back(&add(ue, library));
    } else if (!known->constructed && !known->initial_data.empty()) {
      restore_initial_data(*known);
    }
  }
  top = find(ue, *index);
  top->global |= how.global;
  top->linked |= how.stays;
  ++top->opened;
  for (process::LibraryCopy* const copy : fresh) {
    auto scope = search(ue);
    for (image::Image* const image : search_of(ue, *top))
      if (std::ranges::find(scope, image) == scope.end()) scope.push_back(image);
    Part& its = part(copy->library);
    lead(ue, *copy->image, its);
    image::bind(*copy->image,
                image::bindings_of(copy->image->file(), files_of(scope),
                                   [this](std::string_view wanted) { return substitute(wanted, true); }),
                scope);
    keep_initial_data(*copy);
  }
  return {top, {}};
}

std::vector<process::LibraryCopy*> JobLibraries::closed_with(Ue& ue, process::LibraryCopy& copy) {
  const std::lock_guard guard(mutex_);
  if (copy.opened > 0) --copy.opened;
  std::vector<std::size_t> used;
  for (const auto& other : ue.process->libraries)
    if (other->linked || other->opened > 0)
      for (const std::size_t library : own_.search_of(other->library)) used.push_back(library);
  std::vector<process::LibraryCopy*> closed;
  for (const auto& other : ue.process->libraries | std::views::reverse)
    if (other->constructed && std::ranges::find(used, other->library) == used.end())
      closed.push_back(other.get());
  return closed;
}

std::vector<image::Image*> JobLibraries::search(const Ue& ue) {
  std::vector<image::Image*> images{ue.process->image.get()};
  for (const std::size_t library : own_.in_order_of_search())
    images.push_back(find(ue, library)->image.get());
  for (const auto& copy : ue.process->libraries)
    if (copy->global && std::ranges::find(images, copy->image.get()) == images.end())
      images.push_back(copy->image.get());
  return images;
}

std::vector<image::Image*> JobLibraries::search_of(const Ue& ue, const process::LibraryCopy& copy) {
  std::vector<image::Image*> images;
  for (const std::size_t library : own_.search_of(copy.library))
    if (const auto* const found = find(ue, library)) images.push_back(found->image.get());
  return images;
}

std::uint64_t JobLibraries::substitute(std::string_view name, bool in_library) const {
  for (const auto& function : dynamic_functions())
    if (name == function.name) return reinterpret_cast<std::uint64_t>(function.function);
  for (const auto& function : raw_functions())
    if (name == function.name) return reinterpret_cast<std::uint64_t>(function.function);
  for (const auto& function : lock_functions())
    if (name == function.name) return reinterpret_cast<std::uint64_t>(function.function);
  if (!in_library || checker_has_heap_) return 0;
  for (const auto& function : std::span(rockcreek_own_heap, rockcreek_own_heap_count))
    if (name == function.name) return reinterpret_cast<std::uint64_t>(function.function);
  return 0;
}

void construct_libraries(Ue& ue) {
  process::Process& process = *ue.process;
  for (std::size_t i = 0; i < process.libraries.size(); ++i) { // a constructor may open others
    process::LibraryCopy& copy = *process.libraries[i];
    if (std::exchange(copy.constructed, true)) continue;
    if (!std::exchange(copy.mapped, true)) {
      ue.core->map_private(copy.image->data().data(), copy.image->data().size());
      ue.core->map_private(copy.image->text().data(), copy.image->text().size());
    }
    copy.image->construct(process.argc, process.argv, environ);
  }
}

void destroy_library(process::LibraryCopy& copy) {
  while (copy.destructors_run < copy.image->destructors()) copy.image->destruct(copy.destructors_run++);
}

} // namespace rcce::libc
