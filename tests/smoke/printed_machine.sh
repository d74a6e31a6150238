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

# A preset's name goes before a file or folder of that name, in the launcher and in what it starts.
mkdir -p beside
cd beside
printf '[mesh]\nrouter_cycles = 400\n' >scc-fast
mkdir -p scc
"$BIN/rccerun" -nue 2 --machine scc-fast "$PROGRAMS/pingpong_times" | cmp - ../preset
"$BIN/rccerun" -nue 2 --machine scc "$PROGRAMS/pingpong_times" | cmp - ../scc
# What a file leaves open, settings may complete.
printf '[dram]\ncontroller_tiles = 0,0 5,0\n' >half.machine
! "$BIN/rccerun" -nue 2 --machine half.machine "$PROGRAMS/pingpong_times" 2>err
grep -q 'set controllers = 2' err
"$BIN/rccerun" -nue 2 --machine half.machine --set dram.controllers=2 "$PROGRAMS/pingpong_times" >/dev/null
