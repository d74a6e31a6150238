# SPDX-License-Identifier: Apache-2.0
# A program that tests requests in a loop gives the same output and digest whatever has compiled it, and
# whether it looks at RCCE's tables or not. $1: program.
set -e
for build in "$1" "$1" "determinism_${1}_O0" "determinism_${1}_gcc" "determinism_${1}_blind"; do
  "$BIN/rccerun" --digest -nue 11 "$PROGRAMS/$build" >now 2>now.err || { cat now now.err; exit 1; }
  grep digest now.err >>now
  [ -f first ] || cp now first
  cmp first now || { diff first now | head -20; exit 1; }
done
rm first
