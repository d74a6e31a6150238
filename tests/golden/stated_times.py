#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times that pages state in sentences and tables are those that rccebench measures today, rounded as printed.

    stated_times.py RCCEBENCH SOURCE stated_times.csv

Each line of the table: the page, a point, the time as the page has it, and the words of the page with it.
All words are looked for. Of the times a sample is measured, all of them with WHOLE=1 in the environment."""
import csv
import json
import os
import subprocess
import sys
import zlib
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

bench, source, table = sys.argv[1:]
meshes = {128: (8, 8), 256: (16, 8)}  # columns and rows of tiles, two cores each
factors = {"us": 1, "ms": 1000}


def settings(cores):
    if cores not in meshes:
        return {}
    columns, rows = meshes[cores]
    return {"mesh.columns": columns, "mesh.rows": rows}


with open(table, encoding="utf-8", newline="") as file:
    lines = list(csv.DictReader(file))
points = [
    json.dumps(
        {
            "algorithm": line["algorithm"],
            "machine": line["machine"],
            "set": settings(int(line["cores"])),
            "cores": int(line["cores"]),
            "bytes": int(line["bytes"]),
            "options": dict(word.split("=") for word in line["options"].split()),
            "payload": "none" if line["machine"] == "scc" else "moved",
            "check": False,
        }
    )
    for line in lines
]
whole = os.environ.get("WHOLE") == "1"


def sampled(line, point):
    cheap = int(line["cores"]) * int(line["bytes"]) < 1_000_000
    return cheap and zlib.crc32(point.encode()) % 3 == 0


once = list(dict.fromkeys(point for line, point in zip(lines, points) if whole or sampled(line, point)))
run = subprocess.run(
    [bench, "points", "-"],
    input=f"[{','.join(once)}]",
    stdout=subprocess.PIPE,
    text=True,
    cwd=source,
    check=True,
)
times = {point: result["us"] for point, result in zip(once, json.loads(run.stdout))}
pages = {line["page"]: " ".join(Path(source, line["page"]).read_text("utf-8").split()) for line in lines}
faults = 0
for line, point in zip(lines, points):
    number, unit = line["time"].split()
    stated = Decimal(number.replace(",", ""))
    measured = stated
    if point in times:
        measured = (Decimal(times[point]) / factors[unit]).quantize(stated, ROUND_HALF_UP)
    what = f"{line['page']}: {line['algorithm']}, {line['cores']} cores, {line['bytes']} bytes"
    if line["text"] not in pages[line["page"]]:
        print(f"{what}: the page has no '{line['text']}'")
        faults += 1
    if number not in line["text"]:
        print(f"{what}: '{line['text']}' has no {number}")
        faults += 1
    if measured != stated:
        print(f"{what}: {measured} {unit} measured, the page says {number}")
        faults += 1
print(f"{len(lines)} times, {len(times)} of {len(set(points))} points measured, {faults} faults")
sys.exit(1 if faults else 0)
