// SPDX-License-Identifier: Apache-2.0
// Streams of the C library that a UE opens: their buffers lie in its heap. The stream itself, some 600 bytes,
// is the C library's, which keeps a list of all.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/libc/exports.hpp"
#include "process/libc/state/host_values.hpp"
#include "process/libc/state/malloc.hpp"
#include "process/libc/streams/descriptors.hpp"
#include "process/libc/streams/files.hpp"
#include "process/libc/waits/readiness.hpp"

namespace rcce::libc {
namespace {

/// The size of buffer that the C library would choose.
std::size_t buffer_bytes(FILE* file) noexcept {
  struct stat facts {};
  const bool known = ::fstat(::fileno(file), &facts) == 0 && facts.st_blksize > 0;
  return known ? std::min<std::size_t>(static_cast<std::size_t>(facts.st_blksize), BUFSIZ) : BUFSIZ;
}

/// Returns `file`; null where the UE's heap is full.
FILE* with_own_buffer(FILE* file) {
  heap::Heap* heap = file == nullptr ? nullptr : library_heap();
  if (heap == nullptr) return file;
  const std::size_t bytes = buffer_bytes(file);
  void* const buffer = allocate_in(*heap, 0, bytes);
  if (buffer == nullptr) {
    std::fclose(file);
    errno = ENOMEM;
    return nullptr;
  }
  const bool lines = ::isatty(::fileno(file)) != 0;
  std::setvbuf(file, static_cast<char*>(buffer), lines ? _IOLBF : _IOFBF, bytes);
  CLibrary& c = *calling_library();
  if (!c.files) c.files = std::make_unique<process::Files>();
  c.files->buffers[file] = buffer;
  return file;
}

/// A stream whose reads and writes are the UE's own calls, which leave the thread to others while they wait
/// and know where its output goes.
class OwnCalls {
 public:
  static FILE* open(int descriptor, const char* mode, pid_t child = 0) {
    std::unique_ptr<OwnCalls> self(new OwnCalls(descriptor, child));
    FILE* file = fopencookie(self.get(), mode, {read_some, write_some, nullptr, close_it});
    if (file == nullptr) return nullptr;
    self.release();
    file->_fileno = descriptor;
    return file;
  }

 private:
  static ssize_t read_some(void* self, char* text, std::size_t bytes) {
    return ::read(static_cast<OwnCalls*>(self)->descriptor_, text, bytes);
  }
  static ssize_t write_some(void* self, const char* text, std::size_t bytes) {
    // As fopencookie() wants it.
    return std::max<ssize_t>(::write(static_cast<OwnCalls*>(self)->descriptor_, text, bytes), 0);
  }
  static int close_it(void* self) {
    const std::unique_ptr<OwnCalls> own(static_cast<OwnCalls*>(self));
    const int result = ::close(own->descriptor_);
    int status = -1;
    if (own->child_ == 0) return result;
    return TEMP_FAILURE_RETRY(::waitpid(own->child_, &status, 0)) < 0 ? -1 : status;
  }

  OwnCalls(int descriptor, pid_t child) : descriptor_(descriptor), child_(child) {}

  int descriptor_;
  pid_t child_; ///< that closing waits for, 0: none
};

/// A stream of a descriptor that others may have to act for, or that leads to the UE's output; null where it
/// is neither.
FILE* open_by_own_calls(int descriptor, const char* mode) {
  const Ue* ue = calling_ue();
  if (ue == nullptr) return nullptr;
  struct stat facts {};
  const bool output = is_output(descriptor) || kept_stream(*ue, descriptor) != 0;
  if (!output && (::fstat(descriptor, &facts) != 0 || !(S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode))))
    return nullptr;
  FILE* file = OwnCalls::open(descriptor, mode);
  if (file != nullptr && output) std::setvbuf(file, nullptr, _IONBF, 0);
  return file;
}

/// fopen() by one of its names.
template <host::Symbol name>
FILE* open_file(const char* path, const char* mode) {
  note_opened(path, std::strpbrk(mode, "wa+") != nullptr);
  if (calling_ue() != nullptr && is_pipe(path)) {
    const int flags = std::strchr(mode, '+') != nullptr ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
    const int descriptor = ::open(path, flags);
    return descriptor < 0 ? nullptr : fdopen(descriptor, mode);
  }
  return with_own_buffer(library_function<name, FILE*(const char*, const char*)>()(path, mode));
}

/// The destination of open_memstream().
class MemoryStream {
 public:
  MemoryStream(heap::Heap& heap, char** text, std::size_t* bytes) : heap_(heap), text_(text), bytes_(bytes) {}

