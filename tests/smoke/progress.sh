#!/bin/sh
# Progress: on a terminal, or where it is asked for; never elsewhere; gone at the end, and after Ctrl-C. The die after a run, and its
# colours.
set -eu
bench=$BIN/rccebench
fail() {
  echo "$*"
  exit 1
}
escape=$(printf '\033')
long="thesis --quick --jobs 1"

# No terminal: nothing, unless asked for; Ctrl-C ends it with its status.
status=0
timeout -s INT 6 "$bench" $long >out 2>err || status=$?
! grep -q 'done' err || fail "progress in a file: $(cat err)"
timeout -s INT 6 "$bench" $long --progress >out 2>err || :
grep -q '^ *[0-9]* % done' err || fail "--progress is not heard: $(cat err)"
! grep -q "$escape" err || fail "a file gets what is for terminals"

# A terminal: one line, which is taken away.
command -v script >/dev/null || exit 0
TERM=xterm script -qec "timeout -s INT 6 '$bench' $long >out" typescript </dev/null >/dev/null 2>&1 || :
grep -q '% done' typescript || fail "no progress on a terminal: $(cat -v typescript)"
tail -c 400 typescript | tr '\r' '\n' | grep -v '^Script done' | grep '\[K' | tail -n 1 | grep -q '% done' &&
  fail "the line is left standing: $(tail -c 200 typescript | cat -v)"

# The die: on stderr, 80 columns, coloured on terminals alone.
"$BIN/rccerun" -nue 12 --compute none --die "$PROGRAMS/ring_shift" 2 1500 >out 2>die || fail "$(cat die)"
grep -q '^ \[ 0  1' die || fail "no tiles: $(cat die)"
grep -q '% of the run (' die || fail "no scale: $(cat die)"
[ "$(grep -c '^controller [0-3] at ' die)" -eq 4 ] || fail "four controllers: $(cat die)"
! grep -q "$escape" die || fail "colours in a file"
awk '{ gsub(/▁|▂|▃|▄|▅|▆|▇|█/, "x"); if (length($0) > 80) exit 1 }' die || fail "wider than 80: $(cat die)"
TERM=xterm script -qec "'$BIN/rccerun' -nue 12 --die '$PROGRAMS/ring_shift' 2 1500" typescript </dev/null >/dev/null 2>&1
grep -q "$escape\[3[123]m" typescript || fail "no colours on a terminal: $(cat -v typescript)"
NO_COLOR=1 TERM=xterm script -qec "'$BIN/rccerun' -nue 12 --die '$PROGRAMS/ring_shift' 2 1500" typescript </dev/null >/dev/null 2>&1
! grep -q "$escape" typescript || fail "NO_COLOR is not honoured"
TERM=xterm script -qec "'$bench' show bcast/binomial" typescript </dev/null >/dev/null 2>&1
grep -q "$escape\[32m" typescript || fail "show: no colours on a terminal"
