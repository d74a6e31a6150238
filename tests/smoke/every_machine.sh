#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The commands on collectives take every machine: by messages, in shared memory, this host, and several in one
# sheet.
set -eu
. "$SOURCE/tests/support/checks.sh"

# One sheet with the columns that its points have.
"$bench" compare --operation reduce --machine scc,xeon-phi-5110p,alc,host --cores 2 --sizes 8 \
  --algorithms linear,serial --noise off >sheet
for machine in scc xeon-phi-5110p alc host; do
  grep -q "^$machine .* reduce/.* yes *" sheet || fail "the sheet lacks $machine: $(cat sheet)"
done
"$bench" bcast --machine scc,x4600,host --cores 2 --sizes 1000 --algorithms binomial --format csv >all.csv
grep -v '^#' all.csv >rows.csv
[ "$(wc -l <rows.csv)" = 4 ] || fail "one row for each machine: $(cat all.csv)"
[ "$(head -1 rows.csv)" = \
  algorithm,machine,cores,bytes,simulated_us_min,simulated_us_avg,simulated_us_max,simulated_us_mean,\
limit_us,of_limit_percent,wall_us_median,wall_us_lower_quartile,wall_us_upper_quartile,\
host_us,correct,rcce,copies,root,last_rank,last_behind_median_us,\
bandwidth_mib_per_s ] || fail "$(head -1 rows.csv)"
[ "$(grep -c ',true,' rows.csv)" = 3 ] || fail "wrong results: $(cat all.csv)"
grep -q '^bcast/binomial,host,2,1000,,,,,,,[0-9]' rows.csv ||
  fail "the host has wall-clock time: $(cat all.csv)"
# By itself each machine takes as long.
for machine in scc x4600; do
  "$bench" bcast --machine $machine --cores 2 --sizes 1000 --algorithms binomial --format csv |
    grep ^bcast >alone.csv
  [ "$(grep ",$machine," rows.csv | cut -d, -f1-8)" = "$(cut -d, -f1-8 alone.csv)" ] ||
    fail "$machine alone: $(cat alone.csv)"
done
# What the machine has not is not in its table.
"$bench" barrier --machine x4600 --cores 5 --format csv | grep -v '^#' >alone.csv
if head -1 alone.csv | grep -q 'rcce\|wall_us'; then fail "columns of other machines: $(cat alone.csv)"; fi
[ "$(grep -c ',true,' alone.csv)" = 3 ] || fail "$(cat alone.csv)"

# An algorithm's parameters, numbers, words and lists, are options, columns and in the list of all.
"$bench" barrier --machine x4600 --cores 8 --algorithms dissemination --partners 1,7 --format csv \
  >partners.csv
grep -v '^#' partners.csv | cut -d, -f6,12 >times
[ "$(sed -n 2p times)" != "$(sed -n 3p times)" ] && grep -q ',7$' times ||
  fail "partners: $(cat partners.csv)"
"$bench" bcast --machine x4600 --cores 8 --sizes 64 --algorithms level_tree --fan-outs 7,2/2/2 >trees
grep -q 'fan_outs=2/2/2' trees || fail "$(cat trees)"
"$bench" reduce --machine x4600 --cores 8 --sizes 64 --algorithms linear --barrier mcs_tree,central_sense \
  >barriers
[ "$(grep -c 'reduce/linear.*barrier=.*ok$' barriers)" = 2 ] || fail "$(cat barriers)"
"$bench" barrier --machine x4600 --help | grep -q -e '--partners' || fail "--help does not name --partners"
if "$bench" barrier --help | grep -q -e '--partners'; then fail "--help of the chip names --partners"; fi
"$BIN/rcceinfo" barrier/dissemination | grep -q partners || fail "rcceinfo: no partners"

# The end of a parallel region; scaling.
"$bench" compare --operation join --machine x4600 --cores 4 >joins
grep -q 'join/tree_padded .* yes *ok$' joins || fail "$(cat joins)"
"$bench" scaling --machine x4600 --cores 2,8 --sizes 64 --meshes none | grep -q '^x4600 *8 ' || fail "scaling"
"$bench" scaling --machine xeon-phi-5110p --algorithms flat --sizes 64 | grep -q "^xeon-phi-5110p *60 " ||
  fail "scaling of a machine that is no grid"

# Messages beyond [host] eager: nodes that exchange them do not wait for each other for ever.
"$bench" reduce --machine alc --nodes 2,47,48 --sizes 65536 --noise off \
  --algorithms recursive_doubling,rabenseifner >long
