#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rccebench reduce and allreduce on clusters: tables, CSV and JSON agree, twice the same; every study runs;
# 65,536 nodes; traces; mistakes are told with status 2.
set -eu
. "$SOURCE/tests/support/checks.sh"
few="--nodes 5,47 --repetitions 50"
# column NAME FILE: the values of a column of CSV
column() { grep -v '^#' "$2" | awk -F, -v name="$1" \
  'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; if (!at) exit 1; next } { print $at }'; }

"$bench" reduce --machine cluster $few --noise both --format csv -o a.csv
"$bench" reduce --machine alc-fitted $few --noise off,on --format csv --jobs 1 |
  sed 's/alc-fitted/cluster/' >b.csv
for file in a.csv b.csv; do
  sed 's/alc-fitted/cluster/' $file | awk -F, '/^#/ { next }
    !at { for (at = 1; $at != "host_us"; at++) if (at > NF) exit 1 }
    { $at = ""; print }' >$file.times # without the host's time
done
cmp a.csv.times b.csv.times || fail "two runs differ"
[ "$(column correct a.csv | grep -c true)" -eq 32 ] ||
  fail "csv: 8 rows on 2 sizes, with and without noise wanted"
[ "$(column elements a.csv | sort -u)" = 1 ] || fail "one element is usual: $(cat a.csv)"
"$bench" reduce --machine cluster $few --seed 2 --format csv >c.csv
[ "$(column digest c.csv)" != "$("$bench" reduce --machine cluster $few --format csv >d.csv &&
  column digest d.csv)" ] || fail "another seed, the same"
"$bench" allreduce --machine cluster-modern $few --type int32 --op max --format json >a.json
[ "$(grep -c '"correct": true' a.json)" -eq 16 ] || fail "json: 8 rows on 2 sizes wanted"

for study in model map noise crossover; do
  elements=1,4
  case $study in noise | crossover) elements=4 ;; esac
  "$bench" reduce --machine cluster $few --elements $elements --study $study >$study.txt ||
    fail "$study: it fails"
  grep -q '^ *47 ' $study.txt || fail "$study: no row for 47 nodes"
done
"$bench" reduce --machine alc --nodes 906 --noise off --algorithms f_nomial,awake_tree --format csv >quiet.csv
column simulated_us_max quiet.csv | awk 'NR == 1 { tree = $1 } NR == 2 { awake = $1 } END {
  exit !(awake > 0 && awake < 0.7 * tree) }' ||
  fail "awake_tree is not 30 % ahead"
"$bench" reduce --machine alc --nodes 48 --algorithms f_nomial --format csv >same.csv # has no noise
[ "$(column deviation_us same.csv)" = 0 ] || fail "equal repetitions deviate: $(cat same.csv)"
"$bench" reduce --machine alc --nodes 48 --algorithms f_nomial >same.txt
if grep -q Deviation same.txt; then fail "columns of noise without noise: $(cat same.txt)"; fi
"$bench" reduce --machine alc --set machine.nodes=65536 --nodes 65536 --noise off \
  --algorithms f_nomial,4_ary_broadcast --format csv >large.csv
[ "$(column correct large.csv | grep -c true)" -eq 2 ] || fail "65,536 nodes: two rows wanted"
"$bench" compare --operation reduce --machine cluster-modern --nodes 20000 --sizes 8 \
  --algorithms awake_tree --format csv >many.csv # as reduce, tune and scaling do
[ "$(column right many.csv)" = true ] || fail "20,000 nodes: one row wanted: $(cat many.csv)"
status=0
"$bench" reduce --machine alc --nodes 20000 >many.txt 2>&1 || status=$?
{ [ $status -eq 2 ] && grep -q "machine 'alc' has 960 nodes" many.txt; } || fail "$status: $(cat many.txt)"
"$bench" reduce --machine cluster --processes 2 --nodes 906 --algorithms f_nomial --repetitions 3000 \
  --in-flight 1024 --format csv >flight.csv
column simulated_us_max flight.csv | awk '{ exit !($1 > 0 && $1 < 50) }' ||
  fail "1,024 under way: over 50 us each"

# Broadcasts by hosts: the tree for short messages, blocks for long ones; noise is heard.
"$bench" bcast --machine alc --nodes 3,64 --sizes 8,400,4194304 --format csv >bcast.csv
[ "$(column correct bcast.csv | grep -c true)" -eq 12 ] || fail "bcast: $(cat bcast.csv)"
"$bench" compare --machine alc --nodes 64 --sizes 8,1048576 --format csv >won.csv
for won in 8,none,bcast/binomial 1048576,none,bcast/scatter_allgather; do
  grep -q "^alc,simulated,64,$won,[0-9.]*,0,true," won.csv || fail "compare of broadcasts: $(cat won.csv)"
