# SPDX-License-Identifier: Apache-2.0
# Is what `auto` takes, out of its stored table, among the fastest beside random points of the chip
# (automatic_test.cpp)? On no point more than a tenth behind the best of all algorithms at their defaults.
# WIDE=1: instead, how far it is behind on square and long meshes of 64 to 400 cores that were not measured;
# some minutes. By hand: WIDE=1 BIN=build/bin WORK=FOLDER sh tests/model/automatic.sh
set -e
if [ -n "${WIDE:-}" ]; then
  : >"$WORK/wide.txt"
  for tiles in 8x4 16x2 10x5 25x2 10x10 25x4 20x10 50x4; do
    columns=${tiles%x*} rows=${tiles#*x}
    while read -r operation algorithms; do
      "$BIN/rccebench" compare --operation "$operation" --cores $((2 * columns * rows)) \
        --set mesh.columns=$columns --set mesh.rows=$rows \
        --sizes 8,64,256,1000,2000,4096,8192,20000,65536,100000,190000 --payload none \
        --algorithms "auto,$algorithms" --format csv |
        awk -F, -v what="$tiles $operation" '
          /^#/ { next }
          !head { for (i = 1; i <= NF; ++i) column[$i] = i; head = 1; next }
          !($column["bytes"] in seen) { seen[$column["bytes"]]; print $column["auto_behind_percent"], what,
              $column["bytes"] }' >>"$WORK/wide.txt"
    done <<END
bcast oc_tree,staged_pull,clusters,tagged
reduce f_nomial,f_nomial_split,tagged,owners,grouped_owners,nested_groups,chain
allreduce reduce_scatter,tagged,owners,grouped_owners
gather binomial,direct_get
scatter binomial,direct_put
allgather bruck,direct_get
alltoall bruck,direct_put
reduce_scatter recursive_halving,direct_put
scan linear,recursive_doubling
END
  done
  awk '$1 <= 5 { ++near } END { print near " of " NR " points within 5 % of the best row;
    the ten farthest:" }' "$WORK/wide.txt"
  sort -rn "$WORK/wide.txt" | head -n 10
  exit
fi
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
# Flags of RCCE 1.0 take a line each, so `auto` leaves out rows that have many.
check --cores 5,48 --sizes 32,8192,100000 --rcce 1.0 --machine scc-fast \
  --algorithms auto,linear,binomial,scatter_allgather,cube,dopl,mcast,staged_pull
# Sizes at which messages stop fitting into a buffer, and the longest of the table and more.
check --cores 5,48 --sizes 8192,524288 --payload none
check --cores 5 --sizes 1000000 --payload none
check --cores 48 --sizes 1000000 --payload none \
  --algorithms auto,scatter_allgather,staged_pull,clusters,tagged
