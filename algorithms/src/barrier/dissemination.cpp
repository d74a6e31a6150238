// barrier/dissemination with RCCE's flags.
#include "algorithms/barrier/dissemination.hpp"

#include "flags.hpp"
#include "runner.hpp"

namespace algorithms {
namespace {

struct State {
  std::vector<RCCE_FLAG> flags; ///< [set][round][partner]
  int partners = 1;
  int set = 0;
  RCCE_FLAG_STATUS meaning = RCCE_FLAG_SET; ///< what "notified" is at present

  [[nodiscard]] dissemination::Shape shape() const { return {RCCE_num_ues(), partners}; }
};
State state; // one per UE, as every variable of a program

} // namespace

int prepare_barrier_dissemination(const rockcreek_options& options) {
  state.partners = options.fan_out > 0 ? options.fan_out : 1;
  return allocate_flags(state.flags, 2 * state.shape().rounds() * state.partners);
}

int barrier_dissemination(const rockcreek_options& /*options*/) {
  const dissemination::Shape shape = state.shape();
  const int rank = RCCE_ue();
  for (int round = 0; round < shape.rounds(); ++round) {
    const int first = (state.set * shape.rounds() + round) * shape.partners();
    RCCE_FLAG* flags = state.flags.data() + first;
    for (int index = 0; index < shape.partners(); ++index)
      if (const int distance = shape.distance(round, index); distance > 0)
        RCCE_flag_write(&flags[index], state.meaning, shape.notifies(rank, distance));
    for (int index = 0; index < shape.partners(); ++index)
      if (shape.distance(round, index) > 0) RCCE_wait_until(flags[index], state.meaning);
  }
  if (state.set == 1) state.meaning = state.meaning == RCCE_FLAG_SET ? RCCE_FLAG_UNSET : RCCE_FLAG_SET;
  state.set = 1 - state.set;
  return RCCE_SUCCESS;
}

} // namespace algorithms
