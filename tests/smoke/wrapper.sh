# SPDX-License-Identifier: Apache-2.0
# Command lines that Makefiles, configure scripts and people give to a compiler, with the options of old ones.
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

cat >prog.c <<'C'
#include "RCCE.h"
#include <math.h>
#ifdef _OPENMP
#error "_OPENMP has to stay undefined"
#endif
int twice(int);
int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  printf("rank %d\n", twice((int)sqrt((double)RCCE_ue())) / 2);
  RCCE_finalize();
  return 0;
}
C
echo 'int twice(int n) { return 2 * n; }' >twice.c
echo 'static const int n = 3; double file_scope[n * 2]; int f(double *restrict p) { g(p); return 0; }' >old.c
echo 'int g(double *p) { return p != 0; }' >g.c

ok 'two sources' "$cc" prog.c twice.c -o prog
runs 'two sources' ./prog "$both"
ok 'separate steps' "$cc" -c prog.c twice.c
ok 'separate steps' "$cc" prog.o twice.o -oglued
runs 'separate steps' ./glued "$both"
[ -x glued ] || fail 'a program is executable'
ok 'a library of the user' ar rc libtwice.a twice.o
ok 'a library of the user' "$cc" prog.o -L. -ltwice -o with_library
runs 'a library of the user' ./with_library "$both"
ok 'a.out' "$cc" prog.c twice.c
runs 'a.out' ./a.out "$both"
ok 'sections that nothing uses' "$cc" -ffunction-sections prog.c twice.c -Wl,--gc-sections -o collected
runs 'sections that nothing uses' ./collected "$both"

ok 'strict C90' "$cc" -ansi -pedantic -Wall -Werror -c prog.c
ok 'options of the chip' "$cc" -O3 -DSCC -static -mcpu=pentium -gcc-version=340 -march=pentium \
  -mtune=pentium -m32 -i-static -mfpmath=387 -mno-sse -mpreferred-stack-boundary=2 \
  -ftree-loop-distribution -fno-peephole2 -maccumulate-outgoing-args -std=gnu++98 \
  -nocompchk -restrict -xHost -wd981 -Wunknown-thing -no-prec-div -c twice.c
ok 'options of the emulator' "$cc" -O3 -openmp -fopenmp -qopenmp -fpermissive prog.c twice.o -o emulator
runs 'options of the emulator' ./emulator "$both"
cat >threads.c <<'END'
#include <omp.h>
#include "RCCE.h"
int counter;
#pragma omp threadprivate(counter)
int RCCE_APP(int argc, char **argv) {
  int i, sum = 0;
  RCCE_init(&argc, &argv);
  # pragma omp parallel for reduction(+ : sum)
  for (i = 0; i < 10; ++i) sum += omp_get_num_threads();
  RCCE_finalize();
  return sum - 10;
}
END
for compiler in clang gcc; do
  ok "OpenMP with $compiler" "$cc" --cc $compiler -fopenmp threads.c -o threads
  grep -q "threads.c' line 8: #pragma omp is not obeyed and -fopenmp left out: .*divide the work by RCCE_ue" \
    log || fail 'OpenMP is told of'
  grep -q 'OpenMP in a unit of execution has one thread' log || fail 'omp.h tells'
  ok 'a program with OpenMP' "$BIN/rccerun" -nue 2 ./threads
done
# As CMake's FindOpenMP gives it.
for word in -Xclang -Xpreprocessor; do
  ok "OpenMP behind $word" "$cc" $word -fopenmp threads.c -o threads
  grep -q 'fopenmp left out' log || fail "OpenMP behind $word is told of"
done
ok 'a warning that gcc does not know' "$cc" --cc gcc -Wunknown-thing -Wall -fpermissive prog.c twice.c \
  -o by_gcc
