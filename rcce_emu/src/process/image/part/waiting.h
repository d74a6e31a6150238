/* SPDX-License-Identifier: Apache-2.0 */
/* What code calls that rccecc has compiled. Part of every program image and of every library that rccecc
 * links: all of it is hidden, so that each has its own. */
/* --- waiting loops: rccecc makes each loop of the program count its rounds down here
 * ----------------------------- */
#define ROUNDS_BETWEEN_YIELDS 64
#define NONE 0, 0, 0, 0 /* words */
extern unsigned rockcreek_cycles_left;
__attribute__((visibility("hidden"))) int rockcreek_rounds = ROUNDS_BETWEEN_YIELDS;
__attribute__((visibility("hidden"))) void rockcreek_spin(void);
void rockcreek_spin(void) {
  static unsigned rounds = ROUNDS_BETWEEN_YIELDS;
  const unsigned gone = rounds;
  /* towards its alarm in small steps: a round is some hundred cycles */
  const unsigned left = rockcreek_cycles_left / 256 + 1;
  rounds = left < ROUNDS_BETWEEN_YIELDS ? left : ROUNDS_BETWEEN_YIELDS;
  rockcreek_rounds = (int)rounds;
  rockcreek_spin_rounds(UE, gone, NONE);
}
/* a loop that does nothing else but wait for these words to change: entries.h says what `what` is */
__attribute__((visibility("hidden"))) void
rockcreek_poll(unsigned what, const void *first, const void *second, const void *third, const void *fourth);
void rockcreek_poll(unsigned what, const void *first, const void *second, const void *third,
                    const void *fourth) {
  rockcreek_spin_rounds(UE, ROCKCREEK_POLLS | what, first, second, third, fourth);
}

/* --- cycles: the program adds up here what its code takes, and calls where that has become much
 * ------------------- */
extern unsigned long rockcreek_own_cycles;
__attribute__((visibility("hidden"))) void rockcreek_counted(void);
void rockcreek_counted(void) {
  if (UE)
    rockcreek_spin_rounds(UE, 0, NONE);
  else
    rockcreek_own_cycles = 0;
}

/* --- stores that others may see: the program calls before, with what it has counted up to there and not yet
 * handed over -- */
__attribute__((visibility("hidden"))) void rockcreek_store(unsigned long cycles);
void rockcreek_store(unsigned long cycles) {
  if (!UE) return;
  rockcreek_own_cycles += cycles;
  rockcreek_spin_rounds(UE, ROCKCREEK_STORES, NONE);
  rockcreek_own_cycles -= cycles; /* below 0 until the program hands them over */
}

/* --- loads and stores of addresses below 4 GiB, `cycles` as above: those of message buffers take time
 * -------------------- */
__attribute__((visibility("hidden"))) void rockcreek_buffer(const char *address, unsigned long cycles,
                                                            unsigned long step, unsigned long rounds,
                                                            unsigned long how);
void rockcreek_buffer(const char *address, unsigned long cycles, unsigned long step, unsigned long rounds,
                      unsigned long how) {
  static unsigned long begin, bytes;
  if (!UE) return;
  if (!bytes) rockcreek_spin_rounds(UE, ROCKCREEK_BUFFERS, 0, &begin, &bytes, 0);
  if ((unsigned long)address - begin >= bytes) return;
  rockcreek_own_cycles += cycles;
  rockcreek_spin_rounds(UE, ROCKCREEK_BUFFERS, address, (const void *)step, (const void *)rounds,
                        (const void *)how);
  rockcreek_own_cycles -= cycles;
}

#ifdef ROCKCREEK_MEMORY
/* --- memory: rccecc --memory puts these calls in where the line is not the one used last in its set of the
 * cache ------- */
extern unsigned long rockcreek_lines[ROCKCREEK_LINES];
__attribute__((visibility("hidden"))) void rockcreek_access_memory(const void *address, unsigned long bytes,
                                                                   unsigned how);
void rockcreek_access_memory(const void *address, unsigned long bytes, unsigned how) {
  if (TELLS) rockcreek_accessed(UE, address, bytes, how, rockcreek_lines);
}
__attribute__((visibility("hidden"))) void rockcreek_access_in_run(const struct rockcreek_access *accesses,
                                                                   unsigned long count,
                                                                   const unsigned long *bases);
void rockcreek_access_in_run(const struct rockcreek_access *accesses, unsigned long count,
                             const unsigned long *bases) {
  struct rockcreek_stream each[ROCKCREEK_ACCESSES];
  if (!TELLS) return;
  for (unsigned long i = 0; i < count; ++i) {
    const unsigned long address = bases[accesses[i].base] + (unsigned long)(long)accesses[i].distance;
    each[i] = (struct rockcreek_stream){(const void *)address, 0, accesses[i].bytes, accesses[i].how};
  }
  /* an entry of its own would move the program's variables */
  rockcreek_accessed_in_loop(UE, 0, each, count, rockcreek_lines);
}
__attribute__((visibility("hidden"))) void
rockcreek_access_in_loop(unsigned long rounds, const struct rockcreek_stream *streams, unsigned long count);
void rockcreek_access_in_loop(unsigned long rounds, const struct rockcreek_stream *streams,
                              unsigned long count) {
  if (TELLS) rockcreek_accessed_in_loop(UE, rounds, streams, count, rockcreek_lines);
}
#endif

#ifdef ROCKCREEK_OBSERVED
/* --- accesses of the program: rccecc --observe puts these calls in, where the address lies in the range
 * ---------- */
__attribute__((visibility("hidden"))) unsigned long rockcreek_observed_begin = 0,
                                                    rockcreek_observed_bytes = 0;
__attribute__((visibility("hidden"))) unsigned long rockcreek_wait_loops = 0; /* entered so far */
__attribute__((visibility("hidden"))) void rockcreek_access(const void *address, unsigned long bytes,
                                                            unsigned how, unsigned long value);
void rockcreek_access(const void *address, unsigned long bytes, unsigned how, unsigned long value) {
  rockcreek_observed(UE, address, bytes, how, value, __builtin_return_address(0));
}
__attribute__((visibility("hidden"))) void rockcreek_gives(const void *address, const void *function);
void rockcreek_gives(const void *address, const void *function) { rockcreek_given(UE, address, function); }
#if ROCKCREEK_OBSERVED == 2 /* all of the program: else it counts as not observed */
__attribute__((constructor(101))) static void observe(void) {
  rockcreek_observe(UE, &rockcreek_observed_begin, &rockcreek_observed_bytes);
}
#endif
#endif