[ "$(grep -c '^reduce/.*ok$' long)" = 6 ] || fail "long exchanges: $(cat long)"

# A range of a parameter that is a list: one list for each number.
"$bench" tune --machine alc --operation reduce --nodes 64 --noise off --algorithms f_nomial --format csv \
  >degrees
[ "$(grep -c '^reduce/f_nomial,' degrees)" = 7 ] || fail "degrees 2 to 8 are worth a try: $(cat degrees)"
refused "has no algorithm of that; it has some of bcast, reduce, allreduce" tune --operation gather \
  --machine alc,host --cores 2
refused "'2-3:1' is a range" reduce --machine alc --nodes 64 --degree 4/2-3:1

# What makes no sense says what does.
refused "--statistics: machine 'x4600' has none" barrier --machine x4600 --cores 3 --statistics
refused "in shared memory the root is always thread 0" gather --machine x4600 --root 3
refused "not a whole number of elements" scan --machine x4600 --sizes 7
refused "--type int --op sum: the host adds up doubles" allreduce --machine host --type int
refused "in shared memory the root is always thread 0" reduce --machine x4600 --root 3
refused "a tree of 4 threads; --cores says 8" bcast --machine x4600 --cores 8 --algorithms level_tree \
  --fan-outs 3
refused "33 cores are out of range 1..32 of machine 'x4600'" barrier --machine x4600 --cores 33
refused "machine 'nosuch' is neither a preset" barrier --machine scc,nosuch
refused "machine 'x4600' has no message buffers" barrier --machine x4600 --cores 4 --algorithms mcs_tree --why
refused "there is no such file" bcast --machine x4600 --with none.c

# Algorithms of one's own, in every world; the templates that are there.
share=$BIN/../share/rockcreek/programs
"$bench" compare --operation barrier --machine x4600,host --cores 2 --with "$share/my_barrier.cpp" \
  --algorithms one_word,dissemination >own
for machine in x4600 host; do
  grep -q "^$machine .* barrier/one_word .* yes *" own ||
    fail "no barrier of one's own on $machine: $(cat own)"
done
rm -f compiled-*
export CXX="$SOURCE/tests/support/compile_once.sh" # one library for both commands
"$bench" reduce --machine alc --nodes 3,48 --with "$share/my_reduction.cpp" --algorithms chain --noise off \
  >own
[ "$(grep -c '^reduce/chain .*ok$' own)" = 2 ] && grep -q 'correct; yours with double, sum alone$' own ||
  fail "no reduction of one's own: $(cat own)"
"$bench" show chain --machine alc --cores 4 --with "$share/my_reduction.cpp" | grep -q 'reduce/chain' ||
  fail "show --with"
unset CXX
sed 's/receive(port.rank() + 1)/receive(port.rank() + 1, {0, 0})/; s/send(port.rank() - 1)/send(port.rank() '\
'- 1, {0, 0})/' "$share/my_reduction.cpp" >wrong.cpp
if "$bench" reduce --machine alc --nodes 3 --with wrong.cpp --algorithms chain --noise off >own \
  2>&1; then fail "nothing is sent, and nobody says so: $(cat own)"; fi
grep -q 'wrong' own || fail "$(cat own)"
# What is above is compiled as the command asks for it; these files need not be fast.
printf '#!/bin/sh\nexec c++ "$@" -O0 -g0 -Wfatal-errors\n' >quick
chmod +x quick
export CXX="$PWD/quick"
# A message that nobody receives makes that row wrong, by its name, and the others go on.
sed 's/if (port.rank() > 0) port.send/if (port.rank() > 1) port.send/' "$share/my_reduction.cpp" >lost.cpp
status=0
"$bench" reduce --machine alc --nodes 4 --with lost.cpp --algorithms awake_tree,chain --noise off >own 2>&1 ||
  status=$?
[ $status -eq 1 ] && grep -q '^reduce/awake_tree .* ok$' own &&
  grep -q '^# wrong: reduce/chain on 4 .*2 messages are sent and 3 received' own ||
  fail "a message that is not sent: status $status: $(cat own)"
