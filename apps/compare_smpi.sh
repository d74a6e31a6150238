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

work=$(mktemp -d "${TMPDIR:-/tmp}/compare_smpi.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
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
  n=0
  while [ $n -lt "$runs" ]; do
    few=$(milliseconds "$1" "$2" "$3" $(($4 / 10)) "$5") || exit 2
    many=$(milliseconds "$1" "$2" "$3" "$4" "$5") || exit 2
    awk -v d=$((many - few)) -v r=$(($4 - $4 / 10)) 'BEGIN { printf "%.3f\n", d / r * 1000 }'
    n=$((n + 1))
  done | sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'
}

version=$(smpirun --version 2>/dev/null | grep -m 1 -i 'simgrid version')
echo "# processor time per operation; SMPI: ${version:-SimGrid}; median of $runs runs; $(nproc) processors"
echo "# speed-up: SMPI's time over ours; at least the goal is wanted"
line() { printf '%-34s %12s %12s %10s %8s %s\n' "$@"; }
line '# operation' 'SMPI (us)' 'ours (us)' 'speed-up' goal verdict
missed=0
# $1: name, $2: ranks, $3: operation, $4: repetitions of ours, $5: of SMPI, $6: bytes, $7: goal, $8: side of ours
compare() {
  if [ "$8" = rcce ]; then smpi=$(cost smpi "$2" "$3" "$5" "$6") || exit 2; fi
  our=$(cost "$8" "$2" "$3" "$4" "$6") || exit 2
  ratio=$(awk -v a="$smpi" -v b="$our" 'BEGIN { printf "%.2f", a / b }')
  verdict=-
  if [ "$7" != - ]; then
    verdict=$(awk -v r="$ratio" -v g="$7" 'BEGIN { print (r >= g ? "reached" : "missed") }')
    if [ "$verdict" = missed ]; then missed=$((missed + 1)); fi
  fi
  line "$1" "$smpi" "$our" "$ratio" "$7" "$verdict"
}
compare 'round trip 8192 B, 2 ranks' 2 pingpong 20000 10000 8192 3 rcce
compare 'barrier, 48 ranks' 48 barrier 4000 300 0 10 rcce
compare 'broadcast 8192 B, 48 ranks' 48 bcast 1000 300 8192 4 rcce
compare '  line by line' 48 bcast 500 0 8192 - lines
compare 'broadcast 190,000 B, 48 ranks' 48 bcast 60 300 190000 0.25 rcce
compare '  line by line' 48 bcast 20 0 190000 - lines
compare 'broadcast 1,900,000 B, 48 ranks' 48 bcast 20 40 1900000 0.25 rcce
compare '  line by line' 48 bcast 10 0 1900000 - lines
[ $check = no ] || [ $missed -eq 0 ]
