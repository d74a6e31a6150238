#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Is CONTRIBUTING.md so? In a copy of the tree, follows it for an algorithm in shared memory, a machine and a
# recording: adds the files of tests/consumer/page where it says, and the lines where it says; counts what
# that has touched and compares with its table "What each of these touches"; compiles what was added. WHOLE=1:
# builds rccebench and rccerun, and uses all three by their commands, some minutes.
# sh tests/consumer/contributing.sh BUILD_DIR SCRATCH_DIR
set -eu
tree=$(cd "$(dirname "$0")/../.." && pwd)
page=$tree/tests/consumer/page
build=$(cd "$1" && pwd)
rm -rf "$2" && mkdir -p "$2/tree"
scratch=$(cd "$2" && pwd)
copy=$scratch/tree

fail() {
  printf 'contributing: %s\n' "$*" >&2
  exit 1
}
# edit FILE SCRIPT: by sed, which has to change something
edit() {
  sed -i "$2" "$copy/$1"
  ! cmp -s "$tree/$1" "$copy/$1" || fail "$1 has no such place: $2"
}
# touched NAME: fails unless the files and lines that differ from `before` are those of the table's row
touched() {
  row=$(grep "^| $1 " "$tree/CONTRIBUTING.md") || fail "CONTRIBUTING.md has no row '$1'"
  diff -rNu "$scratch/before" "$copy" >"$scratch/diff" || true
  files=$(grep -c '^+++' "$scratch/diff") && lines=$(grep -c '^+[^+]' "$scratch/diff")
  added=$(grep -cvE '^ *(//|#|$)' "$2")
  whole=$(grep -c . "$2")
  changed=$((lines - whole))
  said=$(echo "$row" | sed 's/.*| *\([0-9]*\) + \([0-9]*\) |$/\1 \2/')
  [ "$said" = "$added $changed" ] || fail \
    "$1: CONTRIBUTING.md says '$said' lines; they are '$added $changed' in $files files"
  cat "$scratch/diff" >>"$scratch/all"
  rm -rf "$scratch/before" && cp -r "$copy" "$scratch/before"
}

for part in CMakeLists.txt CMakePresets.json LICENSE CHANGELOG.md README.md CITATION.cff mesh_sim rcce_emu \
  ircce algorithms apps; do
  cp -r "$tree/$part" "$copy/"
done
cp -r "$copy" "$scratch/before"

memory=algorithms/include/algorithms/in_memory
cp "$page/counting.hpp" "$copy/$memory/barrier/"
edit $memory/barrier/barriers.hpp \
  '/barrier\/central_sense.hpp"/a #include "algorithms/in_memory/barrier/counting.hpp"
