// SPDX-License-Identifier: Apache-2.0
// What a file wants of others and offers to them: the libraries that it needs, where it looks for them, the
// symbols that it defines.
#include <algorithm>

#include "process/image/file.hpp"

namespace rcce::image {
namespace {

constexpr std::uint16_t hidden_version = 0x8000; ///< a definition that is found by its version only
constexpr std::uint16_t no_version = 1;          ///< VER_NDX_GLOBAL

} // namespace

std::string ImageFile::name_at(std::uint64_t offset) const {
  Elf64_Sym place{};
  place.st_name = static_cast<Elf64_Word>(offset);
  return std::string(symbol_name(place));
}

void ImageFile::read_links(const DynamicValues& values) {
  const auto name = [&](Elf64_Sxword tag) {
    return values.contains(tag) ? name_at(values.at(tag)) : std::string();
  };
  for_each_dynamic([&](const Elf64_Dyn& entry) {
    if (entry.d_tag == DT_NEEDED) needed_.push_back(name_at(entry.d_un.d_val));
  });
  library_name_ = name(DT_SONAME);
  run_path_ = name(DT_RUNPATH);
  old_run_path_ = name(DT_RPATH);
  const std::uint64_t flags = value_of(values, DT_FLAGS);
  binds_to_itself_ = values.contains(DT_SYMBOLIC) || (flags & DF_SYMBOLIC) != 0;
  writes_code_ = values.contains(DT_TEXTREL) || (flags & DF_TEXTREL) != 0;
  versions_ = value_of(values, DT_VERSYM);
  version_needs_ = value_of(values, DT_VERNEED);
}

std::optional<std::size_t> ImageFile::definition(std::string_view name) const {
  if (definitions_.empty()) {
    for (std::size_t i = 1; i < symbol_count_; ++i) {
      const Elf64_Sym symbol = this->symbol(i);
      const auto visibility = ELF64_ST_VISIBILITY(symbol.st_other);
      if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
      if (visibility == STV_HIDDEN || visibility == STV_INTERNAL) continue;
      const bool hidden =
          versions_ != 0 && (read<std::uint16_t>(file_offset(versions_ + 2 * i, 2)) & hidden_version) != 0;
      if (hidden)
        definitions_.try_emplace(symbol_name(symbol), i);
      else
        definitions_.insert_or_assign(symbol_name(symbol), i);
    }
  }
  const auto found = definitions_.find(name);
  return found == definitions_.end() ? std::nullopt : std::optional(found->second);
}

void ImageFile::leave_out(std::span<const std::string> libraries) {
  for_each_dynamic([&](Elf64_Dyn& entry) {
    if (entry.d_tag == DT_NEEDED &&
        std::ranges::find(libraries, name_at(entry.d_un.d_val)) != libraries.end())
      entry.d_tag = hidden_tag;
  });
  leave_out_versions(libraries);
  required_.resize(symbol_count_);
  for (std::size_t i = 1; i < symbol_count_; ++i) {
    Elf64_Sym symbol = this->symbol(i);
    if (symbol.st_shndx != SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) != STB_GLOBAL) continue;
    required_[i] = true;
    symbol.st_info = ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(symbol.st_info));
    write(file_offset(symbols_ + i * sizeof(Elf64_Sym), sizeof(Elf64_Sym)), symbol);
  }
}

/// The dynamic linker ends the process where a library has gone whose versions are asked for. The record
/// before passes over that of the library; the first is made one of no versions instead.
void ImageFile::leave_out_versions(std::span<const std::string> libraries) {
  if (version_needs_ == 0) return;
  std::optional<std::uint64_t> before;
  for (Address at = version_needs_;;) {
    const std::uint64_t offset = file_offset(at, sizeof(Elf64_Verneed));
    auto record = read<Elf64_Verneed>(offset);
    const Elf64_Word next = record.vn_next;
    if (std::ranges::find(libraries, name_at(record.vn_file)) == libraries.end()) {
      before = offset;
    } else {
      Address version_at = at + record.vn_aux;
      for (std::size_t i = 0; i < record.vn_cnt; ++i) {
        const auto version = read<Elf64_Vernaux>(file_offset(version_at, sizeof(Elf64_Vernaux)));
        forget_version(version.vna_other);
        version_at += version.vna_next;
      }
      if (before) {
        auto last = read<Elf64_Verneed>(*before);
        last.vn_next = next == 0 ? 0 : last.vn_next + next;
        write(*before, last);
      } else if (next != 0) {
        // In the place of the first stands the second, with its distances from here.
        auto second = read<Elf64_Verneed>(file_offset(at + next, sizeof(Elf64_Verneed)));
        second.vn_aux += next;
        if (second.vn_next != 0) second.vn_next += next;
        write(offset, second);
        continue; // the same place again
      } else {
        version_needs_ = 0;
      }
    }
    if (next == 0) break;
    at += next;
  }
  if (version_needs_ != 0) return;
  for_each_dynamic([](Elf64_Dyn& entry) {
    if (entry.d_tag == DT_VERNEED || entry.d_tag == DT_VERNEEDNUM) entry.d_tag = hidden_tag;
  });
}

/// Symbols that ask for this version ask for none.
void ImageFile::forget_version(std::uint16_t index) {
  for (std::size_t i = 1; i < symbol_count_ && versions_ != 0; ++i) {
    const std::uint64_t offset = file_offset(versions_ + 2 * i, 2);
    if ((read<std::uint16_t>(offset) & ~hidden_version) == index) write(offset, no_version);
  }
}

const char* ImageFile::obstacle_to_copying() const {
  if (writes_code_) return "code that is not position-independent (compile with -fPIC)";
  for (const Elf64_Rela& relocation : relocations_) {
    const std::size_t index = ELF64_R_SYM(relocation.r_info);
    switch (ELF64_R_TYPE(relocation.r_info)) {
    case R_X86_64_TPOFF64:
      if (index == 0 || symbol(index).st_shndx != SHN_UNDEF)
        return "thread-local variables of the initial-exec model (compile without -ftls-model)";
      break;
    case R_X86_64_TLSDESC:
      return "thread-local variables reached by descriptors (compile with -mtls-dialect=gnu)";
    case R_X86_64_COPY:
      return "copies of variables of other libraries (compile with -fPIC)";
    default:
      break;
    }
  }
  return nullptr;
}

} // namespace rcce::image
