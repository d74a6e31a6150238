#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""From what `rccebench compare --operation reduce --format csv` prints of machines with coherent caches, the
table of what "auto" of a team of threads takes: table.py SHEET.csv... >reductions.csv. Called by make.sh."""
import csv
import sys

TOLERANCE = 1.05  # an algorithm is taken while it is at most so far behind the fastest


def sizes_taken(name, sizes):
    """For how many of these sizes, from the first one on, an algorithm is fast enough."""
    too_slow = (i for i, (_, us) in enumerate(sizes) if us[name] > TOLERANCE * min(us.values()))
    return next(too_slow, len(sizes))


def main(files):
    times = {}  # by machine and threads: by bytes: by algorithm
    for name in files:
        with open(name, encoding="utf-8") as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                place = times.setdefault((row["machine"], int(row["threads"])), {})
                place.setdefault(int(row["size_bytes"]), {})[row["algorithm"]] = float(row["time_us"])
    print("# What auto of a team takes on presets of coherent machines, from this size of a block on. "
          "Measured by make.sh; not edited by hand.")
    print("machine,threads,from_bytes,algorithm")
    for (machine, threads), sizes in sorted(times.items()):
        left = sorted(sizes.items())
        while left:
            size, us = left[0]
            # The one that can be taken for the most sizes, so that rows are few.
            taken = max(sorted(us), key=lambda name: (sizes_taken(name, left), -us[name]))
            print(f"{machine},{threads},{size},{taken}")
            left = left[sizes_taken(taken, left):]


main(sys.argv[1:])
