# SPDX-License-Identifier: Apache-2.0
# Every run reads the same input: a file from its start, from a pipe nothing.
set -e
echo 5 >input
"$BIN/rccerun" -nue 2 --explore 5 "$PROGRAMS/racing" reads <input >out
grep -q "5 runs agree" out || { cat out; exit 1; }
echo 5 | "$BIN/rccerun" -nue 2 --explore 5 "$PROGRAMS/racing" reads >out
grep -q "5 runs agree.*all with status 3" out || { cat out; exit 1; }
