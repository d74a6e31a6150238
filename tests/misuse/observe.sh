# SPDX-License-Identifier: Apache-2.0
# rccecc --observe where nobody looks: the same times and digests, on every loader and engine.
for kind in copies-late own-flag own-lock; do
  for options in "--digest" "--digest --loading clone" "--engine threads"; do
    for program in plain observed observed_O3; do
      # shellcheck disable=SC2086
      "$BIN/rccerun" -nue 3 $options "$PROGRAMS/$program" $kind >$program.out 2>&1 ||
        { echo "$program $kind $options"; cat $program.out; exit 1; }
      sort -o $program.out $program.out # threads come as they come
    done
    cmp plain.out observed.out && cmp plain.out observed_O3.out || { echo "$kind $options"; exit 1; }
  done
done
