# SPDX-License-Identifier: Apache-2.0
# What a compiler leaves beside its programs, all archives and variants, checkers, and names of the C library.
failed=0
fail() {
  echo "$*"
  failed=1
}
ok() { # ok WHAT command...
  what=$1
  shift
  "$@" >log 2>&1 || {
    fail "$what: '$*' failed with $?"
    cat log
  }
}
runs() { # runs WHAT PROGRAM EXPECTED
  "$BIN/rccerun" -nue 2 "$2" >out 2>err || {
    fail "$1: status $?"
    cat err
  }
  # The power-management variants tell where each UE is when it starts.
  [ "$(grep -v '^UE ' out)" = "$3" ] || fail "$1: printed '$(cat out)', not '$3'"
}
cc=$BIN/rccecc
cxx=$BIN/rccec++
both="rank 0
rank 1"

# The programs of the page about command lines.
for file in prog.c twice.c; do
  sed -n "/^\`\`\`c $file\$/,/^\`\`\`\$/{ /^\`/!p; }" "$SOURCE/tests/smoke/pages/compiler_options.md" >$file
done
ok 'separate steps' "$cc" -c prog.c twice.c

for archive in "$("$cc" -show-lib)"/libRCCE_*.a; do
  ok "$archive" "$cc" prog.o twice.o "$archive" -o variant
  runs "$archive" ./variant "$both"
done
[ "$(ls "$("$cc" -show-lib)"/libRCCE_*flags_*gory_*pwrmgmt.a | wc -l)" -eq 8 ] ||
  fail 'there are eight archives'

# What a compiler leaves beside a program that it compiles and links in one step.
for compiler in clang gcc; do
  rm -rf beside
  mkdir beside
  echo kept >beside/made-twice.o
  ok 'coverage' "$cc" --cc $compiler --coverage prog.c twice.c -o beside/made
  runs 'coverage' beside/made "$both"
  [ -s beside/made-prog.gcno ] && [ -s beside/made-prog.gcda ] || fail "$compiler: counters are lost"
  [ -s beside/made-twice-2.gcno ] && [ -s beside/made-twice-2.gcda ] ||
    fail "$compiler: counters where an object has the name"
  grep -q kept beside/made-twice.o && [ ! -e beside/made-twice-2.o ] && [ ! -e beside/made-prog.o ] ||
    fail "$compiler: objects of the user"
  ok 'dependencies' "$cc" --cc $compiler -MMD prog.c twice.o -o beside/made
  grep -q '^beside/made: prog.c .*RCCE.h' beside/made.d || fail "$compiler: rules of make"
  ok 'dependencies' "$cc" --cc $compiler -MD -MF my.d -MT name prog.c twice.o -o beside/made
  grep -q '^name: prog.c' my.d || fail "$compiler: -MT"
done

# One process has room for one checker of a kind.
address=-fsanitize=address undefined=-fsanitize=undefined
readelf -d "$BUILD/lib/librcce.so" | grep -q 'NEEDED.*libasan' && address=
readelf -d "$BUILD/lib/librcce.so" | grep -q 'NEEDED.*libubsan' && undefined=
for level in '' '--rcce 1.0' '--rcce 2.0' "$undefined" "$address"; do
  ok "$level" "$cc" $level -g prog.c twice.c -o extra
  runs "$level" ./extra "$both"
done
# C++ on threads: strings of the runtime come from the checker's `new`.
if [ -n "$address" ]; then
  ok 'C++ with a checker' "$cxx" -c prog.c -o prog_cxx.o
  cp twice.c twice.C
  ok 'C++ with a checker' "$cc" $address prog_cxx.o twice.C -o checked_cxx
  "$BIN/rccerun" -nue 2 --engine threads ./checked_cxx >out 2>err ||
    fail "C++ with the address checker on threads: $(cat err)"
  # Its copies go line by line on the program's own stack, in the same time.
  cat >crowd.c <<'END'
#include "RCCE.h"
static char data[20000];
int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  const int me = RCCE_ue(), ues = RCCE_num_ues();
  for (int far = 1; far < ues; far *= 2)
    if (me % (2 * far) >= far) RCCE_recv(data, sizeof data, me - far);
    else if (me + far < ues) RCCE_send(data, sizeof data, me + far);
  return RCCE_finalize();
}
END
  ok 'a crowd with a checker' "$cc" $address -g crowd.c -o crowd
  for granularity in exact lines; do
    "$BIN/rccerun" -nue 48 --compute none --set mesh.link_bytes=4 --granularity $granularity --digest \
      ./crowd 2>$granularity.digest || fail "a crowd with a checker: $(cat $granularity.digest)"
  done
  cmp exact.digest lines.digest || fail "times with the address checker: $(cat ./*.digest)"
fi
# The program's part of the library is compiled with Rockcreek for the usual variants, not again for every
# program.
for variant in '' -DGORY -DSINGLEBITFLAGS '-DGORY -DSINGLEBITFLAGS'; do
  for generation in 1.0 2.0; do
    ok 'prepared' "$cc" --rcce $generation $variant -c twice.c prog.c
    "$cc" --rcce $generation $variant --show prog.o twice.o -o prepared >log 2>&1
    grep -q '/image-ROCKCREEK_RCCE=.*[.]o ' log && ! grep -q rcce_image.c log ||
      fail "--rcce $generation $variant: the image is compiled again: $(cat log)"
  done
done

# A program's own function or variable with a name of the C library does not stand in for the C library's.
for own in 'int read(int n) { return n; }' 'int stat = 4;' 'int syscall = 3;' 'void mmap(void) {}' \
  'int dlsym;' 'int sysconf;' 'int pthread_mutex_lock(int n) { return n; }'; do
  { sed /math/d prog.c | sed 's/sqrt//'; echo "$own"; } >own_name.c
  ok "$own" "$cc" -w -fno-builtin own_name.c twice.c -o own_name
  runs "$own" ./own_name "$both"
done
exit $failed
