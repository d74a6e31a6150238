# SPDX-License-Identifier: Apache-2.0
"""Writes what near.txt has behind `+`: tests that run functions which the tests of a row's other expressions
leave out.

`sh tests/near.sh --coverage [BUILD]` runs the tests in a build of the preset `coverage`, each with counters
of its own, and reads the files of gcc 12's coverage itself. A function is told by its place, so all instances
of a template are one. Cases that differ by the number of UEs alone are represented by one. What is measured
is kept in BUILD/near.jsonl: a call that was interrupted goes on there. Set MEASURED=1 to write the table from
what is there already.

A row's seconds are those of the last run in an ordinary build (build/, or BUILD), of cases those of all that
run in turn.

Not measured are programs and what is linked into them, so algorithms on messages; and runs that end at once,
as after a crash."""
import collections
import concurrent.futures
import datetime
import functools
import hashlib
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import tempfile
import threading
import time

import near

AT_ONCE = 2
# seconds of a candidate, of a row; what a row that is longer already may get
LIMIT, ROW_LIMIT, ROOM = 30, 60, 10
SLOWER = 10  # so many times LIMIT a test may take in this build, which is slow
NO_CANDIDATE = re.compile(
    r"(nightly|consumer|soak|fuzz|runs)\.|smoke\.(handbook|report|notebooks)$|shape\.near$")
FUNCTION, COUNTERS = 0x01000000, 0x01a10000


def records(data):
    """Tag, contents and length of each record of a gcno or gcda file; a negative length is that of so many
    zeros."""
    at = 20 + struct.unpack_from("<I", data, 16)[0] + 4 if data[:4] == b"oncg" else 16
    while at + 8 <= len(data):
        tag, length = struct.unpack_from("<Ii", data, at)
        yield tag, data[at + 8:at + 8 + max(length, 0)], length
        at += 8 + max(length, 0)


def text_of(data, at):
    length = struct.unpack_from("<I", data, at)[0]
    return data[at + 4:at + 4 + length].rstrip(b"\0").decode(), at + 4 + length


class Functions:
    """The functions of our files that a build has compiled: places (path, line, column), and of each gcda
    file which is whose."""

    def __init__(self, build):
        self.names, where, digest = {}, {}, hashlib.sha256()
        for file in sorted(build.rglob("*.gcno")):
            data = file.read_bytes()
            if data[:4] != b"oncg":  # its compilation did not end
                continue
            stamp, folder, here = data[8:12], pathlib.Path(text_of(data, 16)[0]), {}
            for tag, record, _ in records(data):
                if tag == FUNCTION:
                    name, at = text_of(record, 12)
                    artificial = struct.unpack_from("<I", record, at)[0]
                    source, at = text_of(record, at + 4)
                    place = (self.path(folder, source), *struct.unpack_from("<II", record, at))
                    if place[0] and not artificial:
                        self.names.setdefault(place, name)
                        here[struct.unpack_from("<I", record)[0]] = place
            where[str(file.relative_to(build).with_suffix(".gcda"))] = stamp, here
            digest.update(f"{file} {stamp.hex()}\n".encode())
        self.places = sorted(self.names)
        self.bits = {place: 1 << number for number, place in enumerate(self.places)}
        self.notes = {name: (stamp, {ident: self.bits[place] for ident, place in here.items()}) for name,
            (stamp, here) in where.items()}
        self.signature = digest.hexdigest()

    @staticmethod
    @functools.cache
    def path(folder, source):
        file = os.path.relpath(os.path.realpath(folder / source), near.root)
        return None if file.startswith(("..", "build", "tests")) else file

    def executed(self, folder):
        """The set of functions, as bits, that the counters in this folder are of."""
        found = 0
        for file in folder.rglob("*.gcda"):
            data = file.read_bytes()
            stamp, bits = self.notes.get(str(file.relative_to(folder)), (None, {}))
            if data[8:12] != stamp:
                continue
            bit = 0
            for tag, record, length in records(data):
                if tag == FUNCTION:
                    bit = bits.get(struct.unpack_from("<I", record)[0], 0) if length else 0
                elif tag == COUNTERS and length > 0 and any(record):
                    found |= bit
        return found


