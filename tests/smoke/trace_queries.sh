#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --trace: questions to the timeline in SQL (trace_queries.py). Status 77: there is no Python, or no trace processor of Perfetto.
set -eu
rm -f ./*.json
command -v python3 >/dev/null || { echo 'skipped: there is no Python'; exit 77; }
status=0
for ues in 5 48; do
  "$BIN/rccerun" -nue $ues --trace $ues.json "$PROGRAMS/ring_shift" 3 1001 >/dev/null 2>&1
  PYTHONDONTWRITEBYTECODE=1 python3 "$SOURCE/tests/smoke/trace_queries.py" $ues.json $ues $((3 * ues)) || status=$?
  [ $status = 0 ] || [ $status = 77 ] || exit 1
done
"$BIN/rccerun" -nue 5 --contention off --trace off.json "$PROGRAMS/ring_shift" 3 1001 >/dev/null 2>&1
! grep '"ph":"C"' off.json || exit 1
exit $status
