# SPDX-License-Identifier: Apache-2.0
"""Are sources and pages as CONTRIBUTING.md says? text.py TREE: lines of sources and scripts have at most 110
columns, unless they are a single word, such as a checksum. The README of a room names all its sources: those
beside it, and for a room in src/ those of its folder in include/ too. Files exist that READMEs and comments
name, and those that the tables of a room's README name are in the room. Few comments on members are
fragments."""
import os
import pathlib
import re
import sys

SOURCES = {".c", ".h", ".cpp", ".hpp", ".sh", ".py"}
MOST_COLUMNS = 110
ROOM = re.compile(r"(mesh_sim|rcce_emu|ircce|algorithms)/(src|include)/|algorithms/lab/"
                  r"|apps/rccebench/[a-z_]+/README")
COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|(//[^\n]*|/\*(?s:.*?)\*/)')
FILE = re.compile(r"(?<![\w.*<>/{}$-])"
                  r"(?:\.\./)*((?:[\w-]+/)*[\w-]+\.(?:cpp|hpp|py|sh|cmake|md|h|c))(?![\w*(-])")
# "of the word", "what it waits for": not a noun phrase, nor a sentence.
FRAGMENT = re.compile(r"///<? (?:of|what|whether|where)\b", re.IGNORECASE)
MOST_FRAGMENTS = 12
# Files of others, and names of programs in examples.
ELSEWHERE = {"elf.h", "sysexits.h", "hugetlb.c", "prog.c", "mine.c", "ring.c", "stencil.c"}


def files_of(tree):
    for folder, folders, files in os.walk(tree):
        folders[:] = [one for one in folders if not one.startswith((".", "build", "__"))]
        yield from (pathlib.Path(folder, file).relative_to(tree) for file in files)


def named(page):
    """Matches the stems that a page names; words in capitals stand for any, as in NAME_rule.cpp."""
    code = " ".join(re.findall("`[^`]+`", page))
    words = {word.rsplit(".", 1)[0] for word in re.findall(r"[\w.]+\w", code)}
    return re.compile("|".join(re.sub("[A-Z]{4}", r"\\w+", re.escape(word)) for word in words)).fullmatch


def first_lines(text):
    """Without the lines of `///` comments that continue another one."""
    return re.sub(r"(?m)^( *///[^<\n].*\n)(?: *///[^<\n].*\n)+", r"\1", text)


def room_faults(page, text, files):
    room, parts = page.parent, page.parts[:-1]
    headers = pathlib.Path(parts[0], "include", parts[0], *parts[2:]) if parts[1] == "src" else room
    there = [file for file in files if file.parent in (room, headers)]
    names = named(text)
    for file in there:
        if file.suffix in SOURCES and not names(file.stem):
            yield f"{page}: does not name {file}"
    for cell in re.findall(r"^\| (`[^|]*)\|", text, re.MULTILINE):
        for word in re.findall(r"`([a-z_]\w*)(?:\.\w+)?`", cell):
            if word not in {file.stem for file in there}:
                yield f"{page}: names {word}, which is not in the room"


def main(tree):
    faults = []
    files = sorted(files_of(tree))
    texts = {file: (tree / file).read_text("utf-8") for file in files
             if file.suffix in SOURCES or file.name == "README.md"}
    paths = {"/".join(file.parts[i:]) for file in files for i in range(len(file.parts))}
    for file, text in texts.items():
        prose = text
        if file.suffix in SOURCES:
            faults += [f"{file}:{number}: {len(line)} columns; at most {MOST_COLUMNS}" for number, line
                       in enumerate(text.splitlines(), 1) if len(line) > MOST_COLUMNS and " " in line.strip()]
            prose = "" if file.suffix in (".sh", ".py") else "\n".join(COMMENT.findall(text))
        elif ROOM.match(str(file)):
            faults += room_faults(file, text, files)
        faults += [f"{file}: there is no {name}" for name in FILE.findall(prose)
                   if name not in paths and name not in ELSEWHERE and not re.search("[A-Z]{4}", name)]
    fragments = [str(file) for file, text in texts.items() for _ in FRAGMENT.findall(first_lines(text))]
    if len(fragments) > MOST_FRAGMENTS:
        faults.append(f"{len(fragments)} comments begin with of, what, whether or where (the last in "
                      f"{fragments[-1]}); at most {MOST_FRAGMENTS}: write a noun phrase or a sentence")
    if len(texts) < 1000:
        faults.append(f"{tree}: {len(texts)} sources; expected more than 1000")
    print("\n".join(faults), end="\n" if faults else "")
    return bool(faults)


sys.exit(main(pathlib.Path(sys.argv[1])))
