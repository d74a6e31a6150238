# SPDX-License-Identifier: Apache-2.0
# Output that cannot be written, to a full disk or a closed descriptor, ends a run by status 74 with the
# reason; so do the answers of the launcher itself.
failed=0
expect() { # expect TEXT: `status` and the file err
  [ "$status" -eq 74 ] || { echo "status $status, expected 74"; failed=1; }
  grep -q "cannot write standard output: $1" err || { echo "no '$1' in:"; cat err; failed=1; }
}
for loading in dlopen clone; do
  "$BIN/rccerun" -nue 2 --loading $loading "$PROGRAMS/plain_main" >/dev/full 2>err
  status=$?
  expect 'No space left'
  "$BIN/rccerun" -nue 2 --loading $loading "$PROGRAMS/plain_main" >&- 2>err
  status=$?
  expect 'Bad file descriptor'
done
# The launcher of processes takes no notice of it.
if [ -e "$BIN/../lib/rockcreek/librcce_mpi.so" ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  "$BIN/rccerun" -nue 2 --engine mpi "$PROGRAMS/plain_main" >/dev/full 2>err
  status=$?
  expect 'No space left'
fi
# What a run tells on standard error, where nobody can be told.
for option in --statistics --profile --why --digest; do
  "$BIN/rccerun" -nue 2 $option "$PROGRAMS/plain_main" >/dev/null 2>/dev/full
  status=$?
  [ "$status" -eq 74 ] || { echo "$option to a full standard error: status $status, expected 74"; failed=1; }
done
for word in --help --version --print-machine; do
  "$BIN/rccerun" $word >/dev/full 2>err
  status=$?
  expect 'No space left'
done
exit $failed
