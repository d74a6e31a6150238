# SPDX-License-Identifier: Apache-2.0
"""Points of the laboratory: one algorithm on one machine, measured as `rccebench points` measures it."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import Any, Dict, Mapping, Optional, Sequence, Union

from ._commands import call
from ._table import Table

Value = Union[str, int, float]


@dataclasses.dataclass(frozen=True)
class Point:
    """One measurement: ``Point("bcast/cube", cores=48, bytes=8192)``.

    None stands for rccebench's default. ``machine`` is a name or file of a simulated machine of any kind
    (``scc``, ``xeon-phi-5110p``, ``alc``), or ``host``. ``cores`` are ranks: cores, threads or nodes.
    ``options`` are the algorithm's parameters, ``set`` the machine's.
    """

    algorithm: str
    machine: str = "scc"
    cores: Optional[int] = None
    bytes: Optional[int] = None
    options: Mapping[str, Value] = dataclasses.field(default_factory=dict)
    set: Mapping[str, Value] = dataclasses.field(default_factory=dict)
    root: Optional[int] = None
    type: Optional[str] = None
    op: Optional[str] = None
    spread: Optional[str] = None
    seed: Optional[int] = None
    reads: Optional[bool] = None
    warm_up: Optional[int] = None
    repetitions: Optional[int] = None
    rcce: Optional[str] = None
    copies: Optional[str] = None
    payload: Optional[str] = None
    check: Optional[bool] = None
    each: Optional[bool] = None
    timed_singly: Optional[bool] = None

    def members(self) -> Dict[str, Any]:
        """The members for `rccebench points`, without those that are None."""
        return {
            name: dict(value) if isinstance(value, Mapping) else value
            for name, value in ((field.name, getattr(self, field.name)) for field in dataclasses.fields(self))
            if value is not None and value != {}
        }


def sweep(
    points: Sequence[Point],
    jobs: Optional[int] = None,
    with_: Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]] = (),
) -> Table:
    """Measures all points, on any machines, and returns a row for each, in their order.

    Simulations run side by side on ``jobs`` processors (default: all), points of the host one after the
    other. ``with_`` is a source with algorithms of your own, or several. Columns: ``key`` (the same for
    equal points), ``machine``, ``algorithm``, ``cores``, ``bytes``, ``options``, ``clock``, ``us`` (of
    the operation), ``us_first_rank``, ``us_mean_rank``, ``us_mean``, ``us_each`` (of points with
    ``each``: the time of each repetition, simulated), ``us_lower`` and ``us_upper`` (quartiles on the
    host), ``repetitions``, ``right``, ``wrong_bytes``, ``digest`` (of clusters), ``explored``; a row has
    those that its machine provides. An algorithm is tried before it is timed, unless the point's
    ``check`` is False. One that is wrong has ``us`` None, and ``found`` says which call shows it.
    """
    words = ["points", "-"]
    if jobs is not None:
        words += ["--jobs", str(jobs)]
    for file in [with_] if isinstance(with_, (str, os.PathLike)) else with_:
        words += ["--with", os.fspath(file)]
    done = call("rccebench", words, accepted=(0, 1),
        standard_input=json.dumps([point.members() for point in points]))
    return Table(json.loads(done.stdout))


def measure(point: Point) -> Dict[str, Any]:
    """The row of one point."""
    return dict(sweep([point])[0])
