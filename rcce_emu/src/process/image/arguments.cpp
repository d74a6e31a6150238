// SPDX-License-Identifier: Apache-2.0
#include "process/image/arguments.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <system_error>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "rcce_emu/job_options.hpp"

namespace rcce::image {

namespace {

/// Up to this many UEs all vectors and strings together stay below 4 MB.
constexpr std::size_t most_ues_with_copies = 512;
constexpr std::size_t page_bytes = 4096;
/// A clock below would be told as 0.000, which is none.
constexpr double least_with_three_decimals = 0.0005;

} // namespace

std::string clock_text(const mesh::MachineDescription& machine) {
  const double ghz = machine.core_mhz() / 1000;
  return ghz < least_with_three_decimals ? fmt::format("{:.9f}", ghz) : fmt::format("{:.3f}", ghz);
}

Arguments::Arguments(const JobOptions& options) {
  const std::size_t ues = options.cores.size();
  words_ = {options.program, std::to_string(ues),
            options.launch.clock.empty() ? clock_text(options.machine) : options.launch.clock};
  if (options.launch.cores.empty()) {
    for (const int core : options.cores) words_.push_back(fmt::format("{:02}", core));
  } else {
    words_.insert(words_.end(), options.launch.cores.begin(), options.launch.cores.end());
  }
  const std::size_t first_argument = words_.size();
  words_.insert(words_.end(), options.arguments.begin(), options.arguments.end());

  if (ues > most_ues_with_copies) {
    own_from_ = first_argument;
    share(ues);
  }
  blocks_.resize(ues);
}

Arguments::~Arguments() {
  if (shared_ != nullptr) munmap(shared_, stride_ * blocks_.size());
}

/// One vector in a memory file, mapped once per UE, side by side so that they share page tables.
void Arguments::share(std::size_t ues) {
  std::vector<char*> pointers;
  for (std::string& word : words_) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::size_t bytes = pointers.size() * sizeof(char*);
  stride_ = (bytes + page_bytes - 1) / page_bytes * page_bytes;

  const auto refuse = [](const char* what) {
    throw mesh::UserError(
        fmt::format("arguments of the UEs: {}: {}", what, std::system_category().message(errno)));
  };
  const int file = memfd_create("argv", MFD_CLOEXEC);
  if (file < 0) refuse("no memory file");
  void* whole = MAP_FAILED;
  if (::write(file, pointers.data(), bytes) == static_cast<ssize_t>(bytes))
    whole = mmap(nullptr, stride_ * ues, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  bool mapped = whole != MAP_FAILED;
  for (std::size_t rank = 0; mapped && rank < ues; ++rank)
    mapped = mmap(static_cast<std::byte*>(whole) + rank * stride_, stride_, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0) != MAP_FAILED;
  close(file);
  if (!mapped) {
    const int error = errno;
    if (whole != MAP_FAILED) munmap(whole, stride_ * ues);
    errno = error;
    refuse("cannot be mapped");
  }
  shared_ = static_cast<std::byte*>(whole);
}

char** Arguments::vector(std::size_t rank) noexcept {
  const std::size_t own_pointers = shared_ == nullptr ? words_.size() + 1 : 0;
  std::size_t bytes = own_pointers * sizeof(char*);
  for (std::size_t i = own_from_; i < words_.size(); ++i) bytes += words_[i].size() + 1;
  const std::size_t unit = shared_ == nullptr ? page_bytes : alignof(std::max_align_t);
  bytes = (bytes + unit - 1) / unit * unit;
  Block& block = blocks_[rank];
  if (bytes > 0) block.base.reset(static_cast<std::byte*>(std::aligned_alloc(unit, bytes)));
  block.bytes = bytes;
  char** const pointers =
      reinterpret_cast<char**>(shared_ == nullptr ? block.base.get() : shared_ + rank * stride_);
  if (own_pointers > 0) pointers[words_.size()] = nullptr;
  char* at = reinterpret_cast<char*>(block.base.get()) + own_pointers * sizeof(char*);
  for (std::size_t i = own_from_; i < words_.size(); ++i) {
    pointers[i] = at;
    std::memcpy(at, words_[i].c_str(), words_[i].size() + 1);
    at += words_[i].size() + 1;
  }
  return pointers;
}

std::span<const std::byte> Arguments::memory(std::size_t rank) const noexcept {
  if (shared_ != nullptr) return {};
  return {blocks_[rank].base.get(), blocks_[rank].bytes};
}

} // namespace rcce::image
