/* A team of threads in C, linked without CMake. */
#include <rockcreek/team.h>
#include <stdio.h>

static void region(rockcreek_member* member, void* sum) {
  int one = 1;
  rockcreek_member_reduce(member, ROCKCREEK_ELEMENT_INT, ROCKCREEK_COMBINE_SUM, &one, 1);
  if (rockcreek_member_thread(member) == 0) *(int*)sum = one;
}

int main(void) {
  int sum = 0;
  rockcreek_team* team = rockcreek_team_create(3, NULL);
  if (team == NULL || rockcreek_team_run(team, region, &sum) != 0) return 1;
  rockcreek_team_destroy(team);
  printf("%d threads\n", sum);
  return 0;
}
