#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where results are written to: devices, pipes and descriptors directly, by anybody; a regular file whole,
# with its rights.
set -eu
. "$SOURCE/tests/support/checks.sh"
program=$PROGRAMS/ring_shift
rm -rf ./*
record() { "$BIN/rccerun" -nue 3 --compute none "$@" "$program" 2 100; }
bench() { "$BIN/rccebench" "$@"; }

record --trace plain.json --report plain.html --links plain.csv --matrix plain.m.csv \
  --statistics=plain.s.csv --profile=plain.folded \
  --why=plain.why.json >plain.out
# A trace beside --why has one track more.
grep -v '"cat":"path"\|"critical path"' plain.json | sed 's/,$//' >others
record --trace plain.json --force >again.out
sed 's/,$//' plain.json | cmp - others

# Devices, several options to the same one.
record --trace /dev/null --report /dev/null --links /dev/null --matrix /dev/null --statistics=/dev/null \
  --profile=/dev/null \
  --why=/dev/null >again.out
cmp plain.out again.out

# A named pipe; a descriptor; standard output by all of its names.
mkfifo pipe
for option in trace report links; do
  cat pipe >piped &
  record --$option pipe >/dev/null
  wait
  case $option in trace) cmp plain.json piped ;; links) grep -q '^link' piped ;; report) grep -q '</html>' \
    piped ;; esac
done
[ -p pipe ] || fail "the pipe has been replaced"
record --trace /dev/fd/9 9>nine.json >/dev/null
cmp plain.json nine.json
echo before >appended
record --links /dev/fd/9 9>>appended >/dev/null
[ "$(head -1 appended)" = before ] || fail "what was in front of a descriptor is lost"
for name in - /dev/stdout /dev/fd/1; do
  record --trace $name >stdout.json 2>rest.out
  cmp plain.json stdout.json || fail "--trace $name: not the trace alone"
  cmp plain.out rest.out || fail "--trace $name: the program's output"
  record --trace $name 2>/dev/null | cat >piped
  cmp plain.json piped
done

# A regular file: replaced as a whole, with its rights; in place where it has several names.
echo old >kept.csv
chmod 640 kept.csv
record --links kept.csv --force >/dev/null
[ "$(stat -c %a kept.csv)" = 640 ] || fail "the rights of a replaced file: $(stat -c %a kept.csv)"
ln kept.csv twin.csv
record --links kept.csv --force >/dev/null
[ kept.csv -ef twin.csv ] || fail "a file with two names has been torn apart"

# Beyond ulimit -f, in blocks of 512 bytes, a trace says where it is cut.
limited() { (ulimit -f 160 && "$@"); }
for rounds in 6 7 8 9 10; do
  rm -f cut.json
  ends 2 "cut.json': cannot be written: File too large; its last line says where" limited "$BIN/rccerun" \
    -nue 24 \
    --trace cut.json "$program" $rounds 100
  tail -1 cut.json | grep -Eq '^\],"cut":"behind the event at [0-9]+\.[0-9]{6} us: File too large"}$' ||
    fail "$(tail -1 cut.json)"
  [ "$(wc -c <cut.json)" -le 131072 ] && [ "$(wc -c <cut.json)" -gt 60000 ] || fail "$(wc -c <cut.json) bytes"
  cat >parse.cmake <<'CMAKE'
file(READ cut.json text)
string(JSON count LENGTH "${text}" traceEvents)
CMAKE
  cmake -P parse.cmake || fail "cut.json is no JSON"
done
# So much a copy of the program takes.
status=0
(ulimit -f 4 && "$BIN/rccerun" -nue 2 "$program" 1 1) >long.out 2>err || status=$?
[ $status = 0 ] || grep -q "cannot be copied: File too large; raise the limit of a file's size" err ||
  fail "a limit below the program's size: status $status: $(cat err)"
status=0
limited "$BIN/rccerun" -nue 48 "$program" 100 100 >long.out 2>err || status=$?
[ $status = 0 ] || [ $status = 74 ] || fail "standard output beyond a limit: status $status: $(cat err)"
[ -z "$(find . -name '.rockcreek*')" ] || fail "left beside: $(find . -name '.rockcreek*')"

[ -x "$BIN/rccebench" ] || exit 0
one='bcast --cores 2 --sizes 32 --algorithms linear --repetitions 1'
# shellcheck disable=SC2086  # words
{
  bench $one -o table >/dev/null
  bench $one -o /dev/null --report /dev/null --matrix /dev/null --links /dev/null --trace /dev/null \
    --why=/dev/null \
    --profile=/dev/null --statistics=/dev/null
  bench $one -o /dev/fd/9 9>nine
  cmp table nine
  bench $one -o /dev/stdout | cmp table -
  bench $one -o - | cmp table -
  ln -s target.json link.json
  bench $one -o link.json --force
  cmp table target.json
  bench show bcast/linear --cores 4 -o /dev/null
  "$BIN/rcceinfo" options -o /dev/null
}
