// SPDX-License-Identifier: Apache-2.0
#include "object_records.hpp"

#include <algorithm>
#include <ar.h>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace rcce::compiler {
namespace {

constexpr std::string_view record_section = ".rockcreek";
constexpr std::string_view counts_section = ".rockcreek_counts"; // of the pass count_cycles

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A structure at an offset of the file, or nothing beyond its end.
template <typename T>
std::optional<T> at(std::string_view bytes, std::size_t offset) {
  T value;
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::optional<Elf64_Ehdr> elf_header(std::string_view bytes) {
  const auto header = at<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return std::nullopt;
  if (header->e_ident[EI_CLASS] != ELFCLASS64) return std::nullopt;
  return header;
}

std::string_view part(std::string_view bytes, std::size_t offset, std::size_t size) {
  return offset > bytes.size() ? std::string_view() : bytes.substr(offset, size);
}

/// Calls visit(section, its name) for each section of an object file.
template <typename Visit>
void for_each_section(std::string_view bytes, Visit visit) {
  const auto header = elf_header(bytes);
  if (!header) return;
  const auto section = [&](std::size_t i) {
    return at<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr));
  };
  const auto names = section(header->e_shstrndx);
  if (!names) return;
  for (std::size_t i = 0; i < header->e_shnum; ++i) {
    const auto entry = section(i);
    if (!entry) return;
    const std::string_view rest = part(bytes, names->sh_offset + entry->sh_name, std::string_view::npos);
    visit(*entry, rest.substr(0, rest.find('\0')));
  }
}

std::string text_of(std::string_view bytes, const Elf64_Shdr& section) {
  std::string text(part(bytes, section.sh_offset, section.sh_size));
  std::replace(text.begin(), text.end(), '\0', ' '); // one record for each header that leaves one
  return text;
}

void read_object(std::string_view bytes, const std::string& name, std::vector<ObjectRecord>& records) {
  for_each_section(bytes, [&](const Elf64_Shdr& section, std::string_view called) {
    if (called == record_section) records.push_back({name, text_of(bytes, section)});
  });
}

void read_object_code(std::string_view bytes, const std::string& name, std::vector<ObjectRecord>& records) {
  bool has_code = false;
  ObjectRecord record{name, {}};
  for_each_section(bytes, [&](const Elf64_Shdr& section, std::string_view called) {
    has_code |= (section.sh_flags & SHF_EXECINSTR) != 0 && section.sh_size > 0;
    if (called == counts_section) record.text = text_of(bytes, section);
  });
  if (has_code) records.push_back(std::move(record));
}

/// Calls visit(member name, member's bytes) for each member of an archive.
template <typename Visit>
void for_each_member(std::string_view bytes, Visit visit) {
  std::string_view long_names;
  std::size_t offset = SARMAG;
  while (const auto header = at<ar_hdr>(bytes, offset)) {
    const std::size_t size =
        std::strtoul(std::string(header->ar_size, sizeof header->ar_size).c_str(), nullptr, 10);
    if (size > bytes.size()) return; // damaged; the linker says so
    const std::string_view content = part(bytes, offset + sizeof(ar_hdr), size);
    std::string name(header->ar_name, sizeof header->ar_name);
    name.erase(name.find_last_not_of(' ') + 1);
    if (name == "//") {
      long_names = content;
    } else if (name.size() > 1 && name[0] == '/' && name[1] >= '0' && name[1] <= '9') {
      const std::string_view rest =
          part(long_names, std::strtoul(name.c_str() + 1, nullptr, 10), std::string_view::npos);
      name = rest.substr(0, rest.find('/'));
      visit(name, content);
    } else if (name != "/" && name != "/SYM64/") {
      name.erase(name.find_last_not_of('/') + 1);
      visit(name, content);
    }
    offset += sizeof(ar_hdr) + size + size % 2;
  }
}

bool is_archive(std::string_view bytes) {
  return bytes.starts_with(std::string_view(ARMAG, SARMAG));
}

template <typename Read>
std::vector<ObjectRecord> read_file_by(const std::string& path, Read read) {
  std::vector<ObjectRecord> records;
  const std::string bytes = read_file(path);
  if (is_archive(bytes)) {
    for_each_member(bytes, [&](const std::string& member, std::string_view content) {
      read(content, "(" + member + ")", records);
    });
  } else {
    read(bytes, {}, records);
  }
  return records;
}

} // namespace

std::vector<ObjectRecord> read_records(const std::string& path) {
  return read_file_by(path, read_object);
}

std::vector<ObjectRecord> read_code(const std::string& path) {
  return read_file_by(path, read_object_code);
}

bool is_stub_archive(const std::string& path) {
  bool found = false;
  const std::string bytes = read_file(path);
  if (!is_archive(bytes)) return false;
  for_each_member(bytes, [&](const std::string& member, std::string_view) {
    if (member.starts_with("rockcreek_stub")) found = true;
  });
  return found;
}

void add_debug_entry(const std::string& path) {
  const std::string bytes = read_file(path);
  const auto header = elf_header(bytes);
  if (!header) return;
  for (std::size_t i = 0; i < header->e_phnum; ++i) {
    const auto segment = at<Elf64_Phdr>(bytes, header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment || segment->p_type != PT_DYNAMIC) continue;
    for (std::size_t offset = segment->p_offset;
         offset + 2 * sizeof(Elf64_Dyn) <= segment->p_offset + segment->p_filesz;
         offset += sizeof(Elf64_Dyn)) {
      const auto entry = at<Elf64_Dyn>(bytes, offset);
      if (!entry || entry->d_tag == DT_DEBUG) return;
      if (entry->d_tag != DT_NULL) continue;
      // The table still ends with a DT_NULL: the loop's bound leaves one more entry behind this one.
      const Elf64_Dyn debug{DT_DEBUG, {0}};
      std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
      file.seekp(static_cast<std::streamoff>(offset));
      file.write(reinterpret_cast<const char*>(&debug), sizeof debug);
      return;
    }
  }
}

} // namespace rcce::compiler
