#!/bin/sh
# The commands on machines with coherent caches run, give the same twice, and refuse in one line what makes no sense.
set -eu
bench=$BIN/rccebench
fail() {
  echo "$*"
  exit 1
}
# refused TEXT COMMAND...: one line that has TEXT, status 2
refused() {
  text=$1
  shift
  status=0
  "$@" >out 2>err || status=$?
  [ "$status" -eq 2 ] || fail "$*: status $status, 2 wanted"
  [ "$(wc -l <err)" -eq 1 ] && grep -q -e "$text" err || fail "$*: one line with '$text' wanted, not $(cat err)"
}

# The published optima of the Xeon Phi follow from its parameters.
"$bench" tune --machine xeon-phi-5110p --cores 30,60 --format csv >tuned.csv
for optimum in 'bcast,30,5 5' 'bcast,60,4 4 3' 'reduce,30,3 3 2' 'reduce,60,4 4 3'; do
  grep -q "^$optimum,.*,true,[a-z]*$" tuned.csv || fail "tune: $optimum is not the best by costs: $(cat tuned.csv)"
done
"$bench" tune --machine xeon-phi-5110p --cores 30,60 --format csv | cmp - tuned.csv || fail "tune: another result"
"$bench" tune --machine core2q --operation barrier >table
grep -q '^barrier .* 4 ' table || fail "tune: all cores wanted: $(cat table)"
! grep -q '^bcast' table || fail "tune: only barriers were asked for"
refused "500 threads is out of range 1..4" "$bench" tune --machine core2q --cores 500
refused "there are bcast, reduce, barrier" "$bench" tune --machine core2q --operation allreduce
refused "--store" "$bench" tune --machine core2q --store table
refused "--sizes" "$bench" tune --machine core2q --sizes 3
