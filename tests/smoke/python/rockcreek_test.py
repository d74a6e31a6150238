# SPDX-License-Identifier: Apache-2.0
"""The Python module against the commands that it calls."""

import dataclasses
import os
import pathlib
import unittest

import rockcreek

try:
    import pandas
except ImportError:
    pandas = None

PROGRAM = pathlib.Path(os.environ["PROGRAMS"]) / "ring_shift"
SOURCE = pathlib.Path(os.environ["SOURCE"])


class Run(unittest.TestCase):
    def test_result(self) -> None:
        for ues in (3, 5, 48):
            result = rockcreek.run(PROGRAM, 2, 100, ues=ues, statistics=True, matrix=True)
            self.assertEqual(result.status, 0)
            self.assertEqual(len(result.lines), ues)
            self.assertRegex(result.digest or "", "^[0-9a-f]{16}$")
            # Two turns of 100 doubles to the next one round the ring.
            self.assertEqual(
                [dict(row) for row in result.matrix],
                [{"sender": i, "receiver": (i + 1) % ues, "messages": 2, "bytes": 1600} for i in range(ues)],
            )
            waiting = result.statistics.where(name="core.waiting")
            self.assertEqual(sorted(waiting.column("core")), list(range(ues)))
            again = rockcreek.run(PROGRAM, 2, 100, ues=ues)
            self.assertEqual((again.digest, again.stdout), (result.digest, result.stdout))
            self.assertEqual((list(again.matrix), list(again.statistics)), ([], []))

    def test_settings_change_the_machine(self) -> None:
        usual = rockcreek.run(PROGRAM, 2, 100, ues=3)
        self.assertNotEqual(rockcreek.run(PROGRAM, 2, 100, ues=3, machine="scc-fast").digest, usual.digest)
        slow = rockcreek.run(PROGRAM, 2, 100, ues=3, settings={"mesh.router_cycles": 9})
        self.assertNotEqual(slow.digest, usual.digest)
        same = rockcreek.run(PROGRAM, 2, 100, ues=3, settings={"mesh.router_cycles": 4})
        self.assertEqual(same.digest, usual.digest)

    def test_engine_without_digest(self) -> None:
        self.assertIsNone(rockcreek.run(PROGRAM, 2, 100, ues=3, options=["--engine=threads"]).digest)
        self.assertIsNone(rockcreek.run(PROGRAM, 2, 100, ues=3, options=["-engine", "threads"]).digest)

    def test_failures_carry_the_message(self) -> None:
        with self.assertRaisesRegex(rockcreek.CommandFailed, "did you mean 'scc'") as failure:
            rockcreek.run(PROGRAM, 2, 100, ues=3, machine="scd")
        self.assertEqual(failure.exception.status, 2)
        with self.assertRaisesRegex(rockcreek.CommandFailed, "nothing_there"):
            rockcreek.run("nothing_there", ues=3)
        usage = rockcreek.run(PROGRAM, ues=1, check=False)
        self.assertEqual(usage.status, 1)
        self.assertRegex(usage.stdout, "^usage")

    def test_compile(self) -> None:
        pathlib.Path("one.c").write_text(
            '#include "RCCE.h"\nint RCCE_APP(int c, char **v) { return RCCE_init(&c, &v); }\n')
        program = rockcreek.compile("one.c")
        self.assertRegex(rockcreek.run(program, ues=2, options=["--compute", "blocks"]).digest or "",
            "^blocks:[0-9a-f]{16}$")
        self.assertEqual(program, pathlib.Path("one"))
        self.assertEqual(rockcreek.run(program, ues=5, check=False).status, 0)
        pathlib.Path("seven.c").write_text(
            '#include "RCCE.h"\nint RCCE_APP(int c, char **v) { RCCE_init(&c, &v); return 7; }\n')
        with self.assertRaisesRegex(rockcreek.CommandFailed, "^seven ended with status 7$"):
            rockcreek.run(rockcreek.compile("seven.c"), ues=2)
        with self.assertRaisesRegex(TypeError, "sequence of words"):
            rockcreek.compile("one.c", flags="-O2")
        with self.assertRaisesRegex(TypeError, "sequence of words"):
            rockcreek.run(program, ues=2, options="--why")
        pathlib.Path("bad.c").write_text("int x\n")
        with self.assertRaisesRegex(rockcreek.CommandFailed, "bad.c:1:6: error"):
            rockcreek.compile("bad.c", output="bad")
        with self.assertRaises(ValueError):
            rockcreek.compile()

    def test_missing_commands(self) -> None:
        usual = os.environ["ROCKCREEK_BIN"]
        os.environ["ROCKCREEK_BIN"] = "/nowhere"
        try:
            with self.assertRaisesRegex(rockcreek.NotInstalled, "ROCKCREEK_BIN"):
                rockcreek.version()
        finally:
            os.environ["ROCKCREEK_BIN"] = usual


