// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/flags.hpp"

#include <cstring>

#include "engine/ue/job_state.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/diagnostics.hpp"
#include "library/protocol/facts.hpp"
#include "library/protocol/mpb.hpp"

namespace rcce::protocol {
namespace {

using mesh::line_bytes;

/// RCCE_FLAG as programs know it, by generation and flag mode. RWTH's 1.0 has bits as 2.0 does.
struct PublicFlag20 {
  int location;
  MpbPointer flag_addr;
  MpbPointer line_address;
};
struct PublicFlag10Bits {
  int location;
  MpbPointer line_address;
};
using PublicFlag10Line = MpbPointer;

/// The same for all of them.
struct Handle {
  int location;
  MpbPointer word; ///< null: none
  MpbPointer line;
};

bool three_fields(const Library& library) {
  return library.image.flag_bytes == sizeof(PublicFlag20);
}

Handle read_handle(const Library& library, const void* flag) {
  if (three_fields(library)) {
    const auto& handle = *static_cast<const PublicFlag20*>(flag);
    return {handle.location, handle.flag_addr, handle.line_address};
  }
  if (library.scheme.single_bit) {
    const auto& handle = *static_cast<const PublicFlag10Bits*>(flag);
    const std::size_t word = handle.location < 0 ? 0 : flag_word(library.scheme, handle.location).offset;
    return {handle.location, handle.line_address == nullptr ? nullptr : handle.line_address + word,
            handle.line_address};
  }
  const MpbPointer line = *static_cast<const PublicFlag10Line*>(flag);
  return {line == nullptr ? -1 : 0, line, line};
}

void write_handle(const Library& library, void* flag, int location, MpbPointer word, MpbPointer line) {
  if (three_fields(library)) {
    *static_cast<PublicFlag20*>(flag) = {location, word, line};
  } else if (library.scheme.single_bit) {
    *static_cast<PublicFlag10Bits*>(flag) = {location, line};
  } else {
    *static_cast<PublicFlag10Line*>(flag) = line;
  }
}

/// The offset of a line for flags in the own MPB; nothing where no line is left.
std::optional<std::size_t> new_line(Library& library) {
  const MpbPointer line = allocate(library, line_bytes);
  if (line == nullptr) return std::nullopt;
  const std::size_t offset = own_offset(library, line, line_bytes);
  tell_fact(library.ue, MemoryFact{MemoryFact::Kind::flags, offset});
  return offset;
}

int no_flag_left(Library& library) {
  const bool lines = library.scheme.whole_line && !library.scheme.single_bit;
  return error_return(library, *library.image.debug_synch,
                      lines ? Error::flag_undefined : Error::flag_not_allocated);
}

/// Returns the offset of the flag's word.
std::size_t show_position(Library& library, void* flag, FlagPosition position) {
  const std::size_t word = position.line + flag_word(library.scheme, position.location).offset;
  write_handle(library, flag, position.location, own_address(library, word),
               own_address(library, position.line));
  return word;
}

/// The original lets the location pass that is one too large.
bool defined(const Library& library, const void* flag) {
  if (flag == nullptr) return false;
  const Handle handle = read_handle(library, flag);
  return handle.location >= 0 && handle.location <= library.scheme.per_line;
}

int encoded(const FlagScheme& scheme, std::uint32_t word, std::uint32_t mask) {
  return scheme.single_bit ? (word & mask) != 0 : static_cast<int>(word & mask);
}

std::uint32_t load_word(const Library& library, const Line& line, FlagWord word) {
  std::uint32_t value = 0;
  std::memcpy(&value, line.data() + word.offset % line_bytes, library.scheme.word_bytes);
  return value;
}

/// 1.0: reads the flag's line, unless all of it is the flag's; changes the flag; puts the line.
[[gnu::noinline]] void set_flag_in_line(Library& library, FlagWord word, int value, int core) {
  alignas(line_bytes) Line line{};
  const std::size_t start = word.offset / line_bytes * line_bytes;
  auto bits = static_cast<std::uint32_t>(value);
  if (library.scheme.single_bit) {
    line_from_mpb(library, line, core, start);
    bits = load_word(library, line, word);
    bits = value != 0 ? bits | word.mask : bits & ~word.mask;
  }
  std::memcpy(line.data() + word.offset % line_bytes, &bits, sizeof bits);
  line_to_mpb(library, core, start, line);
}

/// A flag object that means none is given to a call.
void tell_refused(Library& library, const void* flag) {
  tell_fact(library.ue, FlagFact{.kind = FlagFact::Kind::refused, .object = flag});
}

void change_bit(Library& library, FlagWord word, int value, int core) {
  const auto mask = static_cast<std::uint8_t>(word.mask);
  library.core.update(core, word.offset, mask, value != 0 ? mask : std::uint8_t{0});
}

/// Several UEs may change bits of one word at once: under the lock of its core.
[[gnu::noinline]] void set_bit(Library& library, FlagWord word, int value, int core) {
  tell_fact(
      library.ue,
      FlagFact{
          .kind = FlagFact::Kind::change_begins, .target = core, .offset = word.offset, .mask = word.mask});
  {
    const WaitsFor waiting(library, "lock", library.rank_of(core));
    library.ue.job->note_host_order(Job::HostOrder::locks);
    library.core.lock_acquire(core);
  }
  if (library.scheme.whole_line) {
    set_flag_in_line(library, word, value, core);
  } else {
    change_bit(library, word, value, core);
    write_dummy_line(library);
  }
  library.core.lock_release(core);
  tell_fact(library.ue, FlagFact{.kind = FlagFact::Kind::change_ends});
}

/// Checks a write of the low-level interface. Returns 0, or the error for the call to return.
[[gnu::noinline]] int refusal_of_write(Library& library, const void* flag, int value, int id) {
  const int print = *library.image.debug_synch;
  if (!defined(library, flag)) {
    tell_refused(library, flag);
    return error_return(library, print, Error::flag_undefined);
  }
  if (value != 0 && value != 1) return error_return(library, print, Error::flag_status_undefined);
  if (library.valid_rank(id)) return 0;
  // 1.0 leaves the check of the rank to the put inside, which reports by itself.
  if (library.scheme.whole_line) error_return(library, *library.image.debug_comm, Error::id);
  return error_return(library, print, Error::id);
}

/// The same for a wait.
[[gnu::noinline]] int refusal_of_wait(Library& library, const void* flag, int value) {
  const int print = *library.image.debug_synch;
  if (value != 0 && value != 1) return error_return(library, print, Error::flag_status_undefined);
  const Handle handle = read_handle(library, flag);
  if (handle.word == nullptr || handle.line == nullptr) {
    tell_refused(library, flag);
    return error_return(library, print, Error::flag_not_allocated);
  }
  if (in_own_mpb(library, handle.word, library.scheme.word_bytes)) return 0;
  return error_return(library, print, Error::flag_not_in_comm_buffer);
}

} // namespace

void tell_use(const Library& library, FlagFact::Kind kind, FlagWord word, int value, int core) {
  const Activity& call = library.ue.activity;
  tell_fact(library.ue,
            FlagFact{.kind = kind,
                     .target = core,
                     .offset = word.offset,
                     .mask = word.mask,
                     .value = value,
                     .by_program = has(call.traits, uses_flag) && call.outer == nullptr});
}

FlagWord word_of(Library& library, const void* flag) {
  const Handle handle = read_handle(library, flag);
  const FlagScheme& scheme = library.scheme;
  if (handle.location < 0 && scheme.whole_line) misuse(library, "the flag is not allocated");
  const std::uint32_t mask = scheme.single_bit
      ? flag_word(scheme, handle.location < 0 ? 0 : handle.location).mask
      : flag_word(scheme, 0).mask;
  return {own_offset(library, handle.word, scheme.word_bytes), mask};
}

std::optional<FlagWord> word_in_own_mpb(Library& library, const void* flag) {
  if (!defined(library, flag) ||
      !in_own_mpb(library, read_handle(library, flag).word, library.scheme.word_bytes))
    return {};
  return word_of(library, flag);
}

int flag_alloc(Library& library, void* flag) {
  const auto position = library.flags.allocate([&] { return new_line(library); });
  if (!position) return no_flag_left(library);
  const std::size_t word = show_position(library, flag, *position);
  tell_fact(library.ue,
            FlagFact{.kind = FlagFact::Kind::allocated,
                     .object = flag,
                     .target = library.core_id,
                     .offset = word,
                     .mask = flag_word(library.scheme, position->location).mask});
  return 0;
}

int flag_alloc_row(Library& library, std::size_t count, std::optional<std::size_t>& first) {
  first = library.flags.allocate_row(count, [&] { return new_line(library); });
  return first ? 0 : no_flag_left(library);
}

void flag_show(Library& library, void* flag, std::size_t number) {
  if (read_handle(library, flag).word == nullptr)
    show_position(library, flag, library.flags.position(number));
}

void set_flag_address(Library& library, void* flag, MpbPointer line) {
  if (library.ue.facts != nullptr && in_own_mpb(library, line, line_bytes))
    tell_fact(library.ue, MemoryFact{MemoryFact::Kind::flags, own_offset(library, line, line_bytes)});
  if (library.scheme.whole_line) {
    write_handle(library, flag, 0, line, line);
  } else {
    auto& handle = *static_cast<PublicFlag20*>(flag);
    handle.flag_addr = line;
    handle.line_address = nullptr;
  }
}

int flag_free(Library& library, void* flag) {
  const auto fail = [&] { return error_return(library, *library.image.debug_synch, Error::flag_undefined); };
  if (flag == nullptr) return fail();
  const Handle handle = read_handle(library, flag);
  if (handle.location < 0 || handle.line == nullptr || !in_own_mpb(library, handle.line, line_bytes))
    return fail();
  const std::size_t line = own_offset(library, handle.line, line_bytes);
  if (!library.flags.knows(line)) return fail();
  const FlagWord word = word_of(library, flag);
  tell_fact(library.ue,
            FlagFact{.kind = FlagFact::Kind::freed,
                     .object = flag,
                     .target = library.core_id,
                     .offset = word.offset,
                     .mask = word.mask});
  if (library.flags.release({line, handle.location}, library.gory())) release(library, handle.line);
  write_handle(library, flag, -1, handle.word, nullptr);
  return 0;
}

int flag_write(Library& library, void* flag, int value, int id) {
  if (library.gory())
    if (const int refusal = refusal_of_write(library, flag, value, id); refusal != 0) return refusal;
  set_flag(library, word_of(library, flag), value, library.core_of(id));
  return 0;
}

int flag_read(Library& library, const void* flag, int* value, int id) {
  const int print = *library.image.debug_synch;
  if (library.gory()) {
    if (!defined(library, flag)) {
      tell_refused(library, flag);
      return error_return(library, print, Error::flag_undefined);
    }
    if (value == nullptr) return error_return(library, print, Error::val_undefined);
    if (!library.valid_rank(id)) {
      if (library.scheme.whole_line) error_return(library, *library.image.debug_comm, Error::id);
      return error_return(library, print, Error::id);
    }
  }
  if (value == nullptr) misuse(library, "the result pointer is null");
  *value = read_flag(library, word_of(library, flag), library.core_of(id));
  return 0;
}

int wait_until(Library& library, const void* flag, int value, const char* name) {
  if (library.gory())
    if (const int refusal = refusal_of_wait(library, flag, value); refusal != 0) return refusal;
  const WaitsFor waiting(library, name, library.rank());
  wait_flag(library, word_of(library, flag), value, library.core_id);
  return 0;
}

int probe(Library& library, const void* flag) {
  return read_flag(library, word_of(library, flag), library.core_id) == 1;
}

void set_flag(Library& library, FlagWord word, int value, int core) {
  const FlagScheme& scheme = library.scheme;
  const bool stores = !scheme.single_bit || value == 0 || value == 1;
  if (stores) tell_use(library, FlagFact::Kind::written, word, value, core);
  library.charge(library.costs.flag_write);
  if (scheme.single_bit) {
    if (stores) set_bit(library, word, value, core);
  } else if (scheme.whole_line) {
    set_flag_in_line(library, word, value, core);
  } else {
    const auto byte = static_cast<unsigned char>(value);
    library.core.store(core, word.offset, &byte, 1);
    write_dummy_line(library);
  }
}

int read_flag(Library& library, FlagWord word, int core) {
  const FlagScheme& scheme = library.scheme;
  library.charge(library.costs.flag_read);
  std::uint32_t value = 0;
  if (scheme.whole_line) {
    alignas(line_bytes) Line line;
    line_from_mpb(library, line, core, word.offset / line_bytes * line_bytes);
    value = load_word(library, line, word);
  } else {
    library.core.load(core, word.offset, &value, scheme.word_bytes);
  }
  const int found = encoded(scheme, value, word.mask);
  tell_use(library, FlagFact::Kind::read, word, found, core);
  return found;
}

void wait_flag(Library& library, FlagWord word, int value, int core) {
  const FlagScheme& scheme = library.scheme;
  Condition condition{word.mask, static_cast<std::uint32_t>(value), scheme.word_bytes};
  if (scheme.single_bit) {
    // A bit never equals another value than 0 and 1: the original then waits for ever.
    condition.value = value == 0 ? 0 : value == 1 ? word.mask : ~word.mask;
  }
  // The own flag is looked at directly; another's is read by the function for it, in 1.0 with a get of its
  // line.
  Cycles round = library.costs.flag_poll;
  if (core != library.core_id) round += scheme.whole_line ? library.costs.get : library.costs.flag_read;
  tell_use(library, FlagFact::Kind::awaited, word, value, core);
  library.core.wait(core, word.offset, condition, round);
  tell_use(library, FlagFact::Kind::seen, word, value, core);
}

int toggle_own(Library& library, FlagWord word) {
  const int value = read_flag(library, word, library.core_id) == 0 ? 1 : 0;
  if (library.scheme.single_bit && !library.scheme.whole_line) {
    tell_use(library, FlagFact::Kind::written, word, value, library.core_id);
    library.charge(library.costs.flag_write);
    change_bit(library, word, value, library.core_id);
    write_dummy_line(library);
  } else {
    set_flag(library, word, value, library.core_id);
  }
  return value;
}

void clear_own(Library& library, const void* flag) {
  const FlagWord word = word_of(library, flag);
  if (read_flag(library, word, library.core_id) != 0) set_flag(library, word, 0, library.core_id);
}

bool next_flag_takes_line(const Library& library) {
  return library.flags.full();
}

void clear_line_of(Library& library, const void* flag) {
  alignas(line_bytes) const Line zero{};
  const std::size_t line = word_of(library, flag).offset / line_bytes * line_bytes;
  tell_fact(library.ue, FlagFact{.kind = FlagFact::Kind::clear_begins});
  copy_to_mpb(library, library.core_id, line, zero.data(), line_bytes);
  tell_fact(library.ue, FlagFact{.kind = FlagFact::Kind::clear_ends});
}

} // namespace rcce::protocol
