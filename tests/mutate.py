# SPDX-License-Identifier: Apache-2.0
"""Do the tests catch faults? Plants one-line faults in a copy of the tree, one after the other, and runs the
tests near each (near.txt) until one fails. Used by mutate.sh, which says how to call it."""
import argparse
import contextlib
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import near

ROOMS = """mesh_sim/src/kernel mesh_sim/include/mesh_sim/kernel mesh_sim/src/parts
mesh_sim/include/mesh_sim/parts mesh_sim/src/machines/scc mesh_sim/include/mesh_sim/machines/scc
rcce_emu/src/engine rcce_emu/src/library/protocol rcce_emu/src/watch/check ircce algorithms/src/on_messages
algorithms/lab""".split()
HEADER_SHARE = 0.25  # of a line of a header, against one of a source: its rebuild takes minutes, not seconds

# Name, pattern, replacement. Blanks around operators keep templates, pointers and signs out.
FAULTS = [(name, re.compile(pattern), to) for name, pattern, to in [
    ("comparison", r" < ", " <= "), ("comparison", r" <= ", " < "), ("comparison", r" > ", " >= "),
    ("comparison", r" >= ", " > "),
    ("comparison", r" == ", " != "), ("comparison", r" != ", " == "),
    ("sign", r" \+ ", " - "), ("sign", r" - ", " + "), ("sign", r" \+= ", " -= "), ("sign", r" -= ", " += "),
    ("sign", r"\+\+(?=\w)", "--"),
    ("logic", r" && ", " || "), ("logic", r" \|\| ", " && "), ("logic", r"\btrue\b", "false"),
    ("logic", r"\bfalse\b", "true"),
    ("negated", r"\bif \(((?!.* = ).*)\) (?=[\w+*-])", r"if (!(\1)) "),
    ("negated", r"\bif \(((?!.* = ).*)\) \{$", r"if (!(\1)) {"),
    ("negated", r"\bwhile \((.*)\)(?= |;|$)", r"while (!(\1))"),
    ("off by one", r"(?<![\w.'])(\d+)(?![\w.'])", lambda found: str(int(found[1]) + 1)),
    ("off by one", r" [-+] 1\b", ""),
    ("unit", r" \* ", " / "), ("unit", r" / ", " * "), ("unit", r"\bstd::min\b", "std::max"),
    ("unit", r"\bstd::max\b", "std::min"),
    ("dropped jump", r"\b(break|continue);", ";"),
    ("dropped check", r"^( *)if \(.*\) (return|throw|continue|break)\b.*;$", r"\1;"),
    ("dropped call", r"^( *)(?!.*\.reserve\()[\w:.>\[\]-]+\(.*\);$", r"\1;"),
    ("dropped lock", r"^( *)const std::lock_guard \w+\(.*\);$", r"\1;"),
]]
NO_STATEMENT = re.compile(r"^\s*(//|///|\*|#|template|using|static_assert|namespace|return\b|case\b|"
                          r"public:|private:|throw\b|\[\[|\}?$|co_)")
# with a default value, which designated initialisers mostly replace
MEMBER = re.compile(r"^[\w:<>,*& ]+ \w+ = [^;]*;$")
DECLARATION = re.compile(
    r"^[\w:<>,*& ]+ [\w:~]+\(.*\)( const)?( noexcept)?( override)?;$|= (delete|default|0);$")


class Mutant:
    def __init__(self, file, number, before, after, fault, seed):
        self.file, self.number, self.before, self.after, self.fault = file, number, before, after, fault
        self.key = "\t".join((file, before.strip(), after.strip()))
        drawn = int.from_bytes(hashlib.sha256(f"{seed}\t{self.key}".encode()).digest()[:8], "big") / 2**64
        self.rank = drawn ** (1 / (HEADER_SHARE if file.endswith((".hpp", ".h")) else 1))

    def __str__(self):
        return f"{self.file}:{self.number}: {self.fault}\n  - {self.before.strip()}\n  + {self.after.strip()}"


