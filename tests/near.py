# SPDX-License-Identifier: Apache-2.0
"""The table near.txt: which tests cover which room, the quickest first. near.sh and mutate.sh use it.

A row has paths of files or folders, and regular expressions of ctest names. Each expression is a stage;
stages run in this order. For a file the row with its longest path counts. The last expression may be one that
near_coverage.py wrote, marked by `+`."""
import functools
import os
import pathlib
import re
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parent.parent


def lines():
    """The words of each row; the first has the paths."""
    every = map(str.split, (root / "tests/near.txt").read_text().splitlines())
    return [words for words in every if words and not words[0].startswith("#")]


def rows(generated=True):
    """The stages of each path, with the generated ones or without."""
    return {path: [stage.removeprefix("+") for stage in words[1:] if generated or not stage.startswith("+")]
            for words in lines() for path in words[0].split(",")}


def stages_of(path, table):
    """The stages of a file, named relative to the root; [] where no row has it."""
    file = pathlib.PurePosixPath(path)
    row = next((table[str(at)] for at in (file, *file.parents) if str(at) in table), [])
    return [stage.replace("{folder}", file.parent.name).replace("{file}", file.stem) for stage in row]


class Build:
    """A build tree: its tests, and which targets they need."""

    links = {"rcceinfo": "rccebench", "rccec++": "rccecc"}  # of commands, by whose targets they are made
    tools = {"rccebench", "rccecc", "rccerun", "rockcreek_algorithms", "rockcreek_collectives", *links}

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        # Of programs that are not built yet ctest itself shows no command. Tests may write there meanwhile.
        self.commands = {name: re.findall(r'"([^"]*)"', command)
            for folder, _, files in os.walk(self.folder) if "CTestTestfile.cmake" in files
                         for name, command in re.findall(r"^add_test\((?:\[=*\[)?(.+?)(?:\]=*\])? (\".*)\)$",
                             pathlib.Path(folder, "CTestTestfile.cmake").read_text(), re.MULTILINE)}
        listed = subprocess.run(["ninja", "-C", folder, "-t", "targets", "all"], capture_output=True,
            text=True, check=True)
        self.targets = {line.rsplit(":", 1)[0] for line in listed.stdout.splitlines()}

    @functools.cache
    def tests(self, stage):
        fits = re.compile(f"^({stage})$").search
        return [name for name in self.commands if fits(name)]

    def needs(self, tests):
        """Targets that these tests run: programs and commands that their commands and files mention."""
        found = set()
        for test in tests:
            words = set()
            for word in self.commands[test]:
                words.update(re.findall(r"[\w.+-]+", word))
                found |= {os.path.basename(word)} & self.targets
                # of a case that is run among others, or alone
                word = re.sub("[.]result$", ".cmake", word.removeprefix("-DCASES="))
                if word.endswith((".cmake", ".sh")) and os.path.exists(word):
                    words.update(re.findall(r"[\w.+-]+", pathlib.Path(word).read_text()))
            found |= {"program_" + word for word in words if "program_" + word in self.targets}
            found |= {self.links.get(word, word) for word in words & self.tools}
            if "--collectives" in words:
                found.add("rockcreek_collectives")
        return sorted(found)


def check(build, table):
    """Every room has a row, every row is of something, and every stage has a test."""
    mpi = build.tests("api.*@mpi")
    faults = [f"{path}: there is no such file" for path in table if not (root / path).exists()]
    for top in ("mesh_sim", "rcce_emu", "ircce", "algorithms", "apps"):
        for file in (file for file in (root / top).rglob("*") if file.suffix in (".cpp", ".hpp", ".h", ".c")
            and "course" not in file.parts):
            path = str(file.relative_to(root))
            stages = stages_of(path, table)
            if "mpi" in file.parts and not mpi:
                continue
            if not stages:
                faults.append(f"{path}: tests/near.txt has no row for it")
            elif not any(build.tests(stage) for stage in stages[:2]):
                faults.append(f"{path}: neither of its first two expressions has a test")
    for stage in {stage for row in table.values() for stage in row if "{" not in stage}:
        if not build.tests(stage) and (mpi or "mpi" not in stage):
            faults.append(f"{stage}: no test has such a name")
    faults += [f"{target}: tests need it, and it is no target"
        for target in set(build.needs(build.commands)) - build.targets]
    for words in lines():
        if any(stage.startswith("+") for stage in words[:-1]) or words[-1] == "+":
            faults.append(f"{words[0]}: only the last expression can be a generated one, and it is not empty")
    print("\n".join(sorted(faults)))
    return 1 if faults else 0


def main(files):
    folder = os.environ.get("BUILD", root / "build")
    # A new file or row has tests only after CMake has run again.
    if subprocess.run(["ninja", "-C", folder, "--quiet", "build.ninja"]).returncode != 0:
        return 1
    build, table, done = Build(folder), rows(), set()
    for file in files:
        path = os.path.relpath(os.path.realpath(file), root)
        stages = stages_of(path, table)
        if not stages:
            sys.exit(f"near.sh: tests/near.txt has no row for {path}")
        for stage in (stage for stage in stages if stage not in done):
            done.add(stage)
            begin, tests = time.time(), build.tests(stage)
            if subprocess.run(["ninja", "-C", build.folder, "--quiet", *build.needs(tests)]).returncode != 0:
                return 1
            run = subprocess.run(["ctest", "--test-dir", build.folder, "-R", f"^({stage})$",
                "--output-on-failure", "--stop-on-failure", "-Q",
                                  "-O", build.folder / "near.log"])
            print(f"{path}: {len(tests)} tests of {stage}: {'passed' if run.returncode == 0 else 'FAILED'} "
                  f"in {time.time() - begin:.0f} s", flush=True)
            if run.returncode != 0:
                print((build.folder / "near.log").read_text())
                return 1
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check(Build(os.environ["BUILD"]), rows()))
    if sys.argv[1:2] == ["--coverage"] and len(sys.argv) < 4:
        import near_coverage
        sys.exit(near_coverage.main(sys.argv[2] if len(sys.argv) > 2 else root / "build-coverage"))
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: sh tests/near.sh FILE...   builds (in build/, or in BUILD) and runs the tests near "
                 "these files, the quickest first\n"
                 "       sh tests/near.sh --coverage [BUILD]   completes near.txt by what the tests run in "
                 "a build of the preset coverage")
    sys.exit(main(sys.argv[1:]))
