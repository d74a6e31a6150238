#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# external: a program in libexec/rockcreek is a command: executed with its words, explained, completed,
# checked; one that says nothing of itself is told about, and breaks no other command.
set -eu
. "$SOURCE/tests/support/checks.sh"
# A tree of our own, for the program to be put into.
rm -rf tree
mkdir -p tree/bin tree/libexec/rockcreek
cp "$BIN/rccebench" tree/bin/rccebench
ln -s rccebench tree/bin/rcceinfo
ln -s "$BIN/../lib" tree/lib
ln -s "$BIN/../share" tree/share
for program in "$BIN"/../libexec/rockcreek/*; do
  case $program in */rccebench-*) ;; *) ln -s "$program" tree/libexec/rockcreek/ ;; esac
done
bench=$PWD/tree/bin/rccebench
put() {
  cat >tree/libexec/rockcreek/rccebench-hello
  chmod +x tree/libexec/rockcreek/rccebench-hello
}
refused "there is no command 'hello'" hello
put <<'END'
#!/bin/sh
if [ "$*" = --describe ]; then
  echo '{"help": "says hello", "options": [{"names": "whom", "repeated": true, "help": "to whom"},'
  echo '{"names": "-t,--times", "value": "INT", "help": "how often"},'
  echo '{"names": "--loud", "help": "in large letters"}]}'
  exit
fi
for word in "$@"; do echo "<$word>"; done
exit 7
END
status=0
"$bench" hello -t 3 --loud "the world" you >out || status=$?
[ $status -eq 7 ] || fail "hello: status $status instead of its own, 7"
printf '<the world>\n<you>\n<--times=3>\n<--loud>\n' >wanted
sort wanted >sorted
sort out | cmp -s - sorted || fail "hello: other words: $(cat out)"
"$bench" --help | grep -q '^  hello  *says hello' || fail "hello is not in --help"
"$bench" hello --help | grep -q 'how often' || fail "hello --help does not say what --times is"
refused "did you mean 'hello'" helo
refused "no option '--tims'; did you mean '--times'" hello --tims 3
tree/bin/rcceinfo --completion bash | grep -q -e '--loud' || fail "hello is not completed"
tree/bin/rcceinfo options | grep -q -e '--loud' || fail "rcceinfo does not explain the options of hello"

put <<'END'
#!/bin/sh
echo nonsense
END
refused "rccebench-hello' --describe is no JSON" hello
"$bench" --help | grep -q 'is no JSON' || fail "a program without a description breaks --help"
put <<'END'
#!/bin/sh
echo '{"help": "says hello", "options": [{"value": "INT"}]}'
END
refused 'gives no object with "help" and "options"' hello
put <<'END'
#!/bin/sh
exit 1
END
refused "rccebench-hello' --describe has failed" hello
# A command of ours goes first.
cp tree/libexec/rockcreek/rccebench-hello tree/libexec/rockcreek/rccebench-points
"$bench" points --help | grep -q 'points of a JSON file' || fail "a program stands in the place of points"
