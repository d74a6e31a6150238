// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/output_file.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mesh_sim/errors.hpp"

namespace mesh {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40; // as the kernel follows
constexpr unsigned long size_signal = 1UL << (SIGXFSZ - 1);

/// The target of a symbolic link, in one step; nothing if it is none.
std::optional<fs::path> link_target(const fs::path& file) {
  std::error_code error;
  const fs::path target = fs::read_symlink(file, error);
  if (error) return std::nullopt;
  return target.is_absolute() ? target : file.parent_path() / target;
}

/// The file behind all links.
fs::path followed(fs::path file) {
  for (int i = 0; i < most_links; ++i) {
    auto target = link_target(file);
    if (!target) break;
    file = std::move(*target);
  }
  return file;
}

/// The descriptor that a name stands for: 63 of "/dev/fd/63".
std::optional<int> descriptor_of(const std::string& file) {
  if (file == standard_output) return STDOUT_FILENO;
  fs::path path = file;
  for (int i = 0; i < most_links; ++i) {
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
      const std::string& name = path.native();
      if (!name.starts_with(folder)) continue;
      int number = 0;
      const char* const end = name.data() + name.size();
      const auto [rest, error] = std::from_chars(name.data() + folder.size(), end, number);
      if (error == std::errc() && rest == end) return number;
    }
    auto target = link_target(path);
    if (!target) break;
    path = std::move(*target);
  }
  return std::nullopt;
}

std::string why_no_descriptor(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  if (flags < 0) return fmt::format("descriptor {} is not open", fd);
  if ((flags & O_ACCMODE) == O_RDONLY) return fmt::format("descriptor {} is open for reading only", fd);
  return {};
}

std::string why_no_file_in(const fs::path& file) {
  fs::path folder = file.parent_path();
  if (folder.empty()) folder = ".";
  std::error_code ignored;
  if (fs::is_directory(folder, ignored) && access(folder.c_str(), W_OK | X_OK) == 0) return {};
  return fmt::format("no file can be written in '{}'; choose another place",
                     fs::absolute(folder, ignored).lexically_normal().native());
}

/// Closes the file. Returns the number of the first error.
int close_after(int error, int fd) noexcept {
  if (close(fd) != 0 && error == 0) error = errno;
  return error;
}

/// The whole text into an open file, which is closed then. Returns the number of the first error.
int write_and_close(int fd, std::string_view text) noexcept {
  return close_after(write_whole(fd, text), fd);
}

/// Calls make(name) with names in the folder, to which it sets `name`, until one is free. Returns what make
/// has returned: -1 with errno where it cannot be done.
template <class Make>
int with_free_name(const fs::path& folder, fs::path& name, const Make& make) {
  for (int i = 0; i < 100; ++i) {
    name = folder / fmt::format(".rockcreek-{}-{}", getpid(), i);
    const int made = make(name.c_str());
    if (made >= 0 || errno != EEXIST) return made;
  }
  return -1;
}

/// A new file beside another. As long as the system lets it be it has no name, so that nothing is left of it
/// when the process is killed.
class FileBeside {
 public:
  explicit FileBeside(fs::path folder) : folder_(std::move(folder)) {
    if (access("/proc/self/fd", X_OK) == 0)
      fd_ = open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (fd_ < 0)
      fd_ = with_free_name(folder_, name_, [](const char* name) {
        return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      });
  }
  [[nodiscard]] int fd() const noexcept { return fd_; }

  /// Closes it and gives it that name. `error`: of what was written; then it goes. Returns the first error.
  int become(const fs::path& file, int error) {
    if (error == 0 && name_.empty()) {
      const std::string self = fmt::format("/proc/self/fd/{}", fd_);
      const auto link = [&self](const char* name) {
        return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
      };
      if (with_free_name(folder_, name_, link) < 0) error = errno, name_.clear();
    }
    error = close_after(error, fd_);
    if (error == 0 && rename(name_.c_str(), file.c_str()) != 0) error = errno;
    if (error != 0 && !name_.empty()) unlink(name_.c_str());
    return error;
  }

 private:
  fs::path folder_, name_;
  int fd_ = -1;
};

