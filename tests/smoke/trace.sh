#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --trace: is it JSON whatever ends the run, do slices nest, lie times inside the run, have arrows both ends;
# does nothing change by it?
set -eu
. "$SOURCE/tests/support/checks.sh"
program=$PROGRAMS/ring_shift
rm -f ./*.json ./*.csv ./*.out

# valid FILE: a JSON parser takes it, and finds as many events as there are lines for them.
valid() {
  cat >count.cmake <<'END'
file(READ ${FILE} text)
string(JSON count LENGTH "${text}" traceEvents)
message("${count}")
END
  events=$(cmake -DFILE="$PWD/$1" -P count.cmake 2>&1) || fail "$1 is no JSON: $events"
  [ "$events" = "$(grep -c '"ph":' "$1")" ] || fail "$1: $events events"
}

# check FILE END UES ARROWS: END is the run's in us; '-' for any number or time.
check() {
  valid "$1"
  awk -v end="$2" -v ues="$3" -v wanted="$4" '
    function field(name) {
      if (!match($0, "\"" name "\":[^,}]*")) return ""
      return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
    }
    function wrong(what) { print what ": " $0; bad = 1; exit }
    /"ph":"M"/ { if ($0 ~ /thread_name/) ++threads; else process[field("pid")] = 1; next }
    !/"ph":/ { next }
    {
      tid = field("tid"); ts = field("ts"); phase = field("ph")
      if (ts !~ /^[0-9]+\.[0-9][0-9][0-9][0-9][0-9][0-9]$/ || (end != "-" && ts + 0 > end + 0)) wrong("time")
      if (!(field("pid") in process)) wrong("no such process")
    }
    phase == "\"B\"" || phase == "\"E\"" {
      if (ts + 0 < last[tid] + 0) wrong("out of order")
      last[tid] = ts
    }
    phase == "\"B\"" { ++open[tid]; ++slices[field("cat")] }
    phase == "\"E\"" { if (--open[tid] < 0) wrong("ends twice") }
    phase == "\"s\"" { sent[field("id")] = ts; ++arrows }
    phase == "\"f\"" { id = field("id"); if (!(id in sent) || ts + 0 <= sent[id] + 0) wrong("arrow");
    delete sent[id] }
    END {
      if (bad) exit 1
      for (tid in open) if (open[tid] != 0) { print "open on core " tid; exit 1 }
      for (id in sent) { print "arrow " id " has one end"; exit 1 }
      if (threads != ues || (wanted != "-" && arrows != wanted)) {
      print threads " threads, " arrows " arrows"; exit 1 }
      if (slices["\"call\""] == 0) { print "no calls"; exit 1 }
    }' "$1" || fail "in $1"
}

# What is true of a run; nobody's time or digest moves; the same bytes twice.
"$BIN/rccerun" -nue 5 --digest "$program" 3 1001 >plain.out 2>plain.err.out
"$BIN/rccerun" -nue 5 --digest --statistics=all.csv --trace ring.json "$program" 3 1001 >traced.out \
  2>traced.err.out
cmp plain.out traced.out && cmp plain.err.out traced.err.out
check ring.json "$(sed -n 's/^run.simulated_time,,us,//p' all.csv)" 5 15
"$BIN/rccerun" -nue 5 --trace again.json "$program" 3 1001 >/dev/null
cmp ring.json again.json
# Copies are of whole lines of 32 bytes, 15 times 250; the rest of 8 bytes is a single store.
[ "$(awk -F'"bytes":' '/"name":"put"/ { bytes += $2 } END { print bytes }' ring.json)" = 120000 ] ||
  fail "bytes of the copies"

# One UE; messages that are not blocking and to all; an odd number of cores on a machine of another shape.
"$BIN/rccerun" -nue 1 --trace one.json "$PROGRAMS/baton" >/dev/null
check one.json - 1 -
"$BIN/rccerun" -nue 7 --trace ircce.json "$PROGRAMS/ircce_guess" >/dev/null
check ircce.json - 7 -
"$BIN/rccerun" -nue 15 --set mesh.columns=3 --set mesh.rows=5 --set mesh.cores_per_tile=1 --trace mesh.json \
  "$program" 1 33 >/dev/null
check mesh.json - 15 15

# The other engine has calls and messages, in the host's time.
"$BIN/rccerun" -nue 5 --engine threads --trace threads.json "$program" 3 1001 >/dev/null
check threads.json - 5 15

# Runs that end early: what is open is ended.
status=0
"$BIN/rccerun" -nue 3 --trace deadlock.json "$PROGRAMS/wrong" both-send >/dev/null 2>&1 || status=$?
[ $status = 121 ] || fail "no deadlock: $status"
check deadlock.json - 3 -
status=0
"$BIN/rccerun" -nue 2 --timeout 0.1 --trace timeout.json "$program" 100000000 1 >/dev/null 2>&1 || status=$?
[ $status = 124 ] || fail "no time limit: $status"
check timeout.json - 2 -
# ended SIGNAL FILE: a run is ended by it once it has written for a while.
ended() {
  "$BIN/rccerun" -nue 2 --trace "$2" "$program" 100000000 1 >/dev/null 2>&1 &
  while [ ! -s "$2" ] || [ "$(wc -c <"$2")" -lt 300000 ]; do kill -0 $! || fail "the run has ended"; done
  kill -s "$1" $!
  wait $! 2>/dev/null || true
}
ended TERM term.json
check term.json - 2 -
# A kill may fall into a write, which few do.
for _ in 1 2 3 4 5; do
  rm -f kill.json
  ended KILL kill.json
  tail -c 5 kill.json | grep -q '^]}' && break
done
valid kill.json

# To standard output; what exists is overwritten by --force.
"$BIN/rccerun" -nue 5 --trace - "$program" 3 1001 >output.json 2>rest.out
cmp ring.json output.json || fail "standard output differs from a file"
grep -q '^rank 4: sum' rest.out || fail "the program's output is lost: $(cat rest.out)"
"$BIN/rccerun" -nue 2 --trace again.json --force "$program" 1 1 >/dev/null
check again.json - 2 2

# With --why the critical path is a track: from core to core, as often as is told, and no gap until the end.
"$BIN/rccebench" bcast --cores 12 --sizes 8192 --algorithms binomial --trace path.json \
  --why=path.txt --force >out
python3 - path.json path.txt <<'END' || fail "the critical path's track: $(cat path.txt)"
import json, re, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
path = [event for event in events if event.get("cat") == "path"]
told = open(sys.argv[2]).read()
assert len(path) == int(re.search(r"(\d+) times\)", told)[1]) + 1
for a, b in zip(path, path[1:]):
    assert abs(a["ts"] + a["dur"] - b["ts"]) < 1e-6 and a["name"] != b["name"]
end = float(re.search(r"takes ([\d.]+) us", told)[1])
assert path[0]["ts"] == 0 and abs(path[-1]["ts"] + path[-1]["dur"] - end) < 0.001
assert path[-1]["name"] == re.search(r"until (.*?) is done", told)[1]
names = {event["args"]["name"] for event in events if event["ph"] == "M" and event["name"] == "process_name"}
assert "critical path" in names
END
