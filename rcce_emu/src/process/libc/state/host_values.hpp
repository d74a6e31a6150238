// SPDX-License-Identifier: Apache-2.0
// Values of the host that differ from run to run, whatever the UEs do: the numbers of processes, and chance.
// And where UEs can meet past the chip: in files, and in memory that they share by the host.
#pragma once

namespace rcce {
struct Ue;
}

namespace rcce::libc {

/// Notes that the UE has asked for what `name` says, which lives as long as the UE.
void note_asked(Ue& ue, const char* name);
/// Notes a file that the calling UE, if there is one, opens, and whether to write it.
void note_opened(const char* path, bool writes);
/// Notes that the calling UE, if there is one, can meet others who do what `how` says.
void note_met(const char* how);

} // namespace rcce::libc
