// SPDX-License-Identifier: Apache-2.0
// Flags: allocation, and access in the way of the variant (bytes or bits, alone or a whole line at a time).
#pragma once

#include "library/protocol/facts.hpp"
#include "library/protocol/library.hpp"

namespace rcce::protocol {

/// RCCE_flag_alloc and RCCE_flag_free on the program's RCCE_FLAG object.
int flag_alloc(Library& library, void* flag);
int flag_free(Library& library, void* flag);
/// The next `count` flags, whose objects flag_show() writes later; `first`: the number of the first. The same
/// errors.
int flag_alloc_row(Library& library, std::size_t count, std::optional<std::size_t>& first);
/// Writes the object of flag `number` of a row, if it has not been written.
void flag_show(Library& library, void* flag, std::size_t number);
/// Lets a flag object mean a whole line. In 2.0 it is then no flag for the calls of RCCE: its address is
/// `flag_addr`, and `line_address` is null.
void set_flag_address(Library& library, void* flag, MpbPointer line);
/// RCCE_flag_write, RCCE_flag_read, RCCE_wait_until, RCCE_probe.
int flag_write(Library& library, void* flag, int value, int id);
int flag_read(Library& library, const void* flag, int* value, int id);
int wait_until(Library& library, const void* flag, int value, const char* name = "user");
int probe(Library& library, const void* flag);

/// The place of a flag's bits, as the flag object gives it. A flag that points outside the own MPB ends the
/// UE.
[[nodiscard]] FlagWord word_of(Library& library, const void* flag);
/// The same where nothing is to be said of one that is none.
[[nodiscard]] std::optional<FlagWord> word_in_own_mpb(Library& library, const void* flag);

/// The flag that is the first word of a whole line.
[[nodiscard]] constexpr FlagWord line_flag(std::size_t offset) {
  return {offset, UINT32_MAX};
}
/// Tells that the UE writes or has read this flag, waits for it or has seen it.
void tell_use(const Library& library, FlagFact::Kind kind, FlagWord word, int value, int core);

/// Unchecked access by place in the MPB of a physical core.
void set_flag(Library& library, FlagWord word, int value, int core);
[[nodiscard]] int read_flag(Library& library, FlagWord word, int core);
/// Waits for a flag in the own MPB or polls that of another core.
void wait_flag(Library& library, FlagWord word, int value, int core);
/// Changes a flag in the own MPB to its other value, which is returned. In bits the original does this
/// without the lock and can lose a signal that shares the byte; here the change is atomic.
int toggle_own(Library& library, FlagWord word);

/// Clears what a new communicator's two flags will be read from: a flag takes over whatever bytes its line
/// held.
void clear_own(Library& library, const void* flag);
/// The next flag will be in a new line.
[[nodiscard]] bool next_flag_takes_line(const Library& library);
void clear_line_of(Library& library, const void* flag);

} // namespace rcce::protocol
