# SPDX-License-Identifier: Apache-2.0
# A disk that fills up while results are written: the reason and a status other than 0, nothing hangs, and no
# file of ours is left on it beside the one that was asked for. The disk is a small one in memory; where
# mounting it is refused, the test is skipped.
disk=$WORK/disk
mkdir -p "$disk"
if [ "${1-}" != inside ]; then
  unshare --user --map-root-user --mount mount -t tmpfs -o size=64k tmpfs "$disk" 2>/dev/null ||
    { echo "no user namespace with a disk of its own here: skipped"; exit 77; }
  exec unshare --user --map-root-user --mount sh "$0" inside
fi
mount -t tmpfs -o size=64k tmpfs "$disk" || exit 1
cat >talks.c <<'END'
#include <stdio.h>
#include "RCCE.h"
int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  for (int i = 0; i < 4000; ++i)
    printf("rank %d says line %d, which is longer than it need be\n", RCCE_ue(), i);
  RCCE_finalize();
  return 0;
}
END
"$BIN/rccecc" talks.c -o talks || exit 1
failed=0
expect() { # expect STATUS TEXT WHAT, after `status` and the file err
  [ "$status" -eq "$1" ] || { echo "$3: status $status, expected $1"; failed=1; }
  grep -q "$2" err || { echo "$3: no '$2' in:"; cat err; failed=1; }
  left=$(ls -A "$disk" | grep -v -e '^asked$' -e '^symbolizer-')
  [ -z "$left" ] || { echo "$3 has left: $left"; failed=1; }
  rm -f "$disk"/*
}
for engine in sim threads; do
  timeout 20 "$BIN/rccerun" -nue 3 --engine $engine ./talks >"$disk/asked" 2>err
  status=$?
  expect 74 'cannot write standard output: No space left on device' "rccerun --engine $engine"
done
# Below the size of the disk, but not below what is left of it.
fill() { dd if=/dev/zero of="$disk/asked" bs=1024 count=62 2>/dev/null; }
fill
timeout 20 "$BIN/rccebench" pingpong --repetitions 1 --format json -o "$disk/other" 2>err
status=$?
rm -f "$disk/other"
expect 2 "/other': cannot be written: No space left on device" 'rccebench -o'
fill
TMPDIR=$disk timeout 20 "$BIN/rccecc" talks.c -o elsewhere >err 2>&1
status=$?
expect 1 'No space left on device' 'rccecc with a full TMPDIR'
fill
timeout 20 "$BIN/rccecc" talks.c -o "$disk/program" >err 2>&1
status=$?
expect 1 'No space left on device' 'rccecc -o'
dd if=/dev/zero of="$disk/asked" bs=1024 count=64 2>/dev/null
status=0
(cd "$disk" && "$BIN/rccebench" grade --start deadlock) 2>err || status=$?
expect 2 "'deadlock.c' cannot be written: No space left on device" 'grade --start'
exit $failed
