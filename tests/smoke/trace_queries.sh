#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --trace: questions to timelines in SQL, answered by Perfetto's own trace processor (trace_queries.py).
# Status 77: it is not here.
set -eu
rm -f ./*.json ./*.csv
command -v python3 >/dev/null || { echo 'skipped: there is no Python'; exit 77; }
command -v node >/dev/null || { echo "skipped: there is no Node.js for Perfetto's trace processor"; exit 77; }
engine=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/rockcreek/perfetto-52.0
[ -e "$engine/engine_bundle.js" ] || { echo \
  "skipped: there is no trace processor in $engine (sh apps/setup.sh --tests fetches it)"; exit 77; }

traced() { # traced NAME WORDS...
  name=$1
  shift
  "$BIN/rccerun" --compute none --trace "$name.json" --matrix "$name.matrix.csv" "$@" >/dev/null 2>err ||
    { cat err; exit 1; }
}
counted() { # what the sim engine alone has
  name=$1
  shift
  traced "$name" --statistics="$name.statistics.csv" "$@"
}
counted few -nue 5 "$PROGRAMS/ring_shift" 3 1001
counted all -nue 48 "$PROGRAMS/ring_shift" 3 1001
counted off -nue 5 --contention off "$PROGRAMS/ring_shift" 3 1001
counted mesh -nue 15 --set mesh.columns=3 --set mesh.rows=5 --set mesh.cores_per_tile=1 \
  "$PROGRAMS/ring_shift" 1 33
counted requests -nue 7 "$PROGRAMS/ircce_guess"
traced threads -nue 5 --engine threads "$PROGRAMS/ring_shift" 3 1001
traced simulated -nue 5 --engine threads --clock simulated "$PROGRAMS/ring_shift" 3 1001
"$BIN/rccerun" -nue 3 --trace deadlock.json "$PROGRAMS/wrong" both-send >/dev/null 2>&1 || [ $? = 121 ]
"$BIN/rccebench" pingpong --pairs 0:47 --sizes 32,1024 --trace bench.json --matrix bench.matrix.csv \
  --statistics=bench.statistics.csv >/dev/null
PYTHONDONTWRITEBYTECODE=1 python3 "$SOURCE/tests/smoke/trace_queries.py" "$engine" few all off mesh requests \
  threads simulated deadlock bench
