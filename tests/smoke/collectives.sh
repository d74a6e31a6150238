#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The benchmarks of collectives run: tables, CSV and JSON agree, winners are marked, wrong words get the
# nearest right one, and Ctrl-C ends a sweep with what is done written.
set -eu
. "$SOURCE/tests/support/processes.sh"
. "$SOURCE/tests/support/checks.sh"

"$bench" bcast --sizes 0,33,8192 --cores 1,3,12 --algorithms linear,cube --root 0 >table
[ "$(grep -c '^bcast/.*  ok$' table)" -eq 18 ] || fail "bcast: 18 correct rows wanted"
"$bench" bcast --sizes 8192 --cores 12 --algorithms cube --format json >a.json
for key in algorithm machine cores bytes part_bytes simulated_us_min simulated_us_avg simulated_us_max \
  host_us \
  correct; do
  grep -q "^      \"$key\": " a.json || fail "json: a row lacks '$key'"
done
grep -q '"correct": true' a.json || fail "json: correct is a truth value"
"$bench" bcast --sizes 8192 --cores 12 --algorithms bcast/cube --root 5 --part-bytes 1024,4096 --format csv \
  -o a.csv
[ "$(grep -c '^bcast/cube,scc,12,8192,.*,true,2.0,own,5,\(1024\|4096\)\(,[0-9.]*\)\{3\}$' a.csv)" -eq 2 ] ||
  fail "csv: a row per part size wanted"
"$bench" bcast --sizes 50000 --cores 12 --algorithms cube --rcce 1.0 --no-check --format csv >never_read
"$bench" bcast --sizes 50000 --cores 12 --algorithms cube --rcce 1.0 --format csv >read
column() { # column FILE NAME: its values
  grep -v '^#' "$1" | awk -F, -v name="$2" \
    'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) at = i; next } { print $at }'
}
us() { column "$1" simulated_us_max; }
# The same point has the same number, whichever command writes it.
"$bench" bcast --sizes 32 --cores 4 --algorithms cube --format csv >row.csv
echo '[{"algorithm": "bcast/cube", "cores": 4, "bytes": 32}]' | "$bench" points - >points.json
grep -q "^ *\"us\": $(us row.csv),$" points.json || fail "points: not the time of the row: $(cat points.json)"
awk "BEGIN { exit !($(us never_read) > 2 * $(us read)) }" ||
  fail "buffers that are never read must make plain copies slow"

# More cores than the chip's buffers have flags for. WHOLE=1: with all calls that check an algorithm.
unchecked=--no-check
[ -z "${WHOLE:-}" ] || unchecked=
"$bench" bcast --cores 2050 --set mesh.columns=41 --set mesh.rows=25 --set tile.mpb_bytes=32768 --sizes 100 \
  --algorithms binomial $unchecked >larger
grep -q '^bcast/binomial .* 2050 .* ok$' larger || fail "2050 cores: $(cat larger)"

refused 'algorithms on messages run on up to 10000 cores' bcast --algorithms binomial --cores 10100 \
  --sizes 8 --set mesh.columns=101 --set mesh.rows=50

"$bench" barrier --cores 1,2,7,48 >table
grep -q 'no rank left before the last one came: correct' table || fail "barriers are wrong"
grep -q '^barrier/dissemination' table || fail "barrier: dissemination is missing"
"$bench" barrier --cores 49 --set mesh.columns=7 >table || fail "barriers on more cores than the chip has"
grep -q '^barrier/atomic_counter' table || fail "barrier: atomic_counter is missing on 49 cores"

"$bench" compare --sizes 256,50000 --cores 12,24 --algorithms linear,binomial,cube >table
[ "$(grep -c '\*.*bcast/' table)" -eq 4 ] || fail "compare: a winner per core count and size wanted"
grep -q '^# .* gives way to ' table || fail "compare: a crossover between 256 and 50000 bytes wanted"
"$bench" compare --sizes 256 --cores 2,12 --algorithms linear,cube,auto --format json >auto.json
grep -A 20 '"auto": \[' auto.json >auto
for wanted in '"cores": 12' '"bytes": 256' '"takes": "bcast/' '"simulated_us": ' '"behind_best_percent": '; do
  grep -q "$wanted" auto || fail "compare: json does not say what auto takes: no '$wanted'"
