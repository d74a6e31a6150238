/* What a UE gets is what was written last in the order that flags make, whoever wrote it and whichever flags
 * tell: UE 0 owns the buffer, UE 1 writes into it, UE 2 gets from it. */
#include "RCCE_lib.h"

#include "ue_check.h"

enum { rounds = 20, bytes = 96 };
static char data[bytes];
static t_vcharp buffer;
static RCCE_FLAG first, second;

static t_vcharp of(int value) {
  int i;
  for (i = 0; i < bytes; ++i) data[i] = (char)(value + i);
  return (t_vcharp)data;
}
static void expect(int value) {
  int i;
  RCCE_get((t_vcharp)data, buffer, bytes, 0);
  for (i = 0; i < bytes; ++i) CHECK_INT(data[i], (char)(value + i));
}
static void tell(RCCE_FLAG* flag, int ue) {
  RCCE_flag_write(flag, RCCE_FLAG_SET, ue);
}
static void hear(RCCE_FLAG* flag) {
  RCCE_wait_until(*flag, RCCE_FLAG_SET);
  RCCE_flag_write(flag, RCCE_FLAG_UNSET, RCCE_ue());
}
/* Long enough for what is under way to have arrived before the other looks. */
static void linger(void) {
  double end = RCCE_wtime() + 0.0002;
  while (RCCE_wtime() < end) {
  }
}

/* UE 0's flag is there long before UE 2 looks; meanwhile UE 1 writes over what it told of. */
static void overwritten_by_another(int me, int value, int look_at_first_before) {
  if (me == 0) {
    RCCE_put(buffer, of(value), bytes, 0);
    tell(&first, 2);
    tell(&first, 1);
  } else if (me == 1) {
    hear(&first);
    linger();
    RCCE_put(buffer, of(value + 1), bytes, 0);
    tell(&second, 2);
  } else if (me == 2) {
    if (look_at_first_before) hear(&first);
    hear(&second);
    if (!look_at_first_before) hear(&first);
    expect(value + 1);
  }
}

/* UE 1's write is told to UE 2 by UE 0. */
static void told_by_the_owner(int me, int value) {
  if (me == 0) {
    RCCE_put(buffer, of(value), bytes, 0);
    tell(&first, 2);
    tell(&first, 1);
    hear(&second);
    tell(&second, 2);
  } else if (me == 1) {
    hear(&first);
    RCCE_put(buffer, of(value + 1), bytes, 0);
    tell(&second, 0);
  } else if (me == 2) {
    hear(&second);
    hear(&first);
    expect(value + 1);
  }
}

/* The owner writes a second time, and part of it by a flag's store. */
static void written_twice(int me, int value) {
  if (me == 0) {
    RCCE_put(buffer, of(value), bytes, 0);
    tell(&first, 2);
    RCCE_put(buffer + 32, of(value + 1), 32, 0);
    tell(&second, 2);
  } else if (me == 2) {
    int i;
    hear(&first);
    hear(&second);
    RCCE_get((t_vcharp)data, buffer, bytes, 0);
    for (i = 0; i < bytes; ++i) CHECK_INT(data[i], (char)(i / 32 == 1 ? value + 1 + i - 32 : value + i));
  }
}

/* Nobody tells: the one who gets looks again and again. */
static void polled(int me, int value) {
  if (me == 0) {
    RCCE_put(buffer, of(value), bytes, 0);
    tell(&first, 2);
    linger();
    RCCE_put(buffer, of(value + 1), bytes, 0);
  } else if (me == 2) {
    hear(&first);
    do RCCE_get((t_vcharp)data, buffer, 32, 0);
    while (data[0] != (char)(value + 1));
  }
}

/* What is written to the owner's buffer by the one who gets. */
static void overwritten_by_oneself(int me, int value) {
  if (me == 0) {
    RCCE_put(buffer, of(value), bytes, 0);
    tell(&first, 2);
  } else if (me == 2) {
    hear(&first);
    RCCE_put(buffer, of(value + 1), bytes, 0);
    expect(value + 1);
  }
}

int RCCE_APP(int argc, char** argv) {
  int round, me;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  buffer = RCCE_malloc(bytes);
  RCCE_flag_alloc(&first);
  RCCE_flag_alloc(&second);
  for (round = 0; round < rounds; ++round) {
    int which;
    for (which = 0; which < 6; ++which) {
      const int value = 10 * round + which;
      RCCE_barrier(&RCCE_COMM_WORLD);
      if (which < 2) overwritten_by_another(me, value, which);
      if (which == 2) told_by_the_owner(me, value);
      if (which == 3) written_twice(me, value);
      if (which == 4) polled(me, value);
      if (which == 5) overwritten_by_oneself(me, value);
    }
  }
  return check_finalize();
}
