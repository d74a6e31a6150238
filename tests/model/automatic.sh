# SPDX-License-Identifier: Apache-2.0
# Is what `auto` takes, out of its stored table, among the fastest, also between the tuned numbers of cores and sizes? On no point of
# the grid more than a tenth behind the best of all algorithms at their defaults
# (of barriers, those without registers, which a program may want itself).
set -e
check() { # check WORDS...: the grid of a machine or operation
  "$BIN/rccebench" compare "$@" --format csv -o "$WORK/auto.csv"
  awk -F, '
    /^#/ { next }
    !head { for (i = 1; i <= NF; ++i) column[$i] = i; head = 1; next }
    {
      ++points
      if ($column["auto_behind_percent"] == "") { print "auto takes nothing: " $0; bad = 1 }
      if ($column["auto_behind_percent"] > 10) { print "auto is far behind: " $0; bad = 1 }
    }
    END { exit bad || points == 0 }' "$WORK/auto.csv"
}
check --cores 2,3,5,12,20,47,48 --sizes 1,32,1000,8192,100000,524288
# Flags of RCCE 1.0 take a line each, so `auto` leaves out rows that have many.
check --cores 5,48 --sizes 32,8192,100000 --rcce 1.0 --machine scc-fast \
  --algorithms auto,linear,binomial,scatter_allgather,cube,dopl,mcast,staged_pull
check --operation allreduce --cores 2,3,5,12,47,48 --sizes 8,512,1000,8192,65536
check --operation reduce --cores 2,3,5,48 --sizes 8,1000,8192,65536
check --operation barrier --algorithms linear,dissemination,tree,auto --cores 2,3,12,40,48
for operation in gather scatter allgather alltoall reduce_scatter scan; do
  check --operation $operation --cores 2,5,12,48 --sizes 32,1000,8192,100000
done
