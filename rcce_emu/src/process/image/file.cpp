// SPDX-License-Identifier: Apache-2.0
// Reads the ELF file of a program. Everything that it says is checked against the file's size before it is
// used.
#include "process/image/file.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fstream>
#include <sys/stat.h>
#include <system_error>
#include <type_traits>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "process/image/mappings.hpp"

namespace rcce::image {

namespace {

/// Places that the dynamic linker follows without looking where they lead.
constexpr Elf64_Sxword followed_tags[] = {DT_SYMTAB, DT_STRTAB, DT_HASH,   DT_GNU_HASH, DT_RELA,
                                          DT_JMPREL, DT_PLTGOT, DT_VERSYM, DT_VERNEED,  DT_VERDEF};
/// The steps that we do ourselves in each copy.
constexpr Elf64_Sxword hidden_tags[] = {DT_INIT,       DT_FINI,         DT_INIT_ARRAY,
                                        DT_FINI_ARRAY, DT_INIT_ARRAYSZ, DT_FINI_ARRAYSZ};
constexpr Elf64_Sxword packed_tags[] = {35, 36}; ///< DT_RELRSZ and DT_RELR, not in every elf.h

void widen(ImageFile::Range& range, std::uint64_t begin, std::uint64_t end) {
  range = range.empty() ? ImageFile::Range{begin, end}
                        : ImageFile::Range{std::min(range.begin, begin), std::max(range.end, end)};
}

/// By hand: blocks of std::filesystem are allocated by the C++ library's own operator new, which the
/// runtime's delete does not belong to (process/libc/state/operators.cpp).
std::string absolute(const std::string& path) {
  if (path.starts_with('/')) return path;
  char folder[PATH_MAX];
  return getcwd(folder, sizeof folder) == nullptr ? path : folder + ('/' + path);
}

} // namespace

ImageFile::ImageFile(std::string path, Kind kind)
    : path_(std::move(path)), absolute_path_(absolute(path_)), kind_(kind) {
  read_contents();
  check_header();
  read_segments();
  read_dynamic();
  find_symbols();
  check_addresses();
  if (is_program()) check_variables();
}

std::string ImageFile::title() const {
  return fmt::format("{} '{}'", is_program() ? "program" : "library", path_);
}

void ImageFile::refuse(const std::string& why) const {
  throw mesh::UserError(title() + ' ' + why);
}

void ImageFile::read_contents() {
  struct stat status {};
  if (stat(path_.c_str(), &status) != 0) refuse("cannot be opened: " + std::system_category().message(errno));
  if (S_ISDIR(status.st_mode)) refuse("is a folder");
  std::ifstream file(path_, std::ios::binary);
  contents_.resize(static_cast<std::size_t>(status.st_size));
  if (!file ||
      !file.read(reinterpret_cast<char*>(contents_.data()), static_cast<std::streamsize>(contents_.size())))
    refuse("cannot be read: " + std::system_category().message(errno));
}

void ImageFile::check_header() {
  const std::string build = is_program() ? "; build it with 'rccecc' (C++: 'rccec++')" : "";
  const std::string other = is_program() ? "is not an RCCE program: " : "cannot be loaded: ";
  if (contents_.size() < sizeof(Elf64_Ehdr) || std::memcmp(contents_.data(), ELFMAG, SELFMAG) != 0)
    refuse(other + "it is no ELF file" + build);
  const auto header = read<Elf64_Ehdr>(0);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
    refuse("is built for another processor" + build);
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr))
    refuse(other + "it cannot be loaded once per UE" + build);
}

