/* rockcreek_predict.h - what the archive behind -lrockcreek_algorithms asks the runtime for "auto". Every UE asks the same, so
   the runtime predicts once per job, outside of the program's heap. Programs use algorithms/collectives.h instead. */
#ifndef ROCKCREEK_PREDICT_H
#define ROCKCREEK_PREDICT_H

#include <stddef.h>

#ifdef __cplusplus
#define ROCKCREEK_NOTHROW noexcept
extern "C" {
#else
#define ROCKCREEK_NOTHROW
#endif

struct rockcreek_prediction {
  /* asked: algorithms::Platform and algorithms::Call (algorithms/model.hpp) */
  const char *usable; /* names of the algorithms to choose from, each with a space behind it */
  int barrier;        /* a barrier; 0: a broadcast */
  int ues, root, fan_out, stages;
  size_t bytes, part_bytes, pipe_bytes, mpb_bytes;
  int rcce_10;
  double core_mhz, mesh_mhz, dram_mhz;

  /* answered */
  const char *algorithm; /* of static storage; NULL: none of them can serve the call */
  size_t chosen_part_bytes, chosen_pipe_bytes;
  double us;
};

/* Fills in the answer: the algorithm of `usable` that is predicted to be fastest. Takes no simulated time. `ue` is that of
   the program's rockcreek_image; not wrapped there as the other entries are, for only programs with the archive need it. */
void rockcreek_predict(void *ue, struct rockcreek_prediction *prediction) ROCKCREEK_NOTHROW;

#ifdef __cplusplus
}
#endif

#endif
