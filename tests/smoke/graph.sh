#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A machine whose routers are no grid: a row as a graph is the row to the picosecond, a slow or narrow link
# takes what it has to. pages/graph_of_routers.md has commands on a tree and what is refused.
set -eu
. "$SOURCE/tests/support/checks.sh"
places='[dram]
controllers = 2
controller_tiles = 0,0 3,0'
printf '[mesh]\ncolumns = 4\nrows = 1\n%s\n' "$places" >row.machine
printf '[mesh]\ntopology = graph\nrouters = 0,0 1,0 2,0 3,0\nlinks = 0,1 1,2 2,3\n%s\n' "$places" \
  >graph.machine
for machine in row graph; do
  "$BIN/rccerun" -nue 8 --machine $machine.machine "$PROGRAMS/collective_times" >$machine.times
  "$BIN/rccebench" compare --machine $machine.machine --cores 8 --sizes 32,20000 --jobs 1 --format csv |
    grep -v '^#' |
    cut -d, -f1,3-8 >$machine.csv # without the machine's name and the host's time
done
cmp row.times graph.times || fail "a row and its graph take different times"
cmp row.csv graph.csv || fail "compare: a row and its graph differ"

# A slow link is the chain of links and switches that takes as long; a link both ways is two, one each way.
# Names of links and switches differ, times do not.
graph() { # graph FILE ROUTERS LINKS
  printf '[mesh]\ntopology = graph\ntiles = 4\nrouters = %s\nlinks = %s\n%s\n' "$2" "$3" "$places" >"$1"
}
graph slow.machine '0,0 1,0 2,0 3,0' '0,1:12 1,2:8x16 2,3'
graph chain.machine '0,0 1,0 2,0 3,0 0,1 0,2 1,1' '0,4 4,5 5,1 1,6 6,2 2,3'
graph pairs.machine '0,0 1,0 2,0 3,0' '2>3 3>2 0>1:12 1>0:12 1,2:8'
# Slow ports make lines meet, at the time at which they come out of the links.
for port in 300 5; do
  for machine in slow chain pairs; do
    "$BIN/rccerun" -nue 8 --machine $machine.machine --set tile.mpb_port_cycles=$port \
      "$PROGRAMS/collective_times" >$machine.times
    cmp slow.times $machine.times || fail "a slow link and $machine take different times, ports of $port"
  done
done
cmp -s slow.times graph.times && fail "slow links take no time"
# A link that is one byte wide is busy for each byte of a packet: its bytes, in mesh cycles of 1250 ps.
graph narrow.machine '0,0 1,0 2,0 3,0' '0,1 1,2:4x1 2,3'
busy='^link.busy,.*"link=link[(]1,0[)]->2"'
for audience in "--links=narrow.csv" "--links=narrow.csv --trace=heard.json"; do
  # shellcheck disable=SC2086  # words
  "$BIN/rccerun" -nue 8 --machine narrow.machine --force $audience "$PROGRAMS/collective_times" 2>err >out
  awk -F, -v busy="$busy" -v bytes="^link.bytes${busy#^link.busy}" '$0 ~ busy { us = $5 }
    $0 ~ bytes { n = $5 } END { exit !(n > 0 && n * 0.00125 - us < 0.001 && us - n * 0.00125 < 0.001) }' \
    narrow.csv || fail "a narrow link: $(grep '1,0)->2' narrow.csv)"
done
