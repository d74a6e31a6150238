#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rccebench reduce and allreduce run: every type and operator, roots, columns, what is refused. Arrivals that
# are spread are the same for one seed, others for another, and change what they are meant to change.
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
"$bench" reduce --cores 12 --sizes 32-8192:x16 --root 7 --type float --op max --degree 2,5 --splits 2 \
  --format csv >a.csv
grep -v '^#' a.csv | head -n 1 |
  grep -q '^algorithm,machine,cores,bytes,elements,type,op,simulated_us_min,.*,root,degree,splits,'\
'operands,part_bytes,owners,cluster,schedule,last_rank,last_behind_median_us,bandwidth_mib_per_s$' ||
  fail "csv: $(grep -v '^#' a.csv | head -n 1)"
[ "$(grep -c '^reduce/f_nomial,scc,12,8192,2048,float,max,.*,true,' a.csv)" -eq 2 ] ||
  fail "csv: a row per degree wanted"
"$bench" compare --operation reduce --cores 12 --sizes 32,50000 --format json >auto.json
grep -A 20 '"auto": \[' auto.json | grep -q '"takes": "reduce/' ||
  fail "compare: it does not say what auto takes"
"$bench" compare --operation allreduce --cores 12 --sizes 8 >table
for name in recursive_doubling reduce_scatter; do grep -q "$name" table ||
  fail "compare: $name is missing"; done
"$bench" tune --operation reduce --cores 12 --sizes 4096 --algorithms f_nomial >table
[ "$(grep -c '^reduce/f_nomial .*degree=' table)" -eq 8 ] ||
  fail "tune: 7 degrees and the best wanted: $(cat table)"

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
"$bench" bcast --cores 5 --sizes 32 --spread uniform:100 >table || fail "bcast with spread"
"$bench" barrier --cores 5 --spread uniform:100 --repetitions 2 >table || fail "barrier with spread"
# In shared memory, too, as many repetitions as asked for.
"$bench" bcast --machine x4600 --cores 4 --sizes 64 --algorithms binomial --spread uniform:100 \
  --repetitions 2 >out || fail "bcast in shared memory with spread"
grep -q '^# repetitions  2 timed' out || fail "not 2 repetitions: $(grep repetitions out)"
grep -q '^# arrivals     uniform:100 us, seed 1$' table ||
  fail "spread: the setting is not printed: $(head -n 8 table)"

refused '12 bytes are not a whole number of elements; an element of type double has 8' reduce --sizes 12
refused "after 'beta:' three numbers are expected" reduce --spread beta:3,2
refused 'there is no such distribution; the mean has to be above 0' reduce --spread beta:3,2,9
refused "'-4' is no number of microseconds" reduce --spread uniform:-4
refused "'much' is no number of microseconds" reduce --spread uniform:much
refused 'this is neither a file nor none, uniform:MAX' reduce --spread nobody
refused 'a line has 12 delays, and 48 cores are asked for' reduce --spread ./alike
echo '1 2 x' >bad
refused "bad line 1: 'x' is no number of microseconds" reduce --spread ./bad
: >nothing
refused 'the file has no delays' reduce --spread ./nothing
refused 'splits' allreduce --splits 2
refused 'mpi' reduce --type mpi
