#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rccebench reduce and allreduce run: every type and operator. Arrivals that are spread are the same for one
# seed, others for another, and change what they are meant to change.
set -eu
. "$SOURCE/tests/support/checks.sh"

# reduced TYPE OP CORES SIZES POINTS, and those of allreduce
reduced() {
  "$bench" reduce --cores $3 --sizes $4 --type $1 --op $2 --root 0 >table || fail "reduce: $(cat table)"
  grep -q "^# $5 points, every element compared at the root, everybody" table ||
    fail "reduce $1 $2: $(tail -n 1 table)"
  shift 5
  "$bench" allreduce --cores $3 --sizes $4 --type $1 --op $2 >table || fail "allreduce: $(cat table)"
  grep -q "^# $5 points, every element compared on every rank: correct" table ||
    fail "allreduce $1 $2: $(tail -n 1 table)"
}
# Each operator of each type, and each of them once with several numbers of cores and sizes; WHOLE=1: always
# with several.
for type in int long float double; do
  for op in sum min max prod; do
    case ${WHOLE:-}$type.$op in
    1* | int.sum | long.min | float.max | double.prod)
      reduced $type $op 1,5,12 0,8,4096 99 $type $op 3,12 8,4096 28 ;;
    *) reduced $type $op 5 4096 11 $type $op 3 4096 7 ;;
    esac
  done
done

# More ranks than an MPB has lines: reductions by owners put in groups. A check of so many takes seconds, and
# what is timed is compared too.
ranks=257 points=2 reduce=8192 allreduce=8 check=--no-check
[ -z "${WHOLE:-}" ] || ranks=300 points=4 reduce=8,8192 allreduce=8,8192 check=
printf '[mesh]\ncolumns = 16\nrows = 16\n' >large.machine
for operation in reduce allreduce; do
  [ $operation = reduce ] && sizes=$reduce || sizes=$allreduce
  "$bench" $operation --machine large.machine --cores $ranks --sizes $sizes \
    --algorithms owners,grouped_owners --format csv $check >large.csv
  [ "$(grep -Ec '^'$operation'/(owners|grouped_owners),.*,true,' large.csv)" -eq $points ] ||
    fail "$ranks ranks: $(cat large.csv)"
done

# Arrivals.
small="--cores 12 --sizes 4096 --algorithms linear,f_nomial,dynamic_pair --repetitions 3 --format csv"
rows() { # all but the host's time
  "$bench" reduce $small "$@" >rows.csv || fail "reduce $*: $(cat rows.csv)"
  grep -v '^#' rows.csv | cut -d, -f1-12,14-
}
rows --spread beta:300,80,60 --seed 7 --jobs 1 >first
rows --spread beta:300,80,60 --seed 7 --jobs 3 >again
cmp first again || fail "spread: one seed gives two results"
rows --spread beta:300,80,60 --seed 8 >other
cmp -s first other && fail "spread: another seed changes nothing"
head -n 1 first | grep -q 'simulated_us_spent' || fail "spread: the time spent by all is missing"
us() { grep "^reduce/$1" "$2" | cut -d, -f10; }
# The last arrival alone of a linear reduction finds the others waiting; a tree has done most of its work by
# then.
seq 0 40 440 | tr '\n' ' ' >late
rows --spread ./late >spread
"$bench" reduce $small >together.csv
awk "BEGIN { exit !($(us f_nomial spread) < $(us f_nomial together.csv)) }" ||
  fail "spread: a tree does not gain by early ranks"
# Pairs by arrival: who comes early need not wait for its parent.
rows --spread uniform:3000 >wide
spent() { grep "^reduce/$1" wide | cut -d, -f12; }
awk "BEGIN { exit !(1.5 * $(spent dynamic_pair) < $(spent f_nomial)) }" ||
  fail "spread: dynamic_pair gains nothing: $(cat wide)"
# A wait of all together is none.
echo '50 50 50 50 50 50 50 50 50 50 50 50 # us' >alike
rows --spread ./alike >alike.csv
for name in linear f_nomial; do
  awk "BEGIN { off = $(us $name alike.csv) / $(us $name \
    together.csv) - 1; exit !(off < 0.001 && off > -0.001) }" ||
    fail "spread: all 50 us late is something else than at once: $name"
done
