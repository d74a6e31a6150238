// SPDX-License-Identifier: Apache-2.0
// The UEs' copies of the program's own libraries: of those that it is linked to, before it starts, and of
// those that it opens (dynamic.cpp).
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "process/image/bindings.hpp"
#include "process/image/image.hpp"
#include "process/image/own_libraries.hpp"
#include "process/process.hpp"

namespace rcce::libc {

/// The libraries of a job. Outlives its UEs, whose copies refer to its files.
class JobLibraries {
 public:
  JobLibraries(image::ImageFile& program, std::size_t ues);
  ~JobLibraries();
  JobLibraries(const JobLibraries&) = delete;
  JobLibraries& operator=(const JobLibraries&) = delete;

  [[nodiscard]] const image::OwnLibraries& own() const noexcept { return own_; }
  /// Program and libraries of which each UE gets a copy.
  [[nodiscard]] std::vector<const image::ImageFile*> files() const;
  void use_clones(bool clones) noexcept { clones_ = clones; }

  /// Gives a UE that has its copy of the program copies of the libraries, and binds all of them to one
  /// another.
  void give(Ue& ue);

  struct Opening {
    bool global = false; ///< true if libraries opened later find its names
    bool known = false;  ///< only if it is open already
    bool stays = false;  ///< closing it changes nothing
  };
  struct Opened {
    process::LibraryCopy* copy = nullptr;
    std::string path; ///< if that is null: the file that the dynamic linker is to open
  };
  /// The UE opens a library for `by`. Its constructors are still to run. Throws UserError where it cannot be
  /// loaded.
  [[nodiscard]] Opened open(Ue& ue, const std::string& name, const image::ImageFile& by, Opening how);
  /// Libraries that nobody of the UE uses any longer once this one has been closed, first those that are to
  /// be destroyed first.
  [[nodiscard]] std::vector<process::LibraryCopy*> closed_with(Ue& ue, process::LibraryCopy& copy);

  /// Copies of the UE in which a name is looked for: of the program, of its libraries, and of a library with
  /// what it needs.
  [[nodiscard]] std::vector<image::Image*> search(const Ue& ue);
  [[nodiscard]] std::vector<image::Image*> search_of(const Ue& ue, const process::LibraryCopy& copy);
  /// The meaning of a name in the program and in its libraries; 0: its usual meaning.
  [[nodiscard]] std::uint64_t substitute(std::string_view name, bool in_library) const;

 private:
  struct Part;

  Part& part(std::size_t library);
  process::LibraryCopy& add(Ue& ue, std::size_t library);
  process::LibraryCopy* find(const Ue& ue, std::size_t library) const;
  void lead(Ue& ue, image::Image& image, Part& part);

  image::OwnLibraries own_;
  std::size_t ues_;
  bool clones_ = false;
  bool checker_has_heap_; ///< the program's memory is a checker's
  std::mutex mutex_;
  std::vector<std::unique_ptr<Part>> parts_; ///< by library
  std::vector<image::Binding> of_program_;   ///< found at the first UE: the same for all
  bool bound_ = false;
};

/// Runs the constructors of libraries that have not been constructed; on the UE's own context.
void construct_libraries(Ue& ue);
/// Runs destructors marked as such, each once; likewise.
void destroy_library(process::LibraryCopy& copy);

} // namespace rcce::libc
