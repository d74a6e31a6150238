#include "team_region.h"

#include <stdlib.h>
#include <string.h>

#include <rockcreek/team.h>

struct sums {
  int* wrong; /* by thread */
};

static void region(rockcreek_member* member, void* argument) {
  struct sums* sums = argument;
  const int threads = rockcreek_member_threads(member), self = rockcreek_member_thread(member);
  int* wrong = &sums->wrong[self];
  int ranks = self + 1;
  double numbers[3] = {1.0, self, -self};
  float most = (float)self;
  long product = self == 0 ? 6 : 1;
  *wrong += rockcreek_member_reduce(member, ROCKCREEK_ELEMENT_INT, ROCKCREEK_COMBINE_SUM, &ranks, 1) != 0;
  *wrong += ranks != threads * (threads + 1) / 2;
  rockcreek_member_barrier(member);
  *wrong += rockcreek_member_reduce(member, ROCKCREEK_ELEMENT_DOUBLE, ROCKCREEK_COMBINE_SUM, numbers, 3) != 0;
  *wrong += numbers[0] != threads || numbers[1] != -numbers[2] || numbers[1] != threads * (threads - 1) / 2;
  *wrong += rockcreek_member_reduce(member, ROCKCREEK_ELEMENT_FLOAT, ROCKCREEK_COMBINE_MAX, &most, 1) != 0;
  *wrong += most != (float)(threads - 1);
  *wrong += rockcreek_member_reduce(member, ROCKCREEK_ELEMENT_LONG, ROCKCREEK_COMBINE_PROD, &product, 1) != 0;
  *wrong += product != 6;
  *wrong += rockcreek_member_reduce(member, (rockcreek_element)9, ROCKCREEK_COMBINE_SUM, &product, 1) != -1;
  *wrong += rockcreek_member_reduce(member, ROCKCREEK_ELEMENT_INT, (rockcreek_combine)9, &ranks, 1) != -1;
  *wrong += strstr(rockcreek_team_error(), "ROCKCREEK_COMBINE_SUM") == NULL;
}

static void again(rockcreek_member* member, void* team) {
  if (rockcreek_member_thread(member) == 0 && rockcreek_team_run(team, again, team) == 0) abort();
}

int team_from_c(int threads, const char* reduce) {
  int wrong = 0;
  const rockcreek_team_options options = {ROCKCREEK_ORDER_ANY, NULL, reduce, ""};
  rockcreek_team* team = rockcreek_team_create(threads, &options);
  struct sums sums = {calloc((size_t)threads, sizeof(int))};
  if (team == NULL || sums.wrong == NULL) return -1;
  wrong += rockcreek_team_threads(team) != threads;
  for (int round = 0; round < 3; ++round) wrong += rockcreek_team_run(team, region, &sums) != 0;
  wrong += rockcreek_team_run(team, again, team) != 0;
  for (int thread = 0; thread < threads; ++thread) wrong += sums.wrong[thread];
  free(sums.wrong);
  rockcreek_team_destroy(team);
  rockcreek_team_destroy(NULL);

  const rockcreek_team_options unknown = {ROCKCREEK_ORDER_ANY, "nonsuch", NULL, NULL};
  wrong += rockcreek_team_create(2, &unknown) != NULL ||
      strstr(rockcreek_team_error(), "barrier/mcs_tree") == NULL;
  wrong += rockcreek_team_create(-1, NULL) != NULL || strstr(rockcreek_team_error(), "-1 threads") == NULL;
  return wrong;
}
