# SPDX-License-Identifier: Apache-2.0
"""Programs: compiled by rccecc, run by rccerun."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union, overload

from ._commands import CommandFailed, call
from ._points import Point, measure
from ._table import Table, of_statistics

Path = Union[str, "os.PathLike[str]"]


@dataclasses.dataclass(frozen=True)
class Result:
    """The results of a run."""

    program: str
    ues: int
    machine: str
    #: of the job: 0, that of the lowest rank that has another, 121 for a deadlock (rccerun --help)
    status: int
    stdout: str
    stderr: str  #: with the runtime's reports
    #: "blocks:d9c5cdf450582ace", a hash over the order, time and bytes of all accesses: the same on every
    #: host
    digest: Optional[str]
    statistics: Table  #: columns name, value, unit, and one for each label: core, call, link, ...
    matrix: Table  #: columns sender, receiver, messages, bytes

    @property
    def lines(self) -> List[str]:
        """The lines of standard output."""
        return self.stdout.splitlines()


def compile(
    *sources: Path, output: Optional[Path] = None, flags: Sequence[str] = ("-O2",), compiler: str = "rccecc"
) -> pathlib.Path:
    """Compiles a program and returns its path.

    ``output`` is by default the first source without its ending. ``compiler`` is "rccec++" for C++.
    Raises CommandFailed with the compiler's messages if the program does not compile.
    """
    if not sources:
        raise ValueError("no sources; give at least one C file")
    if isinstance(flags, str):
        raise TypeError(f"flags are a sequence of words, as [{flags!r}], and no text")
    target = pathlib.Path(output) if output is not None else pathlib.Path(sources[0]).with_suffix("")
    call(compiler, [*(os.fspath(source) for source in sources), *flags, "-o", str(target)])
    return target


def _matrix(entries: Sequence[Mapping[str, Any]]) -> Table:
    pairs: dict[tuple[int, int], dict[str, Any]] = {}
    for entry in entries:
        sender, receiver = int(entry["labels"]["sender"]), int(entry["labels"]["receiver"])
        row = pairs.setdefault((sender, receiver),
            {"sender": sender, "receiver": receiver, "messages": 0, "bytes": 0})
        row[entry["name"].removeprefix("pair.")] = entry["value"]
    return Table([pairs[pair] for pair in sorted(pairs)])


@overload
def run(program: Point) -> Dict[str, Any]: ...


@overload
def run(
    program: Path,
    *arguments: Union[str, int, float],
    ues: int = 48,
    machine: str = "scc",
    settings: Optional[Mapping[str, Union[str, int, float]]] = None,
    options: Sequence[str] = (),
    statistics: bool = False,
    matrix: bool = False,
    check: bool = True,
) -> Result: ...


def run(
    program: Union[Path, Point],
    *arguments: Union[str, int, float],
    ues: int = 48,
    machine: str = "scc",
    settings: Optional[Mapping[str, Union[str, int, float]]] = None,
    options: Sequence[str] = (),
    statistics: bool = False,
    matrix: bool = False,
    check: bool = True,
) -> Union[Result, Dict[str, Any]]:
    """Runs a program on ``ues`` cores of a simulated machine, or a ``Point``, whose row it returns (``sweep``
    says which columns).

    ``settings`` are parameters of the machine: ``{"mesh.router_cycles": 8}``. ``options`` are further words
    for rccerun, such as ``["--collectives", "auto"]``. ``statistics`` and ``matrix`` fill these tables; they
    change no time. With ``check`` a status other than 0 is a CommandFailed, whose message is the runtime's
    report, or the status; without, it is in the result. """
    if isinstance(program, Point):
        return measure(program)
    if isinstance(options, str):
        raise TypeError(f"options are a sequence of words, as {options.split()!r}, and no text")
    words: List[str] = ["-nue", str(ues), "--machine", machine]
    for name, value in (settings or {}).items():
        words += ["--set", f"{name}={value}"]
    with tempfile.TemporaryDirectory(prefix="rockcreek-") as folder:
        files = pathlib.Path(folder)
        if statistics:
            words.append(f"--statistics={files / 'statistics.json'}")
        if matrix:
            words += ["--matrix", str(files / "matrix.json")]
        # A digest is that of the simulator; other engines and repeated runs have none.
        named = {word.split("=")[0].replace("--", "-", 1) for word in options}
        has_digest = not {"-engine", "-explore"} & named
        words += [*options, *(["--digest"] if has_digest else [])]
        path = os.fspath(program)
        words.append(path if os.sep in path else os.path.join(os.curdir, path))
        words += [str(argument) for argument in arguments]
        done = call("rccerun", words, accepted=range(256))
        if check and done.returncode != 0:
            # A program's own status comes without a word of the runtime's, but for what any run ends with.
            usual = r"^(digest |rccerun: [0-9.]+ [a-z]+ on the chip; ).*\n"
            report = re.sub(usual, "", done.stderr, flags=re.MULTILINE).strip()
            told = report or f"{path} ended with status {done.returncode}"
            raise CommandFailed(["rccerun", *words], done.returncode, done.stdout, done.stderr, told)

        def entries(name: str) -> Any:
            file = files / name
            listed = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
            return [entry for entry in listed if entry["name"] != "schema.version"]

        found = re.search(r"^digest ((?:\w+:)?[0-9a-f]{16})\b", done.stderr, re.MULTILINE)
        return Result(
            program=path,
            ues=ues,
            machine=machine,
            status=done.returncode,
            stdout=done.stdout,
            stderr=done.stderr,
            digest=found.group(1) if found else None,
            statistics=of_statistics(entries("statistics.json")),
            matrix=_matrix(entries("matrix.json")),
        )


__all__ = ["CommandFailed", "Result", "compile", "run"]
