/* Collective operations by name, for RCCE programs in C and C++. Link the archive that `rccecc -lrockcreek_algorithms` finds.
   Every UE of the program calls with the same arguments, as for RCCE_bcast; the names are those of algorithms/table.hpp. */
#ifndef ROCKCREEK_ALGORITHMS_COLLECTIVES_H
#define ROCKCREEK_ALGORITHMS_COLLECTIVES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What may be chosen about an algorithm; zero or NULL takes the algorithm's own default, and what an algorithm does not
   know is ignored. All zero is a valid value. */
typedef struct rockcreek_options {
  size_t part_bytes;      /* bytes of one part of the message */
  size_t pipe_bytes;      /* bytes of one piece of a part inside a pipeline (bcast/dopl) */
  int fan_out;            /* children of a node (bcast/oc_tree, barrier/tree); partners of a round (barrier/dissemination) */
  int rows, columns;      /* core mesh (bcast/dopl); 0: found from the number of UEs */
  int stages;             /* MPBs that hold the message on its way, one per UE at most (bcast/staged_pull): more than its own
                             choice, which is 4 or less, pay on hosts with more UEs than processors */
  const char *line_order; /* "ring", "folded" or "neighbour" (bcast/dopl) */
  double mesh_mhz;        /* clocks of the machine for `auto`, which cannot ask the chip; 0: preset scc */
  double dram_mhz;
} rockcreek_options;

/* Allocates what the algorithm needs for good (flags, MPB lines): collective, once per algorithm, after iRCCE_init and
   before its first use; later calls do nothing. Barriers and bcast/oc_tree take their fan_out here, bcast/staged_pull the
   most stages that any broadcast will ask for. Returns RCCE_SUCCESS; RCCE_ERROR_ID for an unknown name and RCCE's own
   error where there is no room, with a message on stderr. */
int rockcreek_prepare(const char *algorithm, const rockcreek_options *options);

/* Broadcasts `bytes` bytes at `buffer` from rank `root` to all UEs, whose buffers hold them on return. The caller owns the
   buffer. Returns RCCE_SUCCESS, or RCCE_ERROR_ID (unknown name, root out of range) with a message on stderr. */
int rockcreek_bcast(const char *algorithm, char *buffer, size_t bytes, int root, const rockcreek_options *options);

/* Returns when every UE has called. */
int rockcreek_barrier(const char *algorithm, const rockcreek_options *options);

/* The name "auto" in all three calls above means: what takes the least time by prediction (algorithms/model.hpp) among the
   algorithms that have been prepared or need no preparation. Preparing "auto" prepares what it will want for messages of
   32 bytes and more, and the barrier. */
typedef struct rockcreek_choice {
  const char *algorithm;
  size_t part_bytes, pipe_bytes; /* 0: the algorithm cuts by itself */
  double predicted_us;
} rockcreek_choice;

/* What "auto" takes for such a call: says it in `choice`. `operation` is "bcast" or "barrier" (bytes and root do not matter
   then). Local, the same on every UE, predicted once for all of them. Returns RCCE_SUCCESS; RCCE_ERROR_ID for an unknown
   operation, a root out of range or a null `choice`, with a message on stderr. */
int rockcreek_choose(const char *operation, size_t bytes, int root, const rockcreek_options *options,
                     rockcreek_choice *choice);

#ifdef __cplusplus
}
#endif
#endif
