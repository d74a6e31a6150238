# SPDX-License-Identifier: Apache-2.0
"""The version is that of the project, written in one place: ../../CMakeLists.txt."""

import pathlib
import re

from setuptools import setup


def version() -> str:
    here = pathlib.Path(__file__).resolve().parent
    unpacked = here / "PKG-INFO"  # a source distribution carries its own
    if unpacked.exists():
        text, pattern = unpacked.read_text(encoding="utf-8"), r"^Version: (\S+)$"
    else:
        text, pattern = (here / "../../CMakeLists.txt").read_text(encoding="utf-8"), r"project\(rockcreek VERSION (\S+)"
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        raise RuntimeError("no version of the project in CMakeLists.txt; build the wheel from its tree")
    return found.group(1)


setup(version=version())
