# SPDX-License-Identifier: Apache-2.0
# Each UE leads its descriptors 0, 1 and 2 and its streams elsewhere and back, on both engines and loaders: no
# line is lost, a UE's lines keep their order, and programs that it starts find them as it has led them.
failed=0
fail() { echo "$1"; shift; for file; do echo "--- $file"; cat "$file"; done; failed=1; }
lines='first
past the redirection
second
third
fourth
fifth
sixth
seventh
eighth
ok'
printf '%s\n' "$lines" >expected
printf 'given\nmore\n' >given
printf '%s\n' 'to the output' 'to the output' 'to the output' >by_children
for options in --engine=sim '--engine=sim --loading=clone' --engine=threads; do
  rm -fr ./*.0 ./*.1 ./*.2
  timeout 20 "$BIN/rccerun" $options -nue 3 "$PROGRAMS/own_descriptors" <given >out 2>err
  status=$?
  [ $status -eq 0 ] || fail "$options: status $status" out err
  grep '^to the' out | cmp -s by_children - || fail "$options: exchanged" out
  [ "$(grep -c '^to the error' err)" -eq 3 ] || fail "$options: exchanged" err
  for rank in 0 1 2; do
    grep "^rank $rank" out | sed "s/^rank $rank:* //" >lines
    cmp -s expected lines || fail "$options: lines of rank $rank" lines
    grep -q "^rank $rank: told" err || fail "$options: standard error of rank $rank" err
    [ "$(cat left.$rank)" = "left $rank" ] || fail "$options: left to the end of rank $rank"
    [ "$(cat child.$rank)" = "by a child" ] || fail "$options: of a child of rank $rank"
  done
done
exit $failed
