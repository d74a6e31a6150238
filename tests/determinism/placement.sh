# SPDX-License-Identifier: Apache-2.0
# Where the linker puts the library's variables does not show in times: a program takes the same picoseconds
# behind other variables.
set -eu
export ROCKCREEK_COMPUTE=none
cat >program.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <RCCE.h>
#include <algorithms/collectives.h>
int RCCE_APP(int argc, char **argv) {
  enum { count = 512, page = 4096 };
  RCCE_init(&argc, &argv);
  double *source = aligned_alloc(page, count * sizeof *source),
      *target = aligned_alloc(page, count * sizeof *target);
  for (int i = 0; i < count; ++i) source[i] = i + RCCE_ue();
  for (int turn = 0; turn < 3; ++turn) {
    RCCE_barrier(&RCCE_COMM_WORLD);
    const double begin = RCCE_wtime();
    if (rockcreek_reduce(argv[1], source, target, count, RCCE_DOUBLE, RCCE_SUM, 0,
        "") != RCCE_SUCCESS) return 1;
    printf("%d %d %.6f\n", turn, RCCE_ue(), (RCCE_wtime() - begin) * 1e6);
  }
  return RCCE_finalize();
}
C
for bytes in 0 100 1000 2000 3000 3500; do
  echo "char before[$bytes + 1]; char filled[$bytes + 1] = {1};" >before.c
  "$BIN/rccecc" -O2 before.c program.c -lrockcreek_algorithms -o program
  for algorithm in reduce/dynamic_pair reduce/pair_tree reduce/owners reduce/tagged reduce/grouped_owners \
    reduce/nested_groups reduce/schedule; do
    name=${algorithm#*/}
    "$BIN/rccerun" -nue 12 ./program $algorithm >"$name.$bytes"
    [ -s "$name.$bytes" ]
    cmp "$name.0" "$name.$bytes" || { diff "$name.0" "$name.$bytes" | head; exit 1; }
  done
done
