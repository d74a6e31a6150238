// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mesh {

/// What a public call of the library above does: whoever decides by a call goes by this, not by its name.
struct CallTraits {
  bool sends = false, receives = false; ///< a message, to or from the peer
  bool collective = false;              ///< every member of a group makes it
  bool copies_from = false;             ///< moves data from the peer's buffer
  bool ends = false;                    ///< the library's last call
  bool computes = false;                ///< stands for code of the program
  bool operator==(const CallTraits&) const = default;
};

} // namespace mesh
