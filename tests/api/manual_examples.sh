#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The examples of manual pages, as they stand there: the program is written to a file, the commands behind it
# are run, and print what the page says. manual_examples.sh PAGE...
set -eu
export PATH="$BIN:$PATH"
# As after installation: headers and libraries where the compiler looks.
export C_INCLUDE_PATH="$SOURCE/algorithms/include" LIBRARY_PATH="$BIN/../lib"
status=0
for page; do
  name=$(basename "$page" .3)
  rm -rf "$name"
  mkdir "$name"
  # The first block is the program, the second the commands, each behind "$ ", and what they print.
  awk '/^\.SH / { on = $2 == "EXAMPLE" } !on { next } /^\.EX/ { block++; next } /^\.EE/ { next } /^\./ {
    next }
       { gsub(/\\-/, "-");
       gsub(/\\\(aq/, "\047"); gsub(/\\\(ga/, "`"); gsub(/\\\(ha/, "^"); gsub(/\\\(ti/, "~")
         gsub(/\\&/, ""); gsub(/\\e/, "\\"); print > (block == 1 ? "program" : "session") }' "$page"
  mv session program "$name"
  (
    cd "$name"
    file=$(sed -n '1s/.* \([a-z_0-9]*\.c\).*/\1/p' session)
    [ -n "$file" ] || { echo "$name: the first command compiles nothing" && exit 1; }
    mv program "$file"
    sed -n 's/^\$ //p' session >commands
    while read -r command; do
      printf '$ %s\n' "$command"
      sh -c "$command" 2>&1 </dev/null || echo "status $?"
    done <commands >printed
    diff session printed >difference || { echo "$name: prints something else than its page says" &&
      cat difference && exit 1; }
  ) || status=1
done
exit $status
