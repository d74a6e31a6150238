// SPDX-License-Identifier: Apache-2.0
// A program file built by rccecc, or a shared library of its own: checked, read once, and prepared for being
// loaded many times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include <elf.h>

#include "rcce_emu/image.h"

namespace rcce::image {

/// A tag that no dynamic linker knows: what hidden entries of the dynamic table are renamed to. In the range
/// reserved for systems, with its low bit as DT_ENCODING wants it.
inline constexpr Elf64_Sxword hidden_tag = 0x6000'0f1e;

class ImageFile {
 public:
  enum class Kind : std::uint8_t { program, library };

  /// Reads and checks the file. Throws UserError where it is not one that this library can load.
  explicit ImageFile(std::string path, Kind kind = Kind::program);

  [[nodiscard]] const std::string& path() const noexcept { return path_; } ///< as it was given
  [[nodiscard]] const std::string& absolute_path() const noexcept { return absolute_path_; }
  /// The whole file, changed so that loading a copy of it runs none of its code and shares none of its
  /// variables: constructors and destructors are hidden from the dynamic linker, unique symbols are made
  /// weak. A copy takes an odd number of pages.
  [[nodiscard]] std::span<const std::byte> contents() const noexcept { return contents_; }

  [[nodiscard]] bool is_program() const noexcept { return kind_ == Kind::program; }
  /// The strings of a section that is not loaded, ", " between two; empty where the file has none of the
  /// name.
  [[nodiscard]] std::string strings_of(std::string_view section) const;
  [[nodiscard]] std::string title() const; ///< "program 'PATH'", for messages

  /// A program's: the static part's record as the file holds it. Pointers in it are not relocated.
  [[nodiscard]] const struct rockcreek_image& variables() const noexcept { return variables_; }

  // Virtual addresses, relative to the base of a copy.
  using Address = std::uint64_t;
  struct Range {
    Address begin = 0, end = 0;
    [[nodiscard]] bool empty() const noexcept { return begin == end; }
    [[nodiscard]] std::size_t bytes() const noexcept { return end - begin; }
  };
  struct ThreadLocal {
    Range initial;         ///< initial values; zero bytes follow
    std::size_t bytes = 0; ///< bytes of a block; 0 if the program has no thread-local variables
    std::size_t alignment = 1;
  };
  [[nodiscard]] Address main() const noexcept { return main_; }
  [[nodiscard]] Address variables_address() const noexcept { return variables_address_; }
  [[nodiscard]] Range span() const noexcept { return span_; } ///< addresses of a whole copy
  [[nodiscard]] Range data() const noexcept { return data_; } ///< writable segments
  [[nodiscard]] Range text() const noexcept { return text_; } ///< executable segments
  [[nodiscard]] Range constant_after_relocation() const noexcept { return relro_; }
  [[nodiscard]] Address unwind_header() const noexcept {
    return unwind_header_;
  } ///< PT_GNU_EH_FRAME, 0 for none
  /// It runs code on its stack: gcc's, of nested functions.
  [[nodiscard]] bool executable_stack() const noexcept { return executable_stack_; }
  [[nodiscard]] const ThreadLocal& thread_local_block() const noexcept { return thread_local_; }
  [[nodiscard]] std::span<const Elf64_Phdr> segments() const noexcept { return segments_; } ///< PT_LOAD only
  [[nodiscard]] std::optional<Address> init() const noexcept { return init_; }
  [[nodiscard]] std::optional<Address> fini() const noexcept { return fini_; }
  [[nodiscard]] Range init_array() const noexcept { return init_array_; }
  [[nodiscard]] Range fini_array() const noexcept { return fini_array_; }

  /// All relocations, those of the procedure table included.
  [[nodiscard]] const std::vector<Elf64_Rela>& relocations() const noexcept { return relocations_; }
  /// Relocations in a packed form that only the dynamic linker reads.
  [[nodiscard]] bool packed_relocations() const noexcept { return packed_relocations_; }
  [[nodiscard]] Elf64_Sym symbol(std::size_t index) const;
  [[nodiscard]] std::string_view symbol_name(const Elf64_Sym& symbol) const;