void ImageFile::read_segments() {
  const auto header = read<Elf64_Ehdr>(0);
  std::uint64_t last_loaded = 0; // where the file has it
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const std::uint64_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
    const auto segment = read<Elf64_Phdr>(at);
    const std::uint64_t begin = segment.p_vaddr;
    const std::uint64_t end = begin + segment.p_memsz;
    if (end < begin || end > std::uint64_t{1} << 46 || segment.p_filesz > segment.p_memsz)
      refuse("is damaged: a segment ends before it begins");
    switch (segment.p_type) {
    case PT_LOAD:
      if (segment.p_offset > contents_.size() || contents_.size() - segment.p_offset < segment.p_filesz)
        refuse("is damaged: it ends too early");
      segments_.push_back(segment);
      last_loaded = at;
      widen(span_, begin, end);
      if (segment.p_flags & PF_W) widen(data_, begin, end);
      if (segment.p_flags & PF_X) widen(text_, begin, end);
      break;
    case PT_DYNAMIC:
      dynamic_ = {begin, begin + segment.p_filesz};
      break;
    case PT_TLS:
      thread_local_ = {
          {begin, begin + segment.p_filesz}, segment.p_memsz, std::max<std::size_t>(segment.p_align, 1)};
      break;
    case PT_GNU_EH_FRAME:
      unwind_header_ = begin;
      break;
    case PT_GNU_RELRO:
      relro_ = {begin, end};
      break;
    case PT_GNU_STACK:
      executable_stack_ = (segment.p_flags & PF_X) != 0;
      break;
    default:
      break;
    }
  }
  if (segments_.empty() || dynamic_.empty())
    refuse("is not an RCCE program: it has no dynamic table; build it with 'rccecc'");
  space_out(last_loaded);
}

/// Copies lie one behind the other, and the host's tables of addresses and branches are indexed by low bits
/// of the address: a power of two apart, copies throw one another out of them.
void ImageFile::space_out(std::uint64_t last_loaded) {
  auto segment = read<Elf64_Phdr>(last_loaded);
  const std::uint64_t end = page_up(span_.end);
  const bool odd = (end - page_down(span_.begin)) / page_bytes % 2 != 0;
  if (odd || (segment.p_flags & PF_W) == 0 || segment.p_vaddr + segment.p_memsz != span_.end) return;
  span_.end = end + page_bytes;
  segment.p_memsz = span_.end - segment.p_vaddr;
  write(last_loaded, segment);
  segments_.back().p_memsz = segment.p_memsz; // mapped with the rest, as one mapping
}

std::uint64_t ImageFile::file_offset(Address address, std::size_t bytes) const {
  for (const Elf64_Phdr& segment : segments_)
    if (address >= segment.p_vaddr && address - segment.p_vaddr <= segment.p_filesz &&
        segment.p_filesz - (address - segment.p_vaddr) >= bytes)
      return segment.p_offset + (address - segment.p_vaddr);
  refuse("is damaged: an address lies outside its segments");
}

/// Reads the dynamic section. If there are several entries of a kind, the last one counts, as for the dynamic
/// linker.
void ImageFile::read_dynamic() {
  DynamicValues values;
  for_each_dynamic([&](const Elf64_Dyn& entry) { values[entry.d_tag] = entry.d_un.d_val; });
  names_ = value_of(values, DT_STRTAB);
  names_bytes_ = value_of(values, DT_STRSZ);
  read_links(values);
  for (const Elf64_Sxword tag : followed_tags)
    if (values.contains(tag) && (values[tag] < span_.begin || values[tag] >= span_.end))
      refuse("is damaged: a table lies outside its segments");
  symbols_ = value_of(values, DT_SYMTAB);
  packed_relocations_ = std::ranges::any_of(packed_tags, [&](auto tag) { return values.contains(tag); });
  if (values.contains(DT_INIT)) init_ = values[DT_INIT];
  if (values.contains(DT_FINI)) fini_ = values[DT_FINI];
  init_array_.begin = value_of(values, DT_INIT_ARRAY);
  init_array_.end = init_array_.begin + value_of(values, DT_INIT_ARRAYSZ);
  fini_array_.begin = value_of(values, DT_FINI_ARRAY);
  fini_array_.end = fini_array_.begin + value_of(values, DT_FINI_ARRAYSZ);
  read_relocations(value_of(values, DT_RELA), value_of(values, DT_RELASZ));
  read_relocations(value_of(values, DT_JMPREL), value_of(values, DT_PLTRELSZ));
  count_symbols(value_of(values, DT_HASH), value_of(values, DT_GNU_HASH));
  hide_from_linker();
}