/// Into the file itself, where it cannot be replaced: its folder is not ours, or it has several names.
/// Nothing is left in it where that fails.
int write_in_place(const fs::path& file, std::string_view text) noexcept {
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return errno;
  const int error = write_and_close(fd, text);
  if (error != 0) (void)!truncate(file.c_str(), 0);
  return error;
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// `there`: what the file is by now; nothing where there is none.
int write_regular(const fs::path& file, const struct stat* there, std::string_view text) {
  if (there != nullptr && (there->st_nlink > 1 || access(file.c_str(), W_OK) != 0))
    return write_in_place(file, text);
  FileBeside beside(folder_of(file));
  const int fd = beside.fd();
  if (fd < 0) return write_in_place(file, text);
  if (there != nullptr) {
    (void)!fchown(fd, there->st_uid, there->st_gid); // of somebody else's file only root can keep the owner
    (void)!fchmod(fd, there->st_mode & 07777);
  }
  const int error = beside.become(file, write_whole(fd, text));
  return error == EBUSY ? write_in_place(file, text) : error; // a file that is mounted cannot be replaced
}

int write_file(const std::string& name, std::string_view text) {
  if (const auto descriptor = descriptor_of(name)) {
    if (*descriptor == STDOUT_FILENO && std::fflush(stdout) != 0) return errno;
    return write_whole(*descriptor, text);
  }
  const fs::path file = followed(name);
  struct stat there {};
  if (stat(file.c_str(), &there) != 0) return write_regular(file, nullptr, text);
  if (S_ISREG(there.st_mode)) return write_regular(file, &there, text);
  const int fd = open(file.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  return fd < 0 ? errno : write_and_close(fd, text);
}

} // namespace

std::string output_name(const std::string& file) {
  return descriptor_of(file) == STDOUT_FILENO ? std::string(standard_output) : file;
}

std::string why_unwritable(const std::string& file, bool overwrite) {
  if (file.empty()) return "takes the name of a file";
  if (const auto descriptor = descriptor_of(file)) return why_no_descriptor(*descriptor);
  struct stat there {};
  if (stat(file.c_str(), &there) == 0) {
    if (S_ISDIR(there.st_mode)) return "this is a folder; name a file in it";
    if (access(file.c_str(), W_OK) != 0)
      return fmt::format("cannot be written: {}; choose another place", std::strerror(errno));
    return {};
  }
  if (const auto target = link_target(file); target && !overwrite)
    return fmt::format(
        "this is a symbolic link to '{}', which does not exist; name that file, or create it by --force",
        target->native());
  return why_no_file_in(followed(file));
}

std::string why_not_new(const std::string& file, bool overwrite) {
  std::error_code ignored;
  if (!overwrite && !descriptor_of(file) && fs::is_regular_file(file, ignored))
    return "the file exists; choose another, or overwrite it by --force";
  return why_unwritable(file, overwrite);
}

bool same_file(const std::string& one, const std::string& other) {
  std::error_code unknown;
  if (one != standard_output && fs::is_character_file(one, unknown)) return false;
  if (one == other) return true;
  // Of a relative name that is not there yet it would leave the folder out.
  const fs::path first = fs::weakly_canonical(fs::absolute(one, unknown), unknown);
  if (unknown) return false;
  const fs::path second = fs::weakly_canonical(fs::absolute(other, unknown), unknown);
  return !unknown && first == second;
}

void throw_unwritten(const char* option, const std::string& file, int error, std::string_view rest) {
  throw UserError(fmt::format("{} '{}': cannot be written: {}{}; choose another place", option, file,
                              std::strerror(error), rest));
}

void write_output(const char* option, const std::string& file, std::string_view text) {
  if (const int error = write_file(file, text); error != 0) throw_unwritten(option, file, error);
}

void replace_output(const char* option, const std::string& file, std::string_view text) {
  FileBeside beside(folder_of(file));
  if (beside.fd() < 0) throw_unwritten(option, file, errno);
  struct stat there {};
  if (lstat(file.c_str(), &there) == 0 && S_ISREG(there.st_mode))
    (void)!fchmod(beside.fd(), there.st_mode & 07777);
  if (const int error = beside.become(file, write_whole(beside.fd(), text)); error != 0)
    throw_unwritten(option, file, error);
}

void write_error(const char* option, std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stderr) < text.size())
    throw OutputFailed(
        fmt::format("{}: standard error cannot be written: {}; name a file", option, std::strerror(errno)));
}

void write_text(const char* option, const std::string& file, std::string_view text) {
  if (file.empty())
    write_error(option, text);
  else
    write_output(option, file, text);
}

int open_output(const std::string& file) {
  if (const auto descriptor = descriptor_of(file)) return fcntl(*descriptor, F_DUPFD_CLOEXEC, 0);
  return open(file.c_str(), O_WRONLY | O_CREAT | O_NOCTTY | O_CLOEXEC, 0666);
}

int write_whole(int fd, std::string_view text) noexcept {
  const SizeLimitFails fails;
  while (!text.empty()) {
    const long n = syscall(SYS_write, fd, text.data(), text.size());
    if (n >= 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      pollfd wait{fd, POLLOUT, 0};
      poll(&wait, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

SizeLimitFails::SizeLimitFails() noexcept {
  rlimit limit{};
  const bool known = syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, nullptr, &limit) == 0;
  if (!known || limit.rlim_cur == RLIM_INFINITY) return;
  const unsigned long set = size_signal;
  blocks_ = syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, &before_, sizeof set) == 0;
}

SizeLimitFails::~SizeLimitFails() {
  if (!blocks_) return;
  const int error = errno;
  const unsigned long set = size_signal;
  if ((before_ & size_signal) == 0) { // what came meanwhile is taken away
    const timespec at_once{};
    syscall(SYS_rt_sigtimedwait, &set, nullptr, &at_once, sizeof set);
  }
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before_, nullptr, sizeof before_);
  errno = error;
}

} // namespace mesh
