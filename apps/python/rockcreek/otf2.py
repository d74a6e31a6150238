# SPDX-License-Identifier: Apache-2.0
"""A timeline of rccerun --trace as OTF2, which Vampir and its kin read: python3 -m rockcreek.otf2 run.json
FOLDER

Written by the OTF2 library through its Python module (Debian: python3-otf2). A tile is a location group, a
core a location, calls, copies and waits are regions, messages MPI messages of one communicator. Times are
picoseconds. The whole timeline is in memory while it is sorted.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any, Dict, List, Tuple, Union

Path = Union[str, "os.PathLike[str]"]

#: A time, the order at that time, and what it is: begin or end of a slice, side of a message.
Entry = Tuple[int, int, Dict[str, Any]]


def _picoseconds(event: Dict[str, Any]) -> int:
    whole, _, part = str(event["ts"]).partition(".")
    return int(whole) * 1_000_000 + int((part + "000000")[:6])


def _read(trace: Path) -> List[Dict[str, Any]]:
    with open(trace, encoding="utf-8") as file:
        # Times as they are written: their decimals are picoseconds.
        document = json.load(file, parse_float=str)
    if not isinstance(document, dict) or document.get("otherData", {}).get("schema") != 1:
        raise ValueError(f"'{os.fspath(trace)}' is no timeline of rccerun --trace, or one of another release")
    return list(document["traceEvents"])


def convert(trace: Path, folder: Path) -> None:
    """Writes an OTF2 archive, ``FOLDER/traces.otf2``. ImportError without the library; FileExistsError where
    the folder exists."""
    import otf2
    from otf2.enums import GroupType, Paradigm

    if os.path.exists(folder):
        raise FileExistsError(f"'{os.fspath(folder)}' is there already; choose another folder")
    events = _read(trace)
    tiles: Dict[int, str] = {}
    cores: Dict[int, Tuple[int, str]] = {}
    entries: Dict[int, List[Entry]] = {}
    sent: Dict[int, Dict[str, Any]] = {}
    for event in events:
        phase = event["ph"]
        if phase == "M" and event["name"] == "process_name":
            tiles[event["pid"]] = event["args"]["name"]
        elif phase == "M":
            cores[event["tid"]] = (event["pid"], event["args"]["name"])
        elif phase in "BEsf":
            # Slices of a core stand in the order of its clock; at one instant messages follow them. An arrow
            # ends two nanoseconds before its receiver has all.
            at = _picoseconds(event) + (2000 if phase == "f" else 0)
            entries.setdefault(event["tid"], []).append((at, 1 if phase in "sf" else 0, event))
        if phase == "s":
            sent[event["id"]] = event
        elif phase == "f":
            sent[event["id"]]["to"] = event["tid"]
            event["from"] = sent[event["id"]]
    ranks = {core: rank for rank, core in enumerate(sorted(cores))}
    with otf2.writer.open(os.fspath(folder), timer_resolution=1_000_000_000_000) as archive:
        definitions = archive.definitions
        chip = definitions.system_tree_node("chip")
        groups = {tile: definitions.location_group(name, system_tree_parent=chip) for tile,
            name in tiles.items()}
        places = {core: definitions.location(name, group=groups[tile]) for core,
            (tile, name) in sorted(cores.items())}
        writers = {core: archive.event_writer_from_location(place) for core, place in places.items()}
        # A communicator's members are ranks among the locations that communicate at all.
        definitions.group("cores", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI,
            members=tuple(places.values()))
        everyone = definitions.group(
            "all", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI, members=tuple(places.values())
        )
        world = definitions.comm("messages", group=everyone)
        regions: Dict[str, Any] = {}
        for core, writer in writers.items():
            open_regions: List[Any] = []
            for at, _, event in sorted(entries.get(core, []), key=lambda entry: entry[:2]):
                phase = event["ph"]
                if phase == "B":
                    if event["name"] not in regions:
                        regions[event["name"]] = definitions.region(event["name"])
                    open_regions.append(regions[event["name"]])
                    writer.enter(at, open_regions[-1])
                elif phase == "E":
                    writer.leave(at, open_regions.pop())
                elif phase == "s" and "to" in event:
                    writer.mpi_send(at, ranks[event["to"]], world, 0, event.get("args", {}).get("bytes", 0))
                elif phase == "f":
                    start = event["from"]
                    writer.mpi_recv(at, ranks[start["tid"]], world, 0, start.get("args", {}).get("bytes", 0))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python3 -m rockcreek.otf2",
        description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("trace", help="file of rccerun --trace")
    parser.add_argument("folder", help="of the archive, which is not there yet")
    words = parser.parse_args()
    try:
        convert(words.trace, words.folder)
    except ImportError as error:
        print(f"rockcreek.otf2: {error}; the OTF2 library's Python module is missing (Debian: python3-otf2)",
            file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:
        print(f"rockcreek.otf2: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
