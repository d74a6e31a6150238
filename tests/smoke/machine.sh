#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# machine: every form of a matrix makes the machine that it was measured on, a router list its graph; what
# cannot be had is told or refused.
set -eu
. "$SOURCE/tests/support/checks.sh"

# 24 numbers: two threads of a core are 6 apart, cores of a node of three next to each other, two nodes in a
# socket. Some of each level are up to 8 % off.
cat >matrices.py <<'END'
import random

random.seed(5)

def ns(a, b):
    core, other = a % 12, b % 12
    level = 7 if core == other else 25 if core // 3 == other // 3 else 100 if core // 6 == other // 6 else 200
    return level * random.choice((0.92, 1, 1, 1, 1, 1, 1.08))

n = range(24)
cells = {(a, b): ns(a, b) for a in n for b in n if a > b}
get = lambda a, b: cells[max(a, b), min(a, b)]
with open("square.csv", "w") as out:
    out.writelines(",".join("" if a == b else f"{get(a, b):g}" for b in n) + "\n" for a in n)
with open("triangle.csv", "w") as out:
    out.writelines(",".join(f"{get(a, b):g}" if a > b else "" for b in n) + "\n" for a in n)
with open("long.csv", "w") as out:
    out.write("from,to,ns\n")
    out.writelines(f"{a},{b},{get(a, b):g}\n" for a in n for b in n if a < b)
with open("named.csv", "w") as out:
    out.write("," + ",".join(f"cpu{b}" for b in n) + "\n")
    out.writelines(f"cpu{a}," + ",".join("0" if a == b else f"{get(a, b):g}" for b in n) + "\n" for a in n)
with open("printed.txt", "w") as out:
    out.write("Num cores: 24\n\n1) CAS latency on a single shared cache line\n\n")
    out.write("        " + "".join(f"{b:>8}" for b in n) + "\n")
    out.writelines(f"{a:>8}" + "".join(f"  {get(a, b):g}±0" for b in n if b < a) + "\n" for a in n)
    out.write("\n    Min  latency: 7.0ns ±0.0 cores: (12,0)\n")
with open("round_trips.csv", "w") as out:
    out.writelines(",".join("" if a == b else f"{2 * get(a, b):.9g}" for b in n) + "\n" for a in n)
END
python3 matrices.py
for form in square.csv triangle.csv long.csv named.csv printed.txt; do
  "$bench" machine --from $form --clock 2000 -o $form.machine >told || fail "$form: $(cat told)"
  grep -v '^#' $form.machine | sed 's/#.*//' >values
  [ $form = square.csv ] && cp values first
  cmp values first || fail "$form makes another machine: $(cat $form.machine)"
done
grep -q '^# nodes        4 of 3 cores$' told && grep -q '^# threads      2 a core, 7 ns apart' told &&
  grep -q '^# latencies    25, 100, 200 ns,' told || fail "what is told: $(cat told)"
awk '/^# validate/ { good = $3 == 66 && $5 == 66 && $12 + 0 < 2 && $15 + 0 < 12 } END { exit !good }' told ||
  fail "beside the matrix: $(cat told)"
for line in 'nodes = 4 ' 'cores_per_node = 3 ' 'threads_per_core = 2 ' 'nodes_per_socket = 2 ' \
  'node1 = 1 0 2 2' 'modified = 50 200 400 # \[matrix\]' 'sibling = 14 ' 'kind = coherent'; do
  grep -q "^$line" square.csv.machine || fail "no '$line': $(cat square.csv.machine)"
done
"$bench" machine --from round_trips.csv --half --clock 2000 2>told | sed '/^#/d; s/#.*//' >values
cmp values first || fail "round trips: $(cat values)"
"$bench" compare --machine square.csv.machine --operation barrier --cores 24 >sheet
grep -q 'all results right' sheet || fail "the machine runs: $(cat sheet)"
"$bench" machine --from square.csv --threads-per-core 1 -o cores.machine >told
grep -q '^cores_per_node = 2 ' cores.machine && grep -q '^nodes = 12 ' cores.machine ||
  fail "threads that are cores: $(cat cores.machine)"

# A machine is drawn with all of its boxes, each once, and its costs.
"$bench" show --machine square.csv.machine >drawn
for line in '  2 sockets' '    2 nodes each' '      3 cores each' '        2 threads each' \
  'cas *modified *25.0 *100.0 *200.0' ' *1  1  0  2  2'; do
  grep -q "^$line$" drawn || fail "show: no '$line': $(cat drawn)"
done
"$bench" show --machine scc | grep -q '^  tile (5,2): cores 34 to 35, memory controller 3$' ||
  fail 'show, a mesh'
