# SPDX-License-Identifier: Apache-2.0
"""The benchmarks of rccebench, each as a table."""

from __future__ import annotations

import json
import os
from typing import Any, List, Mapping, Sequence, Union

from ._commands import CommandFailed, call
from ._table import Table

Item = Union[str, int, float, "os.PathLike[str]"]
Option = Union[Item, bool, None, Sequence[Item], Mapping[str, Union[Item, Sequence[Item]]]]

#: Options that are given once for each of their values; others take a list with commas.
_REPEATED = {"with", "set"}


def _joined(value: Union[Item, Sequence[Item]]) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(str(item) for item in value)
    return str(value)


def _words(options: Mapping[str, Option]) -> List[str]:
    words: List[str] = []
    for name, value in options.items():
        option = name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(f"--{option}")
            continue
        if isinstance(value, Mapping):
            items = [f"{key}={_joined(item)}" for key, item in value.items()]
        elif option in _REPEATED and isinstance(value, Sequence) and not isinstance(value, str):
            items = [str(item) for item in value]
        else:
            items = [_joined(value)]
        for item in items if option in _REPEATED else [",".join(items)]:
            words += [f"--{option}", item]
    return words


def bench(command: str, *words: Item, **options: Option) -> Table:
    """The rows of one command of rccebench: ``bench("bcast", algorithms=["cube", "dopl"], sizes=[32,
    8192])``.

    Options are those of the command line, with underscores: ``set={"mesh.router_cycles": [2, 8]}``. Names
    that Python reserves end with an underscore: ``with_="mine.c"``. A list is joined by commas. Status 1, a
    failed check, also gives a table, whose rows say which check failed; so does 3, a solution that ``grade``
    finds right but too slow. Rows of ``show`` are its edges.
    """
    line = [command, *(str(word) for word in words), *_words(options), "--format", "json"]
    done = call("rccebench", line, accepted=(0, 1, 3) if command == "grade" else (0, 1))
    try:
        report: Any = json.loads(done.stdout)
    except ValueError:
        told = None if done.returncode else "no table on standard output; leave out output, help and the like"
        raise CommandFailed(["rccebench", *line], done.returncode, done.stdout, done.stderr, told) from None
    rows = report["rows"] if "rows" in report else [
        {"round": one["round"], **edge} for one in report["rounds"] for edge in one["edges"]
    ]
    return Table(rows, report.get("settings", {}), report.get("summary", {}))


def compare(
    operation: str = "bcast",
    algorithms: Union[str, Sequence[str], None] = None,
    cores: Union[int, str, Sequence[int]] = 48,
    sizes: Union[int, str, Sequence[int], None] = None,
    machine: str = "scc",
    **options: Option,
) -> Table:
    """All algorithms of an operation side by side: one row per algorithm, number of cores and size.

    The time of the operation is in ``simulated_us_max``; ``winner`` is true for the fastest of its cores and
    size. With ``with_="mine.c"`` an algorithm of your own takes part. All columns, of which a table has those
    that apply:

    - ``algorithm``, ``machine``, ``cores``, ``bytes``; of reductions ``elements``, ``type``, ``op``: what was
      measured
    - ``simulated_us_min``, ``simulated_us_avg``, ``simulated_us_max``: until the first rank ends, on average,
      until the last rank ends
    - ``simulated_us_mean``: time of the last rank, averaged over the repetitions
    - ``limit_us``, ``of_limit_percent``: what no algorithm can undercut (algorithms/LIMITS.md), and its share
      of the time
    - ``last_rank``, ``last_behind_median_us``: the rank that ended last, and how long after the median rank
    - ``bandwidth_mib_per_s``: size by time
    - ``bytes_per_rank``: with ``per_rank``, bytes of one rank's block
    - ``simulated_us_spent``: with ``spread``, the sum of the times that the ranks spent
    - ``host_us``: processor time of the host, the only column that differs from run to run
    - ``correct``: every byte on every rank was right
    - ``rcce``, ``copies``, ``root``: generation of the library, its copy routine, the root's rank
    - ``part_bytes``, ``pipe_bytes``, ``rows``, ``columns``, ``line_order``, ``fan_out``, ``stages``,
      ``first_bytes``, ``schedule``,
      ``degree``, ``splits``, ``operands``, ``block_bytes``, ``owners``, ``cluster``, and those of your own
      algorithm: its parameters
    - ``winner``, ``auto_takes``, ``auto_us``, ``auto_behind_percent``: the fastest, and what the runtime
      itself would take, with its
      time and the difference to the fastest, if ``algorithms`` is left out or names ``auto``

    Machines with shared memory (``xeon-phi-5110p``, ``host``), and several machines at once, have other
    columns:

    - ``machine``, ``clock``, ``cores``, ``bytes``, ``spread``, ``algorithm``: what was measured, and by whose
      clock (in this version
      also by their earlier names ``threads`` and ``size_bytes``)
    - ``time_us``, ``behind_percent``, ``winner``: the time, how far it is behind the fastest, whether it is
      the fastest
    - ``lower_quartile_us``, ``upper_quartile_us``: of ``time_us``, where the clock is the host's
    - ``right``: every result was right
    - ``check``: "ok", "explored" (every interleaving of a few threads too), "wrong", "below limit", or "-"
      for what is not compared """
    return bench(
        "compare", operation=operation, algorithms=algorithms, cores=cores, sizes=sizes, machine=machine,
        **options
    )


def validate(machine: str = "scc", **options: Option) -> Table:
    """Compares the model with published measurements: one row per measurement, with its source and the
    difference in percent."""
    return bench("validate", machine=machine, **options)


def pingpong(**options: Option) -> Table:
    """Measures round trips between pairs of cores: ``pingpong(pairs="0:1,0:47", sizes=[32, 8192])``,
    ``pingpong(sweep="distance")``."""
    return bench("pingpong", **options)


def grade(file: Union[str, "os.PathLike[str]"], **options: Option) -> Table:
    """Marks a solution of an exercise of the course: a row per trial. ``summary["wrong"]`` is 0 if all trials
    are right, and ``summary["goal_reached"]`` true if the solution is fast enough too."""
    return bench("grade", os.fspath(file), **options)
