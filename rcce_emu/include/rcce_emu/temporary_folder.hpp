// SPDX-License-Identifier: Apache-2.0
// A folder of a command's own for intermediate files, gone when the command ends. What a killed command has
// left is removed by the next one: a folder is locked as long as its command lives.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rcce_emu/environment.hpp"

namespace rcce {

class TemporaryFolder {
 public:
  /// Makes a folder named after `command`. `made` false: only chooses a name. Throws std::runtime_error.
  explicit TemporaryFolder(const std::string& command, bool made = true) {
    const char* parent = std::getenv(environment::temporary_folder.name);
    path_ = std::string(parent != nullptr && *parent != '\0' ? parent : "/tmp") + "/" + command + "-XXXXXX";
    if (!made) return;
    remove_left(std::filesystem::path(path_).parent_path(), command + "-");
    if (mkdtemp(path_.data()) == nullptr)
      throw std::runtime_error("cannot make a temporary folder '" + path_ + "': " + std::strerror(errno) +
                               "; set TMPDIR to a folder that can be written");
    lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ >= 0) flock(lock_, LOCK_EX | LOCK_NB);
    made_ = true;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    remove();
    if (lock_ >= 0) close(lock_);
  }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  void remove() noexcept {
    std::error_code ignored;
    if (made_) std::filesystem::remove_all(path_, ignored);
  }

 private:
  /// Those of the same user that nobody holds. One that has just been made may not be locked yet.
  static void remove_left(const std::filesystem::path& parent, const std::string& prefix) noexcept {
    constexpr std::time_t young_seconds = 60;
    constexpr std::size_t random_letters = 6;
    std::error_code error;
    for (std::filesystem::directory_iterator each(parent, error), end; !error && each != end;
         each.increment(error)) {
      const std::string name = each->path().filename().string();
      if (!name.starts_with(prefix) || name.size() != prefix.size() + random_letters) continue;
      const int fd = open(each->path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (fd < 0) continue;
      struct stat found {};
      if (fstat(fd, &found) == 0 && found.st_uid == geteuid() &&
          std::time(nullptr) - found.st_mtime > young_seconds && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        std::error_code ignored;
        std::filesystem::remove_all(each->path(), ignored);
      }
      close(fd);
    }
  }

  std::string path_;
  int lock_ = -1; ///< the folder, as long as the command lives
  bool made_ = false;
};

} // namespace rcce
