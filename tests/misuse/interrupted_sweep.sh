# SPDX-License-Identifier: Apache-2.0
# Ctrl-C during a sweep: what was done by then is written, marked in every format, and no row that is not
# finished has a winner.
. "$SOURCE/tests/support/processes.sh"
. "$SOURCE/tests/support/checks.sh"
# interrupted FORMAT COMMAND...: into `result`, with some rows and not all of them. Where Ctrl-C comes behind
# the last measurement the status says so, and the result is whole and unmarked: another try.
interrupted() {
  format=$1
  shift
  for seconds in 0.3 0.1 0.03 1 3 9; do
    env --default-signal=INT "$bench" "$@" --format "$format" >result 2>err &
    running=$!
    handles $running INT
    sleep $seconds
    kill -INT $running 2>/dev/null
    status=0
    wait $running || status=$?
    [ $status = 130 ] && grep -Eq '^# interrupted: |"interrupted": true' result && return
  done
  fail "$*: never interrupted in time: status $status, $(cat err)"
}
sweep='compare --algorithms linear,cube,binomial --cores 48 --sizes 32-4096:x2,1000000,1900000 --jobs 1'
# shellcheck disable=SC2086  # words
{
  interrupted csv $sweep
  grep -Eq '^# interrupted: ([0-9]+ of 30 points|rows are missing)' result ||
    fail "CSV: no mark: $(head -20 result)"
  interrupted json $sweep
  grep -q '"interrupted": true' result || fail "JSON: no mark"
  interrupted table $sweep
  grep -Eq '^# interrupted: ([0-9]+ of 30 points|rows are missing)' result ||
    fail "table: no mark: $(cat result)"
}
# The longest come first: of sizes where one algorithm is missing, nobody has won.
awk -v wanted=3 '
  /^# *Cores/ { table++ }
  table == 1 && $1 == 48 { times = 0; for (i = 3; i < 3 + wanted; ++i) if ($i ~ /^[0-9.]+\*?$/) times++
    stars = gsub(/\*/, "*"); if ((stars > 0) != (times == wanted)) {
    print "a winner of " times " algorithms: " $0; bad = 1 } }
  END { exit bad }' result || fail "$(cat result)"
interrupted table search bcast --cores 12 --bytes 8192 --tries 1000000 --jobs 1
grep -Eq '^# interrupted: the best of [0-9]+ tries$' result || fail "search: no mark: $(cat result)"

# A signal by which batch systems end programs is no fault of an algorithm that is tried meanwhile.
for seconds in 0 0.02 0.1 0.3; do
  "$bench" bcast --algorithms cube,dopl,linear --cores 48 --sizes 32-4096:x2,1000000,1900000 --jobs 1 \
    >result 2>err &
  running=$!
  handles $running USR1
  sleep $seconds
  kill -USR1 $running 2>/dev/null
  status=0
  wait $running || status=$?
  case $status in 0 | 138) ;; *) fail "USR1: status $status: $(cat result err)" ;; esac
  ! grep -q wrong result || fail "USR1: $(cat result)"
done
