// SPDX-License-Identifier: Apache-2.0
// Which shared libraries are the program's own. Each UE gets a copy of these, as it does of the program; the
// system's are shared. The rule: a library is the program's own if it is found by a path or by a folder that
// the program or LD_LIBRARY_PATH names, lies outside of the system's folders, and neither the runtime nor a
// library of the system needs it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <utility>
#include <vector>

#include "process/image/file.hpp"

namespace rcce::image {

struct OwnLibrary {
  std::string name; ///< as whoever needs it has it
  std::string path; ///< path of the file; empty: left to the dynamic linker
  std::string reason;
  bool shared = false;
  bool warn = false;               ///< it is shared, though it should not be
  std::unique_ptr<ImageFile> file; ///< null where it is shared
  std::vector<std::size_t> needs;  ///< libraries, by index
  std::pair<dev_t, ino_t> identity{};

  [[nodiscard]] bool copied() const noexcept { return !shared; }
};

/// The libraries of a program: those it needs, in the order in which the dynamic linker searches them for
/// names, and those it has opened since. Indices stay.
class OwnLibraries {
 public:
  explicit OwnLibraries(ImageFile& program);

  [[nodiscard]] const ImageFile& program() const noexcept { return program_; }
  [[nodiscard]] const OwnLibrary& at(std::size_t index) const { return *libraries_[index]; }
  [[nodiscard]] std::size_t size() const noexcept { return libraries_.size(); }
  /// The copied libraries that the program needs, those that others need first.
  [[nodiscard]] const std::vector<std::size_t>& in_order_of_construction() const noexcept { return order_; }
  /// Copied ones only, in the order of the search for names.
  [[nodiscard]] std::vector<std::size_t> in_order_of_search() const;

  /// A library opened by the program or by one of its libraries, `by`, with all that it needs. Returns its
  /// index; nothing where it is for the dynamic linker to look for.
  [[nodiscard]] std::optional<std::size_t> open(const std::string& name, const ImageFile& by);
  /// A library and what it needs of copied ones, first those that others need; the search's order begins with
  /// the library.
  [[nodiscard]] std::vector<std::size_t> construction_of(std::size_t library) const;
  [[nodiscard]] std::vector<std::size_t> search_of(std::size_t library) const;

  /// A line for the user about libraries that are shared against the rule; "" for none.
  [[nodiscard]] std::string warning() const;
  /// `rccerun --libraries`: a line for each.
  [[nodiscard]] std::string listing() const;

 private:
  using Loaders = std::vector<const ImageFile*>; ///< the innermost first, the program last
  [[nodiscard]] std::size_t add(const std::string& name, const Loaders& loaders);
  [[nodiscard]] std::optional<std::size_t> known(const std::string& name) const;
  [[nodiscard]] std::vector<std::size_t> add_needs(const ImageFile& file, const Loaders& loaders);
  /// Decides if a library that has been found is copied.
  void decide(OwnLibrary& library) const;
  /// After libraries from `begin` on have been added: what follows for others from those that are shared.
  void finish(std::size_t begin);
  void share_what_shared_need(std::size_t begin);
  void check_thread_locals(const ImageFile& user, std::size_t begin);
  /// The dynamic linker is not to load what is copied.
  void leave_out(ImageFile& file, const std::vector<std::size_t>& needs) const;
  void construct_first(std::size_t library, std::vector<std::size_t>& order) const;
  void search_next(std::vector<std::size_t>& order) const;

  ImageFile& program_;
  std::vector<std::unique_ptr<OwnLibrary>> libraries_;
  std::vector<std::size_t> needs_, order_; ///< libraries that the program needs
};

/// Runs the constructors of libraries that the process has begun with and that are not copied after all.
void construct_shared(const OwnLibraries& libraries, int argc, char** argv, char** environment);

} // namespace rcce::image