class Bench(unittest.TestCase):
    def test_compare(self) -> None:
        table = rockcreek.compare(algorithms=["cube", "linear"], sizes=[32, 8192], cores=[3, 5])
        self.assertEqual(len(table), 8)
        self.assertTrue(all(table.column("correct")))
        self.assertEqual([row["algorithm"] for row in table.where(bytes=8192, cores=5, winner=True)],
            ["bcast/cube"])
        self.assertEqual(table.summary["wrong_bytes"], 0)
        self.assertIn("scc", table.settings["machine"])
        with self.assertRaisesRegex(KeyError, "simulated_us_max"):
            table.column("time")
        with self.assertRaisesRegex(KeyError, "no column 'size'"):
            table.where(size=32)

    def test_columns_of_compare(self) -> None:
        """All that there are stand in its description."""
        tables = [
            rockcreek.compare(cores=4, sizes=32, spread="uniform:3"),
            rockcreek.compare("reduce", cores=4, sizes=64),
            rockcreek.compare("barrier", cores=4),
            rockcreek.compare("barrier", cores=4, machine="xeon-phi-5110p"),
        ]
        for table in tables:
            self.assertEqual([name for name in table.columns
                if f"``{name}``" not in (rockcreek.compare.__doc__ or "")], [])

    def test_options(self) -> None:
        barriers = rockcreek.compare("barrier", cores=3, algorithms="tree",
            set={"mesh.router_cycles": [4, 8]})
        self.assertEqual(len(barriers), 2)
        point = rockcreek.bench("bcast", algorithms="linear", cores=3, sizes=64, root=2, no_check=True)
        self.assertEqual(point.column("root"), [2])
        with self.assertRaisesRegex(rockcreek.CommandFailed, "did you mean 'bcast/cube'"):
            rockcreek.compare(algorithms="cub")
        with self.assertRaisesRegex(rockcreek.CommandFailed, "^no table on standard output"):
            rockcreek.bench("bcast", algorithms="linear", cores=2, sizes=1, output="out.json")

    def test_points(self) -> None:
        """Every sort of machine, the same columns, in the order that was asked for."""
        points = [
            rockcreek.Point("reduce/linear", machine, cores=2, bytes=8)
            for machine in ("scc", "x4600", "host")
        ] + [rockcreek.Point("reduce/serial", "alc", cores=5, options={"noise": "off"})]
        table = rockcreek.sweep(points)
        self.assertEqual(table.column("machine"), [point.machine for point in points])
        self.assertEqual(table.column("right"), [True] * 4)
        self.assertEqual(table.column("clock"), ["simulated", "simulated", "host", "simulated"])
        self.assertEqual(rockcreek.run(points[0]), table[0])
        part = rockcreek.Point("bcast/cube", cores=5, bytes=1000, options={"part": 64},
            set={"mesh.router_cycles": 8})
        alone = rockcreek.bench("bcast", algorithms="cube", cores=5, sizes=1000, part_bytes=64,
            set={"mesh.router_cycles": 8})
        self.assertEqual([rockcreek.run(part)["us"]], alone.column("simulated_us_max"))
        blind = rockcreek.run(dataclasses.replace(part, payload="none"))
        self.assertEqual([blind["us"], blind["right"]], [rockcreek.run(part)["us"], None])
        with self.assertRaisesRegex(rockcreek.CommandFailed, "point 1: .*did you mean 'bcast/cube'"):
            rockcreek.run(rockcreek.Point("bcast/cub"))
        with self.assertRaisesRegex(rockcreek.CommandFailed, "--with 'mine.c': there is no such file"):
            rockcreek.sweep([part], with_="mine.c")
        with self.assertRaisesRegex(rockcreek.CommandFailed, "point 1: .*has no 'pat'.*did you mean 'part'"):
            rockcreek.run(rockcreek.Point("bcast/cube", options={"pat": 4}))

    def test_validate(self) -> None:
        table = rockcreek.validate()
        self.assertGreater(len(table), 100)
        for row in table:
            self.assertEqual(set(row) >= {"group", "id", "model", "published", "unit", "difference_percent",
                "source"}, True)
        self.assertIn("tas", table.column("group"))

    def test_pingpong_and_grade(self) -> None:
        self.assertEqual(rockcreek.pingpong(pairs="0:1,0:47", sizes=32).column("hops"), [0, 8])
        graded = rockcreek.grade(SOURCE / "apps/course/deadlock/deadlock.c")
        self.assertGreater(graded.summary["wrong"], 0)
        slow = rockcreek.grade(SOURCE / "apps/course/broadcast/broadcast.c")
        self.assertEqual((slow.summary["wrong"], slow.summary["goal_reached"]), (0, False))

    def test_show(self) -> None:
        """A row for each edge."""
        edges = rockcreek.bench("show", "bcast/binomial", cores=5)
        self.assertEqual(sorted(row["to"] for row in edges if row["data"]), [1, 2, 3, 4])

    @unittest.skipIf(pandas is None, "pandas is not installed (Debian: python3-pandas)")
    def test_readme(self) -> None:
        """Its program is that of the project's first page."""
        page = (SOURCE / "README.md").read_text(encoding="utf-8")
        pathlib.Path("shift.c").write_text(page.split("```c\n")[1].split("```")[0])
        exec((SOURCE / "apps/python/README.md").read_text(encoding="utf-8").split("```python\n")[1].split(
            "```")[0], {})

    @unittest.skipIf(pandas is None, "pandas is not installed (Debian: python3-pandas)")
    def test_medians_of_readme(self) -> None:
        """They are those that the command prints."""
        page = (SOURCE / "apps/python/README.md").read_text(encoding="utf-8")
        (line,) = [line for line in page.splitlines() if line.startswith("rockcreek.validate()")]
        medians = eval(line)
        summary = rockcreek.validate().summary
        self.assertGreater(len(medians), 5)
        for group, median in medians.items():
            self.assertAlmostEqual(median, summary[group]["median_abs_error_percent"])

    @unittest.skipIf(pandas is None, "pandas is not installed (Debian: python3-pandas)")
    def test_frames(self) -> None:
        frame = rockcreek.pingpong(pairs="0:1,0:47", sizes=[32, 64]).frame()
        self.assertEqual(frame.shape[0], 4)
        self.assertEqual(list(frame["hops"].unique()), [0, 8])
        self.assertTrue((frame["latency_us"] > 0).all())


if __name__ == "__main__":
    unittest.main()