  /// False where the heap has no room for it.
  bool hold(std::size_t bytes) {
    if (bytes < capacity_) return true;
    const std::size_t wanted = std::max(bytes + 1, 2 * capacity_);
    void* const grown =
        data_ == nullptr ? allocate_in(heap_, 0, wanted) : reallocate_in(heap_, data_, wanted);
    if (grown == nullptr) return false;
    data_ = static_cast<char*>(grown);
    std::memset(data_ + capacity_, 0, wanted - capacity_);
    capacity_ = wanted;
    return true;
  }
  void tell() noexcept {
    *text_ = data_;
    *bytes_ = position_;
  }

  static ssize_t write(void* self, const char* text, std::size_t bytes) {
    auto& stream = *static_cast<MemoryStream*>(self);
    if (!stream.hold(stream.position_ + bytes)) {
      errno = ENOMEM;
      return 0; // what fopencookie() wants to see after an error
    }
    std::memcpy(stream.data_ + stream.position_, text, bytes);
    stream.position_ += bytes;
    stream.length_ = std::max(stream.length_, stream.position_);
    stream.tell();
    return static_cast<ssize_t>(bytes);
  }
  static int seek(void* self, off64_t* offset, int whence) {
    auto& stream = *static_cast<MemoryStream*>(self);
    const off64_t from = whence == SEEK_SET ? 0
        : whence == SEEK_CUR                ? static_cast<off64_t>(stream.position_)
                                            : static_cast<off64_t>(stream.length_);
    const off64_t to = from + *offset;
    if (to < 0) return failed(EINVAL);
    if (!stream.hold(static_cast<std::size_t>(to))) return failed(ENOMEM);
    stream.position_ = static_cast<std::size_t>(to);
    stream.tell();
    *offset = to;
    return 0;
  }
  static int close(void* self) {
    delete static_cast<MemoryStream*>(self);
    return 0;
  }

 private:
  heap::Heap& heap_;
  char** text_;
  std::size_t* bytes_;
  char* data_ = nullptr; ///< the user's, who frees it
  std::size_t capacity_ = 0, position_ = 0, length_ = 0;
};

FILE* open_memory(heap::Heap& heap, char** text, std::size_t* bytes) {
  auto stream = std::make_unique<MemoryStream>(heap, text, bytes);
  if (!stream->hold(0)) {
    errno = ENOMEM;
    return nullptr;
  }
  stream->tell();
  FILE* file =
      fopencookie(stream.get(), "w", {nullptr, MemoryStream::write, MemoryStream::seek, MemoryStream::close});
  if (file == nullptr) return nullptr;
  stream.release();
  std::setvbuf(file, nullptr, _IONBF, 0);
  return file;
}

} // namespace

FILE* open_child_stream(int descriptor, const char* mode, pid_t child) {
  return OwnCalls::open(descriptor, mode, child);
}

void forget_buffer(FILE* file) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr || !c->files) return;
  const auto own = c->files->buffers.find(file);
  if (own == c->files->buffers.end()) return;
  std::free(own->second);
  c->files->buffers.erase(own);
}

} // namespace rcce::libc

/// Text that is still in them goes to the files while the buffers are there.
rcce::process::Files::~Files() {
  for (const auto& [file, buffer] : buffers) std::setvbuf(file, nullptr, _IONBF, 0);
}

using namespace rcce;
using namespace rcce::libc;

extern "C" {

FILE* fopen(const char* path, const char* mode) {
  return open_file<"fopen">(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  return open_file<"fopen64">(path, mode);
}
FILE* fdopen(int descriptor, const char* mode) noexcept {
  static auto* const real = real_function<FILE*(int, const char*)>("fdopen");
  if (FILE* file = open_by_own_calls(descriptor, mode)) return file;
  Ue* ue = descriptor == 0 ? calling_ue() : nullptr;
  if (ue == nullptr) return with_own_buffer(real(descriptor, mode));
  const int copy = dup(0);
  return copy < 0 ? nullptr : with_own_buffer(real(copy, mode));
}
FILE* tmpfile() {
  return with_own_buffer(real_function<FILE*()>("tmpfile")());
}
FILE* tmpfile64() {
  return with_own_buffer(real_function<FILE*()>("tmpfile64")());
}
FILE* open_memstream(char** text, size_t* bytes) noexcept {
  heap::Heap* heap = library_heap();
  if (heap != nullptr) return open_memory(*heap, text, bytes);
  return real_function<FILE*(char**, size_t*)>("open_memstream")(text, bytes);
}

} // extern "C"