done
"$bench" compare --sizes 256 --cores 12 --algorithms tagged,cube,auto --format csv >auto.csv
[ "$(column auto.csv auto_takes | sort -u)" = tagged ] || fail "compare: csv does not say what auto takes"
[ "$(column auto.csv auto_us | sort -u)" = "$(column auto.csv simulated_us_max | sort -g | head -n 1)" ] ||
  fail "compare: the time of auto is not that of what it takes"
"$bench" compare --operation barrier --cores 5 >table
grep -q '^# Cores .*linear .*dissemination' table || fail "compare --operation barrier: barriers wanted"
"$bench" bcast --cores 12 --sizes 20000 --algorithms dopl --line-order ring,folded --pipe-bytes 512,1024 \
  --format csv >lists.csv
[ "$(grep -c '^bcast/dopl' lists.csv)" -eq 4 ] || fail "bcast: every combination of the lists wanted"
"$bench" bcast --sizes 32,32,32-64:x2 --cores 2,3,2,2 --algorithms linear --format csv >once.csv
[ "$(grep -c '^bcast/linear' once.csv)" -eq 4 ] ||
  fail "bcast: a number that is named twice is measured twice"
"$bench" barrier --cores 48 --algorithms tree,dissemination --fan-out 1 --format csv >narrow.csv
"$bench" barrier --cores 48 --algorithms tree,dissemination --fan-out 7 --format csv >wide.csv
for name in tree dissemination; do
  [ "$(grep "^barrier/$name" narrow.csv | cut -d, -f4-7)" != "$(grep "^barrier/$name" wide.csv |
    cut -d, -f4-7)" ] ||
    fail "barrier: --fan-out changes nothing for $name"
done
# Where the cores fill no rows of the machine, dopl looks for rows and columns of its own.
printf '[mesh]\ncolumns = 16\nrows = 4\n' >"it's wide"
"$bench" bcast --cores 100 --machine "it's wide" --sizes 20000 --algorithms dopl >wide ||
  fail "dopl on 100 cores: $(cat wide)"
"$bench" tune --sizes 8192 --cores 12 --algorithms cube >table
grep -q '^bcast/cube .*\*$' table || fail "tune: the best part size is marked"
# The defaults are tried too, also where no list of values has them; an algorithm without values is named.
"$bench" tune --sizes 64 --cores 12 --algorithms tagged,cube,linear --degree 4 --part-bytes 256 >table
grep -q '^bcast/tagged .* - .*\*$' table &&
  grep -qE '^bcast/cube +12 +64 +part=[0-9]+ +[0-9.]+ +[0-9.]+ +0.0$' table &&
  grep -q '^# no parameter to try values of: bcast/linear$' table || fail "tune: the defaults: $(cat table)"
"$bench" tune --sizes 32 --cores 5 --algorithms cube,oc_tree,linear --part-bytes 1024 --store stored.csv \
  >table
grep -q '^scc,533,2.0,own,bcast,5,0,bcast/oc_tree,part=1024$' stored.csv ||
  fail "tune --store: $(cat stored.csv)"
[ "$(grep -c . stored.csv)" -eq 2 ] || fail \
  "tune --store: one row is enough, for any program can take it: $(cat stored.csv)"
# Between the sizes asked for it finds where algorithms change places. What needs tagged flags has a second
# row for programs without.
"$bench" tune --sizes 32,65536 --cores 48 --algorithms linear,scatter_allgather,staged_pull,tagged \
  --part-bytes 1024 --bisect 10 --store stored.csv >table
awk -F, 'BEGIN { from = -1 } !/^scc/ { next }
  $7 != from { changes += winner && $8 != winner; from = $7; winner = $8; next }
  { if ($8 ~ /staged_pull|tagged/) bad = 1; ++second }
  END { exit bad || changes != 1 || second < 2 }' stored.csv ||
  fail "tune --bisect: $(cat stored.csv)"
# The second rows change where others become the fastest of those that can do without, in the midst of the
# first. What needs a mesh leaves a third row to programs without tags and mesh.
"$bench" tune --rcce 1.0 --sizes 8,512,131072 --cores 48 --algorithms cube,mcast,dopl,staged_pull \
  --part-bytes 1024,16384 --pipe-bytes 2048 --payload none --store stored.csv >table
cat >expected <<'END'
0,bcast/staged_pull,
0,bcast/cube,part=1024
65,bcast/staged_pull,
65,bcast/mcast,
8193,bcast/staged_pull,
8193,bcast/dopl,part=16384 pipe=2048
8193,bcast/mcast,
END
sed 1d stored.csv | cut -d, -f7- | diff expected - || fail "tune --store: second rows that follow no size"
# Values that come to the same leave the least of them in the table.
"$bench" tune --operation reduce --sizes 800 --cores 3 --algorithms grouped_owners --store stored.csv >table
grep -q '^scc,533,2.0,own,reduce,3,0,reduce/grouped_owners,owners=8$' stored.csv ||
  fail "tune --store: $(cat stored.csv)"