class Suite:
    """The tests of a build: how each is run, by which test it is represented, and what it takes."""

    def __init__(self, build):
        listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True,
            check=True)
        self.tests = {}
        for test in json.loads(listed.stdout)["tests"]:
            test.update({each["name"]: each["value"] for each in test.pop("properties")})
            if "command" in test:  # it is built
                self.tests[test["name"]] = test
        self.build, self.cost = build, {}
        self.runs = {name: test["FIXTURES_REQUIRED"][0] for name, test in self.tests.items()
                     if test.get("FIXTURES_REQUIRED", [""])[0].startswith("runs.")}
        families = collections.defaultdict(list)
        for name in self.tests:
            families[re.sub(r"_(\d+|\d+x\d+x\d+)(?=@|$)", "", name)
                if name in self.runs else name].append(name)
        self.stands_for = {name: min(family, key=self.ues) for family in families.values() for name in family}
        ordinary = pathlib.Path(os.environ.get("BUILD",
            near.root / "build")) / "Testing/Temporary/CTestCostData.txt"
        if ordinary.exists():
            for words in map(str.split, ordinary.read_text().splitlines()):
                if len(words) == 3 and float(words[2]) > 0:
                    self.cost[words[0]] = float(words[2])

    @staticmethod
    def ues(name):
        number = int((re.findall(r"_(\d+)(?:x\d+x\d+)?(?=@|$)", name) or ["2"])[0])
        return (number < 2, number, name)

    @functools.cache
    def named(self, stage):
        fits = re.compile(f"^({stage})$").search
        return [name for name in self.tests if fits(name)]

    def unit(self, name):
        """What ctest runs for a test: all cases in turn, or the test."""
        return self.runs.get(name, name)

    def seconds(self, tests):
        return sum(self.cost.get(unit, 0) for unit in {self.unit(name) for name in tests})

    def take_measured(self, measured):
        """For what no ordinary build has run: a case takes as long as the one that stands for it."""
        sums = collections.Counter()
        for name in self.tests:
            sums[self.unit(name)] += measured.get(self.stands_for[name], {}).get("seconds", 0)
        for unit, seconds in sums.items():
            self.cost.setdefault(unit, seconds)

    def run(self, name, functions):
        test = self.tests[name]
        command, limit = test["command"], SLOWER * LIMIT
        if name in self.runs:
            command = ["cmake", f"-DCASES={self.build}/tests/cases/{name}.cmake", "-P",
                str(near.root / "tests/support/check_run.cmake")]
        settings = dict(each.split("=", 1) for each in test.get("ENVIRONMENT", []))
        settings.update(each.replace("=set:", "=", 1).split("=", 1)
            for each in test.get("ENVIRONMENT_MODIFICATION", []))
        with tempfile.TemporaryDirectory(prefix="near.", ignore_cleanup_errors=True) as folder:
            settings |= {"GCOV_PREFIX": folder, "GCOV_PREFIX_STRIP": str(len(self.build.parts) - 1),
                         "LD_PRELOAD": str(self.build / "near_coverage.so")}
            begin = time.time()
            with subprocess.Popen(command, cwd=test["WORKING_DIRECTORY"], env=os.environ | settings,
                stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  start_new_session=True) as process:
                try:
                    status = process.wait(limit)
                except subprocess.TimeoutExpired:
                    status = f"longer than {limit} s"
                    os.killpg(process.pid, signal.SIGKILL)
            return {"test": name, "status": status, "seconds": round(time.time() - begin, 2),
                    "functions": f"{functions.executed(pathlib.Path(folder)):x}"}


def measure(suite, functions, names):
    """Runs these tests, unless that was done already in this very build. Returns what was found, by test."""
    file, measured = suite.build / "near.jsonl", {}
    if file.exists():
        first, *lines = file.read_text().splitlines()
        if first == functions.signature:
            measured = {found["test"]: found for found in map(json.loads, lines)}
    if not measured:
        file.write_text(functions.signature + "\n")
    left = [] if os.environ.get("MEASURED") else sorted(names - measured.keys(),
        key=lambda name: suite.cost.get(name, 0) * (name not in suite.runs))
    lock, last = threading.Lock(), time.time()

    def one(name):
        nonlocal last
        found = suite.run(name, functions)
        with lock, file.open("a") as out:
            out.write(json.dumps(found) + "\n")
            measured[name] = found
            if time.time() - last > 60:
                last = time.time()
                print(f"{len(names & measured.keys())} of {len(names)} tests were run", flush=True)

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for done in [pool.submit(one, name) for name in left]:
            done.result()
    for found in measured.values():
        found["functions"] = int(found["functions"], 16) if isinstance(found["functions"],
            str) else found["functions"]
    if names - measured.keys():
        print(f"{len(names - measured.keys())} of {len(names)} tests were not run")
    for name in sorted(name for name, found in measured.items() if found["status"] != 0):
        print(f"{name}: left out, its status in this build is {measured[name]['status']}")
    return measured


