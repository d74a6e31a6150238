# SPDX-License-Identifier: Apache-2.0
"""The version is that of the project, written in one place: ../../CMakeLists.txt. Nothing is written into the
tree. wheel.sh installs the commands into prefix/ beside this file, and names in the file platform the hosts
where they run. pip puts those files into the prefix of its Python."""

import os
import pathlib
import re
import sys
import tempfile

from setuptools import setup


def version() -> str:
    here = pathlib.Path(__file__).resolve().parent
    unpacked = here / "PKG-INFO"  # a source distribution carries its own
    if unpacked.exists():
        text, pattern = unpacked.read_text(encoding="utf-8"), r"^Version: (\S+)$"
    else:
        text, pattern = (here / "../../CMakeLists.txt").read_text(
            encoding="utf-8"), r"project\(rockcreek VERSION (\S+)"
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        raise RuntimeError("no version of the project in CMakeLists.txt; build the wheel from its tree")
    return found.group(1)


def installed(prefix: str) -> "list[tuple[str, list[str]]]":
    """Every file below a folder here, as setup() takes them: by folder."""
    return [(os.path.relpath(folder, prefix), [os.path.join(folder, file) for file in sorted(files)])
            for folder, _, files in sorted(os.walk(prefix)) if files]


with tempfile.TemporaryDirectory() as scratch:
    # setuptools would leave build/ and rockcreek.egg-info beside this file. A source distribution holds the
    # latter.
    elsewhere = {"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}}
    options = {} if "sdist" in sys.argv else elsewhere
    files = []
    if os.path.exists("platform"):
        with open("platform", encoding="utf-8") as name:
            options["bdist_wheel"] = {"plat_name": name.read().strip()}
        files = installed("prefix")
    setup(version=version(), options=options, data_files=files)
