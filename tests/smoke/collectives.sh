#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The benchmarks of collectives on more cores than the chip's buffers have flags for, and their curves on a
# page. Ctrl-C ends a sweep with what is done written.
set -eu
. "$SOURCE/tests/support/processes.sh"
. "$SOURCE/tests/support/checks.sh"

# WHOLE=1: with all calls that check an algorithm.
unchecked=--no-check
[ -z "${WHOLE:-}" ] || unchecked=
"$bench" bcast --cores 2050 --set mesh.columns=41 --set mesh.rows=25 --set tile.mpb_bytes=32768 --sizes 100 \
  --algorithms binomial $unchecked >larger
grep -q '^bcast/binomial .* 2050 .* ok$' larger || fail "2050 cores: $(cat larger)"

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
