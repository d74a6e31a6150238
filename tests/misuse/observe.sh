# SPDX-License-Identifier: Apache-2.0
# rccecc --observe: compilers that cannot, programs of which only a part is compiled so, and runs in which
# nobody looks.
set -e
fail() { echo "$1"; cat out err 2>/dev/null; exit 1; }
if "$BIN/rccecc" --cc gcc --observe "$SOURCE/tests/misuse/plain.c" -o gcc_observed >out 2>err; then fail \
  "gcc is accepted"; fi
grep -q "^rccecc: --observe: 'gcc' takes no pass of this installation, which is built for clang" err ||
  fail "no reason"

# Half of it.
cat >half.c <<'END'
int half(void) { return 1; }
END
cat >whole.c <<'END'
#include "RCCE.h"
int half(void);
int RCCE_APP(int argc, char** argv) {
  volatile int* word;
  RCCE_init(&argc, &argv);
  word = (volatile int*)RCCE_shmalloc(32);
  if (RCCE_ue() == 0) *word = half();
  RCCE_finalize();
  return 0;
}
END
"$BIN/rccecc" -c half.c -o half.o
"$BIN/rccecc" --observe -c half.c -o half_observed.o
"$BIN/rccecc" --observe -c whole.c -o whole.o
"$BIN/rccecc" half.o whole.o -o partly
"$BIN/rccecc" half_observed.o whole.o -o all
"$BIN/rccerun" -nue 2 --explore all ./partly >out 2>err || fail "status"
grep -q "not all: the program has pointers .* built without --observe" out ||
  fail "a part that is not observed is not told"
"$BIN/rccerun" -nue 2 --explore all ./all >out 2>err || fail "status"
grep -q "and there are no others" out || fail "all of it is observed"

# A library, which tells of nothing, keeps a pointer that it is not given by a call.
cat >keeps.c <<'END'
volatile int* kept;
int seen(void) { return *kept; }
END
cat >lends.c <<'END'
#include "RCCE.h"
#include <stdio.h>
extern volatile int* kept;
int seen(void);
int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  kept = (volatile int*)RCCE_shmalloc(32);
  if (RCCE_ue() == 0) *kept = 0;
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() == 0) printf("%d\n", seen());
  else *kept = 1;
  RCCE_finalize();
  return 0;
}
END
for observed in "" --observe; do
  # shellcheck disable=SC2086
  "$BIN/rccecc" -shared $observed keeps.c -o libkeeps.so
  "$BIN/rccecc" --observe lends.c ./libkeeps.so -o lends
  "$BIN/rccerun" -nue 2 --explore all ./lends >out 2>err || fail "status"
  grep -q "not all: code .*(library libkeeps.so) got pointers" out || fail "a library's pointer is not told"
done

# Nobody looks: the same times and digests, on every loader and engine.
for kind in copies-late own-flag own-lock; do
  for options in "--digest" "--digest --loading clone" "--engine threads"; do
    for program in plain observed observed_O3; do
      # shellcheck disable=SC2086
      "$BIN/rccerun" -nue 3 $options "$PROGRAMS/$program" $kind >$program.out 2>&1 ||
        fail "$program $kind $options"
      sort -o $program.out $program.out # threads come as they come
    done
    cmp plain.out observed.out && cmp plain.out observed_O3.out || fail "$kind $options"
  done
done

# What the option may move is said where the time is.
cat >timed.c <<'END'
#include "RCCE.h"
int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  const double begin = RCCE_wtime();
  RCCE_finalize();
  return begin < 0;
}
END
for observed in "" --observe; do
  # shellcheck disable=SC2086
  "$BIN/rccecc" --memory $observed timed.c -o timed
  for compute in blocks cache; do
    "$BIN/rccerun" -nue 1 --compute $compute ./timed 2>err
    said=$(grep -c -e '; rccecc --observe may have moved local variables, and times by nanoseconds$' err) ||
      true
    [ "$said" = "$(printf %s "$observed" | grep -c observe)" ] ||
      fail "--compute $compute $observed: $(cat err)"
  done
done
