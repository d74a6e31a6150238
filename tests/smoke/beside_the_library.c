/* Algorithms that go past the library's copies, flags and combining, by which a limit could be undercut. */
#define AIR
#include <RCCE.h>
#include <RCCE_lib.h>
#include <iRCCE.h>
#include <string.h>

#include <algorithms/algorithm.h>
#include <rockcreek.h>

enum { fan_out = 4 };

static RCCE_FLAG full, done[fan_out];
static int call_number, last_root = -1;
static double partial[1 << 17];
static iRCCE_AIR *counter;
static unsigned barriers;

static int flags(const rockcreek_call *call) {
  (void)call;
  RCCE_flag_alloc(&full);
  for (int i = 0; i < fan_out; ++i) RCCE_flag_alloc(&done[i]);
  RCCE_barrier(&RCCE_COMM_WORLD);
  return RCCE_SUCCESS;
}

static RCCE_FLAG_STATUS value(void) { return (RCCE_FLAG_STATUS)(call_number % 250 + 1); }
static char *area_of(int rank) {
  return (char *)RCCE_comm_buffer[rank] + (RCCE_buff_ptr - RCCE_comm_buffer[RCCE_ue()]);
}

/* The readers of the last call are done, as far as they are below this rank in its tree. */
static void wait_for_readers(void) {
  const int n = RCCE_num_ues(), self = (RCCE_ue() - last_root + n) % n;
  if (last_root < 0) return;
  for (int i = 0; i < fan_out && fan_out * self + 1 + i < n; ++i) RCCE_wait_until(done[i], value());
  if (self > 0) RCCE_flag_write(&done[(self - 1) % fan_out], value(), ((self - 1) / fan_out + last_root) % n);
}

/* All read the root's buffer at once: by memcpy(), by a loop of their own, or by a call. */
static int shout(const rockcreek_call *call) {
  const int n = RCCE_num_ues(), self = (RCCE_ue() - call->root + n) % n;
  const char *const how = rockcreek_text(call, "how");
  volatile char none = 0; /* no compiler makes a copy of the loop */
  const char mask = none;
  for (size_t at = 0, part; at < call->bytes; at += part) {
    part = call->bytes - at < RCCE_chunk ? call->bytes - at : RCCE_chunk;
    wait_for_readers();
    /* In another tree others write the flags, whose last numbers may not have been looked at yet. */
    if (last_root >= 0 && last_root != call->root) RCCE_barrier(&RCCE_COMM_WORLD);
    last_root = call->root;
    ++call_number;
    if (self == 0)
      iRCCE_put(RCCE_buff_ptr, (t_vcharp)call->buffer + at, (int)part, RCCE_ue());
    else
      RCCE_wait_until(full, value());
    for (int child = fan_out * self + 1; child <= fan_out * self + fan_out && child < n; ++child)
      RCCE_flag_write(&full, value(), (child + call->root) % n);
    if (self == 0) continue;
    const char *const from = area_of(call->root);
    if (how[0] == 'm')
      memcpy(call->buffer + at, from, part);
    else if (how[0] == 'l')
      for (size_t i = 0; i < part; ++i) call->buffer[at + i] = (char)(from[i] ^ mask);
    else
      iRCCE_get((t_vcharp)call->buffer + at, RCCE_buff_ptr, (int)part, call->root);
  }
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(shout_row, .name = "bcast/shout", .operation = ROCKCREEK_BCAST,
                    .summary = "all read the root's buffer", .source = "a test",
                    .parameters = {{.name = "how", .words = "memcpy loop get", .help = "by what they read"}},
                    .prepare = flags, .run = shout);

static int take_counter(const rockcreek_call *call) {
  (void)call;
  iRCCE_atomic_alloc(&counter);
  if (RCCE_ue() == 0) iRCCE_atomic_write(counter, 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  return RCCE_SUCCESS;
}
static int count(const rockcreek_call *call) {
  (void)call;
  const unsigned all = ++barriers * (unsigned)RCCE_num_ues();
  int seen = 0;
  for (iRCCE_atomic_inc(counter, &seen), ++seen; (unsigned)seen < all;) iRCCE_atomic_read(counter, &seen);
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(count_row, .name = "barrier/count", .operation = ROCKCREEK_BARRIER,
                    .summary = "a counter that all read", .source = "a test",
                    .needs = ROCKCREEK_NEEDS_REGISTERS | ROCKCREEK_NEEDS_AIR, .prepare = take_counter,
                    .run = count);

static void add(void *target, const void *source, int wide) {
  for (int i = 0; i < 4 * wide; ++i) ((double *)target)[i] += ((const double *)source)[i];
}

/* Two ranks; sums of doubles: the operand is combined where it lies in the buffer, or four doubles are told
   as one. */
static int pair(const rockcreek_call *call) {
  const int other = 1 - call->root;
  const char *const how = rockcreek_text(call, "how");
  if (RCCE_num_ues() != 2 || call->op != RCCE_SUM || call->type != RCCE_DOUBLE)
    return rockcreek_refuse("reduce/pair: sums of doubles by two ranks");
  if (RCCE_ue() == call->root) rcce_copy(call->buffer, call->source, call->bytes);
  for (size_t at = 0, part; at < call->bytes; at += part) {
    part = call->bytes - at < RCCE_chunk / 32 * 32 ? call->bytes - at : RCCE_chunk / 32 * 32;
    wait_for_readers();
    last_root = other;
    ++call_number;
    double *const target = (double *)(void *)(call->buffer + at);
    if (RCCE_ue() != call->root) {
      iRCCE_put(RCCE_buff_ptr, (t_vcharp)call->source + at, (int)part, RCCE_ue());
      RCCE_flag_write(&full, value(), call->root);
      continue;
    }
    RCCE_wait_until(full, value());
    if (how[0] == 'b') {
      rcce_combine(call->op, call->type, target, area_of(other), (int)(part / sizeof(double)));
    } else {
      iRCCE_get((t_vcharp)partial, RCCE_buff_ptr, (int)part, other);
      rcce_combine_with(add, target, partial, (int)(part / 32), 32);
      rcce_combine(call->op, call->type, target + part / 32 * 4, partial + part / 32 * 4,
                   (int)(part % 32 / sizeof(double)));
    }
  }
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(
    pair_row, .name = "reduce/pair", .operation = ROCKCREEK_REDUCE, .summary = "of two ranks",
    .source = "a test",
    .parameters = {{.name = "how", .words = "buffer wide", .help = "how the operand is combined"}},
    .prepare = flags, .run = pair);
