// Who stands between the cores and the shared state of a simulated machine: sees each access twice, before
// its core sets out for it and when it acts, and may hold the core back. Nobody does in an ordinary run.
//
// Whatever is done here, the run stays one that the machine could have made: a core is only ever later than
// it would have been, as if it had computed for longer, and what is under way already is left alone. So the
// stores of one core stay in order, and nothing acts before its cause.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mesh_sim/kernel/kernel.hpp"

namespace mesh {

class SccMachine;

/// Where an access is to off-chip shared memory rather than to an MPB.
inline constexpr int shared_memory = -1;

/// An access to a message-passing buffer (MPB), to shared memory, to a test-and-set register or to an atomic
/// counter, as it acts. Of shared memory only those are known that copies make, and those that the program
/// tells.
struct Access {
  enum class Kind : std::uint8_t {
    put,
    get,
    store,
    update,
    load,
    wait, ///< for one word
    look, ///< at one word of several that are waited for together
    lock_try,
    lock_release,
    counter,
  };
  Kind kind = Kind::load;
  bool write = false;              ///< changes what it accesses
  bool done = true;                ///< false: the word looked at is not as wished, the register is taken
  bool more = false;               ///< further segments of the same access follow
  bool delivered = false;          ///< acts without its core; at one time before all cores
  std::uint32_t mask = UINT32_MAX; ///< bits concerned, of the little-endian word that begins at the offset
  int core = -1;
  int target = -1; ///< whose MPB or register; number of the counter; shared_memory
  std::size_t offset = 0, bytes = 0;
  Picoseconds at = 0;
};

class Intervention {
 public:
  virtual ~Intervention() = default;
  /// It stands in front of this machine from now on.
  virtual void attached(SccMachine& machine) = 0;
  /// When a core starts.
  [[nodiscard]] virtual Picoseconds start(int core) = 0;
  /// The running core is about to make its next access: may advance its clock or block it.
  virtual void before(Kernel& kernel) = 0;
  /// The access acts, or one segment of it does, now or at `access.at`. A wait acts when it ends; an attempt
  /// to lock each time that it is made.
  virtual void acts(Kernel& kernel, const Access& access) = 0;
  /// The running core waits for plain memory and is about to look again.
  virtual void spins(Kernel& kernel) = 0;
  /// Nobody can run: may wake cores that it has blocked. Returns whether it has woken any.
  virtual bool last_call(Kernel& kernel) = 0;
};

} // namespace mesh
