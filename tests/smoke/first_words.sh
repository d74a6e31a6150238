#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# first_words.sh SOURCES: what a run says that nobody has asked anything of: at most three lines, whatever the
# program is made of and whatever was asked for in vain. A run that hangs says nothing of its times.
set -u
unset ROCKCREEK_COMPUTE
libraries=$1/own_libraries
fail() { echo "first_words.sh: $*" >&2; exit 1; }
PATH=$BIN:$PATH
cat >clocked.c <<'END'
#include <RCCE.h>
#ifdef UNCOUNTED
int old(int n);
#endif
#ifdef OPENED
#include <dlfcn.h>
#endif
int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  const double begin = RCCE_wtime();
#ifdef GORY
  RCCE_FLAG flag;
  RCCE_flag_alloc(&flag);
#else
  if (argc > 1) RCCE_send((char *)&begin, sizeof begin, RCCE_ue());
#endif
#ifdef UNCOUNTED
  old(3);
#endif
#ifdef OPENED
  if (!dlopen("./opened_ie.so", RTLD_NOW)) return 1;
#endif
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_wtime() < begin) return 1;
  return RCCE_finalize();
}
END
echo 'int old(int n) { return n * n; }' >old.c
cc -O2 -fPIC -c old.c || fail "cannot compile old.c"

# says LINES WORDS... -- OPTIONS PROGRAM [ARGUMENTS]: the run says so many lines, all of them ours, with these
# words.
says() {
  lines=$1
  shift
  words=
  while [ "$1" != -- ]; do
    words="$words$1
"
    shift
  done
  shift
  rccerun -nue 4 "$@" >out 2>err || fail "$*: status $?: $(cat err)"
  [ "$(wc -l <err)" = "$lines" ] && ! grep -qv '^rccerun: ' err || fail "$*: not $lines lines: $(cat err)"
  [ "$lines" -le 3 ] || fail "$lines lines are too many"
  printf %s "$words" | while IFS= read -r word; do
    grep -q -e "$word" err || fail "$*: no '$word': $(cat err)"
  done || exit 1
}
parts='us on the chip; mean UE: [0-9.]* computing, [0-9.]* in calls and polling, [0-9.]* waiting'

rccecc -O2 clocked.c -o c || fail "C"
rccec++ -O2 -x c++ clocked.c -o cxx || fail "C++"
rccecc -O2 -DGORY clocked.c -o gory || fail "gory"
rccecc -O2 --rcce 1.0 clocked.c -o first || fail "RCCE 1.0"
for program in c cxx gory first; do says 1 "$parts\$" -- ./$program; done
rccecc -O2 "$1/large_mesh.c" -o silent && says 0 -- ./silent # asks for no time
says 0 -- --engine threads ./c
says 1 'on the chip; mean UE: [0-9.]* computing, [0-9.]* in calls, polling and waiting$' -- \
  --engine threads --clock simulated ./c
says 0 -- --compute none ./c
says 1 'differ from run to run' -- --compute host:1 ./c
rccerun -nue 1 ./c 2>&1 | grep -q 'on the chip; [0-9]' || fail "one UE has a mean"

# Objects that count nothing.
rccecc -O2 -DUNCOUNTED clocked.c old.o -o mixed || fail "an object of another compiler"
says 1 'times are of communication only: no cycles are counted in old.o, nor its own loads and stores of '\
'message buffers' -- ./mixed
says 1 "$parts; code of old.o takes no time, nor do its own loads and stores of message buffers" -- \
  --compute blocks ./mixed
rccecc -O2 --no-count clocked.c -o uncounted &&
  says 1 "times are of communication only: no cycles are counted in the program's code" -- ./uncounted

# What is asked for in vain.
says 2 "$parts" '-clock 0.8 sets no clock: the cores ran at 533 MHz, --set tile.divider=2 sets 800$' -- \
  -clock 0.8 ./c
says 1 "$parts" -- -clock 0.53 ./c
says 0 -- -clock 0.8 ./silent
says 1 "$parts" -- -clock 0.8 --machine scc-fast ./c
says 2 'uses 8192 of 16384 bytes of each message buffer, -DRCCE_BUFF_SIZE_MAX=16384' -- \
  --set tile.mpb_bytes=16384 ./c

# Libraries that all UEs share, linked and opened; everything at once.
for name in one two; do
  rccecc -DINITIAL_EXEC -shared "$libraries/counter.c" -o lib${name}_ie.so || fail "lib$name"
done
rccecc -DINITIAL_EXEC -shared "$libraries/counter.c" -o opened_ie.so || fail "opened_ie.so"
rccecc -O2 -DUNCOUNTED -DOPENED clocked.c old.o -Wl,--no-as-needed ./libone_ie.so ./libtwo_ie.so -o all ||
  fail "all"
says 3 "variables of libraries './libone_ie.so', './libtwo_ie.so', '[^']*opened_ie.so': its thread-local" \
  old.o \
  '-clock 0.8 .*; the program uses' -- -clock 0.8 --set tile.mpb_bytes=16384 ./all

# A hang.
rccerun -nue 1 ./c hang 2>err
[ $? = 121 ] || fail "a message to oneself: $(cat err)"
grep -q 'deadlock at' err && ! grep -q 'on the chip' err || fail "a hang: $(cat err)"

# Commands without arguments.
rccecc 2>err && fail "rccecc without files succeeds"
grep -q '^usage: rccecc ' err && [ "$(wc -l <err)" -le 9 ] || fail "$(cat err)"
rccec++ -O2 2>err && fail "rccec++ without files succeeds"
grep -q '^usage: rccec++ .*' err && grep -q 'program.cpp' err || fail "$(cat err)"
rccecc -dumpmachine | grep -q . || fail "a question to the compiler"
rccerun ./c 2>err && fail "rccerun without a number of UEs succeeds"
grep -q -- '-nue N has to stand before the program, as in rccerun -nue 48 ./program' err &&
  [ "$(wc -l <err)" = 1 ] || fail "$(cat err)"