def mutants_of(root, rooms, seed):
    """All that can be planted, each line at most once per fault; in the order in which they are drawn."""
    found = {}
    for room in rooms:
        for file in sorted((root / room).rglob("*")) if (root / room).is_dir() else [root / room]:
            if file.suffix not in (".cpp", ".hpp", ".c", ".h") or "mpi" in file.parts:
                continue
            for number, line in enumerate(file.read_text().splitlines(), 1):
                code = line.split("//")[0].rstrip()
                if (NO_STATEMENT.match(code) and not code.lstrip().startswith("return")) or (
                    file.suffix == ".hpp" and MEMBER.match(code.strip())):
                    continue
                for fault, pattern, to in FAULTS:
                    if fault == "dropped call" and DECLARATION.search(code.strip()):
                        continue
                    match = pattern.search(code)
                    if match is None or code[:match.start()].count('"') % 2:
                        continue
                    after = code[:match.start()] + match.expand(to) + code[match.end():] if isinstance(to,
                        str) \
                        else code[:match.start()] + to(match) + code[match.end():]
                    mutant = Mutant(str(file.relative_to(root)), number, code, after, fault, seed)
                    found.setdefault(mutant.key, mutant)
    ranked = sorted(found.values(), key=lambda mutant: -mutant.rank)
    lines = set()  # a second fault of the same line tells little
    return [one for one in ranked if (one.file, one.number) not in lines
        and not lines.add((one.file, one.number))]


def equals(root):
    """mutants_equal.txt: file, "- line", "+ line", reason."""
    known, file, before = {}, "", ""
    for line in (root / "tests/mutants_equal.txt").read_text().splitlines():
        if line.startswith("- "):
            before = line[2:]
        elif line.startswith("+ "):
            key = "\t".join((file, before, line[2:]))
        elif line.startswith("  "):
            known[key] = line.strip()
        elif line and not line.startswith("#"):
            file = line
    return known


