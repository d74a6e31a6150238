/* SPDX-License-Identifier: Apache-2.0 */
/* RCCE_debug.h - the library's debug switches, 1 while on. They are the image part's variables, one set per
   UE. */
#ifdef __cplusplus
extern "C" {
#endif
extern int RCCE_debug_synch;
extern int RCCE_debug_comm;
extern int RCCE_debug_debug;
extern int RCCE_debug_RPC;
extern int RCCE_comm_init_val;
#ifdef __cplusplus
}
#endif
