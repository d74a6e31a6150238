// SPDX-License-Identifier: Apache-2.0
#include "front/job/images.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "engine/ue/job_state.hpp"
#include "library/protocol/library.hpp"
#include "mesh_sim/errors.hpp"
#include "process/image/dlopened.hpp"
#include "process/process.hpp"
#include "rcce_emu/job.hpp"
#include "rcce_emu/job_options.hpp"

namespace rcce {
namespace {

/// The dynamic linker's copies suit debuggers and checkers; it slows down and takes a file of memory for
/// each.
constexpr std::size_t most_dlopen_copies = 512;
constexpr std::size_t most_dlopen_bytes = std::size_t{1} << 30;

/// RCCE_MAXNP of the images that do collective operations (algorithms/CMakeLists.txt). For programs with more
/// there is a larger one, for RCCE 2.0 alone: the flags of 1.0 leave no buffers there.
constexpr unsigned chip_ues = 48;

/// Beside the library, one for each generation: rockcreek/rcce2.0/collectives. For the chip where that is
/// enough: the image takes the program's variables, whose arrays are as long as the program's RCCE_MAXNP. Of
/// 2.0, whose objects are the same for both kinds of flags, also linked for single bits.
std::string path_for(const image::ImageFile& program) {
  Dl_info here{};
  dladdr(reinterpret_cast<const void*>(&run_job), &here);
  const std::string library = here.dli_fname == nullptr ? "" : here.dli_fname;
  const std::string folder = library.substr(0, library.rfind('/') + 1) + "rockcreek/";
  if (program.variables().generation < 20) return folder + "rcce1.0/collectives";
  return folder + "rcce2.0/collectives" + (program.variables().max_np > chip_ues ? "_large" : "") +
      (program.variables().smallflags != 0 ? "_bits" : "");
}

} // namespace

bool choose_clones(std::span<const image::ImageFile* const> files, std::size_t ues, Loading loading) {
  std::size_t bytes = 0;
  const char* obstacle = nullptr;
  for (const image::ImageFile* const file : files) {
    bytes += file->contents().size();
    if (obstacle != nullptr) continue;
    obstacle = obstacle_to_cloning(*file);
    if (loading == Loading::clone && obstacle != nullptr)
      throw mesh::UserError(
          fmt::format("{} cannot be cloned: {}; choose --loading dlopen", file->title(), obstacle));
  }
  if (loading != Loading::automatic) return loading == Loading::clone;
  return obstacle == nullptr && (ues > most_dlopen_copies || ues * bytes > most_dlopen_bytes);
}

std::vector<std::unique_ptr<image::Image>> load_copies(image::Copies& copies, std::span<heap::Heap> heaps) {
  std::vector<std::unique_ptr<image::Image>> images;
  images.reserve(heaps.size());
  for (std::size_t i = 0; i < heaps.size(); ++i) images.push_back(copies.make(i, heaps[i]));
  return images;
}

Collectives::Collectives(const JobOptions& options, const image::ImageFile& program)
    : wish_(options.library.collectives) {
  if (wish_.empty()) return;
  file_.emplace(path_for(program));
  check(program);
  references_ = process::variable_references(*file_);
}

void Collectives::load(std::span<heap::Heap> heaps, Loading loading) {
  if (!file_) return;
  const image::ImageFile* const file = &*file_;
  copies_ = copies_of(*file_, heaps.size(), choose_clones({&file, 1}, heaps.size(), loading));
  images_ = load_copies(*copies_, heaps);
}

void Collectives::stand_beside(Ue& ue) {
  if (!file_) return;
  auto& image = images_[static_cast<std::size_t>(ue.rank - ue.job->ranks_here().front())];
  process::lead_to_own(*image, references_, ue.process->c.variables);
  image->variables().ue = &ue;
  protocol::library_of(ue).substitutes = std::make_unique<protocol::Substitutes>(image->variables(), wish_);
  ue.process->beside = std::move(image);
}

void Collectives::check(const image::ImageFile& program) const {
  const auto& theirs = file_->variables();
  const auto& own = program.variables();
  const auto refuse = [&](const std::string& why) {
    throw mesh::UserError(fmt::format("--collectives with program '{}': {}", program.path(), why));
  };
  if (own.gory != 0)
    refuse("the low-level interface (-DGORY) has no collective operations but the barrier, and leaves "
           "buffers and "
           "flags to the program: the algorithms would find neither");
  // RWTH's communicators have more behind the flags, which are wider words: every object would be another.
  if (own.comm_bytes >= own.comm_release + own.flag_bytes + sizeof(void*))
    refuse(
        "the algorithms are compiled for RCCE's communicators and flags, not for those of RWTH's, which are "
        "larger; compile it without --rwth");
  if (own.smallflags != theirs.smallflags)
    refuse(
        "the algorithms are compiled for flags of a line each, the program for single bits, which are other "
        "objects in RCCE 1.0; compile it without -DSINGLEBITFLAGS, or with --rcce 2.0");
  if (own.max_np > theirs.max_np)
    refuse(fmt::format("the algorithms are compiled for up to {} UEs, the program for {}; compile it with "
                       "-DRCCE_MAXNP={} at most",
                       theirs.max_np, own.max_np, theirs.max_np));
}

} // namespace rcce
