// SPDX-License-Identifier: Apache-2.0
#include "process/image/kept.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <mutex>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace rcce::image {

namespace {

constexpr std::size_t most_idle = 8;
/// Least number of clones that there is room for, a power of two: sweeps change their number.
constexpr std::size_t least_kept = 64;
/// Writable bytes of all clones of a program: those of more are not kept.
constexpr std::size_t most_bytes = std::size_t{64} << 20;
std::mutex idle_mutex;

std::string identity_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  std::string identity = path;
  for (const auto number :
       {std::uint64_t{status.st_dev}, std::uint64_t{status.st_ino},
        static_cast<std::uint64_t>(status.st_size), static_cast<std::uint64_t>(status.st_mtim.tv_sec),
        static_cast<std::uint64_t>(status.st_mtim.tv_nsec)})
    identity += ' ' + std::to_string(number);
  return identity;
}

} // namespace

/// Never destroyed: at the end of the process nobody asks the dynamic linker to take anything back.
std::vector<std::unique_ptr<Program::Parts>>& Program::idle() {
  static auto& parts = *new std::vector<std::unique_ptr<Parts>>;
  return parts;
}

Program::Program(const std::string& path, std::size_t ues, bool kept) {
  std::string identity = kept ? identity_of(path) : std::string();
  if (kept) ues = std::bit_ceil(std::max(ues, least_kept));
  if (!identity.empty()) {
    const std::lock_guard lock(idle_mutex);
    const auto found = std::ranges::find_if(idle(), [&](const std::unique_ptr<Parts>& parts) {
      return parts->ues == ues && parts->identity == identity;
    });
    if (found != idle().end()) {
      parts_ = std::move(*found);
      idle().erase(found);
      return;
    }
  }
  parts_ = std::unique_ptr<Parts>(new Parts{ImageFile(path), std::move(identity), ues, nullptr});
}

Copies& Program::copies(bool clones) {
  if (parts_->copies == nullptr || parts_->are_clones != clones) {
    parts_->copies = copies_of(parts_->file, parts_->ues, clones);
    parts_->are_clones = clones;
  }
  return *parts_->copies;
}

Program::~Program() {
  if (parts_->identity.empty() || !parts_->are_clones) return;
  if (parts_->file.data().bytes() > most_bytes / parts_->ues) return;
  std::unique_ptr<Parts> oldest; // declared before the lock: destroyed behind it
  const std::lock_guard lock(idle_mutex);
  if (idle().size() == most_idle) {
    oldest = std::move(idle().front());
    idle().erase(idle().begin());
  }
  idle().push_back(std::move(parts_));
}

} // namespace rcce::image
