#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The course: every file to begin with compiles and is not yet the solution, for the reason that its text
# gives; every solution is correct, fast enough, and has the same digest twice. WHOLE=1: commands of the pages
# with their own sizes and numbers of cores, not fewer. SOLUTIONS: folder of these.
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
  grep -q "^$exercise.c: .*README.md$" out || fail "--start $exercise: $(cat out)"
done
graded 1 pingpong.c
told '^# wrong: yours on 2 cores, 1 bytes: rank 1 has 1 wrong bytes, the first of them byte 0$'
graded 1 barrier.c
told '^# wrong: yours on 3 cores: rank 1 leaves the barrier before the last one has come$'
graded 3 broadcast.c
told '^# goal: no longer than bcast/binomial on 48 cores, 8192 bytes.*: not reached with'
told 'all right; not yet fast enough; digest'
graded 3 pipelining.c
told '^# goal: no longer than bcast/dopl on 48 cores, 190000 bytes.*: not reached with'
# A pointer goes down the tree, and each copies past the machine.
cat >cheat.c <<'C'
/* rockcreek exercise: broadcast */
#include <string.h>
#include "RCCE.h"
#include "algorithms/algorithm.h"
static int run(const rockcreek_call *call) {
  const int all = RCCE_num_ues(), own = (RCCE_ue() - call->root + all) % all;
  char *from = call->buffer, done = 0;
  int step = 1;
  for (; step < all && !(own & step); step *= 2) {
  }
  if (own) RCCE_recv((char *)&from, sizeof from, (RCCE_ue() - step + all) % all);
  for (int below = step / 2; below > 0; below /= 2)
    if (own + below < all) RCCE_send((char *)&from, sizeof from, (RCCE_ue() + below) % all);
  if (own) memcpy(call->buffer, from, call->bytes);
  for (int below = 1; below < step && own + below < all; below *= 2)
    RCCE_recv(&done, 1, (RCCE_ue() + below) % all);
  return own ? RCCE_send(&done, 1, (RCCE_ue() - step + all) % all) : RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(my_broadcast, .name = "bcast/mine", .operation = ROCKCREEK_BCAST, .summary = "a pointer",
                    .source = "a test", .run = run);
C
graded 1 cheat.c
told 'no algorithm can do it in less than'
graded 1 deadlock.c
told '^# wrong: yours on 1 core: hangs(1, 0) is 0, and the shift that was given does not end$'
graded 1 race.c
told '^# wrong: yours on 2 cores: the result depends on who comes first$'
graded 1 race.c --format json
told '"goal_reached": false'
graded 1 race.c
told 'RCCE_get with rank 1, 32 bytes: reads 32 bytes'
told '^# 3 of 7 trials are wrong'
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
told '^# wrong: yours on 2 cores, 1 bytes: shift by 1 has changed `out` of rank 1, at byte 0$'

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

# The rule that the checker compares with is what the given shift does.
"$bench" grade deadlock.c --program given >out || true
for ues in 1 2 3 4 5 6; do
  status=0
  "$BIN/rccerun" -nue $ues ./given shift 8 >out 2>&1 || status=$?
  # At distance 0 everybody sends to oneself, which never ends.
  [ $status -eq 121 ] || fail "the given shift on $ues UEs: status $status: $(cat out)"
done

# Without the words that it needs a checker says which.
"$bench" grade race.c --program race_graded >out || true
for words in '' 'shift' 'shift 8 4' 'other 8'; do
  status=0
  "$BIN/rccerun" -nue 4 ./given $words >out 2>&1 || status=$?
  [ $status -eq 2 ] && grep -q '^usage: hangs, or shift BYTES' out ||
    fail "given '$words': status $status: $(cat out)"
done
status=0
"$BIN/rccerun" -nue 2 ./race_graded >out 2>&1 || status=$?
[ $status -eq 2 ] && grep -q '^usage: ' out || fail "race: status $status: $(cat out)"

# Every command of every page, typed in its order: those of the blocks with the file to begin with, those in
# the text with the solution. Nothing is refused. Files are graded above, and what sweeps many points is typed
# with few of them.
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

# An algorithm of another name, and a file of another exercise.
sed 's,"bcast/mine","bcast/my",' broadcast.c >renamed.c
graded 2 renamed.c
grep -q "'renamed.c' has no algorithm 'bcast/mine', which exercise 'broadcast'" err || fail "$(cat err)"
graded 2 broadcast.c --exercise barrier
grep -q "'broadcast.c' has no algorithm 'barrier/mine'" err || fail "$(cat err)"

# The solution is not overwritten.
cp barrier.c kept.c
for option in --program -o; do
  graded 2 kept.c $option ./kept.c
  grep -q "'./kept.c': the command reads this file; name another" err || fail "$option: $(cat err)"
  cmp barrier.c kept.c
done

# A whole class at once; faults in fields.
graded 1 pingpong.c --format csv
[ "$(grep -c '^pingpong,yours,' out)" -eq 38 ] || fail "csv: $(cat out)"
grep -q '^pingpong,yours,2,1,,,false,"rank 1 has 1 wrong bytes, the first of them byte 0",' out ||
  fail "csv: $(cat out)"
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

# Calls that are what the exercise is about, also by a pointer; right once only; one that never ends costs its
# limit once.
sed 's/char word = 0;/if (call) return RCCE_barrier(\&RCCE_COMM_WORLD);char word = 0;/' barrier.c >calls.c
graded 2 calls.c
grep -q "'calls.c' uses RCCE_barrier, and a solution of 'barrier' may not use RCCE_barrier" err ||
  fail "a forbidden call: $(cat err)"
sed 's/char word = 0;/if (call) return iRCCE_barrier(NULL);&/; s/#include "RCCE.h"/&\n#include "iRCCE.h"/' \
  barrier.c >calls.c
graded 2 calls.c
grep -q "'calls.c' uses iRCCE_barrier, and" err || fail "a forbidden call: $(cat err)"
sed 's/char word = 0;/if (call) return rockcreek_barrier("barrier\/tree", "");char word = 0;/; s/#include '\
'"algorithms.algorithm.h"/&\n#include "algorithms\/collectives.h"/' barrier.c >calls.c
graded 2 calls.c
grep -q "uses rockcreek_barrier, and" err || fail "a forbidden call: $(cat err)"
cat >row.c <<'C'
/* rockcreek exercise: broadcast */
#include "RCCE.h"
#include "algorithms/algorithm.h"
extern const rockcreek_algorithm rockcreek_row_bcast_binomial;
static int run(const rockcreek_call *call) { return rockcreek_row_bcast_binomial.run(call); }
ROCKCREEK_ALGORITHM(mine, .name = "bcast/mine", .operation = ROCKCREEK_BCAST, .summary = "-",
    .source = "a test", .run = run);
C
sed 's/return rockcreek_row.*run(call)/return ((int (*)(const rockcreek_call *))dlsym(0, "any"))(call)/
  s/^#include "RCCE.h"/#include <dlfcn.h>\n&/' row.c >finds.c
graded 2 finds.c
grep -q "'finds.c' uses dlsym, and a solution" err || fail "a row by its name: $(cat err)"
graded 2 row.c
grep -q "'row.c' uses rockcreek_row_bcast_binomial, and a solution .* or a row of the library's: " err ||
  fail "a row of the library's: $(cat err)"
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

# An exercise of one's own.
mkdir own
cat >own/exercise.json <<'END'
{"title": "own", "file": "own.c", "trials": [{"cores": [2], "arguments": "", "rows": ["yours"]}]}
END
cat >own/checker.c <<'END'
#include <stdio.h>
#include "RCCE.h"
int answer(void);
int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  if (answer() != 42) printf("wrong: %d is not the answer\n", answer());
  printf("%d 0 0 0 0\n", RCCE_ue());
  RCCE_finalize();
  return 0;
}
END
echo 'int answer(void) { return 41; }' >answer.c
graded 1 answer.c --exercise own
told '^# wrong: yours on 2 cores: 41 is not the answer$'
echo 'int answer(void) { return 42; }' >answer.c
graded 0 answer.c --exercise own/
# Runs that agree can all be wrong, on the machine that is asked for; checkers find checker.h.
mkdir explored
echo '{"title": "own", "file": "own.c", "flags": ["-DRCCE_MAXNP=52"],
  "trials": [{"cores": [52], "explored_runs": 2}]}' >explored/exercise.json
