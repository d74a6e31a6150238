#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Words are told without what acts on a terminal or looks like another line.
escape=$(printf 'a\033[2Jb') lines=$(printf 'a\nrccerun: all is well')
for command in 'rccerun -nue 2' 'rccerun -nue 2 --machine' 'rccerun -nue 2 --set' 'rccerun -nue 2 --engine' \
  'rccecc --cc' 'rccebench bcast --algorithms' \
  rccebench 'rccebench bcast --machine' rcceinfo; do
  for word in "$escape" "$lines" "x=$lines" "--x$escape"; do
    "$BIN/${command%% *}" ${command#"${command%% *}"} "$word" >out 2>err
    if grep -q "$(printf '\033')" out err || grep -q '^rccerun: all is well' err; then
      echo "$command with control characters prints them: $(cat -v err)"
      exit 1
    fi
  done
done
printf '[machine]\nkind = scc\n' >"$escape.machine"
"$BIN/rccebench" pingpong --sizes 32 --pairs 0:1 --machine "./$escape.machine" >out 2>err
if grep -q "$(printf '\033')" out err || ! grep -q 'a?\[2Jb' out; then
  echo "the name of a machine is printed as it is: $(cat -v out err)"
  exit 1
fi
