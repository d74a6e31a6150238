# SPDX-License-Identifier: Apache-2.0
# Runs collective_times under different circumstances and compares output (simulated times) and digest. $1:
# which circumstances.
set -e
run() { # run NAME command...: output and digest go to NAME
  name=$1
  shift
  "$@" >"$name" 2>"$name.err" || { echo "'$*' failed:"; cat "$name" "$name.err"; exit 1; }
  grep -i digest "$name.err" >"$name.digest" || { echo "'$*' printed no digest:"; cat "$name.err"; exit 1; }
}
same() {
  cmp "$1" "$2" || { diff "$1" "$2" | head -20; exit 1; }
  cmp "$1.digest" "$2.digest" || { cat "$1.digest" "$2.digest"; exit 1; }
}
launch="$BIN/rccerun --digest -nue 7"
run first $launch "$PROGRAMS/collective_times"
case $1 in
twice)
  for n in 1 2 3; do
    run again $launch "$PROGRAMS/collective_times"
    same first again
  done
  ;;
optimisation)
  for build in O0 O3 gcc; do
    run again $launch "$PROGRAMS/determinism_$build"
    same first again
  done
  ;;
tables_unseen)
  # The library writes its tables by rank for programs that look at them only. --check has them written for
  # its own sake.
  run again $launch "$PROGRAMS/determinism_blind"
  same first again
  run again $launch --check mpb "$PROGRAMS/determinism_blind"
  same first again
  ;;
perturbed_heap)
  # A larger environment moves the stack, malloc's settings and a larger command line move the process's own
  # heap.
  padding=$(printf '%20000s' x | tr ' ' p)
  run again env PADDING="$padding" MALLOC_ARENA_TEST=1 MALLOC_TOP_PAD_=7340032 MALLOC_MMAP_THRESHOLD_=1000 \
    GLIBC_TUNABLES=glibc.malloc.tcache_count=0 $launch "$PROGRAMS/collective_times"
  same first again
  run again env MALLOC_PERTURB_=165 $launch "$PROGRAMS/collective_times" "$padding"
  same first again
  ;;
address_randomisation)
  if ! setarch "$(uname -m)" -R true 2>/dev/null; then
    echo "setarch -R is not allowed here: addresses stay random"
    exit 0
  fi
  run again setarch "$(uname -m)" -R $launch "$PROGRAMS/collective_times"
  same first again
  ;;
esac