"$bench" show --machine alc | grep -q '^ *4 level-1 switches each, 240 in all:' || fail 'show, a cluster'
for machine in square.csv.machine alc scc; do "$bench" show --machine $machine -o $machine.svg; done
python3 - <<'END' || fail 'the pictures of machines'
import re
from xml.dom import minidom

def labels(file, kind):
    drawn = minidom.parse(file).getElementsByTagName("text")
    texts = [one.firstChild.data for one in drawn if one.firstChild]
    return sorted(int(found[1]) for text in texts if (found := re.match(kind + r" (\d+)\b", text)))

assert labels("square.csv.machine.svg", "thread") == list(range(24))
assert labels("square.csv.machine.svg", "node") == list(range(4))
assert labels("alc.svg", "node") == list(range(960))
assert len(minidom.parse("scc.svg").getElementsByTagName("rect")) == 25
END
refused 'NAME is missing' show
refused 'drawn as text or svg' show --machine scc --format json
refused '--bytes 8: barrier has none' show barrier/tree --bytes 8
refused '--bytes 8: lock has none' show lock/ticket --machine x4600 --bytes 8

# Groups of several sizes are told, not taken for others.
printf ',10,50,50,50\n10,,50,50,50\n50,50,,10,10\n50,50,10,,10\n50,50,10,10,\n' >unequal.csv
"$bench" machine --from unequal.csv -o unequal.machine >told
grep -q '^# left out .* within 10 ns, 1 of 2, 1 of 3:' told || fail "groups of two sizes: $(cat told)"

printf 'router 0 node 0 node 1 router 1\nrouter 1 node 2 node 3 router 2 1\nrouter 2 router 3\n' >routers
printf 'router 3 node 4 node 5 router 0\n' >>routers
"$bench" machine --from routers -o graph.machine >told
grep -q '^links = 0,1 0,2 1,3 2,3 ' graph.machine && grep -q '^tiles = 3 ' graph.machine &&
  grep -q 'barrier/linear of 6 cores' told || fail "a router list: $(cat graph.machine told)"

"$bench" show --machine graph.machine >drawn
for line in '  tile 1 (1,0): cores 2 to 3, memory controller 1' '  switch 3 (1,1)' \
  ' *1   3  *4  *16  both ways'; do
  grep -q "^$line$" drawn || fail "show: no '$line': $(cat drawn)"
done
[ "$(grep -c '^  [ts]' drawn)" -eq 4 ] || fail "show: 4 routers wanted: $(cat drawn)"
"$bench" show --machine graph.machine --set 'mesh.links=0>1 1,2:5 2,3 3>0:9x4' -o graph.svg
python3 - <<'END' || fail 'the picture of a graph'
from xml.dom import minidom

drawn = minidom.parse("graph.svg")
assert len(drawn.getElementsByTagName("rect")) == 5
wires = [one for one in drawn.getElementsByTagName("path") if one.getAttribute("stroke")]
assert sorted(bool(one.getAttribute("marker-end")) for one in wires) == [False, False, True, True]
texts = [one.firstChild.data for one in drawn.getElementsByTagName("text") if one.firstChild]
assert [text for text in texts if " x " in text] == ["4 x 16", "5 x 16", "4 x 16", "9 x 4"], texts
END

"$bench" machine --from routers -o - 2>told | cmp - graph.machine && [ ! -e ./- ] || fail "-o - is no output"
ends 2 'standard output is closed; name a file by -o' sh -c "\"$bench\" machine --from routers >&-"
ends 2 'cannot be written: No space left' sh -c "\"$bench\" machine --from routers >/dev/full"
# Lists of two or three cores have as many rows as their matrices.
printf '0,1,50\n' >two.csv
printf 'from,to,ns\n0,1,50\n0,2,60\n1,2,70\n' >three.csv
for list in '50 two' '60 three'; do
  "$bench" machine --from "${list#* }.csv" -o list.machine >told || fail "a short list: $(cat told)"
  grep -q "^# latencies    ${list% *} ns" told || fail "a short list: $(cat told)"
done
printf '0,50,60\n50,0,60\n' >cut.csv
printf '0;1;50,5\n0;2;60,5\n1;2;70,5\n0;3;80,5\n' >decimal.csv
refused "'decimal.csv', line 1: numbers beside semicolons have commas; write a point" \
  machine --from decimal.csv
refused "'cut.csv', line 1: 3 values in row 0 of 2; the matrix is no square" machine --from cut.csv
# A latency that is known in one direction alone is told, but not of a triangle.
printf '0,50,nan\n50,0,60\n60,60,0\n' >one_way.csv
"$bench" machine --from one_way.csv -o one_way.machine >told
grep -q "^# unknown      one direction of 1 of 3 pairs: the other one's counts for both$" told ||
  fail "one direction is unknown: $(cat told)"
