#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Progress: on a terminal, or where it is asked for; never elsewhere; gone at the end, and after Ctrl-C. What
# the die and the rounds of an algorithm have on a terminal.
set -eu
. "$SOURCE/tests/support/processes.sh"
. "$SOURCE/tests/support/checks.sh"
escape=$(printf '\033')
long="thesis --quick --jobs 1"

# No terminal: nothing, unless asked for; Ctrl-C ends it with its status.
"$bench" $long >out 2>err &
began $!
sleep 3 # it would be shown after one
status=0
kill -INT $! && wait $! || status=$?
[ $status -eq 130 ] || fail "Ctrl-C: status $status"
! grep -q 'done' err || fail "progress in a file: $(cat err)"
"$bench" $long --progress >out 2>err &
says $! err '% done'
kill -INT $! && wait $! || :
grep -q '^ *[0-9]* % done' err || fail "--progress is not heard: $(cat err)"
! grep -q "$escape" err || fail "a file gets what is for terminals"

# A terminal: one line, which is taken away.
command -v script >/dev/null || exit 0
rm -f pid typescript
TERM=xterm script -qfec "echo \$\$ >pid; exec env --default-signal=INT '$bench' $long >out" typescript \
  </dev/null >/dev/null 2>&1 &
says $! typescript '% done' # a second after the sweep has begun, which on a busy host takes some more
kill -INT "$(cat pid)" && wait $! || :
grep -q '% done' typescript || fail "no progress on a terminal: $(cat -v typescript)"
tail -c 400 typescript | tr '\r' '\n' | grep -v '^Script done' | grep '\[K' | tail -n 1 | grep -q '% done' &&
  fail "the line is left standing: $(tail -c 200 typescript | cat -v)"

# The die: coloured on terminals alone.
TERM=xterm script -qec "'$BIN/rccerun' -nue 12 --die '$PROGRAMS/ring_shift' 2 1500" typescript </dev/null \
  >/dev/null 2>&1
grep -q "$escape\[3[123]m" typescript || fail "no colours on a terminal: $(cat -v typescript)"
NO_COLOR=1 TERM=xterm script -qec "'$BIN/rccerun' -nue 12 --die '$PROGRAMS/ring_shift' 2 1500" typescript \
  </dev/null >/dev/null 2>&1
! grep -q "$escape" typescript || fail "NO_COLOR is not honoured"
# Other characters where the terminal has no UTF-8.
LC_ALL=C TERM=xterm script -qec "'$BIN/rccerun' -nue 12 --die '$PROGRAMS/ring_shift' 2 1500" typescript \
  </dev/null >/dev/null 2>&1
! grep -q '▁\|█' typescript && grep -q '@ = busy\|@.*= busy' typescript ||
  fail "no ASCII: $(cat -v typescript)"

# Rounds of an algorithm.
TERM=xterm script -qec "'$bench' show bcast/binomial" typescript </dev/null >/dev/null 2>&1
grep -q "$escape\[32m" typescript || fail "show: no colours on a terminal"
LC_ALL=C.UTF-8 TERM=xterm script -qec "'$bench' show bcast/binomial" typescript </dev/null >/dev/null 2>&1
grep -q '0→1' typescript || fail "show: $(cat typescript)"
for drawing in mesh tree; do
  LC_ALL=C TERM=xterm NO_COLOR=1 script -qec "'$bench' show bcast/binomial --drawing $drawing" typescript \
    </dev/null >/dev/null 2>&1
  ! LC_ALL=C grep -q "$(printf '[\200-\377]')" typescript ||
    fail "show: characters that the terminal does not have: $(cat typescript)"
done
grep -q '^|- 8 ' typescript && grep -q '^`- 1 ' typescript || fail "show: no tree in ASCII: $(cat typescript)"
