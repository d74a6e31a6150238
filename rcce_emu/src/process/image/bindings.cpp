// SPDX-License-Identifier: Apache-2.0
#include "process/image/bindings.hpp"

#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "process/image/tls.hpp"

namespace rcce::image {
namespace {

struct Definition {
  std::size_t provider;
  Elf64_Sym symbol;
};

std::optional<Definition> find(std::string_view name, std::span<const ImageFile* const> scope) {
  for (std::size_t i = 0; i < scope.size(); ++i)
    if (const auto index = scope[i]->definition(name)) return Definition{i, scope[i]->symbol(*index)};
  return std::nullopt;
}

/// Names that others may define as well, and then do.
bool is_open(const ImageFile& file, const Elf64_Sym& symbol) {
  if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL || ELF64_ST_VISIBILITY(symbol.st_other) != STV_DEFAULT)
    return false;
  return symbol.st_shndx == SHN_UNDEF || !(file.is_program() || file.binds_to_itself());
}

Binding bound(const Elf64_Rela& relocation, const Definition& found) {
  const auto addend = static_cast<std::uint64_t>(relocation.r_addend);
  const std::uint64_t value = found.symbol.st_value + addend;
  const auto make = [&](Binding::Kind kind) {
    return Binding{relocation.r_offset, kind, value, found.provider};
  };
  switch (ELF64_R_TYPE(relocation.r_info)) {
  case R_X86_64_DTPMOD64:
    return make(Binding::Kind::thread_local_block);
  case R_X86_64_DTPOFF64:
    return make(Binding::Kind::fixed);
  default:
    break;
  }
  if (found.symbol.st_shndx == SHN_ABS) return make(Binding::Kind::fixed);
  return make(ELF64_ST_TYPE(found.symbol.st_info) == STT_GNU_IFUNC ? Binding::Kind::indirect
                                                                   : Binding::Kind::address);
}

bool is_by_name(const Elf64_Rela& relocation) {
  if (ELF64_R_SYM(relocation.r_info) == 0) return false;
  switch (ELF64_R_TYPE(relocation.r_info)) {
  case R_X86_64_64:
  case R_X86_64_GLOB_DAT:
  case R_X86_64_JUMP_SLOT:
  case R_X86_64_DTPMOD64:
  case R_X86_64_DTPOFF64:
    return true;
  default:
    return false;
  }
}

std::string name_of_reference(const ImageFile& file, ImageFile::Address place) {
  for (const Elf64_Rela& relocation : file.relocations())
    if (relocation.r_offset == place)
      return std::string(file.symbol_name(file.symbol(ELF64_R_SYM(relocation.r_info))));
  return {};
}

} // namespace

std::vector<Binding> bindings_of(const ImageFile& file, std::span<const ImageFile* const> scope,
                                 const Substitute& substitute) {
  std::vector<Binding> bindings;
  for (const Elf64_Rela& relocation : file.relocations()) {
    if (!is_by_name(relocation)) continue;
    const std::size_t index = ELF64_R_SYM(relocation.r_info);
    const Elf64_Sym symbol = file.symbol(index);
    if (!is_open(file, symbol)) continue;
    const std::string_view name = file.symbol_name(symbol);
    if (is_thread_local_function(file, relocation)) {
      bindings.push_back({relocation.r_offset, Binding::Kind::fixed, thread_local_function()});
    } else if (const auto found = find(name, scope)) {
      bindings.push_back(bound(relocation, *found));
    } else if (const std::uint64_t other = substitute(name); other != 0) {
      bindings.push_back({relocation.r_offset, Binding::Kind::fixed, other});
    } else if (ELF64_R_TYPE(relocation.r_info) != R_X86_64_JUMP_SLOT && symbol.st_shndx == SHN_UNDEF &&
               file.requires_symbol(index)) {
      bindings.push_back({relocation.r_offset, Binding::Kind::required});
    }
  }
  return bindings;
}

void bind(Image& image, std::span<const Binding> bindings, std::span<Image* const> scope) {
  std::vector<Image::Word> words;
  words.reserve(bindings.size());
  const auto write = [&](bool indirect) {
    words.clear();
    for (const Binding& binding : bindings) {
      if ((binding.kind == Binding::Kind::indirect) != indirect) continue;
      std::uint64_t value = binding.value;
      std::byte* const base = scope.empty() ? nullptr : scope[binding.provider]->base();
      switch (binding.kind) {
      case Binding::Kind::address:
        value += reinterpret_cast<std::uint64_t>(base);
        break;
      case Binding::Kind::indirect:
        value = reinterpret_cast<std::uint64_t (*)()>(base + value)();
        break;
      case Binding::Kind::thread_local_block:
        value = thread_local_module(scope[binding.provider]->thread_locals());
        break;
      case Binding::Kind::fixed:
        break;
      case Binding::Kind::required:
        std::memcpy(&value, image.base() + binding.place, sizeof value);
        if (value == 0)
          throw mesh::UserError(
              fmt::format("{} needs '{}', which neither the program nor any of its libraries "
                          "defines",
                          image.file().title(), name_of_reference(image.file(), binding.place)));
        continue;
      }
      words.push_back({binding.place, value});
    }
    image.write(words);
  };
  write(false);
  write(true); // by functions that may use what is bound by now
}

} // namespace rcce::image
