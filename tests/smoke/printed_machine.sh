# SPDX-License-Identifier: Apache-2.0
# --print-machine writes a commented file that --machine takes, and the run is that of the preset.
set -e
"$BIN/rccerun" --machine scc-fast --print-machine >fast.machine
grep -q '#' fast.machine
"$BIN/rccerun" -nue 2 --machine fast.machine "$PROGRAMS/pingpong_times" >file
"$BIN/rccerun" -nue 2 --machine scc-fast "$PROGRAMS/pingpong_times" >preset
cmp file preset
"$BIN/rccerun" -nue 2 "$PROGRAMS/pingpong_times" >scc
! cmp -s scc preset
# The last version's names of parameters are understood, and said so.
sed 's/rcce20_segment/rcce20_piece/' fast.machine >former.machine
! cmp -s fast.machine former.machine
"$BIN/rccerun" -nue 2 --machine former.machine "$PROGRAMS/pingpong_times" >file 2>err
cmp file preset
grep -q "'rcce.rcce20_piece' is called 'rcce.rcce20_segment' now; the next version does not know the" err
