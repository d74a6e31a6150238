/* SPDX-License-Identifier: Apache-2.0 */
/* omp.h - OpenMP's functions, of a program that is one thread: a unit of execution. */
#ifndef ROCKCREEK_OMP_H
#define ROCKCREEK_OMP_H
#pragma message( \
    "OpenMP in a unit of execution has one thread, as its core had: pragmas omp are not obeyed; " \
    "divide the work by RCCE_ue() and RCCE_num_ues()")
#ifdef __cplusplus
extern "C" {
#endif
double RCCE_wtime(void);

typedef int omp_lock_t;

static __inline int omp_get_thread_num(void) { return 0; }
static __inline int omp_get_num_threads(void) { return 1; }
static __inline int omp_get_max_threads(void) { return 1; }
static __inline int omp_get_num_procs(void) { return 1; }
static __inline int omp_in_parallel(void) { return 0; }
static __inline int omp_get_dynamic(void) { return 0; }
static __inline int omp_get_nested(void) { return 0; }
static __inline void omp_set_num_threads(int threads) { (void)threads; }
static __inline void omp_set_dynamic(int on) { (void)on; }
static __inline void omp_set_nested(int on) { (void)on; }
static __inline double omp_get_wtime(void) { return RCCE_wtime(); }
static __inline void omp_init_lock(omp_lock_t *lock) { *lock = 0; }
static __inline void omp_destroy_lock(omp_lock_t *lock) { (void)lock; }
static __inline void omp_set_lock(omp_lock_t *lock) { *lock = 1; }
static __inline void omp_unset_lock(omp_lock_t *lock) { *lock = 0; }
static __inline int omp_test_lock(omp_lock_t *lock) { return *lock ? 0 : (*lock = 1); }
#ifdef __cplusplus
}
#endif
#endif
