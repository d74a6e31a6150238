// SPDX-License-Identifier: Apache-2.0
// Values of the host that differ from run to run, whatever the UEs do: the numbers of processes, and chance.
#pragma once

namespace rcce {
struct Ue;
}

namespace rcce::libc {

/// Notes that the UE has asked for what `name` says, which lives as long as the UE.
void note_asked(Ue& ue, const char* name);
/// Notes that a file whose bytes are chance is opened by the calling UE, if there is one.
void note_opened(const char* path);

} // namespace rcce::libc