runs 'gcc' ./by_gcc "$both"
# gcc puts code on the stack for them.
cat >nested.c <<'END'
#include "RCCE.h"
__attribute__((noinline)) static void twice(void (*step)(int)) { step(1), step(2); }
int main(int argc, char **argv) {
  int sum = 0;
  void add(int n) { sum += n; }
  RCCE_init(&argc, &argv);
  twice(add);
  RCCE_finalize();
  return sum - 3;
}
END
ok 'nested functions' "$cc" --cc gcc nested.c -o nested
for loading in dlopen clone; do
  ok 'nested functions' "$BIN/rccerun" -nue 2 --loading $loading ./nested
done
ok 'nested functions' "$BIN/rccerun" -nue 2 --engine threads ./nested
ok 'old C' "$cc" old.c g.c -shared -o old.so
echo 'TWICE_1 { global: twice; local: *; };' >twice.map
ok 'a script of names' "$cc" -shared twice.c -Wl,--version-script=twice.map -o libnamed.so
ok 'a script of names' "$cc" prog.c ./libnamed.so -o named
runs 'a script of names' ./named "$both"

for archive in "$("$cc" -show-lib)"/libRCCE_*.a; do
  ok "$archive" "$cc" prog.o twice.o "$archive" -o variant
  runs "$archive" ./variant "$both"
done
[ "$(ls "$("$cc" -show-lib)"/libRCCE_*flags_*gory_*pwrmgmt.a | wc -l)" -eq 8 ] ||
  fail 'there are eight archives'
ok '-l' "$cc" prog.o twice.o -lRCCE_smallflags_nongory_nopwrmgmt -o variant
runs '-l' ./variant "$both"
ok 'libraries behind the runtime' "$cc" prog.o twice.o -lstdc++ -lm -lc -o in_front
runs 'libraries behind the runtime' ./in_front "$both"
"$cc" -show-archive -DGORY -DSINGLEBITFLAGS | grep -q 'libRCCE_smallflags_gory_nopwrmgmt.a$' ||
  fail '-show-archive'
"$cc" -show -DSINGLEBITFLAGS -DRC_POWER_MANAGEMENT prog.c -o shown >shown.txt
grep -q -- '-DSINGLEBITFLAGS -DRC_POWER_MANAGEMENT .*rcce_image.c' shown.txt ||
  fail '-show shows the image part'
[ ! -e shown ] || fail '-show runs nothing'

# What a compiler leaves beside a program that it compiles and links in one step.
for compiler in clang gcc; do
  rm -rf beside
  mkdir beside
  echo kept >beside/made-twice.o
  ok 'coverage' "$cc" --cc $compiler --coverage prog.c twice.c -o beside/made
  runs 'coverage' beside/made "$both"
  [ -s beside/made-prog.gcno ] && [ -s beside/made-prog.gcda ] || fail "$compiler: counters are lost"
  grep -q kept beside/made-twice.o && [ ! -e beside/made-prog.o ] || fail "$compiler: objects of the user"
  ok 'dependencies' "$cc" --cc $compiler -MMD prog.c twice.o -o beside/made
  grep -q '^beside/made: prog.c .*RCCE.h' beside/made.d || fail "$compiler: rules of make"
  ok 'dependencies' "$cc" --cc $compiler -MD -MF my.d -MT name prog.c twice.o -o beside/made
  grep -q '^name: prog.c' my.d || fail "$compiler: -MT"
