# SPDX-License-Identifier: Apache-2.0
# own_libraries.sh SOURCES: libraries of the program's own exist once per UE: linked, needed by another, and
# opened; with either loader and on both engines, for few UEs and many.
failed=0
fail() { echo "$1"; shift; for file; do echo "--- $file"; head -60 "$file"; done; failed=1; }
cp "$1"/*.c "$1"/*.cpp "$1"/*.hpp "$1"/expected_of_ue "$1"/expected_listing \
  "$1"/../../determinism/own_counter.c .
mkdir -p lib open sub
"$BIN/rccecc" -g -shared counter.c -o lib/libcounter.so &&
  "$BIN/rccec++" -g -shared -std=c++17 objects.cpp -Llib -lcounter -Wl,-rpath,'$ORIGIN' -o lib/objects.so &&
  "$BIN/rccecc" -g -shared plugin.c -o open/plugin.so &&
  "$BIN/rccec++" -g -std=c++17 program.cpp lib/objects.so -Llib -lcounter -Wl,-rpath,'$ORIGIN/lib' \
  -o program || exit 1

# Each UE's lines, as they come from a run alone.
check() { # check UES OPTIONS...
  ues=$1
  shift
  "$BIN/rccerun" -nue "$ues" --tag-output "$@" ./program ./open/plugin.so ./sub/../open/plugin.so >out \
    2>err ||
    fail "$ues UEs, $*: status $?" err out
  [ ! -s err ] || fail "$ues UEs, $*: messages" err
  rank=0
  while [ "$rank" -lt "$ues" ]; do
    word=other
    [ "$rank" -ne 0 ] || word=zero
    sed "s/RANK/$rank/g; s/WORD/$word/g" expected_of_ue >expected
    sed -n "s/^\[$rank\] //p" out >of_ue
    cmp -s expected of_ue || { fail "$ues UEs, $*, rank $rank" of_ue; diff expected of_ue; break; }
    rank=$((rank + 1))
  done
}
for options in '--loading dlopen' '--loading clone' '--engine threads' '--engine threads --loading clone'; do
  # shellcheck disable=SC2086
  for ues in 1 3 48; do check $ues $options; done
done

# The same times and events by either loader.
for loading in dlopen clone; do
  "$BIN/rccerun" -nue 5 --digest --compute none --loading $loading ./program 2>&1 >/dev/null |
    grep digest >digest.$loading
done
cmp -s digest.dlopen digest.clone || fail "digests differ" digest.dlopen digest.clone

# Faults in a library are told with their places there; its loops let the others run.
"$BIN/rccecc" -g -shared faulty.c -o lib/faulty.so && "$BIN/rccecc" -g faults.c lib/faulty.so -o faults ||
  exit 1
for loading in dlopen clone; do
  "$BIN/rccerun" -nue 2 --loading $loading ./faults read 2>err
  grep -q 'in read_of at faulty.c:5' err || fail "$loading: no place of a crash in a library" err
  grep -q 'called from main at faults.c' err || fail "$loading: nor of its caller" err
  "$BIN/rccerun" -nue 2 --loading $loading --check heap ./faults write 2>err
  grep -q 'allocated in write_beyond at faulty.c:7' err || fail "$loading: no place of a block" err
  grep -q 'in write_beyond at faulty.c:9' err || fail "$loading: no place of a fault of the heap" err
  "$BIN/rccerun" -nue 2 --timeout 30 --loading $loading ./faults wait >out 2>err ||
    fail "$loading: a loop in a library" err
  [ "$(grep -c 'has waited' out)" = 2 ] || fail "$loading: a loop in a library" out
done

# More than the dynamic linker takes; a library that is found by LD_LIBRARY_PATH.
"$BIN/rccecc" -DRCCE_MAXNP=1000 own_counter.c -Llib -lcounter -o many || exit 1
for loading in auto dlopen; do
  LD_LIBRARY_PATH=lib "$BIN/rccerun" -nue 600 --loading $loading --set mesh.columns=32 --set mesh.rows=16 \
    ./many >out 2>err ||
    fail "600 UEs, $loading: status $?" err
  [ "$(grep -c ': 1 3, counter 5, steps 9$' out)" = 600 ] || fail "600 UEs, $loading" out
done

# What cannot be copied is shared, and that is said.
"$BIN/rccecc" -DINITIAL_EXEC -shared counter.c -o lib/libcounter_ie.so &&
  "$BIN/rccecc" own_counter.c lib/libcounter_ie.so -o shared || exit 1
"$BIN/rccerun" -nue 2 ./shared >out 2>err || fail "initial-exec: status $?" err
grep -q "all UEs share the variables of library 'lib/libcounter_ie.so': thread-local variables of \
the initial-exec model" err ||
  fail "initial-exec is not told" err
[ "$(grep -c 'counter begins' out)" = 1 ] || fail "the constructor of a shared library" out
"$BIN/rccerun" --libraries ./shared | grep -q '^shared  lib/libcounter_ie.so .*initial-exec' ||
  fail "initial-exec is not listed"

"$BIN/rccerun" --libraries ./program >listing || fail "--libraries: status $?"
sed -n "s|$PWD|HERE|; s/   */  /g; /^copied/p; / libc[.]so/p; / librcce/p" listing >shown
cmp -s expected_listing shown || { fail "--libraries"; diff expected_listing shown; }
exit $failed
