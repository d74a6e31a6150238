// SPDX-License-Identifier: Apache-2.0
// A UE waits in a call of the host. In simulated time all UEs share one thread, which has to be left to the
// others: they may be the ones who bring what it waits for.
#pragma once

#include <cstdint>
#include <functional>

#include "mesh_sim/units.hpp"

namespace rcce {
struct Ue;
}

namespace rcce::libc {

/// The UE that is calling where it has to leave the thread to others while it waits, else null.
[[nodiscard]] Ue* waiting_ue() noexcept;

/// True if somebody else can act, or something is under way that lets somebody act.
[[nodiscard]] bool others_can_act(Ue& ue);

/// Says for reports what the UE waits in, while it lives. `descriptor` -1: none.
class AwaitedCall {
 public:
  AwaitedCall(Ue& ue, const char* call, int descriptor);
  ~AwaitedCall();
  AwaitedCall(const AwaitedCall&) = delete;
  AwaitedCall& operator=(const AwaitedCall&) = delete;

 private:
  Ue& ue_;
};

/// Who may bring what a call waits for.
enum class Bringer : std::uint8_t {
  ues,      ///< other UEs: they run at once
  children, ///< programs that were started, most likely: they get some host time first, so that the UE's
            ///< clock does not depend on theirs
};

/// Lets the others run, in steps of simulated time, until `ready` holds or nobody else can act any more: then
/// the call itself may as well wait, and nothing is lost. False: the UE's clock has reached `end`.
bool await_host(Ue& ue, const char* call, int descriptor, Bringer bringer, mesh::Picoseconds end,
                const std::function<bool()>& ready);

/// The same by a form of the call that does not wait: `decided` makes it and says whether it has succeeded or
/// failed for good. False where it has not, or others than UEs in simulated time ask: then the call itself
/// has to be made.
bool try_in_turn(const char* call, int descriptor, Bringer bringer, const std::function<bool()>& decided);

/// The same for poll()'s events of a descriptor; does nothing where it does not block, or for others than
/// UEs.
void await_descriptor(const char* call, int descriptor, short events);

/// Acts as nanosleep(), without being counted as another call.
int sleep_in_call(Ue& ue, std::int64_t nanoseconds);

/// Ends the run: simulated time has come to its end, by this call of the UE.
[[noreturn]] void end_of_time(Ue& ue, const char* call);
/// The last instant that clocks of a machine with so many cores can tell, with room for what comes on top.
[[nodiscard]] mesh::Picoseconds last_instant(int cores) noexcept;

} // namespace rcce::libc
