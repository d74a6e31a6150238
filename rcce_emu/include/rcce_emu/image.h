/* SPDX-License-Identifier: Apache-2.0 */
/* What every program image carries for the runtime: which variant of the library it was linked for, where its
 * own copies of the library's variables are, and the handle of the core it runs on. The loader finds it by
 * the name `rockcreek_image` in each private copy of the program. Plain C: the image's static part includes
 * it too. */
#ifndef ROCKCREEK_IMAGE_H
#define ROCKCREEK_IMAGE_H

#ifdef __cplusplus
extern "C" {
#endif

#define ROCKCREEK_IMAGE_ABI 6u

/* The library's long arrays, of which a UE touches little, lie behind its other variables: one variable
 * between two of them would take a page of the host's memory for each UE. */
#define ROCKCREEK_WIDE __attribute__((section(".bss.rockcreek_wide")))

/* As large as it has ever been: where the program's own variables lie decides which lines of the caches they
 * meet. */
struct rockcreek_image {
  unsigned abi;        /* ROCKCREEK_IMAGE_ABI */
  unsigned short generation; /* 10: RCCE 1.0, 20: RCCE 2.0 */
  unsigned short max_np;     /* RCCE_MAXNP of the program */
  unsigned char smallflags; /* one bit per flag */
  unsigned char gory;
  unsigned char power;
  unsigned char yields;  /* the compiler that linked it makes loops that wait on memory let other cores run */
  unsigned char counts;  /* some of its code counts its cycles */
  unsigned char memory;  /* some of its code tells of its loads and stores */
  unsigned char tells;   /* set by the runtime: the run wants to know of loads and stores */
  /* its code never looks at the library's tables by rank but RC_COREID and communicators: the runtime writes
     of the others what it needs itself, when it does */
  unsigned char blind;
  /* rockcreek_most_cycles: where `cycles` is more before a call, its code calls the runtime */
  unsigned most_cycles;
  unsigned cycles_left;  /* rockcreek_cycles_left: where a loop has counted more, it calls the runtime */
  /* rockcreek_own_cycles: that its code has taken on the chip's core since they were brought to the core's
     clock */
  unsigned long cycles;
  void *ue;        /* set by the loader before any code of the image runs */

  /* RCCE_BUFF_SIZE_MAX of the program: the machine's MPBs must not be smaller */
  unsigned long mpb_bytes;
  unsigned long shared_memory_bytes; /* RCCE_SHM_SIZE_MAX: what the program expects to find */

  /* rockcreek_waits_until: while a loop that waits for an instant asks for the time, what it will be told
     when it ends, in the unit of that call; else 0 */
  double waits_until;

  unsigned shared_memory_cacheable; /* SHMADD_CACHEABLE */
  /* layout of RCCE_COMM and RCCE_FLAG in this variant, in bytes */
  unsigned short flag_bytes, comm_bytes, comm_member, comm_gather, comm_release, unused;

  /* the library's variables as the program sees them; one set per UE */
  int *np, *iam, *my_coreid, *coreid;
  double *refclock_ghz;
  int *buff_size;
  volatile unsigned char **comm_buffer;
  int *debug_synch, *debug_comm, *debug_debug, *debug_rpc;
  void *comm_world;                       /* RCCE_COMM */
  void *p_comm, *v_comm, *f_comm;         /* RCCE_COMM; null without power management */
  void *sent_flag, *ready_flag;           /* RCCE_FLAG[max_np] */
  volatile unsigned char **buff_ptr, **flags_start, **fool_write_combine_buffer;
  unsigned long *chunk;
  int *power_active, *voltage_level, *frequency_divider, *f_masters; /* null without power management */
};

#define ROCKCREEK_LINES 128 /* as many as the first-level cache has sets: mesh::KnownLines */

/* what a loop accesses: mesh::AccessStream */
struct rockcreek_stream {
  const void *address;
  long step;
  unsigned bytes, how;
};

/* one load or store of a run: so many bytes behind address number `base` of that run. `how` as in
 * entries.h */
struct rockcreek_access {
  unsigned base;
  int distance;
  unsigned bytes, how;
};
#define ROCKCREEK_ACCESSES 128 /* of a run, at most */

/* after so many cycles a core that calls nothing lets the others run: 2 ms at 533 MHz */
#define ROCKCREEK_MOST_CYCLES (1u << 20)

extern struct rockcreek_image rockcreek_image;

#ifdef __cplusplus
}
#endif
#endif
