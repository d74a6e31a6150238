# SPDX-License-Identifier: Apache-2.0
# Programs that a UE starts: their text comes behind the lines that the UE has finished, and they find signals
# as if they had been started from here.
"$BIN/rccerun" -nue 1 "$PROGRAMS/one_process" >out 2>err
printf 'before\nbetween\nafter\nrank 0 ok\n' >expected
cmp expected out || { cat out err; exit 1; }

# Signals 1 to 16; the C library itself ignores others in what it starts.
ignored='grep SigIgn /proc/self/status | grep -o "....$"'
here=$(sh -c "$ignored")
child=$("$BIN/rccerun" -nue 1 "$PROGRAMS/one_process" child "$ignored")
[ "$child" = "$here" ] || { echo "a child finds $child, expected $here"; exit 1; }