# What auto never takes is refused, not left out of a table without rows.
cp "$BIN/../share/rockcreek/programs/my_broadcast.c" .
refused "auto never takes bcast/chain, which is of a file of yours" tune --with my_broadcast.c \
  --algorithms chain --cores 3 --sizes 32 --store stored.csv
"$bench" tune --bisect 10 2>err && fail "tune: --bisect without --store"
grep -q '^rccebench: --bisect 10: it adds sizes to the table that --store FILE writes' err ||
  fail "tune --bisect: $(cat err)"
"$bench" scaling --sizes 8192 --algorithms cube --meshes none >table
[ "$(grep -c '^scc ' table)" -eq 4 ] || fail "scaling: 12, 24, 36 and 48 cores wanted"

# A curve of the page for each algorithm, whoever was last.
"$bench" bcast --sizes 32-65536:x2 --cores 12 --algorithms linear,scatter_allgather --force \
  --report curves.html >table
python3 - <<'END' || fail "curves of a page"
import json
import re

page = open("curves.html", encoding="utf-8").read()
(document,) = re.findall(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)
figures = [one for one in json.loads(document)["figures"] if one["kind"] == "curves"]
for figure in figures:
    found = [(one["name"], len(one["points"])) for one in figure["series"]]
    assert found == [("bcast/linear", 12), ("bcast/scatter_allgather", 12)], (figure["title"], found)
assert figures
END

refused "did you mean 'bcast/cube'" compare --algorithms cubes
refused "there are bcast/linear" bcast --algorithms barrier/linear
refused "did you mean 'barrier/tree'" barrier --algorithms tre
refused "did you mean 'scc'" bcast --machine sc
refused '49 cores are out of range 1..48' compare --cores 12,49
refused 'out of range 1..' bcast --cores 0
refused 'out of range 0..11' bcast --cores 12 --root 12
refused "'8k' is not a whole number" compare --sizes 8k
refused 'no step' bcast --sizes 1-9
refused 'more than 1000000 values; take a larger step' bcast --sizes 1-1073741824:1
refused "there is no 'zigzag'; there are ring, folded, neighbour" bcast --line-order zigzag
refused "--part-bytes '64k': '64k' is not a whole number" bcast --part-bytes 64k
refused '0 bytes is out of range 1..1073741824' bcast --part-bytes 0
refused 'no algorithm of bcast/linear has this option' bcast --algorithms linear --part-bytes 64
refused 'out of range 1..65536' barrier --fan-out 0
refused 'COLUMNSxROWS' scaling --meshes 8
refused "no file can be written in '/nowhere'" bcast --cores 2 --algorithms linear -o /nowhere/file
refused 'cannot be made' thesis --figures /proc/nowhere
refused 'the short form makes no figures' thesis --quick --figures elsewhere

# Ctrl-C: one worker, the longest point first, so that a second one never ends in time.
"$bench" compare --algorithms linear --cores 2,48 --sizes 32 --repetitions 100000 --jobs 1 --format json \
  -o part.json &
sweep=$!
began $sweep
kill -INT $sweep
status=0
wait $sweep || status=$?
[ $status -eq 130 ] || fail "Ctrl-C: status $status instead of 130"
grep -q '"points_asked_for": 2' part.json || fail "Ctrl-C: what was done is not written"
grep -q '"points": [01],' part.json || fail "Ctrl-C: more was done than there was time for"

# The thesis' evaluation takes minutes; here its start, and that its summary and figures are written however
# far it came.
rm -rf figures
"$bench" thesis --figures figures --format json -o thesis.json &
sweep=$!
began $sweep
kill -INT $sweep
status=0
wait $sweep || status=$?
[ $status -eq 130 ] || fail "thesis, Ctrl-C: status $status instead of 130"
for key in cells median_abs_error_percent worst_abs_error_percent ratios table_cells variants; do
  sed -n '/^  "summary"/,$p' thesis.json | grep -q "^    \"$key\": " ||
    fail "thesis: the summary lacks '$key'"
done
[ "$(ls figures | wc -l)" -eq 13 ] || fail "thesis: a file for each of 13 figures wanted"
