/* The processor's time stamp counter, in the ways that programs read it, is the simulated core's: each
   reading lies between two of rcce_cycles(). */
#include <x86intrin.h>

#include "RCCE.h"
#include "rockcreek.h"

#include "ue_check.h"

typedef unsigned long long count;

static count halves(void) {
  unsigned low, high;
  __asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
  return (count)high << 32 | low;
}
static count both(void) { /* as on a processor of 32 bits */
  count all;
  __asm__ __volatile__("rdtsc" : "=A"(all));
  return all;
}
static count bytes(void) {
  count all;
  __asm__ __volatile__(".byte 0x0f, 0x31" : "=A"(all));
  return all;
}
static count ordered(void) {
  unsigned low, high;
  __asm__ __volatile__("CPUID\n\t"
                       "RDTSC\n\t"
                       "mov %%edx, %0\n\t"
                       "mov %%eax, %1\n\t"
                       : "=r"(high), "=r"(low)::"%rax", "%rbx", "%rcx", "%rdx");
  return (count)high << 32 | low;
}
static count behind(void) {
  unsigned low, high;
  __asm__ __volatile__("rdtscp\n\t"
                       "mov %%edx, %0\n\t"
                       "movl %%eax, %1\n\t"
                       "cpuid"
                       : "=r"(high), "=r"(low)::"%rax", "%rbx", "%rcx", "%rdx");
  return (count)high << 32 | low;
}
static count joined(void) {
  count all;
  __asm__ __volatile__("lfence; rdtsc; shlq $32, %%rdx; orq %%rdx, %%rax" : "=a"(all)::"rdx");
  return all;
}
static count processor(void) {
  unsigned low, high, number;
  __asm__ __volatile__("rdtscp" : "=a"(low), "=d"(high), "=c"(number));
  return ((count)high << 32 | low) + number;
}
static count with_input(void) {
  unsigned low, high;
  __asm__ __volatile__("cpuid\nrdtsc" : "=a"(low), "=d"(high) : "a"(0) : "ebx", "ecx");
  return (count)high << 32 | low;
}
static count built_in(void) { return __rdtsc(); }
static count of_processor(void) {
  unsigned number;
  return __rdtscp(&number) + number;
}
static count of_clang(void) { return __builtin_readcyclecounter(); }
static count low_half(void) {
  unsigned low;
  __asm__ __volatile__("rdtsc" : "=a"(low) : : "edx");
  return ((count)rcce_cycles() & ~(count)0xffffffff) | low;
}

static const struct {
  const char* name;
  count (*read)(void);
} ways[] = {{"halves", halves},       {"both", both},         {"bytes", bytes},
            {"ordered", ordered},     {"behind", behind},     {"joined", joined},
            {"processor", processor}, {"with_input", with_input}, {"built_in", built_in},
            {"of_processor", of_processor}, {"of_clang", of_clang}, {"low_half", low_half}};

int RCCE_APP(int argc, char **argv) {
  unsigned i;
  double begin;
  count start;
  RCCE_init(&argc, &argv);
  rcce_compute(6000000000LL); /* with a simulated clock both halves of the counter are in use */
  for (i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
    const count before = (count)rcce_cycles(), read = ways[i].read(), after = (count)rcce_cycles();
    CHECK(before <= read && read <= after, "%s: %llu is not between %llu and %llu", ways[i].name, read,
          before, after);
  }
  /* A wait for an instant: a tenth of a second at 533 MHz, which takes the host none. */
  begin = RCCE_wtime();
  start = halves();
  while (halves() - start < 53300000ULL) {
  }
  begin = RCCE_wtime() - begin;
  CHECK(begin > 0.0999 && begin < 1, "53300000 cycles take %g s", begin);
  RCCE_finalize();
  return check_end();
}
