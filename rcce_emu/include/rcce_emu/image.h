/* What every program image carries for the runtime: which variant of the library it was compiled for, where its own
 * copies of the library's variables are, and the handle of the core it runs on. The loader finds it by the name
 * `rockcreek_image` in each private copy of the program. Plain C: the image's static part includes it too. */
#ifndef ROCKCREEK_IMAGE_H
#define ROCKCREEK_IMAGE_H

#ifdef __cplusplus
extern "C" {
#endif

#define ROCKCREEK_IMAGE_ABI 1u

struct rockcreek_image {
  unsigned abi;        /* ROCKCREEK_IMAGE_ABI */
  unsigned generation; /* 10: RCCE 1.0, 20: RCCE 2.0 */
  unsigned smallflags; /* one bit per flag */
  unsigned gory;
  unsigned power;
  unsigned max_np; /* RCCE_MAXNP of the program */
  void *ue;        /* set by the loader before any code of the image runs */

  /* the library's variables as the program sees them; one set per UE */
  int *np, *iam, *my_coreid, *coreid;
  double *refclock_ghz;
  int *buff_size;
  volatile unsigned char **comm_buffer;
  int *debug_synch, *debug_comm, *debug_debug, *debug_rpc;
  void *comm_world, *p_comm, *v_comm, *f_comm;
  void *sent_flag, *ready_flag;
  volatile unsigned char **buff_ptr, **flags_start, **fool_write_combine_buffer;
  unsigned long *chunk;
};

extern struct rockcreek_image rockcreek_image;

#ifdef __cplusplus
}
#endif
#endif
