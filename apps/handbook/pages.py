# SPDX-License-Identifier: Apache-2.0
"""The pages of the handbook out of the tree's own: python3 pages.py TREE REPORTS STAGE MANUAL copies into
STAGE every page and picture, manual pages as HTML (those of MANUAL, a build's share/man, by mandoc), files
and notebooks that pages link to, and the HTML reports of REPORTS into the pages whose commands write them:
REPORTS/PAGE/NAME.html for `--report NAME.html` in PAGE, and REPORTS/PAGE/reproduction.html at the end of
PAGE. MkDocs runs on_config as a hook, which fills in the patterns of `nav`."""

import fnmatch
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = {"build", "shared", "node_modules", "pages"}  # the last: tests of commands
LANGUAGES = {".h": "c", ".hpp": "cpp", ".cpp": "cpp", ".c": "c", ".py": "python", ".sh": "sh",
    ".json": "json"}


def pages_of(tree):
    for path in sorted(tree.rglob("*")):
        folders = path.relative_to(tree).parts
        if not any(folder.startswith(".") or folder in SKIPPED or folder.startswith("build-")
            for folder in folders):
            if path.is_file() and path.suffix in (".md", ".svg"):
                yield path


def manual_pages_of(tree):
    return sorted([*tree.glob("*/man/*.[13]"), *tree.glob("apps/*.1")])