done
"$bench" bcast --machine alc-fitted --nodes 64 --algorithms binomial --noise off,on --format csv >noisy.csv
column simulated_us_max noisy.csv | awk 'NR == 1 { quiet = $1 } NR == 2 { noisy = $1 }
  END { exit !(quiet > 0 && noisy > quiet) }' || fail "noise does not disturb a broadcast: $(cat noisy.csv)"
"$bench" show bcast/binomial --machine alc --cores 7 | grep -q '^round ' || fail "show of a broadcast"

printf '# start, duration\n1000000\t500000\n9000000\t20000\n' >trace
"$bench" reduce --machine alc --nodes 64 --processes 2 --algorithms f_nomial --noise trace,off --format csv \
  >noise.csv
column simulated_us_max noise.csv | awk 'NR == 1 { noisy = $1 } END { exit !(noisy > $1) }' ||
  fail "a trace is not heard: $(cat noise.csv)"

printf '1000\t5\n500\t5\n' >backwards
printf 'a b\n' >words
refused "has no noise that could be multiplied" reduce --machine alc --nodes 16 --study noise
refused "line 2: '500?5' begins before the line above" reduce --machine alc --nodes 64 --noise backwards
printf '0\t100000\n' >full
refused "fill the 100000 ns after which it begins again" reduce --machine alc --nodes 16 --processes 2 \
  --noise full --algorithms awake_tree
printf '0\t60000\n30000\t70000\n40000\t70000\n' >overfull
refused "fill the 110000 ns" reduce --machine alc --nodes 16 --processes 2 --noise overfull \
  --algorithms awake_tree
refused "fill 2 processors" reduce --machine alc --nodes 16 --set noise.daemons=1000 --set noise.daemon=10 \
  --algorithms awake_tree
"$bench" reduce --machine alc --nodes 16 --processes 1 --noise full --algorithms awake_tree >out ||
  fail "the other processor is free"
printf 'period\t1000000\n0\t100000\n' >period
timeout 60 "$bench" reduce --machine alc --nodes 16 --processes 2 --noise period --algorithms awake_tree \
  >out || fail "a daemon in ten of its times"
printf 'period\t1000\n0\t100000\n' >brief
refused "its period of 1000 ns is over before its last daemon" reduce --machine alc --nodes 16 --noise brief
printf 'period\t0\n0\t1\n' >never
refused "is no period" reduce --machine alc --nodes 16 --noise never
printf '0\t5us\n' >unit
refused "line 1: '0?5us' is not 'start TAB duration'" reduce --machine alc --nodes 16 --noise unit
refused "it is of one length, and 2 are asked for" reduce --machine alc --nodes 16 --study noise \
  --elements 1,4
refused "give one of them" reduce --machine alc --nodes 16 --sizes 8 --elements 1
refused "gather: machine 'alc' has no algorithm of that; it has some of bcast, reduce" gather --machine alc
refused "messages on a cluster are whole words of 4 bytes" bcast --machine alc --nodes 64 --sizes 9
refused "machine 'alc' has 960 nodes, and a broadcast takes 2 at least" bcast --machine alc --nodes 1
refused "takes one at a time" bcast --machine alc --nodes 4 --in-flight 2
refused "has no clocks and voltages to set" power --machine alc
refused "a study chooses its own" reduce --machine alc --nodes 16 --study noise --algorithms awake_tree
refused "leave it out" reduce --machine alc --nodes 16 --study noise --noise off
refused "line 1: 'a b' is not 'start TAB duration'" reduce --machine alc --nodes 64 --noise words
refused "noise trace '/nowhere' cannot be read" reduce --machine alc --nodes 64 --noise /nowhere
refused "machine 'alc' has 960 nodes, and a reduction takes 2 at least" reduce --machine alc --nodes 1
refused "--set machine.nodes=1024 makes a cluster of as many" reduce --machine alc --nodes 1024
refused "1 is out of range 2..64" reduce --machine alc --degree 1
refused "17 is out of range 0..16" reduce --machine alc --splits 17
refused "did you mean 'reduce/f_nomial'?" reduce --machine alc --algorithms f_nomal
refused "has 2 processors, one for each process" reduce --machine alc --processes 3
refused "takes one at a time" reduce --machine alc --in-flight 2 --algorithms binomial
refused "did you mean 'wake'?" reduce --machine alc --set card.wak=1
refused "takes SECTION.NAME=VALUE" reduce --machine alc --set card.wake
refused "half the links lead up" reduce --machine alc --set network.radix=7

