// SPDX-License-Identifier: Apache-2.0
// Copies by the dynamic linker. It tells objects apart by name and by inode, so every copy is a memfd of its
// own under a name of its own: a name that was used before would silently give the earlier copy, with its
// variables.
#include "process/image/dlopened.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "engine/host/traced.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/output_file.hpp"
#include "process/heap/heap.hpp"
#include "process/image/image.hpp"
#include "process/image/mappings.hpp"
#include "process/image/tls.hpp"

namespace rcce::image {

namespace {

constexpr const char* files_advice = "; raise the limit of open files (ulimit -n) or choose --loading clone";
constexpr const char* size_advice =
    "; raise the limit of a file's size (ulimit -f) or choose --loading clone";

} // namespace

MemoryFile::MemoryFile(const ImageFile& file) {
  const std::string& path = file.path();
  const std::string name = path.substr(path.rfind('/') + 1).substr(0, 200);
  descriptor_ = memfd_create(name.c_str(), MFD_CLOEXEC);
  if (descriptor_ < 0) {
    const int error = errno;
    throw mesh::UserError(file.title() + " cannot be copied: " + std::system_category().message(error) +
                          (error == EMFILE ? files_advice : ""));
  }
  // The standard descriptors may be closed. What is written to them must not arrive here.
  if (descriptor_ <= 2) {
    const int high = fcntl(descriptor_, F_DUPFD_CLOEXEC, 3);
    close(descriptor_);
    descriptor_ = high;
  }
  const std::span<const std::byte> bytes = file.contents();
  const int error =
      mesh::write_whole(descriptor_, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (error == 0) return;
  close(descriptor_);
  throw mesh::UserError(file.title() + " cannot be copied: " + std::system_category().message(error) +
                        (error == EFBIG ? size_advice : ""));
}

MemoryFile::MemoryFile(MemoryFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Loaded::Loaded(const ImageFile& file, const MemoryFile& memory) {
  // /proc/PID, not /proc/self: a debugger has to find the file under the same name.
  const std::string folder = "/proc/" + std::to_string(getpid()) + "/fd/";
  std::string spelling;
  std::string name;
  for (;;) {
    name = folder + spelling + std::to_string(memory.descriptor());
    void* earlier = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (earlier == nullptr) break;
    dlclose(earlier);
    spelling += "./";
  }
  handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    std::string why = dlerror();
    if (why.starts_with(name))
      why = why.substr(name.size() + (why.compare(name.size(), 2, ": ") == 0 ? 2 : 0));
    if (why.find("Too many open files") != std::string::npos) why += files_advice;
    if (access("/proc/self/fd", X_OK) != 0)
      why += "; copies are loaded through /proc, which is not there: mount it (mount -t proc proc /proc)";
    throw mesh::UserError(file.title() + " cannot be loaded: " + why);
  }
  base_ = reinterpret_cast<std::byte*>(static_cast<struct link_map*>(handle_)->l_addr);
}

Loaded::Loaded(Loaded&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), base_(other.base_) {}

Loaded::~Loaded() {
  if (handle_ != nullptr) dlclose(handle_);
}

void raise_descriptor_limit(std::size_t files) {
  constexpr rlim_t others = 256; // what the rest of the process may have open
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= files + others) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, files + others);
  // The system call itself: by its name a UE is refused it.
  syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, nullptr);
}

namespace {

/// While it lives, words of a copy that its relocation leaves constant can be written.
class Unprotected {
 public:
  Unprotected(const ImageFile& file, std::byte* base) {
    const ImageFile::Range relro = file.constant_after_relocation();
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t end = relro.end / page * page;
    begin_ = base + std::min(relro.begin / page * page, end);
    bytes_ = static_cast<std::size_t>(base + end - begin_);
    protect(PROT_READ | PROT_WRITE);
  }
  ~Unprotected() { protect(PROT_READ); }
  Unprotected(const Unprotected&) = delete;
  Unprotected& operator=(const Unprotected&) = delete;

