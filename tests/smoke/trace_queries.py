# SPDX-License-Identifier: Apache-2.0
"""Questions to timelines in SQL: what Perfetto's trace processor makes of them has to be what the runs say of
themselves.

trace_queries.py ENGINE NAME... in the folder with NAME.json, the timelines, and beside them what the same
runs have counted: NAME.matrix.csv, and NAME.statistics.csv where the engine has statistics. ENGINE is
trace_processor.js's. """

import csv
import json
import pathlib
import re
import subprocess
import sys

THREADS = "thread_track on slice.track_id = thread_track.id join thread using (utid)"
PLACES = "join thread_track {0}_track on {0}.track_id = {0}_track.id " \
         "join thread {0}_thread on {0}_track.utid = {0}_thread.utid"
QUERIES = {
    "problems": "select name, value from stats where severity != 'info' and value > 0",
    "threads": "select thread.name, process.name from thread join process using (upid) where thread.name is "
    "not null",
    "slices": "select thread.name, slice.category, slice.name, count(*), sum(dur), min(dur), max(slice.depth)"
    f" from slice join {THREADS} group by 1, 2, 3",
    "end": "select max(ts + dur) from slice",
    "unfinished": "select count(*) from slice where dur < 0",
    "marked unfinished": "select count(*) from slice where extract_arg(arg_set_id, 'args.unfinished')",
    "outside what holds it": "select child.name, parent.name, child.ts from slice child join slice parent "
    "on child.parent_id = parent.id"
    " where child.ts < parent.ts or child.ts + child.dur > parent.ts + parent.dur or child.depth != "
    "parent.depth + 1",
    "nested": "select distinct parent.category, child.category from slice child left join slice parent on "
              "child.parent_id = parent.id",
    "arrows": "select sender_thread.name, receiver_thread.name, count(*), "
              "sum(extract_arg(receiver.arg_set_id, 'args.bytes'))"
    " from flow join slice sender on flow.slice_out = sender.id join slice receiver on flow.slice_in = "
    "receiver.id "
    + " ".join(PLACES.format(side) for side in ("sender", "receiver"))
    + " group by 1, 2",
    "ends of arrows": "select distinct sender.category, receiver.category, call.category from flow join "
    "slice sender"
    " on flow.slice_out = sender.id join slice receiver on flow.slice_in = receiver.id left join slice call "
    "on receiver.parent_id = call.id",
    "counters": "select name, min(value), max(value), sum(value * (until - ts)) from (select "
    "counter_track.name as name, ts, value,"
    " lead(ts, 1, (select max(ts + dur) from slice)) over (partition by track_id order by ts) as until"
    " from counter join counter_track on counter.track_id = counter_track.id) group by 1",
    "process of counters": "select distinct process.name from process_counter_track "
    "join process using (upid)",
}


def rows_of(path):
    """Name and labels of a list's entries, to their values."""
    with open(path, encoding="utf-8", newline="") as file:
        # rccebench labels what it lists with the run as well.
        return {
            (row["statistic"], re.sub(r"^run=\S+ ?", "", row["labels"])): float(row["value"])
            for row in csv.DictReader(file)
        }


def same(what, asked, told, slack=0.0):
    """Two mappings with the same keys and values that differ by `slack`, or `slack(key)`, at most."""
    assert sorted(asked) == sorted(told), f"{what}: {sorted(asked)}, but the run says {sorted(told)}"
    for key, value in asked.items():
        most = slack(key) if callable(slack) else slack
        assert abs(value - told[key]) <= most, f"{what} of {key}: {value}, but the run says {told[key]}"


def check_messages(answers, matrix):
    rank = {thread: re.fullmatch(r"rank (\d+) \(core \d+\)", thread)[1] for thread, _ in answers["threads"]}
    pairs = {f"sender={rank[one]} receiver={rank[other]}": (count, total) for one, other, count,
        total in answers["arrows"]}
    for index, statistic in enumerate(("pair.messages", "pair.bytes")):
        told = {labels: value for (name, labels), value in matrix.items() if name == statistic}
        same(statistic, {pair: values[index] for pair, values in pairs.items()}, told)
    # From the sender's call, or what it does there, to a mark in the call that has received.
    for sender, mark, call in answers["ends of arrows"]:
        assert sender in ("call", "copy", "wait") and mark == "message" and call in ("call", "copy"), (sender,
            mark, call)


