// SPDX-License-Identifier: Apache-2.0
// A program's file and its clones, kept from one job to the next of the same program in this process. To read
// the file, to bind it and to have its pages from the host takes longer than many a point of a sweep.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "process/image/file.hpp"
#include "process/image/image.hpp"

namespace rcce::image {

/// For one job: what is kept, or the file read anew. Outlives the job's images.
class Program {
 public:
  /// `kept`: takes what an ended job has left of the same file (device, inode, size, time of change), and
  /// leaves it to the next. Throws UserError where the file is none that this library can load.
  Program(const std::string& path, std::size_t ues, bool kept);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] ImageFile& file() noexcept { return parts_->file; }
  /// Makes the copies of all UEs.
  [[nodiscard]] Copies& copies(bool clones);

 private:
  struct Parts {
    ImageFile file;
    std::string identity; ///< empty: not to be kept
    std::size_t ues;      ///< for so many at most
    std::unique_ptr<Copies> copies;
    bool are_clones = false;
  };
  static std::vector<std::unique_ptr<Parts>>& idle();

  std::unique_ptr<Parts> parts_;
};

} // namespace rcce::image