/^      {"barrier\/dissemination",/i \      {"barrier/counting", "n additions and n reads of one word",\
       [](M\& memory, const BarrierOptions\&) { return make_barrier<M, Counting<M>>(memory); }},'
touched 'an algorithm in shared memory' "$page/counting.hpp"

cp "$page/trio.machine" "$copy/mesh_sim/machines/coherent/presets/"
touched 'a machine of a kind' "$page/trio.machine"

cp "$page/call_count.cpp" "$copy/rcce_emu/src/watch/record/"
edit rcce_emu/src/watch/record/rows.hpp 's/row(digest) row(check)/row(digest) row(check) row(call_count)/'
touched 'a recording with an option' "$page/call_count.cpp"

if [ -z "${WHOLE:-}" ]; then
  cat >"$scratch/barriers.cpp" <<'END'
#include "algorithms/in_memory/barrier/barriers.hpp"
#include "algorithms/memory/host.hpp"
const auto rows = algorithms::in_memory::barriers<algorithms::memory::Host>();
END
  for source in "$scratch/barriers.cpp" "$copy/rcce_emu/src/watch/record/call_count.cpp"; do
    ${CXX:-c++} -std=c++20 -fsyntax-only -I"$copy/algorithms/include" -I"$copy/rcce_emu/src" \
      -I"$copy/rcce_emu/include" \
      -I"$copy/mesh_sim/include" -I"$build/include" "$source" 2>"$scratch/log" ||
      { cat "$scratch/log"; fail "$source does not compile"; }
  done
  "$build/bin/rccebench" barrier --machine "$copy/mesh_sim/machines/coherent/presets/trio.machine" --cores 3 \
    --format csv >"$scratch/barrier.csv" ||
    fail "the machine cannot be read"
  rm -rf "$scratch"
  exit
fi

# Builds the two commands. What the additions do not reach is as in the build folder that is there: its
# objects are taken.
value() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
sed -n 's/^+++ \(.*\)/\1/p' "$scratch/all" | sed "s#^$copy/##; s#\t.*##" >"$scratch/touched"
: >"$scratch/reused"
if [ -f "$build/build.ninja" ]; then
  ninja -C "$build" -t deps 2>"$scratch/log" | awk -v tree="$tree/" -v list="$scratch/touched" '
    BEGIN { while ((getline line <list) > 0) touched[line] }
    /^[^ ].*: #deps/ { if (object != "" && !hit) print object; object = $1; sub(/:$/, "", object); hit = 0;
    next }
    NF == 1 { path = $1; sub(/^(\.\.\/)+/, "", path);
    if (index(path, tree) == 1) path = substr(path, length(tree) + 1); hit = hit || path in touched }
    END { if (object != "" && !hit) print object }' >"$scratch/reused"
  for depends in "$build"/algorithms/rockcreek_*/*.o.d; do # by rccec++, whose files of dependencies stay
    object=${depends%.d}
    grep -qF -f "$scratch/touched" "$depends" || echo "${object#"$build/"}" >>"$scratch/reused"
  done
fi
cat >"$scratch/compile" <<END
#!/bin/sh
for word; do
  [ "\${last-}" != -o ] || object=\${word#"$scratch/build/"}
  last=\$word
done
case \$last in
*/Unity/* | */cmake_pch.* | "$copy"/* | "$scratch"/build/algorithms/*.o) written=yes ;;
*) written=no ;; # by CMake, of what has been added
esac
if [ \$written = yes ] && grep -qxF -- "\${object-}" "$scratch/reused"; then
  cp "$build/\$object" "$scratch/build/\$object" && exit
fi
echo "\${object-}" >>"$scratch/compiled"
exec "\$@"
END
chmod +x "$scratch/compile"
sed -i "s#COMMAND \(.*/rccec++ \)#COMMAND $scratch/compile \1#" "$copy/algorithms/CMakeLists.txt"
cmake -S "$copy" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE="$(value CMAKE_BUILD_TYPE)" \
  -DROCKCREEK_TESTS=OFF -DROCKCREEK_UNITY="$(value ROCKCREEK_UNITY)" \
  -DCMAKE_C_COMPILER="$(value CMAKE_C_COMPILER)" -DCMAKE_CXX_COMPILER="$(value CMAKE_CXX_COMPILER)" \
  -DCMAKE_C_COMPILER_LAUNCHER="$scratch/compile" -DCMAKE_CXX_COMPILER_LAUNCHER="$scratch/compile" \
  >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail 'it does not configure'; }
cmake --build "$scratch/build" --target rccebench rccerun >"$scratch/log" 2>&1 ||
  { tail -50 "$scratch/log"; fail 'it does not build'; }
bin=$scratch/build/bin

"$bin/rccebench" barrier --machine trio --algorithms counting,central_sense --cores 3 --format csv \
  >"$scratch/barrier.csv"
[ "$(grep -c '^barrier/.*,trio,3,.*true' "$scratch/barrier.csv")" = 2 ] ||
  fail "$(cat "$scratch/barrier.csv")"
"$bin/rccebench" show barrier/counting --machine trio --cores 3 >"$scratch/shown" ||
  fail 'show does not know it'
"$bin/rcceinfo" machine trio 2>/dev/null | grep -q 'Three cores' || "$bin/rccebench" barrier --help |
  grep -q trio || fail 'help does not list the machine'
"$bin/rccerun" --help | grep -q -- '--call-count' || fail 'rccerun has no option for the recording'
cat >"$scratch/program.c" <<'END'
#include <RCCE.h>
int main(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_finalize();
  return 0;
}
END
"$bin/rccecc" "$scratch/program.c" -o "$scratch/program"
"$bin/rccerun" --call-count -nue 5 "$scratch/program" 2>"$scratch/counted"
grep -qE '^calls [0-9]+$' "$scratch/counted" || fail "no calls counted: $(cat "$scratch/counted")"
rm -rf "$scratch"
