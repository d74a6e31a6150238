// SPDX-License-Identifier: Apache-2.0
// Collective operations of another image in place of the library's own (rcce_emu/substitutes.h).
#pragma once

#include <string>

#include "library/protocol/communicator.hpp"
#include "mesh_sim/units.hpp"
#include "rcce_emu/substitutes.h"

namespace rcce::protocol {

struct Library;

class Substitutes {
 public:
  /// `theirs`: the variables of the image that offers, which belong to it and outlive this.
  Substitutes(ImageVariables& theirs, std::string wish) : theirs_(theirs), wish_(std::move(wish)) {}

  void offer(const struct rockcreek_substitutes& offered) noexcept { offered_ = &offered; }

  /// At the end of RCCE_init. Ends the UE where the wish cannot be done.
  void begin(Library& library);
  /// Updates the copy of what the library keeps in the program's image.
  void follow(const Library& library);
  /// An operation has been set up at its first call.
  void prepared(Library& library) const;

  /// act(functions), and what it returns; ROCKCREEK_NOT_SUBSTITUTED where the library's own operation is
  /// wanted: in an image without that function, of UEs that are not all, in an operation that stands for
  /// another.
  template <class Act>
  int instead(const Library& library, Communicator comm, Act&& act) {
    if (offered_ == nullptr || busy_ || !begun_ || comm.initialized() != comm_magic ||
        comm.size() != size_of(library))
      return ROCKCREEK_NOT_SUBSTITUTED;
    busy_ = true;
    enter(library);
    const int result = act(*offered_);
    busy_ = false;
    return result;
  }

 private:
  void enter(const Library& library);
  [[nodiscard]] static int size_of(const Library& library);

  ImageVariables& theirs_;
  std::string wish_;
  const struct rockcreek_substitutes* offered_ = nullptr;
  bool begun_ = false, busy_ = false;
  mesh::Picoseconds entered_ = 0; ///< clock at the last call
};

} // namespace rcce::protocol
