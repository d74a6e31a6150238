#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rccebench reduce and allreduce on clusters: tables, CSV and JSON agree, twice the same; every study runs; 65,536 nodes; traces;
# mistakes are told with status 2.
set -eu
bench=$BIN/rccebench
fail() {
  echo "$*"
  exit 1
}
few="--nodes 5,47 --repetitions 50"

"$bench" reduce --machine cluster $few --format csv -o a.csv
"$bench" reduce --machine alc-fitted $few --format csv --jobs 1 | sed 's/alc-fitted/cluster/' >b.csv
sed 's/alc-fitted/cluster/' a.csv | cmp - b.csv || fail "two runs differ"
[ "$(grep -c ',ok$' a.csv)" -eq 16 ] || fail "csv: 8 rows on 2 sizes wanted"
"$bench" reduce --machine cluster $few --seed 2 --format csv | cmp -s - a.csv && fail "another seed, the same"
"$bench" allreduce --machine cluster-modern $few --type int32 --op max --format json >a.json
[ "$(grep -c '"check": "ok"' a.json)" -eq 16 ] || fail "json: 8 rows on 2 sizes wanted"

for study in model map noise crossover; do
  "$bench" reduce --machine cluster $few --elements 1,4 --study $study >$study.txt || fail "$study: it fails"
  grep -q '^ *47 ' $study.txt || fail "$study: no row for 47 nodes"
done
"$bench" reduce --machine alc --nodes 906 --noise off --algorithms f_nomial,awake_tree --format csv >quiet.csv
awk -F, '/^reduce/ { us[$1] = $5 } END { exit !(us["reduce/awake_tree"] < 0.7 * us["reduce/f_nomial"]) }' quiet.csv ||
  fail "awake_tree is not 30 % ahead"
"$bench" reduce --machine alc --nodes 65536 --noise off --algorithms f_nomial,4_ary_broadcast --format csv >large.csv
[ "$(grep -c ',ok$' large.csv)" -eq 2 ] || fail "65,536 nodes: two rows wanted"
"$bench" reduce --machine cluster --processes 2 --nodes 906 --algorithms f_nomial --repetitions 3000 --in-flight 1024 --format csv >flight.csv
awk -F, '/^reduce/ { found = 1; exit !($6 < 50) } END { exit !found }' flight.csv || fail "1,024 under way: over 50 us each"

printf '# start, duration\n1000000\t500000\n9000000\t20000\n' >trace
"$bench" reduce --machine alc --nodes 64 --processes 2 --algorithms f_nomial --noise trace | grep -q 'trace trace, seed 1' || fail "a trace is not heard"

mistake() {
  words=$1
  shift
  status=0
  "$bench" "$@" >out 2>&1 || status=$?
  [ $status -eq 2 ] || fail "$*: status $status instead of 2"
  grep -qF -e "$words" out || fail "$*: the message lacks '$words'"
}
printf '1000\t5\n500\t5\n' >backwards
printf 'a b\n' >words
mistake "line 2: '500?5' begins before the line above" reduce --machine alc --nodes 64 --noise backwards
mistake "line 1: 'a b' is not 'start TAB duration'" reduce --machine alc --nodes 64 --noise words
mistake "noise trace '/nowhere' cannot be read" reduce --machine alc --nodes 64 --noise /nowhere
mistake "1 nodes is out of range 2..65536" reduce --machine alc --nodes 1
mistake "65537 nodes is out of range" reduce --machine alc --nodes 65537
mistake "1 branches is out of range 2..64" reduce --machine alc --degree 1
mistake "17 splits is out of range 0..16" reduce --machine alc --splits 17
mistake "did you mean 'reduce/f_nomial'?" reduce --machine alc --algorithms f_nomal
mistake "has 2 processors, one for each process" reduce --machine alc --processes 3
mistake "takes one at a time" reduce --machine alc --in-flight 2 --algorithms binomial
mistake "did you mean 'wake'?" reduce --machine alc --set card.wak=1
mistake "takes SECTION.NAME=VALUE" reduce --machine alc --set card.wake
mistake "half the links lead up" reduce --machine alc --set network.radix=7
printf "[machine]\nkind = cluster\n" >empty.machine
for command in bcast validate compare pingpong; do
  mistake "by rccebench reduce --machine alc, and by allreduce" "$command" --machine alc
  mistake "machine 'empty.machine' is a cluster, and this command is for machines with cores" "$command" --machine empty.machine
done
printf '[machine]\nkind = cluster\n[card]\nwake = soon\n' >wrong.machine
mistake "line 4" reduce --machine wrong.machine
mistake "int32_sum is missing" reduce --machine empty.machine
mistake "did you mean 'nic-reduction'?" reproduce nic-reductions
