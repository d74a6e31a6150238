#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The README tells the truth: its programs are typed in, its commands run, and what they print is compared
# with what it says. The same for any other page: sh readme.sh [--accept] PAGE.
#
#   ```c                  a program; its first line is a comment with its file name: /* ring.c */
# ```console            commands behind "$ ", each followed by what it prints (standard output and error
# together)
#
# A line "..." stands for any number of lines: those before it are compared with the first lines of the
# output, those behind it with the last. Commands that set up or test ("$ sh ...") are not run here, since
# this runs inside them.
# The longest vector of a table, 1,900,000 bytes, is left out unless WHOLE=1 is in the environment.
# --accept writes the present output into the page. BIN is the folder of the commands, WORK an empty folder.
set -eu
. "$(dirname "$0")/../support/first_difference.sh"
unset ROCKCREEK_COMPUTE # pages show what users get
accept=
if [ "$1" = --accept ]; then accept=yes; shift; fi
[ -z "${ACCEPT-}" ] || accept=yes
page=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "${WORK:?}"
rm -rf ./* # what an earlier run has left
PATH=$BIN:$PATH
mkdir -p build
ln -sfn "$BIN" build/bin

# one file per program, block and command: block.N.M.command, block.N.M.expected
awk '
  /^```c$/ { program = 1; next }
  /^```console$/ { block++; command = 0; console = 1; next }
  /^```/ { if (name) close(name); program = console = 0; name = ""; next }
  program == 1 { name = $2; program = 2; printf "" > name }
  program == 2 { print > name }
  console && /^\$ / {
    if (out) close(out)
    command++
    out = sprintf("block.%02d.%02d.expected", block, command)
    printf "" > out
    line = sprintf("block.%02d.%02d.command", block, command)
    print substr($0, 3) > line
    close(line)
    next
  }
  console { print > out }
' "$page"

# Prints lines of FILE as far as the shape of EXPECTED asks: as many before and behind "..." as stand there.
shaped() { # shaped EXPECTED OUTPUT
  before=$(grep -nx -m1 '\.\.\.' "$1" | cut -d: -f1)
  if [ -z "$before" ]; then
    cat "$2"
    return
  fi
  head -n "$((before - 1))" "$2"
  echo ...
  tail -n "$(($(wc -l <"$1") - before))" "$2"
}

# A table without its longest vector, whose columns are narrower.
narrow() { # narrow FILE
  sed '/^ *[0-9]* *1900000 /d; s/^# [0-9]* points/# points/; s/  */ /g' "$1" >narrow
  mv narrow "$1"
}

failed=0
for command in block.*.command; do
  one=${command%.command}
  case $(cat "$command") in
    'sh '*) cp "$one.expected" "$one.shaped"; continue ;;
  esac
  fewer=
  if [ -z "$accept${WHOLE-}" ] && grep -q ',1900000 ' "$command"; then
    fewer=yes
    sed 's/,1900000 / /' "$command" >few
    mv few "$command"
  fi
  # the pages show a release build, whichever is tested
  sh "$command" 2>&1 </dev/null | sed 's/\((model revision [0-9]*\), [A-Za-z]* build)/\1, Release build)/' \
    >"$one.output"
  [ -z "$fewer" ] || narrow "$one.expected"
  shaped "$one.expected" "$one.output" >"$one.shaped"
  [ -z "$fewer" ] || narrow "$one.shaped"
  [ -n "$accept" ] ||
    first_difference "$one.expected" "$one.shaped" \
    "cd $PWD && PATH=$BIN:\$PATH sh $command, which is $(cat "$command")" || failed=1
done

if [ -n "$accept" ]; then
  awk '
    /^```console$/ { block++; command = 0; console = 1; print; next }
    /^```/ { console = 0 }
    console && /^\$ / {
      print
      file = sprintf("block.%02d.%02d.shaped", block, ++command)
      while ((getline line < file) > 0) print line
      next
    }
    !console { print }
  ' "$page" >accepted
  cat accepted >"$page"
fi
exit $failed
