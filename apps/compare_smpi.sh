#!/bin/sh
# Host time of simulating the same operations here and in SimGrid's SMPI, side by side: 8 KB round trip, 48-rank barrier,
# broadcasts of 8 KB, 190,000 B and 1.9 MB, and for the broadcasts also our line-by-line setting. Times are processor time, user
# and system, so that what else runs on this host matters little.
#
#   sh apps/compare_smpi.sh [--install] [--runs N] [--bin DIR] [--check]
#
#   --install   install SimGrid (Debian: libsimgrid-dev) with apt, with sudo where needed
#   --runs N    runs per figure, the median counts; default 5
#   --bin DIR   where rccerun and the built programs are; default build/bin beside this script
#   --check     status 1 when a goal is missed
#
# Both sides run the same program (compare_smpi/operations_mpi.c and rccebench/programs/operations.c) on 48 hosts of a 6x4x2 network
# with contention, SMPI with its default collectives and without timing the program's own computation. A figure is the
# difference of a long and a short run divided by the difference of their repetitions, so start-up drops out.
set -u

# shellcheck source=compare_options.sh
. "$(dirname "$0")/compare_options.sh"
ours=$bin/../libexec/rockcreek/operations-rcce20
[ -x "$bin/rccerun" ] && [ -x "$ours" ] || fail "rccerun or $ours is missing; build first (sh apps/setup.sh)"

if [ $install = yes ] && ! command -v smpirun >/dev/null; then
  command -v apt-get >/dev/null || fail "--install works with apt only; install SimGrid (smpicc, smpirun) by hand"
  root=
  [ "$(id -u)" -eq 0 ] || root=sudo
  $root apt-get install -y --no-install-recommends libsimgrid-dev >&2 || fail "apt could not install libsimgrid-dev"
fi
for tool in smpicc smpirun; do
  command -v $tool >/dev/null || fail "$tool is missing; it comes with SimGrid (Debian: libsimgrid-dev), or use --install"
done

make_work
smpicc -O2 "$here/compare_smpi/operations_mpi.c" -o "$work/operations_mpi" >&2 || fail "smpicc failed"
i=0
while [ $i -lt 48 ]; do
  echo "core-$i" >>"$work/hosts.smpi"
  printf '%02d\n' $i >>"$work/hosts.rcce"
  i=$((i + 1))
done
printf '[mesh]\nlookahead = off\n' >"$work/line_by_line.machine"

# $1: smpi, rcce or lines; $2: ranks; $3...: words of the program
start_one() {
  side=$1 ranks=$2
  shift 2
  case $side in
    smpi) # without the finer precision SMPI lumps together what lies closer than 10 us
      smpirun -np "$ranks" -platform "$here/compare_smpi/mesh48.xml" -hostfile "$work/hosts.smpi" \
        --cfg=smpi/simulate-computation:no --cfg=surf/precision:1e-12 --log=root.thres:critical "$work/operations_mpi" "$@" ;;
    rcce) "$bin/rccerun" -nue "$ranks" -f "$work/hosts.rcce" "$ours" "$@" ;;
    lines) "$bin/rccerun" -nue "$ranks" -f "$work/hosts.rcce" --machine "$work/line_by_line.machine" "$ours" "$@" ;;
  esac >"$work/out" 2>&1 || { cat "$work/out" >&2; fail "$side: '$*' failed"; }
}

# Processor time of a run in milliseconds: the second line of `times` is that of the children.
milliseconds() {
  (start_one "$@"; times) | awk 'NR == 2 { split($1, u, /[ms]/); split($2, k, /[ms]/)
    printf "%d", (u[1] * 60 + u[2] + k[1] * 60 + k[2]) * 1000 }'
}

# $1: side, $2: ranks, $3: operation, $4: repetitions, $5: bytes -> microseconds per repetition
cost() {
  few=$(milliseconds "$1" "$2" "$3" $(($4 / 10)) "$5") || exit 2
  many=$(milliseconds "$1" "$2" "$3" "$4" "$5") || exit 2
  awk -v d=$((many - few)) -v r=$(($4 - $4 / 10)) 'BEGIN { printf "%.3f\n", d / r * 1000 }'
}
median() { sort -g | awk '{ v[NR] = $1 } END { printf "%.4g\n", (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'; }

version=$(smpirun --version 2>/dev/null | grep -m 1 -i 'simgrid version')
echo "# processor time per operation; SMPI: ${version:-SimGrid}; median of $runs runs; $(nproc) processors"
echo "# speed-up: SMPI's time over ours; at least the goal is wanted"
line() { printf '%-34s %12s %12s %10s %8s %s\n' "$@"; }
line '# operation' 'SMPI (us)' 'ours (us)' 'speed-up' goal verdict
missed=0
# $1: name, $2: ranks, $3: operation, $4: bytes, $5: goal; then repetitions, some 0.5 s each: $6: of SMPI, $7: of ours, $8: line
# by line, or nothing. The sides take turns, and the speed-up is the median of those of the turns: the speed of a shared host
# changes from minute to minute.
compare() {
  name=$1 ranks=$2 operation=$3 bytes=$4 goal=$5
  : >"$work/turns"
  n=0
  while [ $n -lt "$runs" ]; do
    smpi=$(cost smpi "$ranks" "$operation" "$6" "$bytes") || exit 2
    rcce=$(cost rcce "$ranks" "$operation" "$7" "$bytes") || exit 2
    lines=0
    if [ $# -gt 7 ]; then lines=$(cost lines "$ranks" "$operation" "$8" "$bytes") || exit 2; fi
    echo "$smpi $rcce $lines" >>"$work/turns"
    n=$((n + 1))
  done
  column() { awk "{ print $1 }" "$work/turns" | median; }
  ratio=$(column '$1 / $2')
  verdict=$(awk -v r="$ratio" -v g="$goal" 'BEGIN { print (r >= g ? "reached" : "missed") }')
  if [ "$verdict" = missed ]; then missed=$((missed + 1)); fi
  line "$name" "$(column '$1')" "$(column '$2')" "$ratio" "$goal" "$verdict"
  [ $# -le 7 ] || line '  line by line' "$(column '$1')" "$(column '$3')" "$(column '$1 / $3')" - -
}
compare 'round trip 8192 B, 2 ranks' 2 pingpong 8192 3 25000 80000
compare 'barrier, 48 ranks' 48 barrier 0 10 500 15000
compare 'broadcast 8192 B, 48 ranks' 48 bcast 8192 4 300 2500 150
compare 'broadcast 190,000 B, 48 ranks' 48 bcast 190000 0.25 400 120 10
compare 'broadcast 1,900,000 B, 48 ranks' 48 bcast 1900000 0.25 50 20 2
[ $check = no ] || [ $missed -eq 0 ]