done
echo '-O2 "prog.c"  twice.c -o by\_file' >words
ok 'response file' "$cc" @words
runs 'response file' ./by_file "$both"
ok 'LDFLAGS of Ubuntu' "$cc" -flto=auto -Wl,-Bsymbolic-functions -Wl,-z,relro,-z,now prog.c twice.c -o bound
runs 'LDFLAGS of Ubuntu' ./bound "$both"
ok 'C++ takes .c files' "$cxx" prog.c -c -o prog_cxx.o
nm prog_cxx.o | grep -q _Z5twicei || fail 'rccec++ compiles .c files as C++'
ok 'C++ by the C name' cp twice.c twice.C
ok 'C++ by the C name' "$cc" prog_cxx.o twice.C -o cxx
runs 'C++ by the C name' ./cxx "$both"
ok '-x' "$cc" -x c++ prog.c -x none twice.C -o by_language
runs '-x' ./by_language "$both"
for option in -E -S -M -MM -fsyntax-only; do ok "$option" "$cc" "$option" prog.c; done
"$cc" -M prog.c | grep -q RCCE.h || fail '-M names the header'
for compiler in clang gcc; do
  rm -f ahead.h.gch
  echo '#include "RCCE.h"' >ahead.h
  ok 'a header ahead' "$cc" --cc $compiler -x c-header ahead.h -o ahead.h.gch
  ok 'a header ahead' "$cc" --cc $compiler -include ahead.h prog.c twice.c -o by_header
  runs 'a header ahead' ./by_header "$both"
done
# Editors, and Makefiles that ask gcc itself for the dependencies, have no other folder.
ok 'the headers with another compiler' gcc -Werror -fsyntax-only -I"$("$cc" -show-include)" prog.c
echo __linux__ | "$cc" -E - | grep -q '^1$' || fail 'a source on standard input'
[ "$("$cc" -dumpmachine)" != "" ] || fail 'questions are passed on'

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
ok 'larger meshes' "$cc" -DRCCE_MAXNP=200 prog.c -c
ok 'larger meshes' "$cc" prog.o twice.o -o large
"$BIN/rccerun" -nue 120 --set mesh.columns=10 --set mesh.rows=10 large >out 2>err ||
  fail "120 UEs: $(cat err)"
[ "$(wc -l <out)" -eq 120 ] || fail '120 UEs'

# The C++ library's checked containers take its locks in code of the program, which computes for long.
cat >checked.cpp <<'END'
#include <list>
#include "RCCE.h"
int main(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  std::list<int> here(400), there;
  std::list<int>::iterator places[400];
  int i = 0;
  for (std::list<int>::iterator at = here.begin(); at != here.end(); ++at) places[i++] = at;
  for (i = 0; i < 100; ++i) there.splice(there.end(), here), here.splice(here.end(), there);
  return RCCE_finalize();
}
END
ok 'checked containers' "$cxx" -D_GLIBCXX_DEBUG checked.cpp -o checked
"$BIN/rccerun" -nue 4 --compute blocks --timeout 20 ./checked 2>err || fail "checked containers: $(cat err)"

# A program's own function or variable with a name of the C library does not stand in for the C library's.
for own in 'int read(int n) { return n; }' 'int stat = 4;' 'int syscall = 3;' 'void mmap(void) {}' \
  'int dlsym;' 'int sysconf;' 'int pthread_mutex_lock(int n) { return n; }'; do
  { sed /math/d prog.c | sed 's/sqrt//'; echo "$own"; } >own_name.c
  ok "$own" "$cc" -w -fno-builtin own_name.c twice.c -o own_name
  runs "$own" ./own_name "$both"
done

for wrong in '--cc no-such-cc prog.c' '--rcce 3.0 prog.c' 'missing.c' 'prog.o' \
  '-c prog.c twice.c -o one.o'; do
  "$cc" $wrong -o wrong >log 2>&1 && fail "'$wrong' was accepted"
  [ -s log ] || fail "'$wrong': no message"
done
cp twice.c kept.c
for words in 'prog.c kept.c -o kept.c' '-c kept.c -o ./kept.c' '--cc gcc prog.c kept.c -okept.c'; do
  "$cc" $words 2>log && fail "'$words' was accepted"
  grep -q 'would overwrite an input' log && cmp -s twice.c kept.c || fail "'$words': the source is lost"
done
readelf -d prog | grep -q DEBUG || fail 'debuggers need DT_DEBUG'
(RCCECC_OPTIONS='--rcce 1.0' "$cc" -c prog.c && readelf -p .rockcreek prog.o | grep -q generation=10) ||
  fail RCCECC_OPTIONS
exit $failed
