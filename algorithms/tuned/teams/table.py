#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""From what `rccebench compare --operation reduce --format csv` prints of machines with coherent caches, the table of what "auto"
of a team of threads takes: table.py SHEET.csv... >reductions.csv. Called by make.sh."""
import csv
import sys

TOLERANCE = 1.02  # an algorithm stays from size to size while it is at most so far behind


def main(files):
    times = {}  # by machine and threads: by bytes: by algorithm
    for name in files:
        with open(name, encoding="utf-8") as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                place = times.setdefault((row["machine"], int(row["threads"])), {})
                place.setdefault(int(row["size_bytes"]), {})[row["algorithm"]] = float(row["time_us"])
    print("# What auto of a team takes on presets of coherent machines, from this size of a block on. Measured by make.sh; not edited by hand.")
    print("machine,threads,from_bytes,algorithm")
    for (machine, threads), sizes in sorted(times.items()):
        taken = None
        for size, algorithms in sorted(sizes.items()):
            best = min(algorithms, key=lambda name: (algorithms[name], name))
            if taken is None or algorithms[taken] > TOLERANCE * algorithms[best]:
                taken = best
                print(f"{machine},{threads},{size},{taken}")


main(sys.argv[1:])
