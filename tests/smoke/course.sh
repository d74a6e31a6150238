#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The course: every solution is correct, fast enough, and has the same digest twice; what is made of one is
# not. WHOLE=1: commands of the pages with their own sizes and numbers of cores, not fewer. SOLUTIONS: folder
# of these.
set -eu
. "$SOURCE/tests/support/checks.sh"
solutions=$1
rm -rf ./*
mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR

graded() { # graded STATUS FILE WORDS...
  wanted=$1
  file=$2
  shift 2
  status=0
  "$bench" grade "$file" "$@" >out 2>err || status=$?
  [ $status -eq "$wanted" ] || fail "grade $file $*: status $status instead of $wanted: $(cat out err)"
}
told() { grep -q -e "$1" out || fail "$file: '$1' is missing in: $(cat out)"; }

exercises=$(cat "$BIN/../share/rockcreek/course/exercises")
for exercise in $exercises; do
  "$bench" grade --start "$exercise" >out || fail "--start $exercise: $(cat out)"
done

# Long waits make all runs agree, and keep no order.
sed '/write(&empty, RCCE_FLAG_SET, from)/ { h; d }; /RCCE_get/ G
  s/RCCE_wait_until(empty.*/rcce_compute(5000000);/; s/^#include "RCCE.h"/&\n#include "rockcreek.h"/' \
  race.c >waits.c
graded 1 waits.c
told '^# wrong: yours on 2 cores: the runs agree, but nothing keeps the order of two accesses$'

# What is sent stays the caller's.
sed '/^int shift/,/^}/ s/return error == RCCE_SUCCESS ? RCCE_recv/memset(out, 0, bytes);\n  &/' \
  "$solutions/deadlock.c" >clears.c
graded 1 clears.c
told '^# wrong: yours on 2 cores, 1 byte: shift by 1 has changed `out` of rank 1, at byte 0$'

cp "$solutions"/*.c tmp/
# The box is empty once its line has been read, and not before.
sed '/write(&empty, RCCE_FLAG_SET, from)/ { h; d }; /RCCE_get/ G' race.c >tmp/race.c
solutions=$PWD/solved
mv tmp solved
mkdir tmp
for exercise in $exercises; do
  graded 0 "$solutions/$exercise.c" --jobs 2
  told ' trials: correct\(; not seen: whether .*\)\?; digest [0-9a-f]\{16\}$'
  tail -n 1 out >"$exercise.verdict"
done
# Once more, in a folder whose name has another length, and in the order of one job.
mkdir tmp/another
TMPDIR=$PWD/tmp/another
for exercise in pingpong deadlock; do
  graded 0 "$solutions/$exercise.c" --jobs 1
  [ "$(tail -n 1 out)" = "$(cat "$exercise.verdict")" ] || fail "$exercise: another digest: $(tail -n 1 out)"
done
rmdir tmp/another
TMPDIR=$PWD/tmp

# Every command of every page, typed in its order: those of the blocks with the file to begin with, those in
# the text with the solution. Nothing is refused. What sweeps many points is typed with few of them.
fewer='s/1048576/2048/; s/32768:x4/128:x4/; s/2-48:2/2-48:46/; s/190000 --cores 48/19000 --cores 12/; '\
's/--cores 48/--cores 12/'
[ -z "${WHOLE:-}" ] || fewer=
mkdir typed
for exercise in $exercises; do
  page=$BIN/../share/rockcreek/course/$exercise/README.md
  rm -rf typed/*
  sed -n 's/^    \(rcce.*\)/\1/p' "$page" >typed/block
  tr '\n' ' ' <"$page" | grep -o '`rcce[a-z]* [^`]*`' | tr -d '`' | tr -s ' ' >typed/text || true
  for part in block text; do
    [ $part = block ] || cp "$solutions/$exercise.c" typed/
    sed "$fewer" typed/$part | grep -v "^rccebench grade $exercise.c$" >typed/commands || true
    while read -r typed; do
      status=0
      (cd typed && PATH=$BIN:$PATH timeout 120 sh -c "$typed") >out 2>err </dev/null || status=$?
      case $status in
      0 | 1 | 3 | 121 | 125) ;;
      *) fail "$exercise: '$typed': status $status: $(cat out err)" ;;
      esac
      ! grep -q "usage:\|no option\|no such" out err || fail "$exercise: '$typed': $(cat out err)"
    done <typed/commands
  done
done

# Fields for programs.
graded 0 "$solutions/pingpong.c" --format json
told '"goal_reached": true'

# Programs that crash, leave, or print.
sed 's/return RCCE_send(in/*(volatile int *)0 = 1; return RCCE_send(in/; s/error = RCCE_send(in/*(volatile '\
'int *)0 = 1; &/' \
  "$solutions/pingpong.c" >crash.c
graded 1 crash.c
told 'it was ended by signal 11'
sed 's/int error = RCCE_SUCCESS;/exit(0);&/; s/#include <stddef.h>/#include <stdlib.h>/' \
  "$solutions/pingpong.c" >leaves.c
graded 1 leaves.c
told 'ended before it was asked for its result'
sed 's/int error = RCCE_SUCCESS;/printf("here %d\\n", RCCE_ue());&/; s/#include <stddef.h>/#include '\
'<stdio.h>/' \
  "$solutions/pingpong.c" >prints.c
graded 0 prints.c

# Right once only.
sed 's/^  const int ues = RCCE_num_ues();/static unsigned calls; if (++calls == 4) return RCCE_SUCCESS; &/' \
  "$solutions/barrier.c" >once.c
grep -q 'calls == 4' once.c || fail 'once.c is the solution'
graded 1 once.c
# What it prints counts for nothing, whatever it looks like; text of any bytes.
sed 's/printf("here %d\\n", RCCE_ue());/printf("%d 0 1 0 0\\n", RCCE_ue());exit(0);/; s/#include '\
'<stdio.h>/&\n#include <stdlib.h>/' prints.c >forged.c
graded 1 forged.c
told 'ended before it was asked for its result'
sed 's/RCCE_ue());exit(0);/rockcreek_job_data(0) != 0);/; '\
's/#include <stdlib.h>/&\nvoid *rockcreek_job_data(void *);/' forged.c >handed.c
graded 2 handed.c
grep -q 'rockcreek_job_data, by which checkers hand over results' err || fail "handed over: $(cat err)"
sed 's/here %d\\n", RCCE_ue()/0 9 1 8 0\\n"/' prints.c >numbers.c
graded 0 numbers.c
sed 's/here %d\\n", RCCE_ue()/wrong: \\xff\\n"/' prints.c >bytes.c
graded 1 bytes.c --format json
told '"fault": "\(\\ufffd\|�\)"'

[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
