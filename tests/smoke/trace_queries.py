# SPDX-License-Identifier: Apache-2.0
"""Questions to a timeline as SQL: what Perfetto's trace processor makes of it has to be what the file says.

trace_queries.py TRACE UES MESSAGES. The file's events are put into tables of the trace processor's names by the rules of the Trace
Event Format, and asked; the trace processor itself is asked the same where it is installed (trace_processor_shell in PATH, or named
by TRACE_PROCESSOR). Debian 12 has no
package, PyPI's perfetto brings a script that fetches it from Google's servers when it runs, npm has none by its name. Where it is not there that
is said, with status 77.
"""

import csv
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

SLICES = "slice join thread_track on slice.track_id = thread_track.id join thread using (utid)"
QUERIES = {
    "slices": "select count(*) from slice",
    "unfinished": "select count(*) from slice where dur < 0",
    "threads": "select count(*) from thread where name like 'rank %'",
    "by thread": f"select thread.name, count(*), max(depth), sum(dur) from {SLICES} group by 1 order by 1",
    "by name": f"select slice.name, count(*), sum(dur) from {SLICES} group by 1 order by 1",
    "tiles": "select distinct process.name from process where name like 'tile %' order by 1",
    "arrows": "select count(*) from flow",
    "arrows in calls": "select count(*) from flow join slice o on flow.slice_out = o.id join slice i on flow.slice_in = i.id"
    " where o.category in ('call', 'copy', 'wait') and i.category in ('call', 'copy', 'wait')",
    "counters": "select name, count(*) from counter join counter_track on counter.track_id = counter_track.id group by 1 order by 1",
    "most": "select count(*) from counter where value < 0 or value > 100.05",
}


def nanoseconds(text):
    whole, _, part = str(text).partition(".")
    return int(whole) * 1000 + int((part + "000")[:3])


def tables(path):
    """An SQLite database with what the trace processor would have."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file, parse_float=str)["traceEvents"]
    base = sqlite3.connect(":memory:")
    base.executescript(
        """
        create table process(upid integer primary key, name text);
        create table thread(utid integer primary key, upid, name text);
        create table thread_track(id integer primary key, utid);
        create table slice(id integer primary key, ts, dur, track_id, category, name, depth);
        create table flow(slice_out, slice_in);
        create table counter_track(id integer primary key, name text);
        create table counter(ts, track_id, value);
        """
    )
    tracks, slices, flows = {}, [], {}
    open_slices, times = {}, {}
    for event in events:
        phase, where = event["ph"], (event["pid"], event["tid"])
        if phase == "M":
            if event["name"] == "process_name":
                base.execute("insert into process values (?, ?)", (event["pid"], event["args"]["name"]))
            else:
                base.execute("insert into thread values (?, ?, ?)", (event["tid"], event["pid"], event["args"]["name"]))
                base.execute("insert into thread_track values (?, ?)", (event["tid"], event["tid"]))
            continue
        at = nanoseconds(event["ts"])
        if phase == "B":
            stack = open_slices.setdefault(where, [])
            slices.append([at, -1, event["tid"], event["cat"], event["name"], len(stack)])
            stack.append(len(slices) - 1)
        elif phase == "E":
            one = slices[open_slices[where].pop()]
            one[1] = at - one[0]
            assert one[1] >= 0, f"ends before it begins: {event}"
        elif phase in "sf":
            flows.setdefault(event["id"], {})[phase] = (where, at)
        elif phase == "C":
            (series, value), = event["args"].items()
            name = f"{event['name']} {series}"
            assert at >= times.get(name, -1), f"back in time: {event}"
            times[name] = at
            track = tracks.setdefault(name, len(tracks))
            base.execute("insert into counter values (?, ?, ?)", (at, track, float(value)))
        else:
            raise AssertionError(f"unknown phase: {event}")
    assert not any(open_slices.values()), "open slices at the end"
    base.executemany("insert into slice values (?, ?, ?, ?, ?, ?, ?)", [(i, *one) for i, one in enumerate(slices)])
    base.executemany("insert into counter_track values (?, ?)", [(track, name) for name, track in tracks.items()])

    def around(place, end):
        """The innermost slice of that thread at that time: one that ends then (bp: e) or holds it."""
        (_, tid), at = place
        found = [i for i, one in enumerate(slices) if one[2] == tid and one[0] <= at <= one[0] + one[1]]
        return max(found, key=lambda i: (slices[i][5], -slices[i][0] if end else slices[i][0]), default=None)

    for ends in flows.values():
        assert len(ends) == 2, f"one end only: {ends}"
        assert ends["s"][1] <= ends["f"][1], f"arrives before it is sent: {ends}"
        base.execute("insert into flow values (?, ?)", (around(ends["s"], False), around(ends["f"], True)))
    return base


def asked(shell, trace, query):
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(query + ";\n")
        file.flush()
        done = subprocess.run([shell, "-q", file.name, trace], check=True, capture_output=True, text=True)
    return [tuple(row) for row in csv.reader(io.StringIO(done.stdout)) if row][1:]


def main():
    trace, ues, messages = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    base = tables(trace)
    answers = {name: base.execute(query).fetchall() for name, query in QUERIES.items()}
    for name, rows in answers.items():
        print(f"{name}: {rows[:4]}{' ...' if len(rows) > 4 else ''}")
    assert answers["threads"] == [(ues,)], answers["threads"]
    assert answers["arrows"] == answers["arrows in calls"] == [(messages,)], (answers["arrows"], answers["arrows in calls"])
    assert answers["unfinished"] == [(0,)] and answers["most"] == [(0,)]
    assert len(answers["by thread"]) == ues
    assert any(name.startswith("link(") for name, _ in answers["counters"]), "no load of links"
    shell = os.environ.get("TRACE_PROCESSOR") or shutil.which("trace_processor_shell") or shutil.which("trace_processor")
    if shell is None:
        print("left out: Perfetto's own trace processor, since there is none (trace_processor_shell in PATH, or TRACE_PROCESSOR)")
        return 77
    for name in ("slices", "unfinished", "threads", "by thread", "by name", "tiles", "arrows"):
        theirs = asked(shell, trace, QUERIES[name])
        assert theirs == [tuple(str(value) for value in row) for row in answers[name]], (name, theirs, answers[name])
    return 0


sys.exit(main())
