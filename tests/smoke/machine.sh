#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# machine: every form of a noisy matrix makes the machine that it was measured on; pictures of machines.
# pages/machine_from_*.md have what is told and refused.
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

for machine in square.csv.machine alc scc; do "$bench" show --machine $machine -o $machine.svg; done
printf 'router 0 node 0 node 1 router 1\nrouter 1 node 2 node 3 router 2 1\nrouter 2 router 3\n' >routers
printf 'router 3 node 4 node 5 router 0\n' >>routers
"$bench" machine --from routers -o graph.machine >told
"$bench" show --machine graph.machine --set 'mesh.links=0>1 1,2:5 2,3 3>0:9x4' -o graph.svg
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

drawn = minidom.parse("graph.svg")
assert len(drawn.getElementsByTagName("rect")) == 5
wires = [one for one in drawn.getElementsByTagName("path") if one.getAttribute("stroke")]
assert sorted(bool(one.getAttribute("marker-end")) for one in wires) == [False, False, True, True]
texts = [one.firstChild.data for one in drawn.getElementsByTagName("text") if one.firstChild]
assert [text for text in texts if " x " in text] == ["4 x 16", "5 x 16", "4 x 16", "9 x 4"], texts
END
