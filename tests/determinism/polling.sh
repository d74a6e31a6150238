# SPDX-License-Identifier: Apache-2.0
# UEs that wait for each other by plain memory go on behind the store that they wait for, and not long after:
# random programs (polling.c), as the compiler has optimised them, seen and unseen, in all that the simulator
# can be asked for beside. A program whose times say otherwise ends with 1. Arguments: how many seeds, and
# from which on.
set -e
seeds=${WHOLE:+2000}
delayed=
run() {
  program=$1
  shift
  "$BIN/rccerun" "$@" "$PROGRAMS/$program" "$seed" 100 $delayed >out 2>err ||
    { echo "seed $seed: rccerun $* $program"; cat out err; exit 1; }
  grep -q '^100 messages, 0 wrong' out || { cat out err; exit 1; }
}
for seed in $(seq "${seeds:-50}"); do
  ues=$((2 + seed * 7 % 47))
  case $((seed % 8)) in
  0) run polling_O0 -nue $ues --compute blocks ;;
  1) run polling_O3 -nue $ues --compute none ;;
  2) run polling_O3 -nue 48 --compute blocks ;;
  3) run polling_observed -nue 5 --check mpb --compute blocks ;;
  4) run polling_memory -nue $ues --compute cache ;;
  5) delayed=delayed run polling_observed -nue 3 --replay "$seed" ;;
  6) delayed=unseen run polling_unseen -nue $ues ;; # who comes late may find a store early
  7) run polling_O3 -nue $ues --contention off --compute blocks ;;
  esac
  # What looks on changes nothing.
  if [ $((seed % 4)) = 0 ]; then
    program=polling_O0 compute=blocks options=--check=heap
    [ $((seed % 8)) = 0 ] || program=polling_memory compute=cache options=
    cp out plain
    for option in --statistics=statistics --profile=profile --trace=trace.json --check=mpb --why=why \
      --report=report.html $options; do
      # shellcheck disable=SC2086  # an option and its argument
      run $program -nue $ues --compute $compute --force $(echo "$option" | sed 's/--check=/--check /')
      head -1 out | cmp - plain || { echo "seed $seed: $option"; diff out plain; exit 1; }
    done
  fi
done
