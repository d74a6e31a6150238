/* SPDX-License-Identifier: Apache-2.0 */
/* The calls from a program image's static part into the runtime. `ue` is the image's handle of its core. Communicators
 * and flags are passed by address, in the layout that the image's rockcreek_image describes. Plain C. */
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

/* start, end, time */
int rockcreek_init(void *ue, int *argc, char ***argv) ROCKCREEK_NOEXCEPT;
int rockcreek_finalize(void *ue) ROCKCREEK_NOEXCEPT;
double rockcreek_wtime(void *ue) ROCKCREEK_NOEXCEPT;
long long rockcreek_cycles(void *ue) ROCKCREEK_NOEXCEPT;
void rockcreek_compute(void *ue, long long cycles) ROCKCREEK_NOEXCEPT;
long long rockcreek_picoseconds(void *ue) ROCKCREEK_NOEXCEPT;
void rockcreek_sleep_until(void *ue, long long picoseconds) ROCKCREEK_NOEXCEPT;
void rockcreek_touch(void *ue, const void *memory, unsigned long bytes, int write) ROCKCREEK_NOEXCEPT;
/* what the runner of the job has handed to the program (rcce::JobOptions::data); null for others. Called by programs themselves */
void *rockcreek_job_data(void *ue) ROCKCREEK_NOEXCEPT;
void rockcreek_collective(void *ue, const char *name, int root, unsigned long bytes) ROCKCREEK_NOEXCEPT;

/* called from programs themselves, by rockcreek.h: who does not combine has nothing of it in the image */
int rockcreek_combine(void *ue, int op, int type, void *target, const void *source, int count) ROCKCREEK_NOEXCEPT;
void rockcreek_combines(void *ue, void *target, int count, size_t element_bytes) ROCKCREEK_NOEXCEPT;

/* a program compiled by rccecc --observe. `how` of an access: */
enum {
  ROCKCREEK_WRITE = 1,
  ROCKCREEK_LOOK = 2,   /* a read that a loop makes again and again to decide something */
  ROCKCREEK_WAIT = 4,   /* ... of a loop that does nothing else */
  ROCKCREEK_ATOMIC = 8, /* an atomic operation; with a write both */
  ROCKCREEK_FILL = 16,  /* writes bytes of this value */
  ROCKCREEK_COPY = 32   /* writes the bytes at this address */
};
/* `value` of a wait: how many waiting loops the program has entered */
/* what is to be told: addresses from *begin on, *bytes of them; both may change later */
void rockcreek_observe(void *ue, unsigned long *begin, unsigned long *bytes) ROCKCREEK_NOEXCEPT;
void rockcreek_observed(void *ue, const void *address, unsigned long bytes, unsigned how, unsigned long value,
                        const void *code) ROCKCREEK_NOEXCEPT;
/* the address is handed to a function, maybe one that is not the program's */
void rockcreek_given(void *ue, const void *address, const void *function) ROCKCREEK_NOEXCEPT;

void rockcreek_spin_rounds(void *ue, unsigned rounds) ROCKCREEK_NOEXCEPT;

/* diagnostics */
int rockcreek_debug_switch(void *ue, const char *call, int flag, int on) ROCKCREEK_NOEXCEPT;
int rockcreek_error_string(void *ue, int code, char *text, int *length) ROCKCREEK_NOEXCEPT;
int rockcreek_error_return(void *ue, int debug, int code) ROCKCREEK_NOEXCEPT;

/* messages */
int rockcreek_send(void *ue, char *buffer, size_t size, int dest) ROCKCREEK_NOEXCEPT;
int rockcreek_recv(void *ue, char *buffer, size_t size, int source) ROCKCREEK_NOEXCEPT;
int rockcreek_recv_test(void *ue, char *buffer, size_t size, int source, int *test) ROCKCREEK_NOEXCEPT;
int rockcreek_send_gory(void *ue, char *buffer, rockcreek_mpb combuf, size_t chunk, void *ready, void *sent,
                        size_t size, int dest) ROCKCREEK_NOEXCEPT;
int rockcreek_recv_gory(void *ue, char *buffer, rockcreek_mpb combuf, size_t chunk, void *ready, void *sent,
                        size_t size, int source, int *test) ROCKCREEK_NOEXCEPT;
int rockcreek_comm_bcast(void *ue, char *buffer, size_t num, int root, void *comm) ROCKCREEK_NOEXCEPT;
int rockcreek_comm_reduce(void *ue, char *in, char *out, int num, int type, int op, int root, void *comm) ROCKCREEK_NOEXCEPT;
int rockcreek_comm_allreduce(void *ue, char *in, char *out, int num, int type, int op, void *comm) ROCKCREEK_NOEXCEPT;

/* communicators, barrier, locks */
/* the colour function is the program's: its exceptions pass through */
int rockcreek_comm_split(void *ue, int (*color)(int, void *), void *aux, void *comm);
int rockcreek_comm_free(void *ue, void *comm) ROCKCREEK_NOEXCEPT;
int rockcreek_comm_size(void *ue, void *comm, int *size) ROCKCREEK_NOEXCEPT;
int rockcreek_comm_rank(void *ue, void *comm, int *rank) ROCKCREEK_NOEXCEPT;
int rockcreek_comm_barrier(void *ue, void *comm) ROCKCREEK_NOEXCEPT;
void rockcreek_fence(void *ue) ROCKCREEK_NOEXCEPT;
int rockcreek_acquire_lock(void *ue, int id) ROCKCREEK_NOEXCEPT;
int rockcreek_release_lock(void *ue, int id) ROCKCREEK_NOEXCEPT;

