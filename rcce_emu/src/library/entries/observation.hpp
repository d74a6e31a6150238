// SPDX-License-Identifier: Apache-2.0
// The program is handed a pointer by which its own loads and stores reach memory that UEs share.
#pragma once

namespace rcce {
struct Ue;
}

namespace rcce::protocol {

/// For whoever has to say what it does not see.
void tell_handed_out(const Ue& ue);

} // namespace rcce::protocol
