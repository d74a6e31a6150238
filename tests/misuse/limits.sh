# SPDX-License-Identifier: Apache-2.0
# Hosts that give less than a run asks for: memory, threads, open files, disk. A message that says what, a
# status of its own, no hang, and no run that goes on with half of what it needs. Each limit is stepped
# through, so that whoever meets it first is caught.
failed=0
runs=0
refused=0
# limited OPTIONS-OF-ULIMIT COMMAND...: either it works, or it says in one line what is missing
limited() {
  limits=$1
  shift
  (ulimit -c 0 && ulimit $limits && exec timeout -k 5 30 "$@") >out 2>err </dev/null
  status=$?
  runs=$((runs + 1))
  case $status in
  0) grep -q '^all 1000 here' out || { echo "ulimit $limits, $*: status 0 without result"; cat err
    failed=1; } ;;
  2)
    refused=$((refused + 1))
    { grep -q '^rccerun: ' err && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ]; } ||
      { echo "ulimit $limits, $*: refused with"; cat out err; failed=1; } ;;
  127) grep -q 'error while loading shared libraries\|failed to map\|cannot allocate' err ||
    { echo "ulimit $limits, $*: status $status"; cat err; failed=1; } ;; # not even librcce.so
  *) echo "ulimit $limits, $*: status $status"; cat err; failed=1 ;;
  esac
}
thousand="$BIN/rccerun -nue 1000 --set mesh.columns=25 --set mesh.rows=20 --heap-size 256K --stack-size 128K"
for loading in dlopen clone; do
  for kilobytes in 60000 150000 400000 500000 650000 700000 800000 900000 1000000 1400000 4000000; do
    limited "-v $kilobytes" $thousand --loading $loading "$PROGRAMS/thousand"
  done
done
for kilobytes in 400000 600000 1200000 2000000; do
  limited "-v $kilobytes" $thousand --loading clone --engine threads "$PROGRAMS/thousand"
done
for files in 20 300; do limited "-n $files" $thousand --loading dlopen "$PROGRAMS/thousand"; done
[ $refused -ge 10 ] || { echo "only $refused of $runs runs were refused: the limits do not bite"; failed=1; }

# A copy that may not grow shares no tables: each UE has its own.
(ulimit -f $(($(wc -c <"$PROGRAMS/shared_tables") / 512 + 20))
"$BIN/rccerun" -nue 2048 --set mesh.columns=32 --set mesh.rows=32 --set tile.mpb_bytes=32768 \
  "$PROGRAMS/shared_tables") >out 2>&1
grep -q '^2048 of 2048 have a page' out || { echo "ulimit -f: tables"; cat out; failed=1; }
[ $failed -ne 0 ] || echo "$runs runs under limits, $refused refused"
exit $failed
