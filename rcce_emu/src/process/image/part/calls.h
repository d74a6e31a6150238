/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls that hand their arguments to the runtime as they are, a row each:
 *   ROCKCREEK_CALL(type, public name, entry, (arguments), parameters)
 *   ROCKCREEK_CALL_OF_NONE(type, public name, entry)
 * Whoever includes this says what a row becomes: a declaration (entries.h) or the public function
 * (rcce_image.c). A call with more to do is declared in entries.h and written in rcce_image.c.
 * ROCKCREEK_ALL_CALLS: those too that the variant lacks. */

/* start, end, time, diagnostics */
ROCKCREEK_CALL_OF_NONE(int, RCCE_finalize, finalize)
ROCKCREEK_CALL_OF_NONE(double, RCCE_wtime, wtime)
ROCKCREEK_CALL(void, rcce_compute, compute, (cycles), long long cycles)
ROCKCREEK_CALL_OF_NONE(long long, rcce_cycles, cycles)
ROCKCREEK_CALL_OF_NONE(long long, rcce_picoseconds, picoseconds)
ROCKCREEK_CALL(void, rcce_sleep_until, sleep_until, (picoseconds), long long picoseconds)
ROCKCREEK_CALL(void, rcce_touch, touch, (memory, bytes, write), const void *memory, unsigned long bytes,
               int write)
ROCKCREEK_CALL(void, rcce_copy, copy, (target, source, bytes), void *target, const void *source,
               unsigned long bytes)
ROCKCREEK_CALL(void, rcce_collective, collective, (name, root, bytes), const char *name, int root,
               unsigned long bytes)
ROCKCREEK_CALL(int, RCCE_error_string, error_string, (err_no, error_string, string_length),
               int err_no, char *error_string, int *string_length)
ROCKCREEK_CALL(int, RCCE_error_return, error_return, (debug_flag, err), int debug_flag, int err)

/* communicators, barrier, locks */
ROCKCREEK_CALL(int, RCCE_comm_free, comm_free, (comm), RCCE_COMM *comm)
ROCKCREEK_CALL(int, RCCE_barrier, comm_barrier, (comm), RCCE_COMM *comm)
ROCKCREEK_CALL_OF_NONE(void, RCCE_fence, fence)
ROCKCREEK_CALL(int, RCCE_release_lock, release_lock, (ID), int ID)

/* MPB memory, flags */
ROCKCREEK_CALL(t_vcharp, RCCE_malloc_request, malloc_request, (size, chunk), size_t size, size_t *chunk)
ROCKCREEK_CALL(void, RCCE_free, free, (ptr), t_vcharp ptr)
ROCKCREEK_CALL(void, RCCE_malloc_init, malloc_init, (mem, size), t_vcharp mem, size_t size)
ROCKCREEK_CALL(int, RCCE_put, put, (target, source, num_bytes, ID), t_vcharp target, t_vcharp source,
               int num_bytes, int ID)
ROCKCREEK_CALL(int, RCCE_get, get, (target, source, num_bytes, ID), t_vcharp target, t_vcharp source,
               int num_bytes, int ID)
ROCKCREEK_CALL(int, RCCE_flag_alloc, flag_alloc, (flag), RCCE_FLAG *flag)
ROCKCREEK_CALL(int, RCCE_flag_free, flag_free, (flag), RCCE_FLAG *flag)
#if defined(ROCKCREEK_ALL_CALLS) || ROCKCREEK_RCCE >= 20
ROCKCREEK_CALL(int, RCCE_put_char, put_char, (target, source, ID), t_vcharp target, t_vcharp source, int ID)
ROCKCREEK_CALL(int, RCCE_get_char, get_char, (target, source, ID), t_vcharp target, t_vcharp source, int ID)
#endif

/* off-chip shared memory */
ROCKCREEK_CALL(t_vcharp, RCCE_shmalloc, shmalloc, (size), size_t size)
ROCKCREEK_CALL(t_vcharp, RCCE_shmalloc_request, shmalloc_request, (size, chunk), size_t size, size_t *chunk)
ROCKCREEK_CALL(void, RCCE_shfree, shfree, (ptr), t_vcharp ptr)
ROCKCREEK_CALL(void, RCCE_shmalloc_init, shmalloc_init, (mem, size), t_vcharp mem, size_t size)
ROCKCREEK_CALL_OF_NONE(void, RCCE_shflush, shflush)

/* power */
#if defined(ROCKCREEK_ALL_CALLS) || defined(RC_POWER_MANAGEMENT)
ROCKCREEK_CALL_OF_NONE(int, RCCE_power_domain, power_domain)
ROCKCREEK_CALL_OF_NONE(int, RCCE_power_domain_master, power_domain_master)
ROCKCREEK_CALL_OF_NONE(int, RCCE_power_domain_size, power_domain_size)
ROCKCREEK_CALL(int, RCCE_wait_power, wait_power, (req), RCCE_REQUEST *req)
ROCKCREEK_CALL(int, RCCE_set_frequency_divider, set_frequency_divider, (Fdiv, new_Fdiv), int Fdiv,
               int *new_Fdiv)
ROCKCREEK_CALL(int, get_divider, get_divider, (tile), int tile)
ROCKCREEK_CALL_OF_NONE(void, print_dividers, print_dividers)
#endif

/* caches and addresses of the chip */
ROCKCREEK_CALL_OF_NONE(void, RC_cache_invalidate, cache_invalidate)
ROCKCREEK_CALL(t_vcharp, RC_COMM_BUFFER_START, mpb_start, (rank), int rank)
