/* SPDX-License-Identifier: Apache-2.0 */
/* A team of threads for C programs: team.hpp explains every function and value.
 *
 *     rockcreek_team* team = rockcreek_team_create(0, NULL);
 *     rockcreek_team_run(team, region, &problem);
 *     rockcreek_team_destroy(team);
 *
 * Calls that can fail return 0 on success and -1 otherwise; rockcreek_team_error() then says why. */
#ifndef ROCKCREEK_TEAM_H
#define ROCKCREEK_TEAM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rockcreek_team rockcreek_team;
typedef struct rockcreek_member
    rockcreek_member; /* a thread inside a region; valid until the region ends there */

typedef enum { ROCKCREEK_ORDER_ANY, ROCKCREEK_ORDER_FIXED, ROCKCREEK_ORDER_THREADS } rockcreek_order;
typedef enum {
  ROCKCREEK_ELEMENT_INT,
  ROCKCREEK_ELEMENT_LONG,
  ROCKCREEK_ELEMENT_FLOAT,
  ROCKCREEK_ELEMENT_DOUBLE
} rockcreek_element;
typedef enum {
  ROCKCREEK_COMBINE_SUM,
  ROCKCREEK_COMBINE_PROD,
  ROCKCREEK_COMBINE_MIN,
  ROCKCREEK_COMBINE_MAX
} rockcreek_combine;

/* Zero or NULL in a member means its default. */
typedef struct {
  rockcreek_order order;
  const char *barrier, *reduce, *join;
} rockcreek_team_options;

/* `threads` 0: as many as this process may use processors. `options` may be NULL. NULL on failure. */
rockcreek_team* rockcreek_team_create(int threads, const rockcreek_team_options* options);
/* Must not be called inside a region. NULL is allowed. */
void rockcreek_team_destroy(rockcreek_team* team);
int rockcreek_team_threads(const rockcreek_team* team);

/* Calls region(member, argument) on every thread, including the caller's. -1 inside a region of the same
 * team. */
int rockcreek_team_run(rockcreek_team* team, void (*region)(rockcreek_member* member, void* argument),
                       void* argument);

int rockcreek_member_thread(const rockcreek_member* member);
int rockcreek_member_threads(const rockcreek_member* member);

/* Collective: every thread of the team makes the same calls, in the same order. */
void rockcreek_member_barrier(rockcreek_member* member);
/* Combines data[0 ... count) of all threads element by element, and writes the result to every thread's
 * data. -1 for an unknown type or operation. */
int rockcreek_member_reduce(rockcreek_member* member, rockcreek_element type, rockcreek_combine operation,
                            void* data, size_t count);

/* Message of the last call on this thread that failed; empty if none has. The library owns it. */
const char* rockcreek_team_error(void);

#ifdef __cplusplus
}
#endif

#endif
