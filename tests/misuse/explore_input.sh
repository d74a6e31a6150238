# SPDX-License-Identifier: Apache-2.0
# Every run reads the same input: a file from its start, from a pipe nothing.
set -e
echo 5 >input
"$BIN/rccerun" -nue 2 --explore 5 "$PROGRAMS/racing" reads <input >out
grep -q "5 runs agree" out || { cat out; exit 1; }
# Where standard output is closed it is that which fails, when all runs are over.
status=0
"$BIN/rccerun" -nue 2 --explore 2 "$PROGRAMS/racing" reads <input >&- 2>err || status=$?
[ $status -eq 74 ] || { cat err; echo "status $status"; exit 1; }
echo 5 | "$BIN/rccerun" -nue 2 --explore 5 "$PROGRAMS/racing" reads >out
grep -q "5 runs agree.*all with status 3" out || { cat out; exit 1; }
