/* SPDX-License-Identifier: Apache-2.0 */
/* iRCCE_lib.h - the inside of iRCCE, as far as programs have come to use it: queues and further functions. */
#ifndef IRCCE_LIB_H
#define IRCCE_LIB_H

#include "RCCE_lib.h"
#include "iRCCE.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- variables: one set per UE. To be read: the library keeps queues of its own and brings these up to date
   -- */
extern iRCCE_SEND_REQUEST *iRCCE_isend_queue;
extern iRCCE_RECV_REQUEST *iRCCE_irecv_queue[RCCE_MAXNP]; /* by source */
#if ROCKCREEK_IRCCE < 20 && defined(ROCKCREEK_TM2C)
extern iRCCE_SEND_REQUEST *iRCCE_isend_queue32[RCCE_MAXNP]; /* by destination */
#endif
#if ROCKCREEK_IRCCE >= 20
extern iRCCE_RECV_REQUEST *iRCCE_irecv_any_source_queue; /* no source found yet */
extern int iRCCE_recent_source; /* of the message received or probed last; -1: none */
extern int iRCCE_recent_length;
#ifdef AIR
#define FPGA_BASE 0xf9000000
#define BACKOFF_MIN 8
#define BACKOFF_MAX 256
#if RCCE_MAXNP + 0 == 0
extern iRCCE_AIR iRCCE_atomic_inc_regs[];
#else
extern iRCCE_AIR iRCCE_atomic_inc_regs[2 * RCCE_MAXNP];
#endif
extern int iRCCE_atomic_alloc_counter;
extern iRCCE_AIR *iRCCE_atomic_barrier[2];
#endif
#endif

void iRCCE_add_send_to_wait_list(iRCCE_WAIT_LIST *list, iRCCE_SEND_REQUEST *request);
void iRCCE_add_recv_to_wait_list(iRCCE_WAIT_LIST *list, iRCCE_RECV_REQUEST *request);
int iRCCE_test_flag(RCCE_FLAG flag, RCCE_FLAG_STATUS val, int *result);
#if ROCKCREEK_IRCCE >= 20
int iRCCE_get_status(iRCCE_SEND_REQUEST *send, iRCCE_RECV_REQUEST *recv);
int iRCCE_push_ssend_request(iRCCE_SEND_REQUEST *request);
int iRCCE_push_srecv_request(iRCCE_RECV_REQUEST *request);
#endif

#ifdef __cplusplus
}
#endif

#endif
