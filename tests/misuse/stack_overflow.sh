# SPDX-License-Identifier: Apache-2.0
# A stack overflow by any distance is told of the right rank: not quietly a write to another's stack.
failed=0
for engine in sim threads; do
  while read -r program words; do
    timeout -k 5 30 "$BIN/rccerun" -nue 3 --engine $engine "$PROGRAMS/$program" $words >out 2>err
    status=$?
    [ $status -eq 139 ] && [ ! -s out ] &&
      grep -q '^rccerun: rank 1 (core 01.* crashed .*: stack overflow: its stack has 16384 KB' err ||
      { echo "$engine, $program $words: status $status"; cat out err; failed=1; }
  done <<END
stack_overflow array
stack_overflow deep
stack_overflow alloca 16384
stack_overflow alloca 16476
stack_overflow alloca 24000
stack_overflow alloca 1000000
stack_overflow variable-length 16476
stack_overflow variable-length 31000
stack_overflow variable-length 10000000
stack_overflow jump 16384
stack_overflow jump 16476
stack_overflow jump 17408
stack_overflow jump 24000
stack_overflow jump 32700
stack_overflow_gcc array
stack_overflow_gcc alloca 16476
stack_overflow_gcc variable-length 31000
stack_overflow_gcc variable-length 10000000
END
done
# Nor is a pointer that leads into the guard from elsewhere an overflow: a larger stack would not help.
for engine in sim threads; do
  timeout -k 5 30 "$BIN/rccerun" -nue 3 --engine $engine "$PROGRAMS/stack_overflow" astray 16476 >out 2>err
  status=$?
  [ $status -eq 139 ] && grep -q '^rccerun: rank 1 (core 01.* crashed .*: segmentation fault: write to' err ||
    { echo "$engine, astray: status $status"; cat out err; failed=1; }
done
# A stack that is large enough is no overflow.
for engine in sim threads; do
  "$BIN/rccerun" -nue 3 --engine $engine --stack-size 32M "$PROGRAMS/stack_overflow" array >out 2>err &&
    grep -q 'went on' out ||
    { echo "$engine, larger stack:"; cat out err; failed=1; }
done
exit $failed