def check_times(answers, statistics):
    """Perfetto's times are whole nanoseconds: each slice may be off by one."""
    calls, times, counts, cores = {}, {}, {}, {}
    for thread, category, name, count, total, _, _ in answers["slices"]:
        if category == "call":
            calls[name] = calls.get(name, 0) + count
            times[name] = times.get(name, 0) + total / 1000
        else:
            key = (category, int(re.search(r"core (\d+)", thread)[1]))
            cores[key] = cores.get(key, 0) + total / 1000
            counts[key] = counts.get(key, 0) + count
    by_function = {name: {} for name in ("call.time", "call.count")}
    for (name, labels), value in statistics.items():
        if name in by_function:
            by_function[name][labels.removeprefix("function=")] = value
    same("calls", calls, by_function["call.count"])
    same("time in calls", times, by_function["call.time"], lambda name: calls[name] / 1000)
    for category, statistic in (("wait", "core.waiting"), ("copy", "core.copying")):
        told = {(category, int(labels.removeprefix("core="))): value for (name, labels),
            value in statistics.items() if name == statistic}
        asked = {key: cores.get(key, 0.0) for key in told}
        same(statistic, asked, told, lambda key: counts.get(key, 0) / 1000)
    end = answers["end"][0][0] / 1000
    assert abs(end - statistics["run.simulated_time", ""]) <= 0.001, end


def check_load(answers, statistics):
    """A counter's mean is the share of the run that its resource was busy; each of its values is cut to
    tenths of a percent."""
    shares = {}
    for (name, labels), value in statistics.items():
        if name in ("link.share", "mpb_port.share", "controller.share") and value > 0.1:
            shares[labels.partition("=")[2]] = value
    end = answers["end"][0][0]
    means = {name.removesuffix(" %"): total / end for name, _, _, total in answers["counters"]}
    assert any(name.startswith("link(") for name in shares), sorted(shares)
    same("load", {name: value for name, value in means.items() if name in shares}, shares, 0.11)
    assert all(0 <= least and most <= 100 for _, least, most, _ in answers["counters"]), answers["counters"]
    assert answers["process of counters"] == [["load"]], answers["process of counters"]


def check(name, answers):
    for about in ("problems", "outside what holds it"):
        assert answers[about] == [], f"{about}: {answers[about][:5]}"
    assert answers["unfinished"] == [[0]], answers["unfinished"]
    assert (answers["marked unfinished"] == [[0]]) == (name != "deadlock"), answers["marked unfinished"]
    # A process per tile: cores of a tile are two, or what the machine has.
    cores = 1 if name == "mesh" else 2
    for thread, process in answers["threads"]:
        core = int(re.fullmatch(r"rank \d+ \(core (\d+)\)", thread)[1])
        columns = 3 if name == "mesh" else 6
        tile = core // cores
        assert process == f"tile ({tile % columns},{tile // columns})", (thread, process)
    assert [inner for outer, inner in answers["nested"] if outer is None] == ["call"], answers["nested"]
    if name != "deadlock":
        check_messages(answers, rows_of(f"{name}.matrix.csv"))
    if not pathlib.Path(f"{name}.statistics.csv").exists():
        return
    assert ["call", "wait"] in answers["nested"], answers["nested"]
    statistics = rows_of(f"{name}.statistics.csv")
    check_times(answers, statistics)
    if name == "off":
        assert answers["counters"] == [], answers["counters"]
    else:
        check_load(answers, statistics)


def main():
    engine, names = sys.argv[1], sys.argv[2:]
    script = pathlib.Path(__file__).with_name("trace_processor.js")
    done = subprocess.run(
        ["node", script, engine, *(f"{name}.json" for name in names)], input=json.dumps(QUERIES),
        capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    for name in names:
        one = answers[f"{name}.json"]
        print(f"{name}: {len(one['threads'])} threads, {sum(row[3] for row in one['slices'])} slices,"
              f" {sum(row[2] for row in one['arrows'])} arrows, {len(one['counters'])} counters")
        try:
            check(name, one)
        except AssertionError as error:
            sys.exit(f"{name}: {error}")


main()
