# SPDX-License-Identifier: Apache-2.0
"""Are sources and pages as CONTRIBUTING.md says? text.py TREE: lines of sources and scripts have at most 110
columns, unless they are a single word, such as a checksum."""
import os
import pathlib
import sys

SOURCES = {".c", ".h", ".cpp", ".hpp", ".sh", ".py"}
MOST_COLUMNS = 110


def files_of(tree):
    for folder, folders, files in os.walk(tree):
        folders[:] = [one for one in folders if not one.startswith((".", "build", "__"))]
        yield from (pathlib.Path(folder, file) for file in files)


def main(tree):
    faults = []
    files = {path: path.relative_to(tree).as_posix() for path in files_of(tree)}
    texts = {name: path.read_text("utf-8").splitlines() for path, name in files.items() if path.suffix in SOURCES}
    for name, lines in texts.items():
        faults += [f"{name}:{number}: {len(line)} columns; at most {MOST_COLUMNS}" for number, line
                   in enumerate(lines, 1) if len(line) > MOST_COLUMNS and " " in line.strip()]
    if len(texts) < 1000:
        faults.append(f"{tree}: {len(texts)} sources; expected more than 1000")
    print("\n".join(faults), end="\n" if faults else "")
    return bool(faults)


sys.exit(main(pathlib.Path(sys.argv[1])))