def expression(tests):
    """One for these names, those of a suite beside each other."""
    suites = collections.defaultdict(list)
    for name in sorted(tests):
        suite, rest = name.split(".", 1)
        suites[suite].append(re.sub(r"([.+])", r"\\\1", rest))
    return "|".join(suite + r"\." + (names[0] if len(names) == 1 else f"({'|'.join(names)})") for suite,
        names in suites.items())


def choose(missing, hand, candidates, suite, covers):
    """Tests that cover what is missing, by new functions per second, as long as the row's time allows."""
    chosen, units, wanted = [], {suite.unit(name) for name in hand}, missing
    more = lambda name: 0 if suite.unit(name) in units else suite.cost[suite.unit(name)]
    seconds = suite.seconds(hand)
    limit = max(ROW_LIMIT, seconds + ROOM)
    while missing:
        fits = [name for name in candidates if covers[name] & missing
            and (more(name) == 0 or seconds + more(name) <= limit)]
        if not fits:
            break
        best = max(fits, key=lambda name: (covers[name] & missing).bit_count() / max(more(name), 0.05))
        seconds += more(best)
        units.add(suite.unit(best))
        chosen.append(best)
        missing &= ~covers[best]
    for name in chosen[::-1]:
        rest = [other for other in chosen if other != name]
        if not covers[name] & wanted & ~union(covers, rest):
            chosen = rest
    return chosen


def union(covers, names):
    return functools.reduce(int.__or__, (covers.get(name, 0) for name in names), 0)


def write(plus):
    """The table with these expressions, told by the first word of their rows, in place of those that it
    has."""
    file, lines = near.root / "tests/near.txt", []
    for line in file.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            line = re.sub(r" +[+]\S*$", "", line)
            line += " +" + plus[line.split()[0]] if plus.get(line.split()[0]) else ""
        lines.append(re.sub(r"last written on [\d-]+", f"last written on {datetime.date.today()}", line))
    file.write_text("\n".join(lines) + "\n")


def main(build):
    build = pathlib.Path(os.path.realpath(build))
    if not (build / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", "coverage", "-S", near.root, "-B", build], check=True)
        subprocess.run(["ninja", "-C", build, "-j", str(AT_ONCE), "all", "tests/all"], check=True)
    subprocess.run(["cc", "-shared", "-fPIC", near.root / "tests/near_coverage.c", "-o",
        build / "near_coverage.so"], check=True)
    compiled, suite, table = Functions(build), Suite(build), near.rows(generated=False)
    row_of = {path: [words[0]] for words in near.lines() for path in words[0].split(",")}
    own, hand = collections.Counter(), collections.defaultdict(set)
    for path in sorted({place[0] for place in compiled.places}):
        for row in near.stages_of(path, row_of):
            own[row] |= sum(bit for place, bit in compiled.bits.items() if place[0] == path)
            hand[row].update(*(suite.named(stage) for stage in near.stages_of(path, table)))
    candidates = {name for name in suite.stands_for.values() if not NO_CANDIDATE.match(name)}
    named = {suite.stands_for[name] for tests in hand.values() for name in tests}
    slow = {name for name in candidates | named if name not in suite.runs and suite.cost.get(name, 0) > LIMIT}
    print("".join(f"{name}: left out, it takes {suite.cost[name]:.0f} s\n" for name in sorted(slow)), end="")
    measured = measure(suite, compiled, (candidates | named) - slow)
    suite.take_measured(measured)
    covers = {name: found["functions"] for name, found in measured.items() if found["status"] == 0}
    candidates = sorted(name for name in candidates & covers.keys() if suite.cost[suite.unit(name)] <= LIMIT)
    anyone, plus = union(covers, covers), {}
    print("functions that any test runs, the row's tests without +, with +; seconds without +, with +")
    for row in own:
        can, done = own[row] & anyone, union(covers, {suite.stands_for[name] for name in hand[row]})
        chosen = choose(can & ~done, hand[row], candidates, suite, covers)
        plus[row] = expression(chosen)
        counts = [can, can & done, can & (done | union(covers, chosen))]
        seconds = [suite.seconds(hand[row]), suite.seconds([*hand[row], *chosen])]
        print("".join(f"{bits.bit_count():6}" for bits in counts),
            "".join(f"{each:6.0f}" for each in seconds), "", row)
    write(plus)
    never = [place for place in compiled.places if not compiled.bits[place] & anyone]
    told = subprocess.run(["c++filt"], input="\n".join(compiled.names[place] for place in never),
        capture_output=True, text=True, check=True)
    print(f"{len(never)} of {len(compiled.places)} compiled functions are run by no test:")
    for (path, line, _), name in zip(never, told.stdout.splitlines()):
        print(f"{path}:{line} {name}")
    return 0
