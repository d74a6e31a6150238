#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where results are written to: devices, pipes and descriptors directly, by anybody; a regular file whole or
# not at all; none that is there already, nor through a symbolic link to nothing, unless --force says so.
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
for option in --trace --report --links --matrix --statistics --profile --why; do
  ends 2 "$option '/dev/full': cannot be written: No space left on device" record "$option=/dev/full"
  cmp plain.out out || fail "$option: the program's own output"
done
# One that fails does not take the others with it, nor the digest.
ends 2 "'/dev/full': cannot be written" record --trace /dev/full --links beside.csv --digest
cmp plain.csv beside.csv
grep -q '^digest ' err || fail "the digest is lost: $(cat err)"

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
ends 2 'descriptor 8 is not open' record --trace /dev/fd/8
ends 2 'open for reading only' sh -c "'$BIN/rccerun' -nue 2 --links /dev/fd/8 '$program' 1 1 8</dev/null"

# Dangling links.
ln -s target.json link.json
for option in --trace --report --links; do
  ends 2 "symbolic link to '.*target.json', which does not exist" record "$option=link.json"
done
[ ! -e target.json ] || fail "a link to nothing was followed"
record --links link.json --force >/dev/null
[ -h link.json ] && [ -s target.json ] || fail "--force: the link's target is not written"
rm target.json

# A regular file: replaced as a whole, with its rights; in place where it has several names.
echo old >kept.csv
chmod 640 kept.csv
ends 2 'the file exists; choose another' record --links kept.csv
record --links kept.csv --force >/dev/null
[ "$(stat -c %a kept.csv)" = 640 ] || fail "the rights of a replaced file: $(stat -c %a kept.csv)"
ln kept.csv twin.csv
record --links kept.csv --force >/dev/null
[ kept.csv -ef twin.csv ] || fail "a file with two names has been torn apart"

# Beyond ulimit -f, in blocks of 512 bytes: a message, a status, what was there before or nothing. A trace
# says where it is cut.
limited() { (ulimit -f 160 && "$@"); }
for option in --report; do
  ends 2 "$option '.*big': cannot be written: File too large" limited "$BIN/rccerun" -nue 24 $option=big \
    "$program" 2 100
  [ ! -e big ] || fail "$option: half a file is left"
done
cp plain.csv big
ends 2 "'.*big': cannot be written: File too large" limited "$BIN/rccerun" -nue 24 --report big \
  --force "$program" 2 100
cmp plain.csv big || fail "what was there is lost"
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

# Standard error that nobody can write to.
for what in --digest --statistics --die --profile --why; do
  status=0
  record $what >/dev/null 2>/dev/full || status=$?
  [ $status -ne 0 ] || fail "$what to a full standard error: status 0"
  status=0
  record $what >/dev/null 2>&- || status=$?
  [ $status -ne 0 ] || fail "$what to a closed standard error: status 0"
done
status=0
record --digest >/dev/null 2>/dev/full || status=$?
[ $status = 74 ] || fail "--digest to a full standard error: status $status"

[ -x "$BIN/rccebench" ] || exit 0
one='bcast --cores 2 --sizes 32 --algorithms linear --repetitions 1'
# shellcheck disable=SC2086  # words
{
  bench $one -o table >/dev/null
  bench $one -o /dev/null --report /dev/null --matrix /dev/null --links /dev/null --trace /dev/null \
    --why=/dev/null \
    --profile=/dev/null --statistics=/dev/null
  for option in --report --matrix --links --trace --why --profile --statistics -o; do
    case $option in --*) set -- "$option=/dev/full" ;; *) set -- $option /dev/full ;; esac
    ends 2 "$option '/dev/full': cannot be written: No space left" bench $one "$@"
  done
  bench $one -o /dev/fd/9 9>nine
  cmp table nine
  bench $one -o /dev/stdout | cmp table -
  bench $one -o - | cmp table -
  ends 2 'symbolic link to' bench $one -o link.json
  bench $one -o link.json --force
  cmp table target.json
  rm target.json
  ends 2 'symbolic link to' bench show bcast/linear --cores 4 -o link.json
  ends 2 'symbolic link to' "$BIN/rcceinfo" --format json -o link.json
  for what in --die --why --profile --statistics; do
    status=0
    bench $one $what >/dev/null 2>/dev/full || status=$?
    [ $status = 2 ] || fail "rccebench $what to a full standard error: status $status"
  done
  bench show bcast/linear --cores 4 -o /dev/null
  "$BIN/rcceinfo" options -o /dev/null
}
