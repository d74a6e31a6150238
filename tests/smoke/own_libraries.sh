# SPDX-License-Identifier: Apache-2.0
# own_libraries.sh SOURCES: libraries of the program's own exist once per UE: linked, needed by another, and opened; with
# either loader and on both engines, for few UEs and many.
failed=0
fail() { echo "$1"; shift; for file; do echo "--- $file"; head -60 "$file"; done; failed=1; }
cp "$1"/*.c "$1"/*.cpp "$1"/*.hpp "$1"/expected_of_ue "$1"/expected_listing .
mkdir -p lib open sub
"$BIN/rccecc" -g -shared counter.c -o lib/libcounter.so &&
  "$BIN/rccec++" -g -shared -std=c++17 objects.cpp -Llib -lcounter -Wl,-rpath,'$ORIGIN' -o lib/objects.so &&
  "$BIN/rccecc" -g -shared plugin.c -o open/plugin.so &&
  "$BIN/rccec++" -g -std=c++17 program.cpp lib/objects.so -Llib -lcounter -Wl,-rpath,'$ORIGIN/lib' -o program || exit 1

# Each UE's lines, as they come from a run alone.
check() { # check UES OPTIONS...
  ues=$1
  shift
  "$BIN/rccerun" -nue "$ues" --tag-output "$@" ./program ./open/plugin.so ./sub/../open/plugin.so >out 2>err ||
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
  "$BIN/rccerun" -nue 5 --digest --compute none --loading $loading ./program 2>&1 >/dev/null | grep digest >digest.$loading
done
cmp -s digest.dlopen digest.clone || fail "digests differ" digest.dlopen digest.clone

"$BIN/rccerun" --libraries ./program >listing || fail "--libraries: status $?"
sed -n "s|$PWD|HERE|; s/   */  /g; /^copied/p; / libc[.]so/p; / librcce/p" listing >shown
cmp -s expected_listing shown || { fail "--libraries"; diff expected_listing shown; }
exit $failed
