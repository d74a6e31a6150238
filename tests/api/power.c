/* Power management: domains, masters, sizes, clamping, levels, dividers, error codes in their order;
 * non-masters are left alone. */
#include "RCCE.h"

#include "ue_check.h"

extern int MYCOREID();
extern int RC_COREID[];
extern int RC_current_voltage_level;
extern unsigned int VID_control_value;
extern unsigned int VID_word(int, int);

static int domain_of(int core) {
  int tile = core / 2;
  return tile % 6 / 2 + 3 * (tile / 6 / 2);
}

static int least_level(int divider) {
  return divider == 2 ? 4 : divider == 3 ? 1 : 0;
}

static int change(int wanted, int expected, int* old_divider, int* old_level) {
  RCCE_REQUEST request, again;
  int divider = -7, level = -7, ignored = -7;
  memset(&request, POISON, sizeof request);
  CHECK_INT(RCCE_iset_power(wanted, &request, &divider, &level), 0);
  CHECK_INT(divider, expected);
  CHECK_INT(level, least_level(expected));
  CHECK_INT(request.release, 0);
  CHECK_INT(VID_control_value, VID_word(level, domain_of(MYCOREID())));
  CHECK_INT(request.old_frequency_divider, *old_divider);
  CHECK_INT(request.new_frequency_divider, expected);
  CHECK_INT(request.old_voltage_level, *old_level);
  CHECK_INT(request.new_voltage_level, level);
  /* One change at a time. */
  CHECK_INT(RCCE_iset_power(4, &again, &ignored, &ignored), RCCE_ERROR_MULTIPLE_RPC_REQUESTS);
  CHECK_INT(RCCE_set_frequency_divider(4, &ignored), RCCE_ERROR_MULTIPLE_RPC_REQUESTS);
  CHECK_INT(RCCE_wait_power(&request), 0);
  CHECK_INT(request.release, 1);
  CHECK_INT(RCCE_wait_power(&request), RCCE_ERROR_NO_ACTIVE_RPC_REQUEST);
  *old_divider = expected;
  *old_level = level;
  return level;
}

int RCCE_APP(int argc, char** argv) {
  int domain, rank, master = -1, size = 0, divider, level, old_divider = 3, old_level = 4;
  RCCE_REQUEST request, untouched;
  CHECK_INT(RCCE_init(&argc, &argv), 0);
  domain = domain_of(MYCOREID());
  for (rank = 0; rank < RCCE_num_ues(); ++rank)
    if (domain_of(RC_COREID[rank]) == domain) {
      if (master < 0) master = rank;
      ++size;
    }
  CHECK_INT(RCCE_power_domain(), domain);
  CHECK_INT(RCCE_power_domain_master(), master);
  CHECK_INT(RCCE_power_domain_size(), size);
  CHECK_INT(RCCE_P_COMM.size, size);
  CHECK_INT(RCCE_P_COMM.member[0], master);
  CHECK_INT(RCCE_barrier(&RCCE_P_COMM), 0);

  if (RCCE_ue() != master) {
    memset(&request, POISON, sizeof request);
    untouched = request;
    divider = level = 99;
    CHECK_INT(RCCE_iset_power(5, &request, &divider, &level), 0);
    CHECK_INT(RCCE_set_frequency_divider(5, &divider), 0);
    CHECK_INT(RCCE_wait_power(&request), 0);
    CHECK_INT(divider, 99);
    CHECK_INT(level, 99);
    CHECK(memcmp(&request, &untouched, sizeof request) == 0, "a non-master's request was changed");
  } else {
    CHECK_INT(RCCE_wait_power(&request), RCCE_ERROR_NO_ACTIVE_RPC_REQUEST);
    /* The level is the program's variable: what is no level counts as the nearest. */
    level = RC_current_voltage_level;
    for (RC_current_voltage_level = 7; RC_current_voltage_level < 10; ++RC_current_voltage_level)
      CHECK_INT(RCCE_set_frequency_divider(2, &divider), 0);
    RC_current_voltage_level = -99;
    CHECK_INT(RCCE_set_frequency_divider(2, &divider), RCCE_ERROR_FDIVIDER);
    RC_current_voltage_level = level;
    divider = -1;
    CHECK_INT(RCCE_set_frequency_divider(2, &divider), 0); /* level 4 is enough for 800 MHz */
    CHECK_INT(divider, 2);
    CHECK_INT(RCCE_set_frequency_divider(1, &divider), 0);
    CHECK_INT(divider, 2);
    CHECK_INT(RCCE_set_frequency_divider(100, &divider), 0);
    CHECK_INT(divider, 16);
    /* The frequency-only call does not update the remembered divider: requests still start from 3. */
    change(16, 16, &old_divider, &old_level);
    change(-5, 2, &old_divider, &old_level);
    change(99, 16, &old_divider, &old_level);
    for (divider = 2; divider <= 16; ++divider) change(divider, divider, &old_divider, &old_level);
    change(4, 4, &old_divider, &old_level);
    /* Level 0 carries 400 MHz, not 533 or 800. */
    divider = -3;
    CHECK_INT(RCCE_set_frequency_divider(2, &divider), RCCE_ERROR_FDIVIDER);
    CHECK_INT(RCCE_set_frequency_divider(3, &divider), RCCE_ERROR_FDIVIDER);
    CHECK_INT(RCCE_set_frequency_divider(4, &divider), 0);
    CHECK_INT(divider, 4);
    change(3, 3, &old_divider, &old_level);
    /* A request that was completed before is stale, and gives up the one in flight. */
    CHECK_INT(RCCE_iset_power(3, &request, &divider, &level), 0);
    untouched = request;
    untouched.release = 1;
    CHECK_INT(RCCE_wait_power(&untouched), RCCE_ERROR_STALE_RPC_REQUEST);
    CHECK_INT(RCCE_wait_power(&request), RCCE_ERROR_NO_ACTIVE_RPC_REQUEST);
  }
  return check_finalize();
}
