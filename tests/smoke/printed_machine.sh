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
