# SPDX-License-Identifier: Apache-2.0
# The machine is a setting: the same one gives the same run, another one other times.
set -e
run() { "$BIN/rccerun" --digest -nue 3 "$@" "$PROGRAMS/collective_times" >out 2>err ||
  { cat err; exit 1; }; cat out; grep -i digest err; }
run >preset
run --machine scc >named
cmp preset named
run --machine scc-fast >fast
! cmp -s named fast || { echo "scc and scc-fast give the same times"; exit 1; }
