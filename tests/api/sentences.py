# SPDX-License-Identifier: Apache-2.0
"""Are the pages easy to read? In each page and manual page at most 3 % of the sentences have more than 30
words. python3 sentences.py TREE EXCEPTIONS [-v]. A line of EXCEPTIONS is the path of a page, a tab, the first
words of a sentence that may be long.
-v prints every long sentence. Code, outputs, synopses and examples are left out; inline code is one word."""

import os
import pathlib
import re
import sys

MOST_WORDS = 30
MOST_LONG = 0.03
SKIPPED_SECTIONS = {"SYNOPSIS", "EXAMPLE", "EXAMPLES", "SEE ALSO"}


def markdown_paragraphs(text):
    """Paragraphs, list items, table cells: each of these ends a sentence."""
    text = re.sub(r"<!--.*?-->|^```.*?^```", "\n", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`]*`", "`code`", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    paragraph = []
    for line in text.split("\n"):
        item = re.match(r"\s*(?:[-*]|\d+\.)\s+(.*)", line)
        if item or not line.strip() or line.startswith(("#", "|", "    ")):
            yield " ".join(paragraph)
            paragraph = []
        if line.startswith("|"):
            yield from line.strip("|").split("|")
        elif item:
            paragraph = [item[1]]
        elif line.strip() and not line.startswith(("#", "    ")):
            paragraph.append(line.strip())
    yield " ".join(paragraph)


def manual_paragraphs(text):
    """The same of a page of man(7). The end of a line may end a sentence whose successor begins with a small
    letter: a function."""
    paragraph = []
    skipped = filled = False
    tag = False  # the next line is the tag of a paragraph
    for line in text.split("\n"):
        macro, _, rest = line.partition(" ")
        if macro.startswith((".\\\"", "'\\\"")):
            continue
        if macro in (".SH", ".SS", ".TH", ".TP", ".PP", ".LP", ".P", ".IP", ".RS", ".RE", ".nf", ".EX", ".fi",
            ".EE", ".sp", ".br"):
            yield " ".join(paragraph)
            paragraph = []
            tag = macro == ".TP"
            filled = macro in (".nf", ".EX") or (filled and macro not in (".fi", ".EE"))
            if macro == ".SH":
                skipped = rest.strip('"') in SKIPPED_SECTIONS
            continue
        if skipped or filled:
            continue
        if macro in (".B", ".I", ".SM"):
            line = rest.replace('"', "")
        elif macro in (".BR", ".BI", ".IB", ".IR", ".RB", ".RI"):
            line = "".join(quoted or bare for quoted, bare in re.findall(r'"([^"]*)"|(\S+)', rest))
        elif macro.startswith("."):
            continue
        line = re.sub(r"\\f[BIRP]|\\[&,/^|]", "", line).replace("\\-", "-").replace("\\(lq",
            '"').replace("\\(rq", '"')
        if tag:
            yield line
            tag = False
        else:
            paragraph.append(re.sub(r"(?<=[.!?])$", "\n", line.strip()))
    yield " ".join(paragraph)


def sentences(path):
    text = path.read_text(encoding="utf-8")
    for paragraph in (markdown_paragraphs if path.suffix == ".md" else manual_paragraphs)(text):
        for sentence in re.split(r"(?<=[.!?])(?:\n|[\"')]*\s+(?=[A-Z`\[\"*(]))", paragraph.strip()):
            if len(sentence.split()) > 2:
                yield sentence


def pages(tree):
    """Not those of build folders, into which other tests write meanwhile."""
    for folder, folders, files in os.walk(tree):
        folders[:] = sorted(one for one in folders if not one.startswith((".", "build")) and one != "shared")
        for file in sorted(files):
            path = pathlib.Path(folder, file)
            if path.suffix in (".md", ".1", ".3") and path.is_file():
                yield path


def main(arguments):
    tree = pathlib.Path(arguments[0])
    allowed = [line.split("\t") for line in pathlib.Path(arguments[1]).read_text(
        encoding="utf-8").splitlines() if not line.startswith("#")]
    used = set()
    status = seen = 0
    for path in pages(tree):
        name = path.relative_to(tree).as_posix()
        total = 0
        long = []
        for sentence in sentences(path):
            total += 1
            if len(sentence.split()) > MOST_WORDS:
                exceptions = [i for i, (page, words) in enumerate(allowed) if page == name
                    and sentence.startswith(words)]
                used.update(exceptions)
                long += [sentence] if not exceptions else []
        seen += total
        failed = len(long) > MOST_LONG * total
        if failed:
            print(f"{name}: {len(long)} of {total} sentences have more than {MOST_WORDS} words; at most "
                  f"{MOST_LONG:.0%} may")
            status = 1
        if failed or "-v" in arguments:
            print(*(f"  {len(sentence.split())} words: {sentence}" for sentence in long), sep="\n",
                end="\n" if long else "")
    for i, (page, words) in enumerate(allowed):
        if i not in used:
            print(f"{page}: no long sentence begins with '{words}': take the exception out of the list")
            status = 1
    if seen < 3000:
        print(f"only {seen} sentences were found in {tree}")
        status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
