# SPDX-License-Identifier: Apache-2.0
# For scripts that run rccebench and other commands, and say what they expect of them.
bench=$BIN/rccebench

# fail WORDS...: ends the test with these words
fail() {
  echo "$*"
  exit 1
}

# ends STATUS PATTERN COMMAND...: with this status, and the pattern on standard error. The files out and err
# hold what the command prints.
ends() {
  ends_status=$1 ends_pattern=$2 status=0
  shift 2
  "$@" >out 2>err || status=$?
  [ "$status" -eq "$ends_status" ] || fail "$*: status $status instead of $ends_status: $(cat out err)"
  grep -q -e "$ends_pattern" err || fail "$*: the message lacks '$ends_pattern': $(cat err)"
}

# refused PATTERN WORD...: rccebench refuses these words in one line with the pattern
refused() {
  refused_pattern=$1
  shift
  ends 2 "$refused_pattern" "$bench" "$@"
  [ "$(wc -l <err)" -eq 1 ] || fail "$*: more than a line: $(cat err)"
}
