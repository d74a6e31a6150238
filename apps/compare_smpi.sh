#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Host time of simulating the same operations here and in SimGrid's SMPI, side by side: 8 KB round trip,
# 48-rank barrier, broadcasts of 8 KB, 190,000 B and 1.9 MB, for these also our line-by-line setting, and
# broadcasts by the same schedule. Times are processor time, user and system, so that what else runs on this
# host matters little.
#
#   sh apps/compare_smpi.sh [--install] [--runs N] [--bin DIR] [--check]
#
#   --install   install SimGrid (Debian: libsimgrid-dev) with apt, with sudo where needed
#   --runs N    runs per figure, the median counts; default 5
#   --bin DIR   where rccerun and the built programs are; default build/bin beside this script
#   --check     status 1 when a goal is missed
#
# Both sides run the same program (compare_smpi/operations_mpi.c and rccebench/programs/operations.c) on 48
# hosts of a 6x4x2 network with contention, SMPI without timing the program's own computation. The first rows
# compare each side's own collectives, the last six the same schedule on both: linear, binomial tree, scatter
# and ring. Under each of those stands what copying the schedule's bytes alone takes here
# (compare_smpi/copies.cpp): SMPI moves them once or not at all, we twice, into a buffer and out of it. A
# figure is the difference of a long and a short run divided by the difference of their repetitions, so
# start-up drops out; the long one takes about half a second, however fast this host and both sides are.
set -u
export ROCKCREEK_COMPUTE=none # communication is compared

# shellcheck source=compare_options.sh
. "$(dirname "$0")/compare_options.sh"
ours=$bin/../libexec/rockcreek/operations-rcce20
[ -x "$bin/rccerun" ] && [ -x "$ours" ] || fail "rccerun or $ours is missing; build first (sh apps/setup.sh)"

if [ $install = yes ] && ! command -v smpirun >/dev/null; then
  command -v apt-get >/dev/null ||
    fail "--install works with apt only; install SimGrid (smpicc, smpirun) by hand"
  root=
  [ "$(id -u)" -eq 0 ] || root=sudo
  $root apt-get install -y --no-install-recommends libsimgrid-dev >&2 ||
    fail "apt could not install libsimgrid-dev"
fi
for tool in smpicc smpirun; do
  command -v $tool >/dev/null ||
    fail "$tool is missing; it comes with SimGrid (Debian: libsimgrid-dev), or use --install"
done
command -v "${CXX:=c++}" >/dev/null || fail "there is no C++ compiler '$CXX'; set CXX"

make_work
smpicc -O2 "$here/compare_smpi/operations_mpi.c" -o "$work/operations_mpi" >&2 || fail "smpicc failed"
"$CXX" -O2 -std=c++20 -I"$here/../algorithms/include" "$here/compare_smpi/copies.cpp" -o "$work/copies" \
  >&2 || fail "$CXX failed"
i=0
while [ $i -lt 48 ]; do
  echo "core-$i" >>"$work/hosts.smpi"
  printf '%02d\n' $i >>"$work/hosts.rcce"
  i=$((i + 1))
done
printf '[mesh]\ngranularity = lines\n' >"$work/line_by_line.machine"

# $1: smpi, alone, rcce, lines or copies; $2: ranks; $3: algorithm, or - for the side's own; $4...: words of
# the program
start_one() {
  side=$1 ranks=$2 algorithm=$3
  shift 3
  case $side-$algorithm in
    smpi-* | alone-*)
      if [ "$side" = alone ]; then
        shift
        set -- bcast_alone "$@"
      fi
      # without the finer precision SMPI lumps together what lies closer than 10 us
      smpirun -np "$ranks" -platform "$here/compare_smpi/mesh48.xml" -hostfile "$work/hosts.smpi" \
        --cfg=smpi/simulate-computation:no --cfg=surf/precision:1e-12 \
        --cfg="smpi/bcast:$(selector "$algorithm")" \
        --log=root.thres:critical "$work/operations_mpi" "$@" ;;
    rcce--) "$bin/rccerun" -nue "$ranks" -f "$work/hosts.rcce" "$ours" "$@" ;;
    rcce-*) "$bin/rccerun" -nue "$ranks" -f "$work/hosts.rcce" "$ours" "$@" "bcast/$algorithm" ;;
    lines-*) "$bin/rccerun" -nue "$ranks" -f "$work/hosts.rcce" --machine "$work/line_by_line.machine" \
      "$ours" "$@" ;;
    copies-*) shift; "$work/copies" "$algorithm" "$@" ;;
  esac >"$work/out" 2>&1 || { cat "$work/out" >&2; fail "$side: '$*' failed"; }
}
# SimGrid's name of the same schedule.
selector() {
  case $1 in
    linear) echo flattree ;;
    binomial) echo binomial_tree ;;
    scatter_allgather) echo scatter_LR_allgather ;;
    -) echo default ;;
  esac
}

# Processor time of a run in milliseconds: the second line of `times` is that of the children.
milliseconds() {
  (start_one "$@"; times) | awk 'NR == 2 { split($1, u, /[ms]/); split($2, k, /[ms]/)
    printf "%d", (u[1] * 60 + u[2] + k[1] * 60 + k[2]) * 1000 } END { exit NR < 2 ? 2 : 0 }'
}

