#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One line where a newcomer stumbles: no -DGORY, no -DAIR, no -g, a library that has moved, more cores than
# the chip has; columns for plots.
set -eu
. "$SOURCE/tests/support/checks.sh"
cat >gory.c <<'C'
#include "RCCE.h"
int RCCE_APP(int argc, char **argv) {
  RCCE_FLAG flag;
  RCCE_init(&argc, &argv);
  RCCE_flag_alloc(&flag);
  RCCE_finalize();
  return 0;
}
C
hint="'gory.c' calls RCCE_flag_alloc, which belongs to RCCE's gory interface; compile it with -DGORY"
"$BIN/rccecc" -c gory.c 2>err || :
grep -q "$hint" err || fail "no hint: $(cat err)"
"$BIN/rccec++" -x c++ gory.c -o gory 2>err || :
grep -q "$hint" err || fail "C++: no hint: $(cat err)"
"$BIN/rccecc" -DGORY gory.c -o gory 2>err
! grep -q rccecc: err || fail "a hint where none is needed: $(cat err)"

printf '%s\n' '#define AIR' '#include "iRCCE.h"' 'int main(void) { return iRCCE_atomic_write(0, 1); }' >air.c
! "$BIN/rccecc" air.c -o air 2>err || fail "AIR in the source alone"
grep -q "'air.c' calls iRCCE_atomic_write, .*link with -DAIR" err || fail "no hint: $(cat err)"
"$BIN/rccecc" -c air.c && "$BIN/rccecc" -DAIR air.o -o air || fail "the hint is of no use"

cat >small.c <<'C'
#include "RCCE.h"
int RCCE_APP(int argc, char **argv) {
  char byte = 0;
  RCCE_init(&argc, &argv);
  if (RCCE_ue() == 0) RCCE_send(&byte, 1, 2);
  if (RCCE_ue() == 2) RCCE_recv(&byte, 1, 0);
  RCCE_finalize();
  return 0;
}
C
# An installation that has moved: the program's library folder is gone.
"$BIN/rccecc" --rpath /nowhere/lib small.c -o moved
"$BIN/rccerun" -nue 3 --profile --links links.csv --force ./moved >/dev/null 2>err ||
  fail "a moved library: $(cat err)"
grep -q 'the program does not tell its source lines; compile it with rccecc -g' err ||
  fail "--profile: $(cat err)"
"$BIN/rccecc" -g small.c -o small
"$BIN/rccerun" -nue 3 --profile ./small 2>err
! grep -q 'source lines' err || fail "--profile with -g: $(cat err)"
[ "$(head -1 links.csv)" = statistic,labels,unit,value,x,y,direction ] || fail "--links: $(head -1 links.csv)"
grep -q '^link.packets,"link=link(0,0)->east",1,[0-9]*,0,0,east$' links.csv ||
  fail "--links: no place: $(cat links.csv)"
grep -q '^mpb_port.packets,"port=mpb(1,0)",lines,[0-9]*,1,0,$' links.csv || fail "--links: no place of a port"

! command -v man >/dev/null || ! PATH=$BIN:$PATH man -w rccecc >where 2>/dev/null || [ -s where ] ||
  fail "man rccecc"
[ -f "$BUILD/share/man/man1/rccerun.1" ] || fail "man rccerun of the build tree"
statuses=$("$BIN/rccerun" --help | sed -n '/^status:/,/^$/s/^  \([0-9][0-9]*\) .*/\1/p')
[ "$(printf '%s\n' "$statuses" | grep -c .)" -eq 9 ] || fail "statuses in the help: $statuses"
for status in $statuses; do
  sed -n '/^.SH EXIT STATUS/,/^.SH EXAMPLES/p' "$BUILD/share/man/man1/rccerun.1" |
    grep -q "^\.B .*\b$status\b" ||
    fail "rccerun(1) lacks status $status"
done
[ -x "$BIN/rccebench" ] || exit 0
"$BIN/rccebench" compare --cores 1000 2>err && fail "1000 cores on the chip"
grep -q -- '--set mesh.columns=23 --set mesh.rows=22 makes a mesh of as many' err || fail "$(cat err)"
"$BIN/rccebench" compare --cores 10001 2>err && fail "10001 cores"
grep -q '10001 cores is out of range 1..10000' err || fail "$(cat err)"

# plot: any JSON without a raw exception, several files in one picture.
plots() { "$BIN/rccebench" plot "$@" -o picture.svg >out 2>err; }
awk 'BEGIN { printf "{\"rows\": [{\"bytes\": "; for (i = 0; i < 200000; ++i) printf "["; exit }' >deep.json
echo '{"rows": [{"bytes": 1e999, "us": 1}]}' >huge.json
mkdir -p folder
for file in deep.json huge.json folder; do
  status=0
  plots $file || status=$?
  [ $status = 2 ] && grep -q "^rccebench: '$file'" err && ! grep -q 'json.exception\|basic_' err ||
    fail "plot $file: $status, $(cat err)"
done
/usr/bin/python3 -c 'import matplotlib' 2>/dev/null || python3 -c 'import matplotlib' 2>/dev/null || exit 0
for cores in 3 5; do
  "$BIN/rccebench" bcast --algorithms linear --cores $cores --sizes 32,1024 --format json -o on$cores.json
done
plots on3.json on5.json || fail "two files: $(cat err)"
grep -q 'on3' picture.svg && grep -q 'on5' picture.svg || fail "two files: their lines are not told apart"
