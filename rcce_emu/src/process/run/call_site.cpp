// SPDX-License-Identifier: Apache-2.0
#include "process/run/call_site.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

#include "engine/ue/job_state.hpp"
#include "process/heap/heap.hpp"
#include "process/image/image.hpp"
#include "process/process.hpp"
#include "process/run/own_signals.hpp"

extern "C" FILE* _IO_list_all; // the C library's open streams

namespace rcce::run {
namespace {

constexpr std::uint64_t seed = 0x9e3779b97f4a7c15u;
constexpr std::size_t page_bytes = 4096;
/// Bytes of the stack that are compared first.
constexpr std::ptrdiff_t near_bytes = 1024;
/// Registers that a call preserves, by their numbers in DWARF: rbx, rbp, r12 ... r15.
constexpr std::array preserved{3, 6, 12, 13, 14, 15};

constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9fb21c651e98df25u;
  return hash ^ (hash >> 32);
}

/// Raw memory: also what the checkers keep apart, and what other threads may be writing.
[[gnu::no_sanitize("address", "thread", "undefined"), gnu::noinline]] std::uint64_t
mix_bytes(std::uint64_t hash, const std::byte* from, std::size_t bytes) {
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= bytes; i += sizeof(std::uint64_t))
    hash = mix(hash, *reinterpret_cast<const volatile std::uint64_t*>(from + i));
  for (; i < bytes; ++i)
    hash = mix(hash, static_cast<std::uint64_t>(*reinterpret_cast<const volatile std::byte*>(from + i)));
  return hash;
}

/// Those pages of a region that somebody has touched and that can be read: `--check heap` and the program
/// itself lock some.
std::uint64_t mix_touched(std::uint64_t hash, const std::byte* base, std::size_t bytes) {
  std::vector<unsigned char> here((bytes + page_bytes - 1) / page_bytes);
  if (bytes == 0 || mincore(const_cast<std::byte*>(base), bytes, here.data()) != 0) return hash;
  constexpr std::size_t most_at_once = 16;
  std::vector<std::byte> copy(most_at_once * page_bytes);
  std::vector<iovec> pages;
  const int error_before = errno;
  for (std::size_t page = 0; page < here.size(); ++page) {
    if ((here[page] & 1) != 0)
      pages.push_back({const_cast<std::byte*>(base) + page * page_bytes,
                       std::min(page_bytes, bytes - page * page_bytes)});
    const bool last = page + 1 == here.size();
    while (!pages.empty() && (last || pages.size() == most_at_once)) {
      const iovec to{copy.data(), copy.size()};
      // getpid() would count as a call of the UE.
      const ssize_t read =
          process_vm_readv(static_cast<pid_t>(syscall(SYS_getpid)), &to, 1, pages.data(), pages.size(), 0);
      const bool forbidden = read < 0 && errno != EFAULT; // then no page is known to be locked
      std::size_t known = forbidden ? SIZE_MAX : static_cast<std::size_t>(std::max<ssize_t>(read, 0));
      const std::byte* at = copy.data();
      auto next = pages.begin();
      for (; next != pages.end() && known >= next->iov_len;
           known -= next->iov_len, at += next->iov_len, ++next) {
        const auto* const place = static_cast<const std::byte*>(next->iov_base);
        hash = mix(hash, static_cast<std::size_t>(place - base) / page_bytes);
        hash = mix_bytes(hash, forbidden ? place : at, next->iov_len);
      }
      pages.erase(pages.begin(), next == pages.end() ? next : next + 1);
    }
  }
  errno = error_before;
  return hash;
}

/// Mixes in the positions of the C library's streams, standard input among them.
std::uint64_t mix_streams(std::uint64_t hash) {
  for (const FILE* file = _IO_list_all; file != nullptr; file = file->_chain) {
    hash = mix(hash, reinterpret_cast<std::uintptr_t>(file->_IO_read_ptr));
    hash = mix(hash, reinterpret_cast<std::uintptr_t>(file->_IO_write_ptr));
    hash = mix(hash, static_cast<std::uint64_t>(file->_flags));
    if (file->_fileno >= 0)
      hash = mix(hash, static_cast<std::uint64_t>(syscall(SYS_lseek, file->_fileno, 0, SEEK_CUR)));
  }
  return hash;
}

struct Search {
  const Ue& ue;
  const std::byte* stack_high;
  CallSite found;
};

_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* argument) {
  Search& search = *static_cast<Search*>(argument);
  const auto* const place = reinterpret_cast<const std::byte*>(_Unwind_GetIP(context));
  const image::Image* const image = process::image_of(search.ue, place);
  if (image == nullptr || image == search.ue.process->beside.get()) return _URC_NO_REASON;
  CallSite& found = search.found;
  found.place = place;
  found.frame = reinterpret_cast<const std::byte*>(_Unwind_GetCFA(context));
  found.near = seed;
  for (const int number : preserved) found.near = mix(found.near, _Unwind_GetGR(context, number));
  const std::ptrdiff_t above = search.stack_high - found.frame;
  found.near = mix_bytes(found.near, found.frame,
                         static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above, 0, near_bytes)));
  return _URC_NORMAL_STOP;
}

} // namespace

CallSite call_site(const Ue& ue) {
  const process::Process& process = *ue.process;
  Search search{ue, process.stack_high, {}};
  _Unwind_Backtrace(&look_at_frame, &search);
  return search.found;
}

std::uint64_t contents(const Ue& ue, const CallSite& at) {
  const process::Process& process = *ue.process;
  std::uint64_t hash = mix(at.near, reinterpret_cast<std::uintptr_t>(at.place));
  hash = mix_bytes(hash, at.frame,
                   static_cast<std::size_t>(std::max<std::ptrdiff_t>(process.stack_high - at.frame, 0)));
  const std::span<std::byte> data = process.image->data();
  hash = mix_bytes(hash, data.data(), data.size());
  for (const auto& library : process.libraries)
    hash = mix_bytes(hash, library->image->data().data(), library->image->data().size());
  hash = mix_touched(hash, process.heap->base(), process.heap->bytes());
  if (const process::RandomState* const random = process.c.random.get())
    hash = mix_bytes(hash, reinterpret_cast<const std::byte*>(random), sizeof *random);
  if (!ue.engine->concurrent()) hash = mix_streams(hash); // else others may be opening some
  return hash | 1;                                        // never 0
}

std::uint64_t shared_contents(Engine& engine) {
  std::uint64_t hash = seed;
  for (int core = 0; core < engine.cores(); ++core)
    hash = mix_bytes(hash, engine.mpb(core), engine.mpb_bytes());
  return mix_touched(hash, engine.shared_memory(), engine.shared_memory_bytes());
}

bool hears_from_outside(Job& job) {
  for (int rank = 0; rank < job.size(); ++rank)
    if (process::alarm_time(job.ue(rank)) != INT64_MAX) return true;
  return handles_outside(job);
}

} // namespace rcce::run
