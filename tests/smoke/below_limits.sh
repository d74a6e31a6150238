#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Algorithms of one's own that go past the library's copies, flags and combining: none is faster than its
# limit, whatever the machine makes cheap or dear.
set -eu
bench=$BIN/rccebench
mkdir -p tmp
TMPDIR=$PWD/tmp
export TMPDIR
point() {
  status=0
  "$bench" "$@" --no-check --format csv >table 2>err || status=$? # the trial is not what is asked here
  echo "$* :"
  grep -v '^#' table || true
  if [ $status -ne 0 ] || ! grep -q ',true,' table || grep -q 'below limit' table; then
    echo "status $status: $(cat err)"
    failed=yes
  fi
}
failed=
one="--with $1"
for how in memcpy loop get; do
  point bcast $one --algorithms shout --how $how --cores 48 --sizes 4096,7900
  point bcast $one --algorithms shout --how $how --cores 2,48 --sizes 20000 \
    --set tile.mpb_local_mesh_cycles=1000
  point bcast $one --algorithms shout --how $how --cores 48 --sizes 4096 --set tile.mpb_port_cycles=60
done
# Far stores that cost next to nothing, in copies and in memcpy().
for how in get memcpy; do
  point bcast $one --algorithms shout --how $how --cores 2 --sizes 1000000 --copies plain \
    --set cache.plain_store_l2_cycles=1 --set dram.clock=800 \
    --set cache.plain_store_dram_cycles=1
  point bcast $one --algorithms shout --how $how --cores 2 --sizes 200000 --set cache.l2_line_cycles=1000
done
point barrier $one --algorithms count --cores 2,48
point barrier $one --algorithms count --cores 2,48 --set tile.lock_acquire_cycles=1000 \
  --set tile.mpb_write_cycles=1000 --set tile.mpb_read_cycles=1000
point barrier $one --algorithms count --cores 48 --set tile.counter_service_cycles=1000
for how in buffer wide; do
  point reduce $one --algorithms pair --how $how --cores 2 --sizes 8192
  point reduce $one --algorithms pair --how $how --cores 2 --sizes 8192,100000 --set dram.core_cycles=0 \
    --set dram.ram_cycles=0
  point reduce $one --algorithms pair --how $how --cores 2 --sizes 8192 --set rcce.rcce20_element=1000
done
[ -z "$failed" ]