# $1: side, $2: ranks, $3: algorithm, $4: operation, $5: bytes -> how many repetitions take about half a
# second
calibrate() {
  # A send of 8192 bytes does not wait in SMPI: the root runs ahead, and each broadcast takes the longer the
  # more of them are on their way. So their number is fixed, and one at a time (alone) stands beside it.
  if [ "$1-$4-$5" = smpi-bcast-8192 ]; then
    echo 300
    return
  fi
  start=$(milliseconds "$1" "$2" "$3" "$4" 1 "$5") || exit 2
  few=1 many=4 took=0
  while [ $took -lt 100 ]; do
    took=$(milliseconds "$1" "$2" "$3" "$4" $many "$5") || exit 2
    took=$((took - start)) few=$many
    many=$((many * (took < 20 ? 8 : 2)))
  done
  few=$((few * 500 / took))
  echo $((few > 2 ? few : 2))
}

# $1: side, $2: ranks, $3: algorithm, $4: operation, $5: bytes, $6: repetitions -> microseconds per repetition
cost() {
  less=$(($6 < 10 ? 1 : $6 / 10))
  few=$(milliseconds "$1" "$2" "$3" "$4" $less "$5") || exit 2
  many=$(milliseconds "$1" "$2" "$3" "$4" "$6" "$5") || exit 2
  awk -v d=$((many - few)) -v r=$(($6 - less)) 'BEGIN { printf "%.3f\n", d / r * 1000 }'
}
median() { sort -g | awk '{ v[NR] = $1 } END {
  printf "%.4g\n", (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'; }

version=$(smpirun --version 2>/dev/null | grep -m 1 -i 'simgrid version')
echo "# processor time per operation; SMPI: ${version:-SimGrid}; median of $runs runs; $(nproc) processors"
echo "# speed-up: SMPI's time over ours; at least the goal is wanted (of 'its bytes copied': what could be \
reached at most)"
line() { printf '%-36s %12s %12s %10s %8s %s\n' "$@"; }
line '# operation' 'SMPI (us)' 'ours (us)' 'speed-up' goal verdict
missed=0
# $1: name, $2: ranks, $3: algorithm or -, $4: operation, $5: bytes, $6: goal, $7...: what else is measured:
# alone, lines, copies. The sides take turns, and the speed-up is the median of those of the turns: the speed
# of a shared host changes from minute to minute.
compare() {
  name=$1 ranks=$2 algorithm=$3 operation=$4 bytes=$5 goal=$6
  shift 6
  set -- smpi rcce "$@"
  for side in "$@"; do
    calibrate "$side" "$ranks" "$algorithm" "$operation" "$bytes" >"$work/repetitions.$side" || exit 2
  done
  : >"$work/turns"
  n=0
  while [ $n -lt "$runs" ]; do
    turn=
    for side in "$@"; do
      us=$(cost "$side" "$ranks" "$algorithm" "$operation" "$bytes" "$(cat "$work/repetitions.$side")") ||
        exit 2
      turn="$turn $us"
    done
    echo "$turn" >>"$work/turns"
    n=$((n + 1))
  done
  column() { awk "{ print $1 }" "$work/turns" | median; }
  ratio=$(column '$1 / $2')
  verdict=$(awk -v r="$ratio" -v g="$goal" 'BEGIN { print (r >= g ? "reached" : "missed") }')
  if [ "$verdict" = missed ]; then missed=$((missed + 1)); fi
  line "$name" "$(column '$1')" "$(column '$2')" "$ratio" "$goal" "$verdict"
  n=3
  for side in "$@"; do
    case $side in
      alone) line '  SMPI one at a time' "$(column "\$$n")" "$(column '$2')" "$(column "\$$n / \$2")" - - ;;
      lines) line '  line by line' "$(column '$1')" "$(column "\$$n")" "$(column "\$1 / \$$n")" - - ;;
      copies) line '  its bytes copied, nothing else' "$(column '$1')" "$(column "\$$n")" \
        "$(column "\$1 / \$$n")" - - ;;
      *) continue ;;
    esac
    n=$((n + 1))
  done
}
compare 'round trip 8192 B, 2 ranks' 2 - pingpong 8192 3
compare 'barrier, 48 ranks' 48 - barrier 0 10
compare 'broadcast 8192 B, 48 ranks' 48 - bcast 8192 4 alone lines
compare 'broadcast 190,000 B, 48 ranks' 48 - bcast 190000 0.25 lines
compare 'broadcast 1,900,000 B, 48 ranks' 48 - bcast 1900000 0.25 lines
for algorithm in linear binomial scatter_allgather; do
  goal=0.333
  [ $algorithm != scatter_allgather ] || goal=1
  for bytes in 190,000 1,900,000; do
    compare "$algorithm $bytes B, 48 ranks" 48 $algorithm bcast "$(echo "$bytes" | tr -d ,)" $goal copies
  done
done
[ $check = no ] || [ $missed -eq 0 ]