# A tree by levels: what a radix says gives the same bytes; fewer or slower cables up make it slower.
us() { # us OPTION...: time of an exchange of 4,096 elements between 64 nodes
  "$bench" allreduce --machine alc --nodes 64 --algorithms recursive_doubling --elements 4096 \
    --format csv "$@" >tree.csv
  column simulated_us_max tree.csv
}
plain=$(us)
set -- --set "network.down=4 4 4 4 4" --set "network.up=1 4 4 4 4"
[ "$(us "$@")" = "$plain" ] || fail "levels that the radix has give another time: $(cat tree.csv)"
few=$(us "$@" --set "network.up=1 1 1 1 1")
slow=$(us "$@" --set "network.bandwidth=400 100 100 100 100")
awk -v plain="$plain" -v few="$few" -v slow="$slow" '
  BEGIN { exit !(few > 2 * plain && slow > 2 * plain) }' ||
  fail "a tree with $plain us takes $few with fewer cables up, $slow with slower ones"
cat >levels.machine <<'END'
[machine]
preset = alc
nodes = 16
[network]
down = 4 4 # Zahavi's figure 1(b)
up = 1 2
parallel = 1 2
bandwidth = 400 200
cable = 20 40
END
"$BIN/rccerun" --machine levels.machine --print-machine >printed.machine
for line in 'down = 4 4 ' 'up = 1 2 ' 'parallel = 1 2 ' 'bandwidth = 400 200 ' 'cable = 20 40 '; do
  grep -q "^$line" printed.machine || fail "--print-machine: no '$line'"
done
"$bench" show --machine levels.machine >drawn
"$bench" show --machine printed.machine | sed 1d >drawn_again
sed 1d drawn | cmp - drawn_again || fail "a printed machine is another one"
for line in '  group: 2 level-2 switches, each of 8 links down' \
  '    4 level-1 switches: 4 links down and up' \
  ' *2 *4 *2 *2 *200 *40 *2.00' ' *3 *0.370 *20.810'; do
  grep -q "^$line$" drawn || fail "show: no '$line': $(cat drawn)"
done
levels() { # levels WORDS NAME=VALUE...: refused with these words
  words=$1
  shift
  for one in "$@"; do
    shift
    set -- "$@" --set "network.$one"
  done
  refused "$words" reduce --machine alc "$@"
}
levels "up = 1 4 is a list by levels, and down, which says the levels, is not" "up=1 4"
levels "bandwidth = 400 400 is a list by levels" "bandwidth=400 400"
levels "up = 1 4 4 has 3 numbers, and down has 2 levels" "down=32 32" "up=1 4 4"
levels "bandwidth = 400 800 1 has 3 numbers" "down=32 32" "bandwidth=400 800 1"
levels "down = 32 30.5 has 30.5 in it, which is no whole number" "down=32 30.5"
levels "up = 0 is out of range 1..65536" "down=1000" "up=0"
levels "down = 30 31 carries 930 nodes, and .machine. nodes = 960; add ports or a level" "down=30 31"
levels "61440000 cables; a tree here has 8388608 at most" "down=960" "up=64000"
levels "17 levels; a tree here has 16 at most" "down=960 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"
levels "and the cables of the first two levels, once up and once down" "down=32 32" "cable=100 100"
levels "bandwidth has no number" "bandwidth="
# On two nodes a card takes 11.23 us and a step, the hosts 14.43 us; no step takes 3 ms.
for line in "host.take=1 3.200" "hardware.broadcast=3000 -"; do
  "$bench" reduce --study crossover --machine alc --nodes 2 --set "${line% *}" >crossing
  [ "$(awk '$1 == 2 { print $5 }' crossing)" = "${line#* }" ] || fail "crossover: $(cat crossing)"
done
printf "[machine]\nkind = cluster\n" >empty.machine
printf '[machine]\nkind = cluster\n[card]\nwake = soon\n' >wrong.machine
refused "line 4" reduce --machine wrong.machine
refused "float64_sum = 8 8 8 0: 8 elements take no less than 4" reduce --machine alc \
  --set "combine.float64_sum=8 8 8 0"
refused "int32_sum is missing" reduce --machine empty.machine
refused "did you mean 'nic-reduction'?" reproduce nic-reductions
