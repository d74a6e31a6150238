// SPDX-License-Identifier: Apache-2.0
// The clone loader. Per clone: map the template's file, then write the few words that differ from clone to
// clone.
#include "process/image/clone.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

#include "mesh_sim/errors.hpp"
#include "process/heap/heap.hpp"
#include "process/image/dlopened.hpp"
#include "process/image/image.hpp"
#include "process/image/mappings.hpp"
#include "process/image/tls.hpp"

namespace rcce::image {

namespace {

/// A word that a clone gets at `offset`.
struct Patch {
  enum class Kind : std::uint8_t {
    fixed, ///< the same in every clone: something in a library
    moved, ///< relative to the clone's base
    block, ///< stands for the clone's thread-local variables
  };
  std::uint64_t offset;
  std::uint64_t value;
  Kind kind;
};

/// The patch of each relocated word, from the template's binding.
std::vector<Patch> patches_of(const ImageFile& file, const std::byte* bound) {
  const auto base = reinterpret_cast<std::uint64_t>(bound);
  const ImageFile::Range span = file.span();
  std::vector<Patch> patches;
  patches.reserve(file.relocations().size());
  for (const Elf64_Rela& relocation : file.relocations()) {
    if (ELF64_R_TYPE(relocation.r_info) == R_X86_64_NONE) continue;
    const auto value = *reinterpret_cast<const std::uint64_t*>(bound + relocation.r_offset);
    Patch patch{relocation.r_offset, value, Patch::Kind::fixed};
    if (is_own_module(file, relocation)) {
      patch.kind = Patch::Kind::block;
    } else if (is_thread_local_function(file, relocation)) {
      patch.value = thread_local_function();
    } else if (const auto type = ELF64_R_TYPE(relocation.r_info); type != R_X86_64_DTPOFF64 &&
               type != R_X86_64_DTPMOD64 && type != R_X86_64_TPOFF64 && value >= base + span.begin &&
               value <= base + span.end) {
      patch.value = value - base;
      patch.kind = Patch::Kind::moved;
    }
    patches.push_back(patch);
  }
  std::sort(patches.begin(), patches.end(),
            [](const Patch& a, const Patch& b) { return a.offset < b.offset; });
  return patches;
}

/// More zeros than these come from the host, which gives them where the program has been alone.
constexpr std::size_t most_cleared_bytes = std::size_t{1} << 20;
/// Fewer are not worth a page of the file for each that a clone looks at: programs for some 700 cores.
constexpr std::size_t least_shared_bytes = std::size_t{1} << 16;

/// The first whole page of a segment beyond its bytes in the file (.bss).
std::uint64_t rest_of(const Elf64_Phdr& segment) noexcept {
  const std::uint64_t filled = segment.p_vaddr + segment.p_filesz;
  return segment.p_filesz == 0 ? page_down(filled) : page_up(filled);
}

/// Bytes of the pages from there on.
std::uint64_t rest_bytes(const Elf64_Phdr& segment) noexcept {
  const std::uint64_t end = page_up(segment.p_vaddr + segment.p_memsz);
  return end - std::min(rest_of(segment), end);
}

/// Lets the copy of a file end with zeros in the place of what lies beyond its bytes. Returns where those of
/// address 0 would be; 0 where they are too few, or the host lets no file grow so far.
std::uint64_t add_zeros(const ImageFile& file, const MemoryFile& memory) {
  const std::uint64_t zeros = page_up(file.contents().size()), end = zeros + page_up(file.span().end);
  const bool many = std::ranges::any_of(
      file.segments(), [](const Elf64_Phdr& one) { return rest_bytes(one) >= least_shared_bytes; });
  rlimit limit{}; // beyond it the process gets a signal
  if (!many || getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < end) return 0;
  return ftruncate(memory.descriptor(), static_cast<off_t>(end)) == 0 ? zeros : 0;
}

class Cloner {
 public:
  Cloner(const ImageFile& file, std::size_t clones)
      : file_(file),
        memory_(file),
        template_(file, memory_),
        patches_(patches_of(file, template_.base())),
        mappings_(mappings_of(file)),
        arena_(clones, page_up(file.span().end), file.unwind_header(), template_.link_map()),
        zeros_(add_zeros(file, memory_)),
        made_(clones) {}

