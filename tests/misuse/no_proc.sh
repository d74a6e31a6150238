# SPDX-License-Identifier: Apache-2.0
# Without /proc no program can be loaded, and the message says why. Only where the test may mount.
unshare -m sh -c 'mount -t tmpfs none /proc' 2>/dev/null ||
  { echo "left out: no name space of its own can be had here"; exit 0; }
status=0
unshare -m sh -c 'mount -t tmpfs none /proc && exec "$0" -nue 2 "$1"' "$BIN/rccerun" "$PROGRAMS/ring_shift" \
  >out 2>err || status=$?
[ $status -eq 2 ] && [ "$(wc -l <err)" = 1 ] &&
  grep -q "cannot be loaded: .*/proc, which is not there: mount it" err ||
  { echo "status $status"; cat out err; exit 1; }
