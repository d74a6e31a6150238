#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --trace of rccebench on machines with coherent caches and on clusters: does a timeline say what the run's
# table and its options say, is each of its tracks in order, are the bytes the same twice?
set -eu
. "$SOURCE/tests/support/checks.sh"
rm -f ./*.json ./*.csv ./*.txt ./*.out
python=$(command -v python3) || { echo 'skipped: there is no Python'; exit 77; }

# traced NAME WORDS...: the table is that of the run without it; the second timeline is the first.
traced() {
  name=$1
  shift
  "$BIN/rccebench" "$@" --format csv >"$name.csv" || fail "$*: $(cat "$name.csv")"
  "$BIN/rccebench" "$@" >without.txt
  for file in "$name.json" again.json; do
    "$BIN/rccebench" "$@" --force --trace "$file" >with.txt || fail "$* --trace: $(cat with.txt)"
    cmp without.txt with.txt || fail "$*: recording changes a time"
  done
  cmp "$name.json" again.json || fail "$*: two timelines of one run differ"
}
traced bcast bcast --machine opteron-6172 --cores 15 --sizes 4096 --algorithms binomial --repetitions 3
traced late barrier --machine xeon-phi-5110p --cores 62 --algorithms central_sense --spread uniform:5
traced crowd barrier --machine opteron-6172 --cores 20 --algorithms central_sense
traced sum reduce --machine xeon-phi-5110p --cores 12 --sizes 800 --algorithms linear
traced cards reduce --machine alc --nodes 17 --algorithms f_nomial --degree 3
traced noise reduce --machine cluster --nodes 64 --algorithms f_nomial --noise on --repetitions 5
traced all allreduce --machine alc --nodes 12 --algorithms f_nomial
traced hosts reduce --machine alc --nodes 9 --sizes 65536 --algorithms binomial
"$python" - <<'END_PYTHON' || fail "what timelines say"
import collections, csv, json, re

def ps(text):
    return int(text.replace(".", ""))

class Timeline:
    def __init__(self, name):
        document = json.load(open(f"{name}.json"), parse_float=str)
        assert document["otherData"] == {"schema": 1, "time": "simulated"}, document["otherData"]
        self.names, self.process, self.slices, self.sent, self.arrows, self.counters = {}, {}, [], {}, [], {}
        open_slices, last = collections.defaultdict(list), collections.defaultdict(int)
        for event in document["traceEvents"]:
            phase, tid = event["ph"], event["tid"]
            if phase == "M":
                (self.names if event["name"] == "thread_name" else self.process)[
                    tid if event["name"] == "thread_name" else event["pid"]] = event["args"]["name"]
                continue
            at = ps(event["ts"])
            assert event["pid"] in self.process, event
            if phase in "BE":
                assert at >= last[tid], f"{name}: time runs backwards: {event}"
                last[tid] = at
            if phase == "B":
                open_slices[tid].append({"track": self.names[tid], "category": event["cat"], "begin": at,
                    "name": event["name"], "args": event.get("args", {}), "depth": len(open_slices[tid])})
            elif phase == "E":
                one = open_slices[tid].pop()
                one["end"] = at
                one["args"].update(event.get("args", {}))
                assert "unfinished" not in one["args"], one
                self.slices.append(one)
            elif phase == "s":
                self.sent[event["id"]] = (self.names[tid], at, event["args"]["bytes"])
            elif phase == "f":
                sender, begin, size = self.sent.pop(event["id"])
                assert begin < at, event
                self.arrows.append((sender, self.names[tid], begin, at, size))
            elif phase == "C":
                share = float(event["args"]["%"])
                assert 0 <= share <= 100, event
                self.counters[event["name"]] = max(self.counters.get(event["name"], 0), share)
        assert not any(open_slices.values()) and not self.sent, name
        self.end = max(one["end"] for one in self.slices)

    def of(self, **wanted):
        return [one for one in self.slices if all(one[key] == value for key, value in wanted.items())]

def row(name):
    rows = csv.DictReader(line for line in open(f"{name}.csv") if not line.startswith("#"))
    return next(iter(rows))

def takes(name, timeline):
    """The timeline is as long as the table says, to its last decimal."""
    assert abs(float(row(name)["simulated_us_max"]) - timeline.end / 1e6) < 0.0006, (name, timeline.end)

# Shared memory: the operation once on every thread, and within it all that the thread does.
for name, threads, operation in (("bcast", 15, "bcast/binomial"), ("late", 62, "barrier/central_sense"),
                                 ("sum", 12, "reduce/linear")):
    timeline = Timeline(name)
    if name != "late": # whose table has means from the last arrival on
        takes(name, timeline)
    assert len(timeline.names) == threads and timeline.names[3] == "thread 3 (core 03)"
    whole = timeline.of(name=operation)
    assert sorted(one["track"] for one in whole) == sorted(timeline.names.values()) and all(
        one["depth"] == 0 for one in whole)
    assert all(one["depth"] > 0 for one in timeline.slices if one["name"] != operation)
    waits = timeline.of(name="wait for flag")
    assert waits, name
    for one in timeline.of(name="wait for line"):
        assert one["args"]["ended_by"] == "turn" and one["depth"] > 1, one
    writes = collections.defaultdict(list)
    for one in timeline.slices:
        if one["name"] in ("store", "fetch_add", "exchange", "compare_exchange", "copy", "combine"):
            writes[one["track"]].append(one)
    for one in waits: # who has ended it had begun to write before that could be seen
        seen = ps(one["args"]["visible_us"])
        assert one["args"]["ended_by"] in ("store", "copy") and one["args"]["of"] != one["track"], one
        assert one["begin"] < seen <= one["end"], one
        assert any(write["begin"] < seen for write in writes[one["args"]["of"]]), one
        assert one["args"]["at"] == "shared memory", one
bcast = Timeline("bcast")
assert bcast.process == {0: "node 0", 1: "node 1", 2: "node 2"}, bcast.process
assert sum(one["args"]["bytes"] for one in bcast.of(name="copy")) == 14 * 4096
late = Timeline("late")
assert late.names[61] == "thread 61 (core 01, sibling 1)", late.names[61]
# All enter a barrier at once: they come to its counter one after the other, and the last waits for all.
queue = sorted(one["end"] - one["begin"] for one in Timeline("crowd").of(name="wait for line"))
assert len(queue) >= 19 and queue[-1] > 10 * queue[0] > 0, queue
assert len({one["begin"] for one in late.of(name="barrier/central_sense")}) > 10, "all arrive at once"

# Clusters: a track for each card and each host; every message once, from what sends it to what takes it.
for name, nodes, on_cards, size in (("cards", 17, True, 8), ("noise", 64, True, 8), ("all", 12, True, 8),
                                    ("hosts", 9, False, 65536)):
    timeline = Timeline(name)
    tracks = [f"{kind} {node}" for kind in (["card", "host"] if on_cards else ["host"])
              for node in range(nodes)]
    assert sorted(timeline.names.values()) == sorted(tracks) and len(timeline.process) == nodes + 1
    runs = "card" if on_cards else "host"
    assert sorted(one["track"] for one in timeline.of(name="reduction")) == sorted(
        f"{runs} {node}" for node in range(nodes))
    sends, combines = timeline.of(name="send"), timeline.of(name="combine")
    assert len(timeline.arrows) == len(sends) == len(combines) == nodes - 1
    for sender, receiver, begin, end, bytes_ in timeline.arrows:
        assert bytes_ == size
        assert any(one["track"] == sender and one["args"]["peer"] == receiver and one["begin"] == begin
                   for one in sends), (name, sender)
        assert any(one["track"] == receiver and one["args"]["peer"] == sender and one["end"] == end + 2000
                   for one in combines), (name, receiver)
    waits = timeline.of(category="wait")
    assert waits and all(one["args"]["ended_by"] == "message" and one["args"]["from"] == one["args"]["of"]
                         for one in waits)
    assert any(re.fullmatch(r"up-link 0\.\d+", link) for link in timeline.counters)
    assert any(re.fullmatch(r"down-link 0\.\d+", link) for link in timeline.counters)
    assert len(timeline.of(name="barrier")) == nodes
    if on_cards:
        assert len(timeline.of(name="start")) == nodes and len(timeline.of(name="wait for card")) == 1
        assert {one["track"] for one in timeline.of(name="wake")} == {one["track"] for one in combines}
    if name != "noise":
        takes(name, timeline)
assert len(Timeline("all").of(name="broadcast")) == 12
END_PYTHON

# Noise is that of the first repetition: daemons keep hosts from the barrier.
printf 'period\t40000\n1000\t20000\n' >daemons.txt
for noise in off daemons.txt; do
  "$BIN/rccebench" reduce --machine alc --nodes 64 --algorithms f_nomial --noise $noise --processes 2 \
    --force --trace "$noise.json" >out
done
latest() { # latest FILE: us at which the last host leaves the barrier
  awk '/"name":"barrier"/ { open = 1; next } open { match($0, /"ts":[0-9.]+/);
    at = substr($0, RSTART + 5, RLENGTH - 5) + 0; if (at > most) most = at; open = 0 }
    END { print most }' "$1"
}
awk -v quiet="$(latest off.json)" -v noisy="$(latest daemons.txt.json)" \
  'BEGIN { exit !(quiet > 0 && noisy > quiet + 5) }' || fail "no daemons: $(latest daemons.txt.json)"