  struct Target {
    std::byte *base, *thread_locals;
  };
  /// Also in the place of a clone of that index that has served its UE: its pages are filled again.
  Target make(std::size_t index, heap::Heap& heap) {
    std::byte* base = arena_.clone(index);
    for (const Mapping& mapping : mappings_) {
      if (!made_[index])
        check(map_from(memory_.descriptor(), base, mapping));
      else if (mapping.protection & PROT_WRITE)
        check(fill_from(memory_.descriptor(), base, mapping));
    }
    anew_ = !made_[index];
    made_[index] = true;
    for (const Elf64_Phdr& segment : file_.segments()) clear_rest(base, segment);
    std::byte* block = allocate_thread_locals(file_, heap);
    for (const Patch& patch : patches_) {
      auto& word = *reinterpret_cast<std::uint64_t*>(base + patch.offset);
      switch (patch.kind) {
      case Patch::Kind::fixed:
        word = patch.value;
        break;
      case Patch::Kind::moved:
        word = reinterpret_cast<std::uint64_t>(base) + patch.value;
        break;
      case Patch::Kind::block:
        word = thread_local_module(block);
        break;
      }
    }
    fill_thread_locals(file_, base, block);
    return {base, block};
  }
  [[nodiscard]] const Loaded& origin() const noexcept { return template_; }
  /// The whole pages among these bytes of the clone at `base` become those of all clones that have not
  /// written to them.
  void share(const std::byte* base, std::span<const std::byte> bytes) const {
    const auto begin = static_cast<std::uint64_t>(bytes.data() - base);
    const std::uint64_t first = page_up(begin), end = page_down(begin + bytes.size());
    const bool beyond_the_file = std::ranges::any_of(file_.segments(), [&](const Elf64_Phdr& one) {
      return first >= rest_of(one) && end <= rest_of(one) + rest_bytes(one);
    });
    if (zeros_ == 0 || first >= end || !beyond_the_file) return;
    void* const page = mmap(nullptr, end - first, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.descriptor(),
                            static_cast<off_t>(zeros_ + first));
    if (page == MAP_FAILED) return; // the others write them themselves
    shared_ = true;
    std::memcpy(page, base + first, end - first);
    munmap(page, end - first);
  }

 private:
  void check(int error) const {
    if (error == 0) return;
    throw mesh::UserError(file_.title() + " cannot be cloned: " + std::system_category().message(error) +
                          (error == ENOMEM ? "; fewer UEs, or more mappings (sysctl vm.max_map_count)" : ""));
  }

  /// The part of a segment beyond its bytes in the file (.bss).
  void clear_rest(std::byte* base, const Elf64_Phdr& segment) const {
    const std::uint64_t filled = segment.p_vaddr + segment.p_filesz;
    const std::uint64_t end = segment.p_vaddr + segment.p_memsz;
    if (filled == end) return;
    const std::uint64_t rest = rest_of(segment), bytes = rest_bytes(segment);
    if (filled < rest) std::fill(base + filled, base + std::min(rest, end), std::byte{0});
    if (bytes == 0) return;
    if (!anew_ && bytes <= most_cleared_bytes) {
      std::fill(base + rest, base + rest + bytes, std::byte{0});
    } else if (zeros_ == 0 || bytes < least_shared_bytes || shared_) { // shared: by an earlier job
      constexpr int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE | MAP_ANONYMOUS;
      void* const mapped = mmap(base + rest, bytes, protection_of(segment), flags, -1, 0);
      check(mapped == MAP_FAILED ? errno : 0);
    } else {
      check(map_from(memory_.descriptor(), base, {rest, bytes, zeros_ + rest, protection_of(segment)}));
    }
  }

  const ImageFile& file_;
  MemoryFile memory_;
  Loaded template_;
  std::vector<Patch> patches_;
  std::vector<Mapping> mappings_;
  CloneArena arena_;
  std::uint64_t zeros_;                      ///< add_zeros()
  std::vector<bool> made_;                   ///< by index
  mutable std::atomic<bool> shared_ = false; ///< some of those zeros are tables
  bool anew_ = true;                         ///< the clone that is being made
};

/// The last clone to go takes the template along.
class Clone final : public Image {
 public:
  Clone(const ImageFile& file, Cloner::Target place, std::shared_ptr<const Cloner> origin)
      : Image(file, place.base, place.thread_locals), origin_(std::move(origin)) {}

  [[nodiscard]] void* link_map() const noexcept override { return origin_->origin().link_map(); }
  [[nodiscard]] std::byte* linked_base() const noexcept override { return origin_->origin().base(); }
  void share(std::span<const std::byte> bytes) const override { origin_->share(base(), bytes); }

 private:
  std::shared_ptr<const Cloner> origin_;
};

class Clones final : public Copies {
 public:
  Clones(const ImageFile& file, std::size_t ues)
      : file_(file), cloner_(std::make_shared<Cloner>(file, ues)) {}

  std::unique_ptr<Image> make(std::size_t ue, heap::Heap& heap) override {
    return std::make_unique<Clone>(file_, cloner_->make(ue, heap), cloner_);
  }

 private:
  const ImageFile& file_;
  std::shared_ptr<Cloner> cloner_;
};

} // namespace

const char* obstacle_to_cloning(const ImageFile& file) {
  if (file.packed_relocations()) return "its relocations are packed (-z pack-relative-relocs)";
  for (const Elf64_Rela& relocation : file.relocations()) {
    switch (ELF64_R_TYPE(relocation.r_info)) {
    case R_X86_64_NONE:
    case R_X86_64_64:
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT:
    case R_X86_64_RELATIVE:
    case R_X86_64_DTPMOD64:
    case R_X86_64_DTPOFF64:
    case R_X86_64_IRELATIVE:
      break;
    case R_X86_64_TPOFF64: {
      const std::size_t index = ELF64_R_SYM(relocation.r_info);
      if (index == 0 || file.symbol(index).st_shndx != SHN_UNDEF)
        return "its thread-local variables are of the initial-exec model (-ftls-model)";
      break;
    }
    case R_X86_64_COPY:
      return "it copies variables of libraries (compiled without -fPIC?)";
    default:
      return "it has relocations that the clone loader does not know";
    }
  }
  return nullptr;
}

std::unique_ptr<Copies> copies_by_cloning(const ImageFile& file, std::size_t ues) {
  return std::make_unique<Clones>(file, ues);
}

} // namespace rcce::image
