/* SPDX-License-Identifier: Apache-2.0 */
/* The C side of the test of teams: what a C program does with one. Returns the number of what was wrong. */
#ifdef __cplusplus
extern "C" {
#endif
int team_from_c(int threads, const char* reduce);
#ifdef __cplusplus
}
#endif
