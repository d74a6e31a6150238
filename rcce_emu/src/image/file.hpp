// SPDX-License-Identifier: Apache-2.0
// A program file built by rccecc: checked, read once, and prepared for being loaded many times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <elf.h>

#include "rcce_emu/image.h"

namespace rcce::image {

class ImageFile {
 public:
  /// Reads and checks the file. Throws UserError where it is not a program that this library can load.
  explicit ImageFile(std::string path);

  [[nodiscard]] const std::string& path() const noexcept { return path_; } ///< as it was given
  [[nodiscard]] const std::string& absolute_path() const noexcept { return absolute_path_; }
  /// The whole file, changed so that loading a copy of it runs none of its code and shares none of its
  /// variables: constructors and destructors are hidden from the dynamic linker, unique symbols are made
  /// weak. A copy takes an odd number of pages.
  [[nodiscard]] std::span<const std::byte> contents() const noexcept { return contents_; }

  /// The static part's record as the file holds it: pointers in it are not relocated.
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
    std::size_t bytes = 0; ///< of a block, 0 where the program has no thread-local variables
    std::size_t alignment = 1;
  };
  [[nodiscard]] Address main() const noexcept { return main_; }
  [[nodiscard]] Address variables_address() const noexcept { return variables_address_; }
  [[nodiscard]] Range span() const noexcept { return span_; } ///< of a whole copy
  [[nodiscard]] Range data() const noexcept { return data_; } ///< writable segments
  [[nodiscard]] Range text() const noexcept { return text_; } ///< executable segments
  [[nodiscard]] Range constant_after_relocation() const noexcept { return relro_; }
  [[nodiscard]] Address unwind_header() const noexcept {
    return unwind_header_;
  } ///< PT_GNU_EH_FRAME, 0 for none
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
  void read_dynamic();
  void count_symbols(Address hash, Address gnu_hash);
  void find_symbols();
  /// What loaders and the start of a copy follow without looking again.
  void check_addresses() const;
  void check_variables();
  [[nodiscard]] std::optional<Address> main_from_sections() const;

  std::string path_;
  std::string absolute_path_; ///< UEs may change the working directory
  std::vector<std::byte> contents_;
  struct rockcreek_image variables_ {};
  Address main_ = 0, variables_address_ = 0, unwind_header_ = 0;
  Range span_, data_, text_, relro_, dynamic_, init_array_, fini_array_;
  ThreadLocal thread_local_;
  std::optional<Address> init_, fini_;
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Rela> relocations_;
  bool packed_relocations_ = false;
  Address symbols_ = 0, names_ = 0;
  std::size_t symbol_count_ = 0, names_bytes_ = 0;
};

} // namespace rcce::image