"$bench" machine --from triangle.csv -o triangle.machine >told
! grep unknown told || fail "a triangle"
# Latencies of one pair that differ twofold are told: of both directions, or of two rows.
printf '0,50,60\n150,0,60\n60,60,0\n' >unlike.csv
printf 'from,to,ns\n0,1,50\n0,1,150\n0,2,60\n1,2,70\n' >again.csv
for form in unlike again; do
  "$bench" machine --from $form.csv -o $form.machine >told
  grep -q '^# apart        cores 0 and 1: 50 and 150 ns, of both directions or of several rows;' told ||
    fail "latencies that differ: $(cat told)"
done
"$bench" machine --from three.csv -o three.machine >told
! grep apart told || fail "latencies that do not differ"
refused "all numbers are of one core then" machine --from two.csv --threads-per-core 2
printf '0,1e400\n1e400,0\n' >far.csv
refused "'inf' is no latency" machine --from far.csv
refused "cannot be read: No such file" machine --from nowhere.csv
printf '1,2\n3,4\n' >negative.csv && sed -i 's/[23]/-5/' negative.csv
refused "latencies are above 0" machine --from negative.csv
printf ',1,2\n1,,\n2,,\n' >gap.csv
refused "no latency of cores 1 and 2" machine --from gap.csv
printf ',1,2,3\n1,,2,3\n' >wide.csv
refused "is no square" machine --from wide.csv
printf '0,inf\ninf,0\n' >infinite.csv
refused "'infinite.csv', line 1: 'inf' is no latency; leave unknown ones empty, or -" \
  machine --from infinite.csv
printf '0,10,20\n10,0,30\n20\n' >ragged.csv
printf '0 40 50\n40 0 60\n50 sixty 0\n' >word.csv
refused "'word.csv', line 3: 'sixty' is no latency" machine --from word.csv
refused "'ragged.csv', line 3: 1 values in row 2 of 3; the matrix is no square" machine --from ragged.csv
# A first row of 0, or of 0, 1, 2 ns, numbers no columns: triangles with their diagonal, cores in a line.
printf '0\n50 0\n100 100 0\n100 100 50 0\n' >diagonal.txt
printf '0,50,100,100\n50,0,100,100\n100,100,0,50\n100,100,50,0\n' >whole.csv
printf '0,1,2\n1,0,1\n2,1,0\n' >line.csv
for form in diagonal.txt whole.csv line.csv; do
  "$bench" machine --from $form -o $form.machine >told || fail "$form: $(cat told)"
  grep -v '^#' $form.machine | sed 's/#.*//' >$form.values
done
cmp diagonal.txt.values whole.csv.values || fail "a triangle with its diagonal is another machine"
printf '50\n100 100\n100 100 50\n' >short.txt
refused "give 0 or nothing there" machine --from short.txt
# The rows of a triangle have their diagonal, or none of them has.
printf '50\n60 61\n70 71\n' >short.txt
refused "'short.txt', line 3: 2 values in row 2 of 3; the matrix is no triangle" machine --from short.txt
printf '50\n60\n70 71\n' >short.txt
refused "'short.txt', line 1: 1 values in row 0 of 3; the matrix is no triangle" machine --from short.txt
echo hello >words.csv
refused "has no numbers" machine --from words.csv
refused "--clock 'fast': it is a number" machine --from square.csv --clock fast
refused "--threads-per-core 4: the matrix has groups of 2, 6, 12" machine --from square.csv \
  --threads-per-core 4
refused "Leave it out" machine --from routers --clock 2000
# A latency is one direction's; the other one's is 1.
sed 's/router 2 1$/router 2 7/' routers >slow
echo 'router 0 router 1 3 router 3 5' >>slow
echo 'router 1 router 0 3' >>slow
"$bench" machine --from slow -o slow.machine >told
grep -q '^links = 0,1:6 0>2:8 2>0 1>3:10 3>1 2,3 ' slow.machine || fail "latencies: $(cat slow.machine)"
sed 's/node 1/node 1 2/' routers >nodes
"$bench" machine --from nodes -o nodes.machine >told
grep -q '^# left out     latencies of links to nodes, 2 cycles: nodes here are at their routers$' told ||
  fail "latencies of links to nodes: $(cat told)"
sed 's/router 2 1$/router 2 0/' routers >none
refused "none', line 2: a link of 0 cycles" machine --from none
echo 'router 0 node 0 node 1 node 9' >>routers
refused "routers have 2, 3 nodes" machine --from routers