  // What it wants of others, and offers to them (file_links.cpp).
  /// Names of the libraries that it needs, as the file has them, and where it wants them to be looked for.
  [[nodiscard]] const std::vector<std::string>& needed() const noexcept { return needed_; }
  [[nodiscard]] const std::string& run_path() const noexcept { return run_path_; }         ///< DT_RUNPATH
  [[nodiscard]] const std::string& old_run_path() const noexcept { return old_run_path_; } ///< DT_RPATH
  [[nodiscard]] const std::string& library_name() const noexcept { return library_name_; } ///< DT_SONAME
  /// Its references to names of its own never lead to another's definition.
  [[nodiscard]] bool binds_to_itself() const noexcept { return binds_to_itself_; }
  /// The symbol by which others find `name`.
  [[nodiscard]] std::optional<std::size_t> definition(std::string_view name) const;
  /// Somebody has to define this undefined symbol.
  [[nodiscard]] bool requires_symbol(std::size_t index) const {
    return index < required_.size() && required_[index];
  }
  /// The contents lose these libraries from what they need. What nobody has defined when a copy is loaded
  /// stays 0 for us to fill in.
  void leave_out(std::span<const std::string> libraries);
  /// Why copies would share its variables; null where they do not.
  [[nodiscard]] const char* obstacle_to_copying() const;

 private:
  template <class T>
  [[nodiscard]] T read(std::uint64_t file_offset) const;
  template <class T>
  void write(std::uint64_t file_offset, const T& value);
  [[nodiscard]] std::uint64_t file_offset(Address address, std::size_t bytes) const;
  [[noreturn]] void refuse(const std::string& why) const;

  void read_contents();
  void check_header();
  void read_segments();
  void space_out(std::uint64_t last_loaded);
  /// Calls visit(an entry of the dynamic table), which may change it.
  template <class Visit>
  void for_each_dynamic(Visit visit);
  using DynamicValues = std::map<Elf64_Sxword, std::uint64_t>; ///< by tag
  /// 0 where the table has no such entry.
  [[nodiscard]] static std::uint64_t value_of(const DynamicValues& values, Elf64_Sxword tag) {
    const auto found = values.find(tag);
    return found == values.end() ? 0 : found->second;
  }
  void read_dynamic();
  void read_relocations(Address table, std::size_t bytes);
  void hide_from_linker();
  void count_symbols(Address hash, Address gnu_hash);
  void find_symbols();
  /// Check everything that loaders and the start of a copy rely on.
  void check_addresses() const;
  void check_variables();
  [[nodiscard]] std::optional<Address> main_from_sections() const;

  // file_links.cpp
  void read_links(const DynamicValues& values);
  [[nodiscard]] std::string name_at(std::uint64_t offset) const;
  void leave_out_versions(std::span<const std::string> libraries);
  void forget_version(std::uint16_t index);

  std::string path_;
  std::string absolute_path_; ///< UEs may change the working directory
  std::vector<std::byte> contents_;
  struct rockcreek_image variables_ {};
  Address main_ = 0, variables_address_ = 0, unwind_header_ = 0;
  Range span_, data_, text_, relro_, dynamic_, init_array_, fini_array_;
  ThreadLocal thread_local_;
  bool executable_stack_ = false;
  std::optional<Address> init_, fini_;
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Rela> relocations_;
  bool packed_relocations_ = false;
  Address symbols_ = 0, names_ = 0;
  std::size_t symbol_count_ = 0, names_bytes_ = 0;

  Kind kind_;
  std::vector<std::string> needed_;
  std::string run_path_, old_run_path_, library_name_;
  Address versions_ = 0, version_needs_ = 0; ///< DT_VERSYM, DT_VERNEED
  bool binds_to_itself_ = false, writes_code_ = false;
  std::vector<bool> required_;
  mutable std::unordered_map<std::string_view, std::size_t> definitions_; ///< filled at the first question
};

template <class T>
T ImageFile::read(std::uint64_t offset) const {
  static_assert(std::is_trivially_copyable_v<T>);
  if (offset > contents_.size() || contents_.size() - offset < sizeof(T))
    refuse("is damaged: it ends too early");
  T value;
  std::memcpy(&value, contents_.data() + offset, sizeof(T));
  return value;
}

template <class T>
void ImageFile::write(std::uint64_t offset, const T& value) {
  static_cast<void>(read<T>(offset));
  std::memcpy(contents_.data() + offset, &value, sizeof(T));
}

template <class Visit>
void ImageFile::for_each_dynamic(Visit visit) {
  for (Address at = dynamic_.begin; at + sizeof(Elf64_Dyn) <= dynamic_.end; at += sizeof(Elf64_Dyn)) {
    const std::uint64_t offset = file_offset(at, sizeof(Elf64_Dyn));
    auto entry = read<Elf64_Dyn>(offset);
    if (entry.d_tag == DT_NULL) break;
    visit(entry);
    write(offset, entry);
  }
}

} // namespace rcce::image
