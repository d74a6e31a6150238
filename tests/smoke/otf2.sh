#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rockcreek.otf2: is the archive what the timeline says? Status 77: there is no OTF2 library to write or read
# one.
set -eu
. "$SOURCE/tests/support/checks.sh"
PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=$SOURCE/apps/python${PYTHONPATH:+:$PYTHONPATH}
export PYTHONDONTWRITEBYTECODE PYTHONPATH
rm -rf ./*
command -v python3 >/dev/null || { echo 'skipped: there is no Python'; exit 77; }
"$BIN/rccerun" -nue 5 --trace run.json "$PROGRAMS/ring_shift" 3 1001 >/dev/null 2>&1
echo '{"traceEvents":[]}' >foreign.json
mkdir there
convert() { "$python" -m rockcreek.otf2 "$@" 2>err.out; }
python=
for one in python3 /usr/bin/python3; do
  if "$one" -c 'import otf2' 2>/dev/null; then python=$one; break; fi
done
if [ -z "$python" ]; then
  python=python3
  status=0
  convert run.json archive || status=$?
  [ $status = 1 ] && grep -q "Debian: python3-otf2" err.out ||
    fail "without the library: status $status: $(cat err.out)"
  echo 'skipped: there is no OTF2 library for Python (Debian: python3-otf2)'
  exit 77
fi
convert run.json archive || fail "$(cat err.out)"
echo '[]' >list.json
for wrong in 'run.json there' 'foreign.json other' 'list.json other' 'missing.json other'; do
  # shellcheck disable=SC2086
  if convert $wrong; then fail "$wrong is taken"; fi
  grep -q '^rockcreek.otf2: ' err.out || fail "$wrong: $(cat err.out)"
done
command -v otf2-print >/dev/null || { echo 'skipped: there is no otf2-print (Debian: otf2-tools)'; exit 77; }
otf2-print archive/traces.otf2 >events.out
count() { grep -c "$1" "$2" || true; }
[ "$(count '^ENTER ' events.out)" = "$(count '"ph":"B"' run.json)" ] ||
  fail "ENTER: $(count '^ENTER ' events.out)"
[ "$(count '^LEAVE ' events.out)" = "$(count '"ph":"E"' run.json)" ] ||
  fail "LEAVE: $(count '^LEAVE ' events.out)"
[ "$(count '^MPI_SEND ' events.out)" = 15 ] && [ "$(count '^MPI_RECV ' events.out)" = 15 ] ||
  fail "messages: $(cat events.out)"
[ "$(count '^MPI_SEND .*Length: 8008' events.out)" = 15 ] || fail "bytes: $(grep MPI_SEND events.out)"
[ "$(otf2-print -G archive/traces.otf2 | grep -c '^LOCATION  .*rank')" = 5 ] ||
  fail "locations: $(otf2-print -G archive/traces.otf2)"
# Of one message the sender's side comes first.
awk '/^MPI_SEND/ { sent[$2] = $3 } /^MPI_RECV/ { match($0, /Sender: [0-9]+/);
  from = substr($0, RSTART + 8, RLENGTH - 8); if (!(from in sent) || sent[from] > $3) exit 1 }' events.out ||
  fail "order: $(grep MPI_ events.out)"
