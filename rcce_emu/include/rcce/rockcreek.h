/* rockcreek.h - what Rockcreek offers to programs beside the original interface. RCCE.h includes it. */
#ifndef ROCKCREEK_H
#define ROCKCREEK_H

/* Present in every program that is compiled for Rockcreek. */
#define ROCKCREEK 1

#ifdef __cplusplus
extern "C" {
#endif

/* Says that the caller has computed for this many cycles of its core: its clock advances by that time. */
void rcce_compute(long long cycles);

/* Cycles of the core's nominal clock since the start of the run: what its time stamp counter would show. */
long long rcce_cycles(void);

#ifdef __cplusplus
}
#endif

#endif
