// SPDX-License-Identifier: Apache-2.0
// What programs compiled by rccecc --observe tell of their own loads and stores, and what others leave
// unseen: that the program has been handed pointers to memory that UEs share. Nobody listens in ordinary
// runs.
#include "library/entries/observation.hpp"

#include <algorithm>
#include <cerrno>
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/uio.h>
#include <tuple>
#include <unistd.h>
#include <vector>

#include "engine/ue/job_state.hpp"
#include "engine/ue/ue.hpp"
#include "library/protocol/facts.hpp"
#include "process/image/image.hpp"
#include "process/image/part/entries.h"
#include "process/libc/state/host_values.hpp"
#include "process/process.hpp"
#include "watch/explore/interference.hpp"

#define ROCKCREEK_ENTRY(type) extern "C" __attribute__((visibility("default"))) type

namespace rcce::protocol {

void tell_handed_out(const Ue& ue) {
  if (explore::Interference* const interference = ue.job->interference()) interference->hands_out();
  tell_fact(ue, ProgramFact{.kind = ProgramFact::Kind::has_pointers});
}

} // namespace rcce::protocol

using namespace rcce;

ROCKCREEK_ENTRY(void)
rockcreek_observe(void* handle, unsigned long* begin, unsigned long* bytes) noexcept {
  auto* const ue = static_cast<Ue*>(handle);
  if (ue == nullptr) return;
  ue->job->note_observed();
  explore::Interference* const interference = ue->job->interference();
  if (interference == nullptr && ue->facts == nullptr) return;
  std::tie(*begin, *bytes) = ue->engine->visible_memory();
  if (interference != nullptr) interference->observes();
  protocol::tell_fact(*ue, protocol::ProgramFact{protocol::ProgramFact::Kind::tells_accesses, begin, bytes});
}

namespace {

/// True if the function or object at the place is the program's own. Otherwise `library` is its owner, whose
/// accesses are not seen.
bool is_of_program(const Ue& ue, const void* place, std::string& library) {
  const image::Image* const image = process::image_of(ue, place);
  if (image == nullptr || image->file().is_program()) return image != nullptr;
  library = image->file().absolute_path();
  library.erase(0, library.rfind('/') + 1);
  return false;
}

/// Who gets an address: "writev()", "a function of liba.so".
std::string name_of(const void* function, const std::string& library) {
  if (function == nullptr) return "inline assembler";
  if (function == reinterpret_cast<const void*>(ROCKCREEK_VECTORS)) return "vector instructions";
  if (!library.empty()) return "library " + library;
  Dl_info found{};
  const bool known = dladdr(function, &found) != 0 && found.dli_sname != nullptr;
  return known ? fmt::format("{}()", found.dli_sname) : "a library";
}

void give(const Ue& ue, const void* address, const void* function) {
  explore::Interference* const interference = ue.job->interference();
  std::string library;
  if (interference != nullptr && interference->is_shared(address) && !is_of_program(ue, function, library))
    interference->gives_away(name_of(function, library));
}

/// The address is stored in what may be a library's.
void keep(const Ue& ue, const void* address, const void* place) {
  explore::Interference* const interference = ue.job->interference();
  std::string library;
  if (interference != nullptr && interference->is_shared(address) && !is_of_program(ue, place, library) &&
      !library.empty())
    interference->gives_away(name_of(place, library));
}

/// As far as they are readable: a pointer that the program has not set may lead anywhere. Where the host does
/// not say, what is shared.
std::vector<const void*> words_at(const Ue& ue, const void* address, std::size_t bytes) {
  const int error_before = errno;
  std::vector<const void*> words(bytes / sizeof(void*));
  const iovec to{words.data(), words.size() * sizeof(void*)};
  const iovec from{const_cast<void*>(address), to.iov_len};
  const ssize_t read = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
  if (read < 0 && errno != EFAULT)
    words = {reinterpret_cast<const void*>(ue.engine->visible_memory().first)};
  else
    words.resize(static_cast<std::size_t>(std::max<ssize_t>(read, 0)) / sizeof(void*));
  errno = error_before;
  return words;
}

/// The object that the pointer at `place` leads to; `sizes` as for ROCKCREEK_POINTED. A negative number
/// counts as none, a great one as `most`.
std::pair<const void*, std::size_t> pointed_from(const Ue& ue, const void* place, std::size_t sizes) {
  constexpr std::size_t most = 1024;
  const std::vector<const void*> words = words_at(ue, place, 2 * sizeof(void*));
  if (words.empty()) return {};
  const std::size_t number_bytes = sizes >> 32;
  std::size_t number = 1;
  if (number_bytes != 0 && words.size() > 1) {
    number = reinterpret_cast<std::uintptr_t>(words[1]);
    if (number_bytes < sizeof number) number &= (std::size_t{1} << 8 * number_bytes) - 1;
    if (number >> (8 * number_bytes - 1) != 0) number = 1;
  }
  return {words.front(), (sizes & 0xffffffff) * std::clamp<std::size_t>(number, 1, most)};
}

} // namespace

ROCKCREEK_ENTRY(void)
rockcreek_observed(void* handle, const void* address, unsigned long bytes, unsigned how, unsigned long value,
                   const void* code) noexcept {
  auto* const ue = static_cast<Ue*>(handle);
  if (ue == nullptr || bytes == 0) return;
  const auto* const place = reinterpret_cast<const std::byte*>(value);
  if ((how & ROCKCREEK_KEEPS) != 0) return keep(*ue, address, place);
  if ((how & ROCKCREEK_ASKS) != 0) return libc::note_asked(*ue, reinterpret_cast<const char*>(value));
  if ((how & ROCKCREEK_WITHIN) != 0) {
    if ((how & ROCKCREEK_POINTED) != 0) std::tie(address, bytes) = pointed_from(*ue, address, bytes);
    for (const void* const held : words_at(*ue, address, bytes)) give(*ue, held, place);
    return;
  }
  mesh::PlainAccess access{.address = static_cast<const std::byte*>(address),
                           .bytes = bytes,
                           .write = (how & ROCKCREEK_WRITE) != 0,
                           .look = (how & ROCKCREEK_LOOK) != 0,
                           .wait = (how & ROCKCREEK_WAIT) != 0,
                           .loop = (how & ROCKCREEK_WAIT) != 0 ? value & ((1ul << ROCKCREEK_READ) - 1) : 0,
                           .read = static_cast<unsigned>(value >> ROCKCREEK_READ),
                           .atomic = (how & ROCKCREEK_ATOMIC) != 0,
                           .known = (how & (ROCKCREEK_FILL | ROCKCREEK_COPY | ROCKCREEK_VALUE)) != 0,
                           .filled = static_cast<std::byte>(value)};
  if ((how & ROCKCREEK_VALUE) != 0) access.value = value;
  if ((how & ROCKCREEK_COPY) != 0) access.source = reinterpret_cast<const std::byte*>(value);
  // The return address lies behind the call, which may be another line.
  access.code = process::place_of(*ue, static_cast<const char*>(code) - 1).offset;
  if (explore::Interference* const interference = ue->job->interference()) {
    // It acts when the program has come to it. Behind a store point its cycles are charged already.
    if (ue->own_cycles != nullptr && static_cast<long>(*ue->own_cycles) > 0) charge_own_code(*ue);
    interference->plain(access);
  }
  protocol::tell_fact(*ue, access);
}

ROCKCREEK_ENTRY(void)
rockcreek_given(void* handle, const void* address, const void* function) noexcept {
  auto* const ue = static_cast<Ue*>(handle);
  if (ue != nullptr) give(*ue, address, function);
}