 private:
  void protect(int how) const {
    if (bytes_ != 0) mprotect(begin_, bytes_, how);
  }
  std::byte* begin_;
  std::size_t bytes_;
};

class DlopenImage final : public Image {
 public:
  DlopenImage(const ImageFile& file, MemoryFile memory, Loaded loaded, std::byte* thread_locals)
      : Image(file, loaded.base(), thread_locals), memory_(std::move(memory)), loaded_(std::move(loaded)) {}

  [[nodiscard]] void* link_map() const noexcept override { return loaded_.link_map(); }
  [[nodiscard]] std::byte* linked_base() const noexcept override { return base(); }

  void write(std::span<const Word> words) override {
    if (words.empty()) return;
    const Unprotected open(file(), base());
    Image::write(words);
  }

 private:
  MemoryFile memory_;
  Loaded loaded_;
};

/// Points the copy's references to its thread-local variables to a block on the UE's heap.
std::byte* move_thread_locals(const ImageFile& file, std::byte* base, heap::Heap& heap) {
  std::byte* block = allocate_thread_locals(file, heap);
  if (block == nullptr) return nullptr;
  {
    const Unprotected open(file, base);
    for (const Elf64_Rela& relocation : file.relocations()) {
      auto& slot = *reinterpret_cast<std::uint64_t*>(base + relocation.r_offset);
      if (is_own_module(file, relocation)) slot = thread_local_module(block);
      if (is_thread_local_function(file, relocation)) slot = thread_local_function();
    }
  }
  fill_thread_locals(file, base, block);
  return block;
}

/// Pages that nobody writes to: once in memory for all copies, and so once in the host's caches. Not used
/// under a debugger, which has put its breakpoints into the copy when the dynamic linker announced it.
class Constants {
 public:
  explicit Constants(const ImageFile& file) : file_(file) {
    if (host::traced() || file.packed_relocations()) return;
    mappings_ = mappings_of(file);
    std::erase_if(mappings_, [&](const Mapping& mapping) {
      return (mapping.protection & PROT_WRITE) != 0 || relocated(mapping);
    });
  }

  /// The copy's are those of `first` from now on, a file of the same contents.
  void share(const MemoryFile& first, std::byte* base) const {
    for (const Mapping& mapping : mappings_)
      if (const int error = map_from(first.descriptor(), base, mapping); error != 0)
        throw mesh::UserError(file_.title() + " cannot be loaded: " + std::system_category().message(error));
  }

 private:
  [[nodiscard]] bool relocated(const Mapping& mapping) const {
    return std::ranges::any_of(file_.relocations(), [&](const Elf64_Rela& relocation) {
      return relocation.r_offset - mapping.address < mapping.bytes;
    });
  }

  const ImageFile& file_;
  std::vector<Mapping> mappings_;
};

class DlopenCopies final : public Copies {
 public:
  explicit DlopenCopies(const ImageFile& file) : file_(file), constants_(file), first_(file) {}

  std::unique_ptr<Image> make(std::size_t, heap::Heap& heap) override {
    MemoryFile memory(file_);
    Loaded loaded(file_, memory);
    constants_.share(first_, loaded.base());
    std::byte* const block = move_thread_locals(file_, loaded.base(), heap);
    return std::make_unique<DlopenImage>(file_, std::move(memory), std::move(loaded), block);
  }

 private:
  const ImageFile& file_;
  Constants constants_;
  MemoryFile first_;
};

} // namespace

std::unique_ptr<Copies> copies_of(const ImageFile& file, std::size_t ues, bool clones) {
  if (clones) return copies_by_cloning(file, ues);
  raise_descriptor_limit(ues);
  return copies_by_dlopen(file);
}

std::unique_ptr<Copies> copies_by_dlopen(const ImageFile& file) {
  return std::make_unique<DlopenCopies>(file);
}

} // namespace rcce::image
