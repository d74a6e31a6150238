// barrier/tree with RCCE's flags.
#include "algorithms/barrier/tree.hpp"

#include "flags.hpp"
#include "runner.hpp"

namespace algorithms {
namespace {

struct State {
  std::vector<RCCE_FLAG> flags; ///< arrivals by slot, then the release
  int fan_out = tree::default_fan_out;
  RCCE_FLAG_STATUS meaning = RCCE_FLAG_SET; ///< what "arrived" and "released" are at present
};
State state; // one per UE, as every variable of a program

} // namespace

int prepare_barrier_tree(const rockcreek_options& options) {
  if (options.fan_out > 0) state.fan_out = options.fan_out;
  return allocate_flags(state.flags, state.fan_out + 1);
}

int barrier_tree(const rockcreek_options& /*options*/) {
  const int rank = RCCE_ue(), ranks = RCCE_num_ues(), fan_out = state.fan_out;
  RCCE_FLAG& release = state.flags.back();
  for (int slot = 0; slot < fan_out && tree::child(rank, slot, fan_out) < ranks; ++slot)
    RCCE_wait_until(state.flags[static_cast<std::size_t>(slot)], state.meaning);
  if (rank > 0) {
    RCCE_FLAG& arrival = state.flags[static_cast<std::size_t>(tree::slot(rank, fan_out))];
    RCCE_flag_write(&arrival, state.meaning, tree::parent(rank, fan_out));
    RCCE_wait_until(release, state.meaning);
  }
  for (int slot = 0; slot < fan_out && tree::child(rank, slot, fan_out) < ranks; ++slot)
    RCCE_flag_write(&release, state.meaning, tree::child(rank, slot, fan_out));
  state.meaning = state.meaning == RCCE_FLAG_SET ? RCCE_FLAG_UNSET : RCCE_FLAG_SET;
  return RCCE_SUCCESS;
}

} // namespace algorithms