void ImageFile::read_relocations(Address table, std::size_t bytes) {
  if (bytes == 0) return;
  const std::uint64_t offset = file_offset(table, bytes);
  for (std::size_t k = 0; k < bytes / sizeof(Elf64_Rela); ++k)
    relocations_.push_back(read<Elf64_Rela>(offset + k * sizeof(Elf64_Rela)));
}

void ImageFile::hide_from_linker() {
  for_each_dynamic([&](Elf64_Dyn& entry) {
    // Neither kept in memory after its job nor refused by dlopen().
    if (entry.d_tag == DT_FLAGS_1) entry.d_un.d_val &= ~static_cast<Elf64_Xword>(DF_1_PIE | DF_1_NODELETE);
    // By its name the dynamic linker may take one copy for another, or for the library itself.
    if (std::ranges::find(hidden_tags, entry.d_tag) != std::end(hidden_tags) ||
        (entry.d_tag == DT_SONAME && !is_program()))
      entry.d_tag = hidden_tag;
  });
}

void ImageFile::count_symbols(Address hash, Address gnu_hash) {
  if (hash != 0) {
    symbol_count_ = read<std::uint32_t>(file_offset(hash, 8) + 4);
    return;
  }
  if (gnu_hash == 0) return;
  // The table holds no count: the highest index is the end of the last chain.
  const std::uint64_t at = file_offset(gnu_hash, 16);
  const auto buckets = read<std::uint32_t>(at);
  const auto first = read<std::uint32_t>(at + 4);
  const auto filter_words = read<std::uint32_t>(at + 8);
  const std::uint64_t bucket_at = at + 16 + std::uint64_t{8} * filter_words;
  const std::uint64_t chain_at = bucket_at + std::uint64_t{4} * buckets;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < buckets; ++i)
    last = std::max(last, read<std::uint32_t>(bucket_at + std::uint64_t{4} * i));
  if (last < first) return;
  while ((read<std::uint32_t>(chain_at + std::uint64_t{4} * (last - first)) & 1) == 0) ++last;
  symbol_count_ = std::size_t{last} + 1;
}

Elf64_Sym ImageFile::symbol(std::size_t index) const {
  return read<Elf64_Sym>(file_offset(symbols_ + index * sizeof(Elf64_Sym), sizeof(Elf64_Sym)));
}

std::string_view ImageFile::symbol_name(const Elf64_Sym& symbol) const {
  if (symbol.st_name >= names_bytes_) refuse("is damaged: a name lies outside its table");
  const std::uint64_t offset = file_offset(names_, names_bytes_);
  const std::string_view names(reinterpret_cast<const char*>(contents_.data() + offset), names_bytes_);
  const std::string_view rest = names.substr(symbol.st_name);
  return rest.substr(0, rest.find('\0'));
}

void ImageFile::find_symbols() {
  std::optional<Address> variables, main;
  for (std::size_t i = 0; i < symbol_count_; ++i) {
    Elf64_Sym symbol = this->symbol(i);
    if (symbol.st_shndx == SHN_UNDEF) continue;
    if (ELF64_ST_BIND(symbol.st_info) == STB_GNU_UNIQUE) {
      symbol.st_info = ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(symbol.st_info));
      write(file_offset(symbols_ + i * sizeof(Elf64_Sym), sizeof(Elf64_Sym)), symbol);
    }
    const std::string_view name = symbol_name(symbol);
    if (name == "rockcreek_image") variables = symbol.st_value;
    if (name == "main") main = symbol.st_value;
  }
  if (!is_program()) return;
  if (!variables)
    refuse("was not built by rccecc: it has no symbol 'rockcreek_image'; build it with 'rccecc' (C++: "
           "'rccec++')");
  if (!main) main = main_from_sections();
  if (!main) refuse("has no function 'main' that can be found (hidden and stripped?)");
  variables_address_ = *variables;
  main_ = *main;
}

