// SPDX-License-Identifier: Apache-2.0
// Copies of images for the UEs of a job: of the program, and of what stands beside it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/ue/ue.hpp"
#include "process/heap/heap.hpp"
#include "process/image/image.hpp"
#include "process/own_variables.hpp"
#include "rcce_emu/job_options.hpp"

namespace rcce {

/// True if copies of these files are made as clones. By default few copies are left to the dynamic linker and
/// many are cloned. Throws UserError if a file cannot be loaded as asked.
[[nodiscard]] bool choose_clones(std::span<const image::ImageFile* const> files, std::size_t ues,
                                 Loading loading);

/// One copy per heap. Throws UserError where the file cannot be loaded.
[[nodiscard]] std::vector<std::unique_ptr<image::Image>> load_copies(image::Copies& copies,
                                                                     std::span<heap::Heap> heaps);

/// The image that does the collective operations where the options name some (`rccerun --collectives`):
/// beside each UE's copy of the program one of its own. Outlives the UEs, whose copies refer to its file.
class Collectives {
 public:
  /// Throws UserError where the algorithms cannot stand for the program's operations.
  Collectives(const JobOptions& options, const image::ImageFile& program);

  /// After the program's copies, whose places in the heaps do not depend on it.
  void load(std::span<heap::Heap> heaps, Loading loading);
  /// Gives its copy to a UE that has a library.
  void stand_beside(Ue& ue);

 private:
  void check(const image::ImageFile& program) const;

  std::string wish_;
  std::optional<image::ImageFile> file_;
  std::unique_ptr<image::Copies> copies_;
  std::vector<std::unique_ptr<image::Image>> images_; ///< by rank
  std::vector<process::VariableReference> references_;
};

} // namespace rcce
