# SPDX-License-Identifier: Apache-2.0
"""Where the commands lie, and how they are called."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sysconfig
from typing import List, Optional, Sequence


class NotInstalled(RuntimeError):
    """A command of Rockcreek was not found."""


class CommandFailed(RuntimeError):
    """A command ended with an unexpected status. The message is that of the command, or ``told``."""

    def __init__(
        self, words: Sequence[str], status: int, stdout: str, stderr: str, told: Optional[str] = None
    ) -> None:
        super().__init__(told or (stderr or stdout).strip() or f"{words[0]} ended with status {status}")
        self.words = list(words)
        self.status = status
        self.stdout = stdout
        self.stderr = stderr


def command(name: str) -> str:
    """The path of a command: in ROCKCREEK_BIN, else where pip puts commands of this Python, else on PATH."""
    folder = os.environ.get("ROCKCREEK_BIN")
    path = shutil.which(name, path=folder or sysconfig.get_path("scripts"))
    if path is None and not folder:
        path = shutil.which(name)
    if path is None:
        place = f"in ROCKCREEK_BIN ({folder})" if folder else "on PATH"
        raise NotInstalled(f"{name} is not {place}; set ROCKCREEK_BIN to the folder of rccerun, as in "
                           f"/opt/rockcreek/bin")
    return str(pathlib.Path(path).absolute())


def call(
    name: str, words: Sequence[str], accepted: Sequence[int] = (0,), standard_input: Optional[str] = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command. Raises CommandFailed for a status that is not accepted."""
    line: List[str] = [command(name), *words]
    done = subprocess.run(
        line, input=standard_input or "", capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode not in accepted:
        raise CommandFailed(line, done.returncode, done.stdout, done.stderr)
    return done


def version() -> str:
    """The first line of rccerun --version: release and revision of the machine model, for citations."""
    return call("rccerun", ["--version"]).stdout.splitlines()[0]