/* MPB memory, flags */
rockcreek_mpb rockcreek_malloc(void *ue, size_t size) ROCKCREEK_NOEXCEPT;
rockcreek_mpb rockcreek_malloc_request(void *ue, size_t size, size_t *chunk) ROCKCREEK_NOEXCEPT;
void rockcreek_free(void *ue, rockcreek_mpb block) ROCKCREEK_NOEXCEPT;
void rockcreek_malloc_init(void *ue, rockcreek_mpb start, size_t size) ROCKCREEK_NOEXCEPT;
int rockcreek_put(void *ue, rockcreek_mpb target, rockcreek_mpb source, int bytes, int id) ROCKCREEK_NOEXCEPT;
int rockcreek_get(void *ue, rockcreek_mpb target, rockcreek_mpb source, int bytes, int id) ROCKCREEK_NOEXCEPT;
int rockcreek_put_char(void *ue, rockcreek_mpb target, rockcreek_mpb source, int id) ROCKCREEK_NOEXCEPT;
int rockcreek_get_char(void *ue, rockcreek_mpb target, rockcreek_mpb source, int id) ROCKCREEK_NOEXCEPT;
int rockcreek_flag_alloc(void *ue, void *flag) ROCKCREEK_NOEXCEPT;
int rockcreek_flag_free(void *ue, void *flag) ROCKCREEK_NOEXCEPT;
int rockcreek_flag_write(void *ue, void *flag, int value, int id) ROCKCREEK_NOEXCEPT;
int rockcreek_flag_read(void *ue, void *flag, int *value, int id) ROCKCREEK_NOEXCEPT;
int rockcreek_wait_until(void *ue, void *flag, int value) ROCKCREEK_NOEXCEPT;
int rockcreek_probe(void *ue, void *flag) ROCKCREEK_NOEXCEPT;
/* a byte of the own MPB: `mask` selects its bits; write returns nothing to wait for */
int rockcreek_own_byte(void *ue, rockcreek_mpb address) ROCKCREEK_NOEXCEPT;
void rockcreek_set_own_byte(void *ue, rockcreek_mpb address, int mask, int value) ROCKCREEK_NOEXCEPT;
rockcreek_mpb rockcreek_mpb_start(void *ue, int id) ROCKCREEK_NOEXCEPT;
void rockcreek_cache_invalidate(void *ue) ROCKCREEK_NOEXCEPT;

/* off-chip shared memory */
rockcreek_mpb rockcreek_shmalloc(void *ue, size_t size) ROCKCREEK_NOEXCEPT;
rockcreek_mpb rockcreek_shmalloc_request(void *ue, size_t size, size_t *chunk) ROCKCREEK_NOEXCEPT;
rockcreek_mpb rockcreek_shrealloc(void *ue, rockcreek_mpb block, size_t size) ROCKCREEK_NOEXCEPT;
void rockcreek_shfree(void *ue, rockcreek_mpb block) ROCKCREEK_NOEXCEPT;
void rockcreek_shmalloc_init(void *ue, rockcreek_mpb start, size_t size) ROCKCREEK_NOEXCEPT;
void rockcreek_shflush(void *ue) ROCKCREEK_NOEXCEPT;
rockcreek_mpb rockcreek_shared_memory(void *ue) ROCKCREEK_NOEXCEPT;

/* power */
int rockcreek_power_domain(void *ue) ROCKCREEK_NOEXCEPT;
int rockcreek_power_domain_master(void *ue) ROCKCREEK_NOEXCEPT;
int rockcreek_power_domain_size(void *ue) ROCKCREEK_NOEXCEPT;
int rockcreek_iset_power(void *ue, int divider, void *request, int *new_divider, int *new_level) ROCKCREEK_NOEXCEPT;
int rockcreek_wait_power(void *ue, void *request) ROCKCREEK_NOEXCEPT;
int rockcreek_set_frequency_divider(void *ue, int divider, int *new_divider) ROCKCREEK_NOEXCEPT;
int rockcreek_get_divider(void *ue, int tile) ROCKCREEK_NOEXCEPT;
void rockcreek_print_dividers(void *ue) ROCKCREEK_NOEXCEPT;

/* registers and addresses of the chip */
int rockcreek_read_register(void *ue, unsigned address) ROCKCREEK_NOEXCEPT;
void rockcreek_write_register(void *ue, unsigned address, int value) ROCKCREEK_NOEXCEPT;
rockcreek_mpb rockcreek_mpb_of_tile(void *ue, int x, int y, int core) ROCKCREEK_NOEXCEPT;

/* sorts in place, with the same result on every host also where elements compare equal */
void rockcreek_sort(char *base, size_t count, size_t bytes, int (*compare)(const void *, const void *));

#ifdef __cplusplus
}
#endif
#endif
