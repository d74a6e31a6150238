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

/* Simulated time of the calling core in picoseconds since the start of the run. All cores count from the same instant. */
long long rcce_picoseconds(void);

/* The core does nothing until that instant; returns at once when it has passed. UEs that agree on an instant are released
   together, to the picosecond. */
void rcce_sleep_until(long long picoseconds);

/* Says that the caller has by itself read (write 0) or written (write 1) this memory: its lines move through the simulated
   caches as they would on the chip; no time passes. Without it only the library's own copies do. */
void rcce_touch(const void *memory, unsigned long bytes, int write);

/* Says that the caller enters a collective operation of all UEs that the program has made out of other calls, with this root
   (-1: none) and this number of bytes. rccerun --check mpb reports UEs that do not agree on them, or that enter their
   collectives in another order; no time passes. */
void rcce_collective(const char *name, int root, unsigned long bytes);

#ifdef __cplusplus
}
#endif

#endif