def run(command, limit, **more):
    """Status and output; None where it has not ended in time. Ends all that it has started."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", start_new_session=True, **more)
    try:
        output, _ = process.communicate(timeout=limit)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return None, process.communicate()[0]


class Copy:
    """The tree that faults are planted in, with its build."""

    def __init__(self, work):
        self.root, self.folder = work, work / "build"
        self.kept = work / "build/kept-objects"
        self.base = {}  # seconds of a stage without a fault

    def prepare(self):
        if not (self.root / ".git").exists():
            subprocess.run(["git", "clone", "-q", near.root, self.root], check=True)
        git = ["git", "-C", self.root]
        subprocess.run([*git, "fetch", "-q", near.root, "HEAD"], check=True)
        subprocess.run([*git, "checkout", "-q", "-f", "FETCH_HEAD"], check=True)
        # One source is compiled in seconds: without unity units, at -O1.
        flags = ["-DCMAKE_BUILD_TYPE=Debug", "-DROCKCREEK_UNITY=OFF"] + [
            f"-DCMAKE_{language}_FLAGS_DEBUG=-O1 -DNDEBUG" for language in ("C", "CXX")]
        subprocess.run(["cmake", "-S", self.root, "-B", self.folder, "-G", "Ninja", *flags], check=True,
            stdout=subprocess.DEVNULL)
        self.build = near.Build(self.folder)

    def make(self, targets):
        return run(["ninja", "-C", self.folder, f"-j{jobs}", *targets], 1800) if targets else (0, "")

    def made(self, since):
        """Objects, archives, libraries and programs that have been made since."""
        return [file for file in self.folder.rglob("*") if "kept-objects" not in file.parts and file.is_file()
            and not file.is_symlink()
                and file.stat().st_mtime_ns > since
                    and (file.suffix in (".o", ".a") or os.access(file, os.X_OK))]

    def keep(self):
        """Keeps the objects as they are without a fault."""
        for file in self.folder.rglob("*.o"):
            kept = self.kept / file.relative_to(self.folder)
            if "kept-objects" not in file.parts and (not kept.exists()
                or kept.stat().st_mtime_ns != file.stat().st_mtime_ns):
                kept.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file, kept)

    def stage(self, stage):
        tests = self.build.tests(stage)
        if not tests:
            self.base[stage] = 0
            return "passed", ""
        status, output = self.make(self.build.needs(tests))
        if status != 0:
            return "not built", output
        limit = 30 + 6 * self.base[stage] if stage in self.base else 1200
        begin = time.time()
        status, output = run(["ctest", "--test-dir", self.folder, "-R", f"^({stage})$", "--stop-on-failure",
            "--timeout", "30"], limit)
        if status is None:
            return "failed", f"no end of {stage}"
        self.base.setdefault(stage, time.time() - begin)
        failed = re.search(r"The following tests FAILED:\s+\d+ - (\S+) \((.*)\)", output)
        return ("passed", "") if status == 0 else ("failed",
            f"{failed[1]} ({failed[2]})" if failed else "ctest")


@contextlib.contextmanager
def planted(copy, mutant):
    """Afterwards the source is as it was, and what was made of it: objects are put back, what they are linked
    into goes."""
    file = copy.root / mutant.file
    original, times, since = file.read_text(), os.stat(file), time.time_ns()
    lines = original.splitlines(keepends=True)
    lines[mutant.number - 1] = mutant.after + "\n"
    file.write_text("".join(lines))
    try:
        yield since
    finally:
        file.write_text(original)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        for one in copy.made(since):
            kept, stamp = copy.kept / one.relative_to(copy.folder), one.stat()
            if one.suffix == ".o" and kept.exists():
                shutil.copyfile(kept, one)
                os.utime(one, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
            else:
                one.unlink()


def verdict(copy, mutant, stages):
    compared, passed = not mutant.file.endswith(".cpp"), set()
    while True:
        with planted(copy, mutant) as since:
            for stage in (stage for stage in stages if stage not in passed
                and copy.base.get(stage, 0) is not None):
                if stage not in copy.base:
                    break
                result, what = copy.stage(stage)
                if result == "not built":
                    return ("not compiled", "") if "error:" in what else ("caught", "the build")
                if result == "failed":
                    return "caught", what
                passed.add(stage)
                objects = [] if compared else [one for one in copy.made(since) if one.suffix == ".o"]
                if objects:
                    compared = True
                    if all(one.read_bytes() == (copy.kept / one.relative_to(copy.folder)).read_bytes()
                        for one in objects):
                        return "same object", ""
            else:
                return "survived", ""
        # The first fault that comes so far: how long does the stage take without one?
        result, what = copy.stage(stage)
        if result == "not built":
            sys.exit(f"{stage} cannot be built without a fault:\n{what[-2000:]}")
        if result != "passed":
            print(f"{stage} is left out, it fails without a fault: {what[-2000:]}", flush=True)
            copy.base[stage] = None
        copy.keep()


def main():
    global jobs
    parser = argparse.ArgumentParser(prog="sh tests/mutate.sh")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200, help="faults that get a verdict")
    parser.add_argument("--jobs", type=int, default=1, help="of the build; tests run one after the other")
    parser.add_argument("--work", default=os.path.join(os.environ.get("TMPDIR", "/tmp"), "rockcreek-mutants"),
        help="folder of the copy and of the results")
    parser.add_argument("--again", action="store_true", help="try those again that have survived")
    parser.add_argument("--list", action="store_true", help="print what would be planted")
    parser.add_argument("folders", nargs="*", default=ROOMS, metavar="FOLDER")
    options = parser.parse_args()
    jobs = options.jobs
    copy, table, known = Copy(pathlib.Path(options.work).resolve()), near.rows(), equals(near.root)
    drawn = mutants_of(near.root, [folder.rstrip("/") for folder in options.folders], options.seed)
    if options.list:
        return print(*drawn[:options.count], sep="\n")
    copy.prepare()
    results, told = copy.root / "build/mutants.tsv", {}
    if results.exists():
        for line in results.read_text().splitlines():
            *key, result, what, seconds = line.split("\t")
            told["\t".join(key)] = (result, what, float(seconds))
    survived = []
    counts, total = {"caught": 0, "equal": 0, "survived": 0, "not compiled": 0, "same object": 0}, 0.0
    for mutant in drawn:
        if counts["caught"] + counts["equal"] + counts["survived"] == options.count:
            break
        if mutant.key not in told or (options.again and told[mutant.key][0] == "survived"
            and mutant.key not in known):
            begin = time.time()
            result, what = verdict(copy, mutant, near.stages_of(mutant.file, table))
            told[mutant.key] = (result, what, time.time() - begin)
            with results.open("a") as file:
                file.write("\t".join((mutant.key, result, what, f"{time.time() - begin:.1f}")) + "\n")
        result, what, seconds = told[mutant.key]
        if result == "survived" and mutant.key in known:
            result, what = "equal", known[mutant.key]
        counts[result] += 1
        total += seconds
        if result == "survived":
            survived.append(mutant)
        print(f"{result}{': ' if what else ''}{what}, {seconds:.0f} s: {mutant}", flush=True)
    real = counts["caught"] + counts["survived"]
    print("\nsurvived:", *survived, sep="\n") if survived else None
    print(f"\n{real} faults: {counts['caught']} caught, {counts['survived']} survived: "
          f"{100 * counts['caught'] / max(real, 1):.1f} %; "
          f"{counts['equal']} are equal by tests/mutants_equal.txt, {counts['same object']} give the same "
          f"object, {counts['not compiled']} do not compile; "
          f"{total / max(len(told), 1):.0f} s each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
