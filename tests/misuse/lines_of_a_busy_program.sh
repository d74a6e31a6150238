# SPDX-License-Identifier: Apache-2.0
# A UE writes lines and then computes without calling the library: its lines are there at once, not at its
# end. The run is ended once they have been read; where they are held back the time limit ends it, by another
# status.
rm -f pipe
mkfifo pipe
"$BIN/rccerun" -nue 2 --timeout 30 "$PROGRAMS/wrong" lines-endless >pipe 2>err &
child=$!
exec 3<pipe
for number in 1 2 3; do
  read -r line <&3
  [ "$line" = "rank 0 line $number" ] || { echo "line $number reads '$line'"; exit 1; }
done
kill -TERM $child
wait $child
status=$?
[ $status -eq 143 ] || { echo "status $status, expected 143: the lines came when the run had ended"; exit 1; }