sed 's/<stdio.h>/"checker.h"/; /0 0 0 0/d' own/checker.c >explored/checker.c
graded 0 answer.c --exercise explored --set mesh.columns=7
echo 'int answer(void) { return 41; }' >answer.c
graded 1 answer.c --exercise explored --set mesh.columns=7
told '^# wrong: yours on 52 cores: 41 is not the answer$'
# Not all that is printed is kept.
cat >prints_much.c <<'END'
#include <stdio.h>
int answer(void) {
  static char line[1 << 20];
  for (int i = 0; i < sizeof line - 1; ++i) line[i] = i % 80 ? 'x' : '\n';
  for (int i = 0; i < 40; ++i) puts(line);
  return 42;
}
END
graded 1 prints_much.c --exercise own
told 'it prints more than 64 MiB'

echo 'int x' >bad.c
echo '{"title": 3}' >own/exercise.json
refused "'nothing.c': there is no such file" grade nothing.c
refused "'answer.c' does not say which exercise it is for" grade answer.c
refused "did you mean 'barrier'" grade answer.c --exercise barier
ends 2 'bad.c:1:6: error' "$bench" grade bad.c --exercise barrier
refused 'exercise.json: "title" has to be text' grade answer.c --exercise own
# What is not tried is not right, and a slip of the exercise makes no solution better or worse.
slip() { # slip TRIALS TOLD [MEMBER]: of an exercise with these trials
  echo "{\"title\": \"own\", \"file\": \"own.c\"${3:-}, \"trials\": [$1]}" >own/exercise.json
  refused "$2" grade answer.c --exercise own
}
slip '' '"trials" is empty'
slip '{"cores": []}' 'has an empty list'
slip '{"cores": ["2"]}' '"cores" has to be a list of numbers'
slip '{"cores": [2], "root": ["last"]}' 'has no member "root"; there are .*roots'
slip '{"cores": [2], "program": "checkr"}' "\"program\" is 'checkr'; use checker or collective"
slip '{"cores": [2], "arguments": "{byts}"}' "\"arguments\" has '{byts}'; there are {row}"
slip '{"cores": [2]}' 'has no member "forbiden"' ', "forbiden": ["puts"]'
slip '{"cores": [2]}' "\"goal\": no timed trial is of 'theirs' on 5 cores" \
  ', "goal": {"row": "theirs", "cores": 5}'
refused "'race.c' is there already" grade --start race
refused "did you mean 'race'" grade --start rase
refused 'no file to grade' grade
ln -s loop.c loop.c
refused "'loop.c': there is no such file" grade loop.c
mkdir nowhere
(cd nowhere && ln -s /nowhere/barrier.c barrier.c)
cd nowhere
refused "'barrier.c' is there already" grade --start barrier
cd ..
refused 'there is no exercise.json in this folder' grade answer.c --exercise tmp
refused "machine 'xeon-phi-5110p'" grade --machine xeon-phi-5110p race.c
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