/// With -fvisibility=hidden, main is in the full symbol table only.
std::string ImageFile::strings_of(std::string_view wanted) const {
  const auto header = read<Elf64_Ehdr>(0);
  const auto section = [&](std::size_t i) {
    return read<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
  };
  const auto text = [&](std::uint64_t offset, std::uint64_t bytes) {
    if (offset > contents_.size() || contents_.size() - offset < bytes)
      refuse("is damaged: it ends too early");
    return std::string_view(reinterpret_cast<const char*>(contents_.data() + offset), bytes);
  };
  if (header.e_shoff == 0 || header.e_shstrndx >= header.e_shnum) return {};
  const Elf64_Shdr names = section(header.e_shstrndx);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr one = section(i);
    if (one.sh_name > names.sh_size) continue;
    const std::string_view rest = text(names.sh_offset, names.sh_size).substr(one.sh_name);
    if (rest.substr(0, rest.find('\0')) != wanted) continue;
    std::string strings;
    for (const char c : text(one.sh_offset, one.sh_size)) c == '\0' ? strings += ", " : strings += c;
    return strings.substr(0, strings.find_last_not_of(", ") + 1);
  }
  return {};
}

std::optional<ImageFile::Address> ImageFile::main_from_sections() const {
  const auto header = read<Elf64_Ehdr>(0);
  for (std::size_t i = 0; i < header.e_shnum && header.e_shoff != 0; ++i) {
    const auto section = read<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= header.e_shnum) continue;
    const auto names = read<Elf64_Shdr>(header.e_shoff + section.sh_link * sizeof(Elf64_Shdr));
    for (std::size_t k = 0; k < section.sh_size / sizeof(Elf64_Sym); ++k) {
      const auto symbol = read<Elf64_Sym>(section.sh_offset + k * sizeof(Elf64_Sym));
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
      if (read<std::array<char, 5>>(names.sh_offset + symbol.st_name) == std::array{'m', 'a', 'i', 'n', '\0'})
        return symbol.st_value;
    }
  }
  return std::nullopt;
}

void ImageFile::check_addresses() const {
  const auto check = [this](const char* what, const Range& whole, Address begin, std::uint64_t bytes) {
    if (begin < whole.begin || begin > whole.end || whole.end - begin < bytes)
      refuse(fmt::format("is damaged: {} lies outside its segments", what));
  };
  for (const Elf64_Rela& relocation : relocations_) {
    check("a relocation", span_, relocation.r_offset, sizeof(std::uint64_t));
    const std::size_t index = ELF64_R_SYM(relocation.r_info);
    if (index != 0 && index >= symbol_count_) refuse("is damaged: a relocation names no symbol");
    if (index != 0) static_cast<void>(symbol_name(symbol(index)));
  }
  if (is_program()) check("its main", text_, main_, 1);
  if (init_) check("its start code", text_, *init_, 1);
  if (fini_) check("its end code", text_, *fini_, 1);
  for (const Range& array : {init_array_, fini_array_})
    if (!array.empty()) check("a table of constructors", span_, array.begin, array.bytes());
  if (unwind_header_ != 0) check("its unwind table", span_, unwind_header_, sizeof(std::uint64_t));
  if (!relro_.empty()) check("a segment", span_, relro_.begin, relro_.bytes());
  const ThreadLocal& local = thread_local_;
  if (local.bytes == 0) return;
  static_cast<void>(file_offset(local.initial.begin, local.initial.bytes()));
  if ((local.alignment & (local.alignment - 1)) != 0) refuse("is damaged: an alignment is no power of two");
}

void ImageFile::check_variables() {
  variables_ = read<struct rockcreek_image>(file_offset(variables_address_, sizeof(struct rockcreek_image)));
  if (variables_.abi != ROCKCREEK_IMAGE_ABI)
    refuse("was built by another version of rccecc (image format " + std::to_string(variables_.abi) +
           ", this library takes " + std::to_string(ROCKCREEK_IMAGE_ABI) + "); build it again");
  if (variables_.generation != 10 && variables_.generation != 20)
    refuse("was built for RCCE generation " + std::to_string(variables_.generation) +
           ", this library knows 10 (RCCE 1.0) and 20 (RCCE 2.0); build it again");
}

} // namespace rcce::image