sed 's/one_word"/central_sense"/' "$share/my_barrier.cpp" >same.cpp
refused "there is a 'barrier/central_sense' already" barrier --machine x4600 --with same.cpp
grep -v ROCKCREEK_IN_MEMORY "$share/my_barrier.cpp" >empty.cpp
refused "there is no algorithm in it" barrier --machine x4600 --with empty.cpp
echo 'nonsense;
#include <algorithms/in_memory/own.hpp>' >broken.cpp
ends 2 "ended with status 1" "$bench" barrier --machine x4600 --with broken.cpp
echo '#if 0
#include <algorithms/in_memory/own.hpp>
#endif
int nowhere();
int there = nowhere();' >unlinked.cpp
refused "undefined symbol: _Z7nowherev" barrier --machine x4600 --with unlinked.cpp
echo '#include <algorithms/in_memory/own.hpp>
namespace {
template <algorithms::memory::Memory M>
constexpr algorithms::in_memory::ExchangeRow<M> copied{
    "gather/copied", "everybody stores its block to the target of the root", "two barriers", ROCKCREEK_GATHER,
    algorithms::in_memory::make_direct<M, ROCKCREEK_GATHER, algorithms::in_memory::Mover::sender>,
    algorithms::in_memory::exchange_parameters};
}
ROCKCREEK_IN_MEMORY(copied)' >own_gather.cpp
"$bench" compare --operation gather --machine x4600,host --cores 2 --sizes 1000 --with own_gather.cpp \
  --algorithms copied,direct_put >own
for machine in x4600 host; do
  grep -q "^$machine .* gather/copied .* yes *" own || fail "no gather of one's own on $machine: $(cat own)"
done
(export CXX=nosuchcc && refused "compiler 'nosuchcc' cannot be started" barrier --machine x4600 \
  --with "$share/my_barrier.cpp")
refused "its rows are for shared memory" barrier --machine scc --with "$share/my_barrier.cpp"

# Points as JSON.
echo '[{"algorithm": "bcast/cube", "cores": 5, "bytes": 1000}, {"algorithm": "barrier/linear", "machine": '\
'"nosuch"}]' >points
refused "point 2: machine 'nosuch' is neither" points points
echo '[{"algorithm": "bcast/cube", "cores": 49}]' >points
refused "point 1: " points points
echo '[{"algorithm": "bcast/cube", "cores": 5, "set": {"mesh.rows": 4}, "cores": 4}]' >points
refused "'points' has an object with two members \"cores\"" points points
refused "cannot be read" points nowhere
refused "out of range" barrier --machine x4600 --partners 65
# The time of each repetition is told where it is asked for, and its mean is the one told; a cluster's hosts
# can time each by itself.
echo '[{"algorithm": "bcast/cube", "cores": 5, "bytes": 100, "spread": "uniform:9", "repetitions": 3,
  "each": true},
 {"algorithm": "reduce/f_nomial", "machine": "alc-fitted", "cores": 47, "repetitions": 3, "each": true},
 {"algorithm": "reduce/f_nomial", "machine": "alc-fitted", "cores": 47, "repetitions": 3, "each": true,
  "timed_singly": true}, {"algorithm": "bcast/cube", "cores": 5, "bytes": 100}]' >points
"$bench" points points >each
python3 - each <<'END' || fail "times of repetitions: $(cat each)"
import json, math, sys
rows = json.load(open(sys.argv[1]))
for row in rows[:3]:
    assert len(row["us_each"]) == 3 and math.isclose(math.fsum(row["us_each"]) / 3, row["us_mean"])
assert len(set(rows[0]["us_each"])) > 1 and rows[1]["us_mean"] < rows[2]["us_mean"]
assert rows[1]["key"] != rows[2]["key"] and "us_each" not in rows[3]
END
echo '[{"algorithm": "bcast/cube", "timed_singly": true}]' >points
refused "machine 'scc' is no cluster" points points
# On one core some barriers take no time: nobody is a percentage behind that.
"$bench" compare --operation barrier --machine x4600 --cores 1 --format csv >alone
grep -q '^x4600,simulated,1,0,none,barrier/central_sense,0.00[0-9]*,,false,' alone ||
  fail "behind no time: $(cat alone)"
# On the host a winner is told with the ratio and what the quartiles leave of it, where one is decided at all.
"$bench" compare --machine host --operation reduce --cores 2 --sizes 8192 --format json \
  --algorithms pair_tree,master_sequential >host.json
python3 - host.json <<'END' || fail "times faster: $(cat host.json)"
import json, sys
sheet = json.load(open(sys.argv[1]))
(winner,) = sheet["summary"]["winners"]
us = {row["algorithm"]: row["time_us"] for row in sheet["rows"]}
assert winner["decided"] == ("times_faster" in winner)
if winner["decided"]:
    faster = winner["times_faster"]
    assert {winner["algorithm"], faster["than"]} == set(us)
    assert abs(faster["median"] - us[faster["than"]] / us[winner["algorithm"]]) < 1e-9
    assert 1 < faster["least"] <= faster["median"] <= faster["most"]
END
