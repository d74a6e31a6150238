# SPDX-License-Identifier: Apache-2.0
"""RCCE programs on the simulated SCC, and their results as tables.

Pure Python over the commands rccecc, rccerun and rccebench. The module finds them by the environment variable
ROCKCREEK_BIN, else beside this Python's other commands, else on PATH. Tables are lists of dicts that pandas
accepts: ``pandas.DataFrame(table)``, or ``table.frame()``.

    >>> import rockcreek
    >>> program = rockcreek.compile("shift.c")
    >>> result = rockcreek.run(program, ues=48)
    >>> result.digest
    'blocks:d9c5cdf450582ace'
    >>> rockcreek.compare(sizes=[32, 8192], cores=48).frame()
    >>> rockcreek.run(rockcreek.Point("barrier/dissemination", "x4600"))["us"]
"""

from ._bench import bench, compare, grade, pingpong, validate
from ._commands import CommandFailed, NotInstalled, version
from ._points import Point, sweep
from ._run import Result, compile, run
from ._table import Table

__all__ = [
    "CommandFailed",
    "NotInstalled",
    "Point",
    "Result",
    "Table",
    "bench",
    "compare",
    "compile",
    "grade",
    "pingpong",
    "run",
    "sweep",
    "validate",
    "version",
]
