/* SPDX-License-Identifier: Apache-2.0 */
/* The calls from a program image's static part into the runtime. `ue` is the image's handle of its core.
 * Communicators and flags are passed by address, in the layout that the image's rockcreek_image describes.
 * Plain C. */
#ifndef ROCKCREEK_ENTRIES_H
#define ROCKCREEK_ENTRIES_H

#include <stddef.h>

#ifdef __cplusplus
#define ROCKCREEK_NOEXCEPT noexcept
extern "C" {
#else
#define ROCKCREEK_NOEXCEPT
#endif

typedef volatile unsigned char *rockcreek_mpb;

#include "rcce_emu/calls_entries.inc" /* of the calls that hand their arguments on; here all others */

/* start, end, time */
int rockcreek_init(void *ue, int *argc, char ***argv) ROCKCREEK_NOEXCEPT;
/* what the runner of the job has handed to the program (rcce::JobOptions::data); null for others. Called by
 * programs themselves */
void *rockcreek_job_data(void *ue) ROCKCREEK_NOEXCEPT;
long long rockcreek_flags_taken(void *ue) ROCKCREEK_NOEXCEPT;
double rockcreek_core_mhz(void *ue) ROCKCREEK_NOEXCEPT; /* at the start, whatever the program is told */

/* called from programs themselves, by rockcreek.h: who does not combine has nothing of it in the image */
int rockcreek_combine(void *ue, int op, int type, void *target, const void *source,
                      int count) ROCKCREEK_NOEXCEPT;
void rockcreek_combines(void *ue, void *target, const void *source, int count,
                        size_t element_bytes) ROCKCREEK_NOEXCEPT;
void rockcreek_mesh(void *ue, int *columns, int *rows, int *cores_per_tile) ROCKCREEK_NOEXCEPT;

/* a program compiled by rccecc --observe. `how` of an access: */
enum {
  ROCKCREEK_WRITE = 1,
  ROCKCREEK_LOOK = 2,   /* a read that a loop makes again and again to decide something */
  ROCKCREEK_WAIT = 4,   /* ... of a loop that does nothing else */
  ROCKCREEK_ATOMIC = 8, /* an atomic operation; with a write both */
  ROCKCREEK_FILL = 16,  /* writes bytes of this value */
  ROCKCREEK_COPY = 32,  /* writes the bytes at this address */
  ROCKCREEK_VALUE = 256, /* writes the bytes of `value` */
  /* no access: */
  ROCKCREEK_KEEPS = 64,  /* the address is stored at the place `value` */
  /* the function at `value` is given the address of these bytes, which hold pointers */
  ROCKCREEK_WITHIN = 128,
  /* of these: the pointer at the address leads to `bytes` % 2^32 of them, as often as the integer of `bytes`
     / 2^32 bytes behind it says */
  ROCKCREEK_POINTED = 1024,
  /* an instruction whose name stands at `value` asks the processor for what differs from run to run */
  ROCKCREEK_ASKS = 512
};
/* in place of a function: an instruction of the processor's; null: inline assembler */
enum { ROCKCREEK_VECTORS = 1 };
/* `value` of a wait: how many waiting loops the program has entered; from bit ROCKCREEK_READ on which read of
 * its loop it is */
enum { ROCKCREEK_READ = 56 };
/* what is to be told: addresses from *begin on, *bytes of them; both may change later */
void rockcreek_observe(void *ue, unsigned long *begin, unsigned long *bytes) ROCKCREEK_NOEXCEPT;
void rockcreek_observed(void *ue, const void *address, unsigned long bytes, unsigned how, unsigned long value,
                        const void *code) ROCKCREEK_NOEXCEPT;
/* the address is handed to a function, maybe one that is not the program's */
void rockcreek_given(void *ue, const void *address, const void *function) ROCKCREEK_NOEXCEPT;

/* a waiting loop has gone round; 0 rounds: the program has counted many cycles, which come to the core's
 * clock; STORES: it is about to store to memory that others may read (functions of their own would move the
 * program's variables) */
#define ROCKCREEK_STORES (~0u)
/* it is about to load from a message buffer, or to store to it: `first`: where, `second`: how far on in each
 * further round of a loop, `third`: rounds, `fourth`: its bytes << 1, and 1 for a store. Without rounds it is
 * memcpy(), whose other side is at `second`. Without `first`: the range of all buffers is put into the words
 * at `second` and `third` */
#define ROCKCREEK_BUFFERS (~1u)
/* a loop that does nothing but look at up to 4 words goes round: with its reads in bits 0 to 7, and the bytes
 * of each word in 4 bits from bit ROCKCREEK_WORD_BYTES on, 0 behind the last; `first` to `fourth`: their
 * addresses */
#define ROCKCREEK_POLLS (1u << 31)
#define ROCKCREEK_WORD_BYTES(word) (8 + 4 * (word))
void rockcreek_spin_rounds(void *ue, unsigned rounds, const void *first, const void *second,
                           const void *third, const void *fourth) ROCKCREEK_NOEXCEPT;
/* the program accesses memory that may not be in the first-level cache. `how`: bit 0 a store, above the core
 * cycles until the next one. `lines`: ROCKCREEK_LINES words, by set of that cache
 * the line used last, << 1; bit 0: it may be written there */
void rockcreek_accessed(void *ue, const void *address, unsigned long bytes, unsigned how,
                        unsigned long *lines) ROCKCREEK_NOEXCEPT;
/* the same for so many rounds of a loop that does nothing else with memory; with 0 rounds for each one, one
 * after the other */
void rockcreek_accessed_in_loop(void *ue, unsigned long rounds, const struct rockcreek_stream *streams,
                                unsigned long count, unsigned long *lines) ROCKCREEK_NOEXCEPT;

/* diagnostics */
int rockcreek_debug_switch(void *ue, const char *call, int flag, int on) ROCKCREEK_NOEXCEPT;

/* messages */
int rockcreek_send(void *ue, char *buffer, size_t size, int dest) ROCKCREEK_NOEXCEPT;
int rockcreek_recv(void *ue, char *buffer, size_t size, int source) ROCKCREEK_NOEXCEPT;
int rockcreek_recv_test(void *ue, char *buffer, size_t size, int source, int *test) ROCKCREEK_NOEXCEPT;
int rockcreek_send_gory(void *ue, char *buffer, rockcreek_mpb combuf, size_t chunk, void *ready, void *sent,
                        size_t size, int dest) ROCKCREEK_NOEXCEPT;
int rockcreek_recv_gory(void *ue, char *buffer, rockcreek_mpb combuf, size_t chunk, void *ready, void *sent,
                        size_t size, int source, int *test) ROCKCREEK_NOEXCEPT;
int rockcreek_comm_bcast(void *ue, char *buffer, size_t num, int root, void *comm) ROCKCREEK_NOEXCEPT;
int rockcreek_comm_reduce(void *ue, char *in, char *out, int num, int type, int op, int root,
                          void *comm) ROCKCREEK_NOEXCEPT;
int rockcreek_comm_allreduce(void *ue, char *in, char *out, int num, int type, int op,
                             void *comm) ROCKCREEK_NOEXCEPT;

/* communicators, barrier, locks */
/* the colour function is the program's: its exceptions pass through */
int rockcreek_comm_split(void *ue, int (*color)(int, void *), void *aux, void *comm);
int rockcreek_comm_barrier(void *ue, void *comm) ROCKCREEK_NOEXCEPT;
int rockcreek_acquire_lock(void *ue, int id) ROCKCREEK_NOEXCEPT;

/* MPB memory, flags */
rockcreek_mpb rockcreek_malloc(void *ue, size_t size) ROCKCREEK_NOEXCEPT;
int rockcreek_flag_read(void *ue, void *flag, int *value, int id) ROCKCREEK_NOEXCEPT;
/* a byte of the own MPB: `mask` selects its bits; write returns nothing to wait for */
int rockcreek_own_byte(void *ue, rockcreek_mpb address) ROCKCREEK_NOEXCEPT;
void rockcreek_set_own_byte(void *ue, rockcreek_mpb address, int mask, int value) ROCKCREEK_NOEXCEPT;

/* off-chip shared memory */
rockcreek_mpb rockcreek_shmalloc_request(void *ue, size_t size, size_t *chunk) ROCKCREEK_NOEXCEPT;
rockcreek_mpb rockcreek_shrealloc(void *ue, rockcreek_mpb block, size_t size) ROCKCREEK_NOEXCEPT;
rockcreek_mpb rockcreek_shared_memory(void *ue) ROCKCREEK_NOEXCEPT;

/* power */
int rockcreek_iset_power(void *ue, int divider, void *request, int *new_divider,
                         int *new_level) ROCKCREEK_NOEXCEPT;

/* registers and addresses of the chip */
int rockcreek_read_register(void *ue, unsigned address) ROCKCREEK_NOEXCEPT;
void rockcreek_write_register(void *ue, unsigned address, int value) ROCKCREEK_NOEXCEPT;
rockcreek_mpb rockcreek_mpb_start(void *ue, int rank) ROCKCREEK_NOEXCEPT;
rockcreek_mpb rockcreek_mpb_of_tile(void *ue, int x, int y, int core) ROCKCREEK_NOEXCEPT;

/* sorts in place, with the same result on every host also where elements compare equal */
void rockcreek_sort(char *base, size_t count, size_t bytes, int (*compare)(const void *, const void *));

#ifdef __cplusplus
}
#endif
#endif