class Stage:
    def __init__(self, tree, reports, stage, manual_folder):
        self.tree, self.reports, self.stage, self.manual_folder = tree, reports, stage, manual_folder
        self.linked = set()
        self.manual = {}  # (name, section): page
        for page in manual_pages_of(tree):
            names = re.search(r"^\.SH NAME\n(.*?) \\-", page.read_text(encoding="utf-8"), re.MULTILINE)
            for name in names[1].split(", ") if names else ():
                self.manual[name, page.suffix[1]] = page.relative_to(tree).as_posix()

    def write(self, path, text):
        target = self.stage / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def link(self, page, target):
        """Where a page's link leads in the site: files that are no pages have become pages."""
        name, mark, anchor = target.partition("#")
        if not name or "://" in name:
            return target
        file = pathlib.Path(os.path.normpath(page.parent / name))
        if file.is_dir():
            name, file = f"{name.rstrip('/')}/README.md", file / "README.md"
        if file.is_file() and file.suffix not in (".md", ".svg"):
            self.linked.add(file)
            name += ".md"
        return name + mark + anchor

    def text_of(self, page):
        """With links of the site, and blank lines before lists, which Markdown's first dialect needs."""
        lines = []
        fenced = False
        reports = self.reports / page.relative_to(self.tree)
        written = []  # reports of the commands of a block
        for line in page.read_text(encoding="utf-8").split("\n"):
            if line.startswith("```"):
                fenced = not fenced
            written += re.findall(r"^\$ .*--report (\w+\.html)", line) if fenced else []
            if not fenced and not line.startswith("    "):
                parts = re.split(r"(`[^`]*`)", line)
                line = "".join(part if part.startswith("`") else
                               re.sub(r"\]\(([^)\s]+)\)", lambda found: f"]({self.link(page, found[1])})",
                                   part) for part in parts)
                if re.match(r"(?:-|\d+\.) ", line) and lines and lines[-1].strip() and not re.match(
                    r"(?:-|\d+\.)? ", lines[-1]):
                    lines.append("")
            lines.append(line)
            if not fenced:
                for name in written:
                    lines += self.embedded(page, reports / name)
                written = []
        return "\n".join(lines + self.embedded(page, reports / "reproduction.html"))

    def embedded(self, page, report):
        if not report.is_file():
            return []
        shutil.copy(report, (self.stage / page.relative_to(self.tree)).parent / report.name)
        title = html.escape(re.search(r"<title>(.*?)</title>", report.read_text(encoding="utf-8"))[1])
        return ["", f'<iframe class="report" src="{report.name}" title="{title}" loading="lazy"></iframe>',
            "",
                f"[The report in a window of its own]({report.name})", ""]

    def code_page(self, file):
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".ipynb":
            cells = json.loads(text)["cells"]
            return "\n\n".join("".join(cell["source"]) if cell["cell_type"] == "markdown" else
                               "```python\n" + "".join(cell["source"]) + "\n```" for cell in cells)
        return f"# {file.name}\n\n```{LANGUAGES.get(file.suffix, 'text')}\n{text}```\n"

    def manual_page(self, page):
        """Headings as Markdown, for the table of contents and the search; all between as mandoc writes it."""
        done = subprocess.run(["mandoc", "-T", "html", "-O", "fragment", page.name],
            cwd=self.manual_folder / f"man{page.suffix[1]}", check=True, stdout=subprocess.PIPE)
        body = done.stdout.decode().split('<div class="manual-text">', 1)[1].rsplit("</div>", 1)[0]
        body = re.sub(r"</?section[^>]*>\n?", "", body)
        body = re.sub(r'<a class="permalink" href="[^"]*">(.*?)</a>', r"\1", body, flags=re.DOTALL)
        folder = page.relative_to(self.tree).parent

        def reference(found):
            target = self.manual.get((html.unescape(found[1]), found[2]))
            if target is None:
                return found[0]
            return f'<a href="{os.path.relpath(target, folder)}.html">{found[0]}</a>'

        body = re.sub(r"<b>([\w+]+)</b>\(([13])\)", reference, body)
        parts = re.split(r'<h([12]) class="S[hs]"[^>]*>(.*?)</h\1>', body, flags=re.DOTALL)
        text = f"# {page.stem}({page.suffix[1:]})\n"
        for level, heading, part in zip(parts[1::3], parts[2::3], parts[3::3]):
            heading = re.sub(r"\s+", " ", heading)
            text += f'\n{"#" * (int(level) + 1)} {heading}\n\n<div class="manual">\n{part.strip()}\n</div>\n'
        return text

    def run(self):
        for page in pages_of(self.tree):
            name = page.relative_to(self.tree)
            (self.stage / name).parent.mkdir(parents=True, exist_ok=True)
            if page.suffix == ".md":
                text = self.text_of(page)
                if name.as_posix() == "apps/python/README.md":
                    text += "\n## The module\n\n::: rockcreek\n"
                self.write(name, text)
            else:
                shutil.copy(page, self.stage / name)
        for page in manual_pages_of(self.tree):
            if page.suffix == ".3" or page.stat().st_size > 100:  # the rest leads to another page
                self.write(f"{page.relative_to(self.tree)}.md", self.manual_page(page))
        for file in sorted(self.linked):
            self.write(f"{file.relative_to(self.tree)}.md", self.code_page(file))
        shutil.copy(pathlib.Path(__file__).with_name("handbook.css"), self.stage)


def on_config(config):
    pages = sorted(path.relative_to(config.docs_dir).as_posix()
        for path in pathlib.Path(config.docs_dir).rglob("*.md"))
    placed = set()

    def names(entry):
        for value in entry.values() if isinstance(entry, dict) else [entry]:
            if isinstance(value, list):
                for inner in value:
                    yield from names(inner)
            else:
                yield value

    placed.update(name for entry in config.nav for name in names(entry) if "*" not in name)

    def matching(pattern):
        found = [page for page in pages if fnmatch.fnmatch(page, pattern) and page not in placed]
        placed.update(found)
        return found

    def filled(entry):
        if isinstance(entry, str):
            return matching(entry) if "*" in entry else [entry]
        (title, value), = entry.items()
        if isinstance(value, list):
            return [{title: [page for inner in value for page in filled(inner)]}]
        return [{title: matching(value)}] if "*" in value else [entry]

    config.nav = [page for entry in config.nav for page in filled(entry)]
    return config


if __name__ == "__main__":
    Stage(*(pathlib.Path(argument).resolve() for argument in sys.argv[1:5])).run()
