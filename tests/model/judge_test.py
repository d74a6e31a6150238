# SPDX-License-Identifier: Apache-2.0
"""Are the tables of publications understood, and what is wrong in them refused by its line? Does the judge
count and print right?"""

import os
import shutil
import sys
import tempfile
import unittest

ROOM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../apps/rccebench/publications")
sys.path.insert(0, ROOM)

from judge import report, values  # noqa: E402
from judge.expressions import Refused  # noqa: E402
from judge.study import Claim, Study, UnknownStatement  # noqa: E402

STATEMENTS = ("id,each,headline,statement,where,evidence,inputs,published,quantity,unit,comparison,tolerance,"
              "chosen by,cause,reason\n")
NAMES = '''
from judge import fact, helper, measured, quantity, words

title, on_machines = "nobody: nothing", "small,big"
settings, notes, schedules = [], [], []
results = []
cores = [2, 4, 8]
machines = words("small big=large_one")
limit = 40


@quantity("us")
def time(n):
    return measured("times", n)["time"]


@quantity()
def hops(n):
    return measured("times", n)["hops"]


@quantity()
def name(word):
    return "<" + word + ">"


@helper
def first_over(bound):
    return next((n for n in cores if time(n) > bound), 0)


def why(n, more):
    return "never" if n > 4 else f"{time(more):.1f} us with {more}"
'''


class Rccebench:
    """In its place: time(n) is 10 n."""

    def __init__(self):
        self.batches = []

    def __call__(self, message):
        items = message["measure"]
        self.batches.append([item["arguments"][0] for item in items])
        results = [{"time": item["arguments"][0] * 10.0, "hops": float(item["arguments"][0])}
            for item in items]
        return {"results": results, "whole": True}


class Publication(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.write("published.csv", 'id,of,value,unit,where\nT-1,"small, 4",50,us,table 1\n')
        self.write("example.py", NAMES)
        self.bench = Rccebench()

    def write(self, file, text):
        with open(os.path.join(self.folder, file), "w", encoding="utf-8") as out:
            out.write(text)

    def study(self, statements, names="", head=STATEMENTS, **config):
        self.write("statements.csv", head + statements)
        self.write("example.py", NAMES + names)
        return Study(self.folder, self.bench, {"name": "example", **config})

    def claim(self, quantity, published="1", rule="below,1", reason=""):
        row = f'1,,,a sentence,table 1,input,,{published},"{quantity}",us,{rule},us,,"{reason}"\n'
        return self.study(row).run().claims[0]

    def value(self, quantity, rule="below,1"):
        return self.claim(quantity, rule=rule).simulated

    def word(self, quantity):
        return self.value(quantity, "equals,")

    def refusal(self, statements, run=False, **more):
        with self.assertRaises(Refused) as caught:
            study = self.study(statements, **more)
            if run:
                study.run()
        return str(caught.exception)


class Expressions(Publication):
    def test_quantities_and_published_values(self):
        self.assertEqual(self.value("time(4) / hops(4)"), 10)
        self.assertEqual(self.value("time(4) if 1 > 2 else limit"), 40)
        self.assertEqual(self.value("published('small', 4) + published('T-1') + is_printed('big', 4)"), 100)
        self.assertEqual(self.word("name('big')"), "<big>")
        self.assertEqual(self.word("published_id('small', 4)"), "T-1")

    def test_a_quantity_of_another_waits_for_it(self):
        row = "1,,,a sentence,table 1,evidence,,less,twice(4),us,below,100,us,,\n"
        twice = '\n\n@quantity("us")\ndef twice(n):\n    return 2 * time(n)\n'
        self.assertEqual(self.study(row, twice).run().claims[0].simulated, 80)

    def test_aggregates(self):
        for quantity, value in (
            ("sum(time(n) for n in cores)", 140),
            ("mean(range(2, 5))", 3),
            ("share(time(n) > limit for n in cores if n > 2)", 0.5),
            ("up_to((n, time(n) <= limit) for n in cores)", 4),
            ("up_to((n, n > 2) for n in cores)", 0),
            ("median([1, 5, 2, 9])", 3.5),
            ("rising(cores) + falling(cores)", 1),
            ("max(1, 3, 2) + min(4, 2) + abs(1 - 3)", 7),
            ("round(2.5) + round(-2.5) + round(0.4)", 0),
            ("all([1, 0, 1]) + all(cores)", 1),
        ):
            self.assertEqual(self.value(quantity), value, quantity)
        self.assertAlmostEqual(self.value("geomean([1, 4])"), 2)
        self.assertAlmostEqual(self.value("ln(10)"), 2.302585092994046, 15)
        for quantity, word in (
            ("argmax(((m, n), n if m == 'big' else 0) for m in machines for n in cores)", "large one, 8"),
            ("in_order((m, 1 if m == 'big' else 2) for m in machines)", "large one < small"),
            ("in_order((n, n > 2) for n in cores)", "2 < 4 = 8"),
            ("tally(n > 2 for n in cores)", "2 of 3"),
            ("series(cores)", "2, 4, 8"),
            ("series(n / 3 for n in cores)", "0.67, 1.33, 2.67"),
        ):
            self.assertEqual(self.word(quantity), word)

    def test_argmin_takes_the_first_of_several(self):
        self.assertEqual(self.value("argmin((n, 1) for n in cores)"), 2)

    def test_nothing_comes_of_nothing(self):
        for quantity in ("min([])", "mean([1, nothing])", "argmin([(1, nothing)])", "ln(nothing)",
            "time(nothing)"):
            claim = self.claim(quantity)
            self.assertIsNone(claim.simulated, quantity)
            self.assertFalse(claim.holds)

    def test_numbers_of_sentences(self):
        claim = self.claim("2", reason="{time(2):1} {7 / 2} {5.0} {machines[1]} {-1.5:+0} {nothing:1} {40}")
        self.assertEqual(claim.reason, "20.0 3.5 5 large one   -2 - 40")


class Tolerances(Publication):
    def test_a_statement_holds_at_its_tolerance_and_not_beyond_it(self):
        for simulated, published, rule, holds in (
            ("90", "100", "within,10", True),
            ("89.999", "100", "within,10", False),
            ("-90", "-100", "within,10", True),
            ("50", "100", "factor,2", True),
            ("49.9", "100", "factor,2", False),
            ("201", "100", "factor,2", False),
            ("0.25", "a third", "range,0.25 to 0.45", True),
            ("0.2499", "a third", "range,0.25 to 0.45", False),
            ("1", "1.03", "near,0.04", True),
            ("1", "less", "below,1", False),
            ("1", "more", "above,1", False),
            ("1", "not more", "at most,1", True),
            ("1", "not less", "at least,1", True),
            ("1", "another", "other than,2", True),
            ("name('big')", "<small> or <big>", "equals,", True),
            ("name('big')", "<small>", "equals,", False),
            ("4", "=2 * 2", "equals,", True),
            ("1", "in order", "order,time(2) < time(4)", True),
            ("1", "all", "all,time(2) > time(4)", False),
            ("1", "all", "all,all([])", False),
            ("1", "another", "other than,min([])", False),
        ):
            self.assertEqual(self.claim(simulated, published, rule).holds, holds,
                (simulated, published, rule))
        self.assertEqual(self.claim("0.3", "a third", "range,0.25 to 0.45").tolerance, "0.25 to 0.45")
        self.assertEqual(self.claim("5", "5", "within,10").tolerance, "10 %")
        self.assertEqual(self.claim("9.9", "10", "equals,").simulated, 9.9)

    def test_a_word_is_no_number(self):
        row = "1,,,a sentence,table 1,evidence,,{},{},us,{},us,,\n"
        self.assertIn("line 2: published 'a third' is no number",
            self.refusal(row.format("a third", "time(2)", "within,10"), run=True))
        self.assertIn("line 2: the quantity is '<x>'",
            self.refusal(row.format("1", "name('x')", "below,10"), run=True))


class Rows(Publication):
    def test_one_row_stands_for_several_machines(self):
        claims = (
            self.study(
                'T-{m}-{n},for m in machines for n in cores if n < 8,,"{m}, {n} cores",table '
                '1,evidence,,less,time(n),us,"below",30,us,'
                'suspected,"{why(n, n + 1)}"\n'
            )
            .run()
            .claims
        )
        self.assertEqual([one.id for one in claims],
            ["T-small-2", "T-small-4", "T-large one-2", "T-large one-4"])
        self.assertEqual(claims[0].reason, "")
        self.assertEqual(claims[3].statement, "large one, 4 cores")
        self.assertEqual(claims[3].reason, "50.0 us with 5")

    def test_loops_over_pairs(self):
        row = '{a}-{b},"for a, b in [(1, 2), (3, 4)]",,x,,input,,1,a * b,us,above,1,us,,\n'
        claims = self.study(row).run().claims
        self.assertEqual([(one.id, one.simulated) for one in claims], [("1-2", 2.0), ("3-4", 12.0)])

    def test_headlines_come_first_and_a_preset_may_be_no_evidence(self):
        claims = (
            self.study(
                "1-{machine},for machine in machines,,a number,,evidence,,1,time(2),us,above,1,us,,\n"
                "2,,headline,another,,repeats,T-1,1,time(2),us,below,1,us,known,as 1\n",
                'no_evidence = {"big": "a guess"}\n',
            )
            .run()
            .claims
        )
        self.assertEqual([one.id for one in claims], ["2", "1-small", "1-large one"])
        self.assertEqual((claims[0].headline, claims[0].evidence, claims[0].cause, claims[0].inputs),
            (True, False, "known", "T-1"))
        self.assertEqual((claims[1].evidence, claims[1].cause), (True, ""))
        self.assertEqual((claims[2].evidence, claims[2].reason), (False, "a guess"))

    def test_one_statement_alone_has_its_terms(self):
        rows = (
            "1,,,first,,evidence,,1,time(2),us,below,1,us,,\n"
            "2,,,second,,input,,1,time(4) / hops(4),us,below,11,us,,put in\n"
            "3-{n},for n in cores if published('T-1') > n,,third,,input,,1,1,us,below,11,us,,put in\n"
        )
        study = self.study(rows, statement="2").run()
        self.assertEqual([one.reason for one in study.claims], ["put in"])
        self.assertEqual(study.terms, {"time(4)": (40, "us"), "hops(4)": (4, "")})
        self.assertEqual(self.bench.batches, [[4]])
        with self.assertRaises(UnknownStatement):
            self.study(rows, statement="4").run()

    def test_main_results(self):
        rows = (
            "1-{machine},for machine in machines,,a number,,evidence,,1,time(2),us,above,1,us,,\n"
            "10,,,another,,repeats,,1,time(2),us,below,1,us,known,as 1\n2.a,,,a "
            "third,,evidence,,1,time(2),us,above,1,us,,\n"
        )
        results = self.study(rows,
            'results = [("1", "both, not 10"), ("1 10 2", "all"), ("", "untested")]\n').run().results
        self.assertEqual(results,
            [("both, not 10", 2, 2, 2, 0), ("all", 4, 3, 3, 0), ("untested", 0, 0, 0, 0)])
        self.assertEqual([report.comes_out(one) for one in results], [True, False, False])
        why = self.refusal(rows, names='results = [("3", "none")]\n', run=True)
        self.assertIn("result 'none': there is no statement '3'", why)

    def test_lists_may_be_other_ones(self):
        study = self.study("1,,,x,,evidence,,1,sum(time(n) for n in cores),us,above,1,us,,\n",
            lists={"cores": [3]}).run()
        self.assertEqual(study.claims[0].simulated, 30)


class Measuring(Publication):
    def test_all_points_are_asked_for_at_once_and_each_once(self):
        self.study(
            "1,,,x,,evidence,,1,sum(time(n) for n in cores) + "
            "hops(2),us,above,1,us,,\n2,,,y,,evidence,,1,time(8),us,above,1,us,,\n"
        ).run()
        self.assertEqual(self.bench.batches, [[2, 4, 8]])

    def test_points_that_follow_from_results_come_second(self):
        claim = self.study("1,,,x,,evidence,,1,time(time(2)),us,above,1,us,,\n").run().claims[0]
        self.assertEqual(self.bench.batches, [[2], [20]])
        self.assertEqual(claim.simulated, 200)

    def test_a_helper_forgets_what_was_not_measured(self):
        self.assertEqual(self.value("first_over(30)"), 4)

    def test_what_is_not_measured_may_stand_below_a_bar(self):
        self.assertEqual(self.value("8 / count(time(n) > 0 for n in cores) * 3"), 8)

    def test_an_interruption(self):
        row = "1,,,x,,evidence,,1,time(2),us,above,1,us,,{time(2)}\n"
        self.bench = lambda message: {"results": [None], "whole": False}
        self.assertIsNone(self.study(row).run())
        study = self.study(row, keeps=True).run()
        self.assertFalse(study.complete)
        self.assertEqual((study.claims[0].holds, study.claims[0].simulated, study.claims[0].reason),
            (None, None, ""))
        self.assertEqual(report.of_all(study)["notes"][-1],
            "# 0 of 1 statements hold; as evidence 0 of 0; headlines 0 of 0; 1 not measured")


class Refusals(Publication):
    GOOD = "1,,,first,,evidence,,1,time(2),us,below,1,us,,\n"

    def of(self, quantity, rule="below,1", run=False):
        return self.refusal(f'{self.GOOD}2,,,second,,evidence,,1,"{quantity}",us,{rule},us,,\n', run)

    def test_by_its_line(self):
        self.study(self.GOOD)
        for why, words in (
            (self.of("tim(2)"), "statements.csv' line 3: 'tim' is no variable, list, quantity or function, "
                                "did you mean 'time'?"),
            (self.of("time(2)", "under,1"), "line 3: there is no comparison 'under'"),
            (self.of("time(2"), "line 3: '(' was never closed"),
            (self.of("sum(n for n in nodes)"), "line 3: 'nodes' is no variable"),
            (self.of("time(2) 3"), "line 3: invalid syntax"),
            (self.refusal(self.GOOD + '2,,,"{time(2)",,evidence,,1,1,us,below,1,us,,\n'),
            "line 3: '}' is missing"),
            (self.refusal(self.GOOD + "2,,,second,,perhaps,,1,1,us,below,1,us,,\n"),
            "line 3: evidence 'perhaps' is none of"),
            (self.refusal(self.GOOD + "2,,second\n"), "line 3: 3 fields, and there are 15 columns"),
            (self.refusal(self.GOOD + "2,cores,,second,,evidence,,1,1,us,below,1,us,,\n"),
            "line 3: invalid syntax"),
            (self.refusal(self.GOOD + "2,,,second,,evidence,,1,1,us,range,1 to 2 to 3,us,,\n"),
            "line 3: tolerance '1 to 2 to 3' of 'range': A to B"),
            (self.of("time(2)", "above,"), "line 3: tolerance '' of 'above': one expression"),
            (self.of("time(2)", "within,1 to 3"), "line 3: tolerance '1 to 3' of 'within': one expression"),
            (self.of("time(2)", "range,5"), "line 3: tolerance '5' of 'range': A to B"),
            (self.of("time(2)", "equals,5"), "line 3: tolerance '5' of 'equals': leave it empty"),
        ):
            self.assertIn(words, why)

    def test_while_it_is_evaluated(self):
        for why, words in (
            (self.of("time(2) / 0", run=True), "line 3: division by zero in 'time(2) / 0'"),
            (self.of("time(2) / (hops(4) - 4)", run=True), "line 3: division by zero"),
            (self.of("time(2, 3)", run=True), "line 3: time() takes 1 positional argument but 2 were given"),
            (self.of("published('T-2') * hops(2)", run=True), "line 3: published.csv has no value of 'T-2'"),
            (self.of("name(4)", run=True), "line 3: can only concatenate str"),
            (self.of("name(4)", run=True), "example.py' line "),
            (self.of("ln(0 * hops(2))", run=True), "line 3: there is no logarithm of 0 in 'ln(0"),
            (self.of("1e999 * hops(2)", run=True), "line 3: a value is infinite"),
            (self.of("[hops(2)]", run=True), "statements.csv' line 3: "),
            (self.refusal(self.GOOD.replace("1,,", "1,for n in 5,", 1), True), "line 2: 'int' object is not"),
        ):
            self.assertIn(words, why)

    def test_evidence_is_measured(self):
        row = '1,,,first,,{},,"{}","{}",us,{},us,,\n'.format
        for quantity, rule in (("limit", "within,10"), ("published('T-1')", "within,10"),
                ("max(n for n in cores)", "order,rising(cores)")):
            self.assertIn(f"line 2: quantity '{quantity}': nothing in it is measured, so it is no evidence",
                self.refusal(row("evidence", "=published('T-1')", quantity, rule)))
            self.study(row("input", "=published('T-1')", quantity, rule)).run()
        self.study(row("evidence", 1, "limit", "order,rising(time(n) for n in cores)")).run()
        self.study(row("evidence", 1, "first_over(9)", "above,1")).run()
        of_facts = 'from judge import facts\n(size,) = facts("", "size")\n'
        self.assertIn("quantity 'size(2)': nothing in it is measured",
            self.refusal(row("evidence", 1, "size(2)", "within,10"), names=of_facts))
        self.study(row("evidence", 1, "time(2) / size(2)", "within,10"), names=of_facts)

    def test_units_of_both_sides(self):
        row = '1,,,first,,evidence,,{},"{}",{},within,10,us,,\n'.format
        for published, quantity, unit in ((50, "time(2)", "ms"), (50, "time(2) + time(4)", "s"),
                (50, "max(time(n) for n in cores)", "ns a line")):
            self.assertIn(f"statements.csv' line 2: unit '{unit}': the quantity is in us",
                self.refusal(row(published, quantity, unit)))
        self.write("published.csv", "id,of,value,unit,where\nT-1,a,50,ms,\n")
        for quantity, unit in (("time(2)", ""), ("time(2)", "us"), ("limit * hops(2)", "us")):
            self.assertIn("statements.csv' line 2: the published value is in ms, and the quantity in us",
                self.refusal(row("=published('T-1')", quantity, unit), True))
        for published, quantity, unit in (("=published('T-1')", "time(2) / 1000", "ms"),
                ("=published('T-1') * 1000", "time(2)", "us a message"), (2, "time(4) / time(2)", "of less")):
            self.study(row(published, quantity, unit)).run()

    def test_columns_and_letters(self):
        self.assertIn("statements.csv' line 2: there is no column 'reason'; there are id, each",
            self.refusal(self.GOOD, head=STATEMENTS.replace("reason", "reasons")))
        self.write("published.csv", "id,value,unit\nT-1,50,us\n")
        self.assertIn("published.csv' line 2: there is no column 'of'", self.refusal(self.GOOD))
        with open(os.path.join(self.folder, "published.csv"), "wb") as out:
            out.write(b"id,of,value,unit\nT-1,\xe4,50,us\n")
        self.assertIn("published.csv' line 2: it is no UTF-8", self.refusal(self.GOOD))

    def test_what_is_there_twice(self):
        self.assertIn("line 3: there is a statement '1' already", self.refusal(2 * self.GOOD, True))
        self.write("published.csv", "id,of,value,unit,where\nT-1,a,50,us,\nT-1,b,60,us,\n")
        self.assertIn("published.csv' line 3: there is a value of 'T-1' already", self.refusal(self.GOOD))
        self.write("published.csv", "id,of,value,value,unit,where\nT-1,a,50,60,us,\n")
        self.assertIn("published.csv' line 1: two columns are called 'value'", self.refusal(self.GOOD))
        self.write("published.csv", "\ufeff# a byte order mark\nid,of,value,unit,where\nT-1,a,50,us,\n")
        self.study(self.GOOD)

    def test_its_own_file(self):
        self.assertIn("example.py' line 3", self.refusal("", names="\nresults = [\n"))
        self.assertIn("division by zero", self.refusal("", names="x = 1 / 0\n"))
        self.assertIn("example.py': 'speed' is no variable",
            self.refusal("", names='notes = ["{speed(2)}"]\n'))
        for names in ('results = "A"\n', "on_machines = 5\n"):
            self.assertIn("'example.py': ", self.refusal("", names=names))

    def test_substitutes(self):
        study = self.study(self.GOOD)
        study.check_substitutes(["small=x.machine"])
        for one in ("small", "medium=x.machine"):
            with self.assertRaisesRegex(Refused,
                f"--with '{one}': PRESET=FILE, where PRESET is one of: small, big"):
                study.check_substitutes([one])
        with self.assertRaisesRegex(Refused, "'small' is replaced twice; name one file"):
            study.check_substitutes(["small=x.machine", "small=y.machine"])


class Figures(Publication):
    def test_rows_and_columns(self):
        self.write(
            "figures.csv",
            "file,title,shown,each,columns,column,unit,decimals,value\n"
            'table-{m},of {m},text,for m in machines | for n in cores if n > '
            '2,,Cores,,,n\n,,,,,Time,us,1,time(n)\n'
            ',,,,for k in [1 / 2],{k} of it,us,yes,time(n) > 40\n,,,,,Words,,,"{n} {m}"\n',
        )
        figures = self.study("").run().figures
        self.assertEqual([one["file"] for one in figures], ["table-small", "table-large one"])
        table = figures[1]["table"]
        self.assertEqual(table["title"], "of large one")
        self.assertEqual(table["columns"], [["Cores", "", 0, False], ["Time", "us", 1, False],
            ["0.5 of it", "us", 0, False], ["Words", "", 0, True]])
        self.assertEqual(table["rows"], [[4, 40.0, False, "4 large one"], [8, 80.0, True, "8 large one"]])
        self.write("figures.csv", "file,title,shown,each,columns,column,unit,decimals,value\n"
            "ratios,of it,text,for n in cores,,None/published,,,time(n) / 25\n")
        with self.assertRaises(Refused) as caught:
            self.study("").run()
        self.assertIn("figures.csv' line 2: 0.8 is no whole number; column 'decimals' says",
            str(caught.exception))

    def test_curves(self):
        self.write(
            "curves.csv",
            "title,each,line,x,x unit,x scale,y,y unit,value,published\n"
            "by cores,for m in machines | for n in cores if n < 8,{m},cores,1,linear,time,us,time(n),"
            "n * 11\n",
        )
        curves = self.study("").run().curves
        self.assertEqual(curves[0]["x"], ["cores", "1", False])
        self.assertEqual(curves[0]["curves"][0], {"name": "small", "points": [[2.0, 20.0], [4.0, 40.0]]})
        self.assertEqual(curves[0]["curves"][2],
            {"name": "small, published", "points": [[2.0, 22.0], [4.0, 44.0]], "of": "small"})


class Report(unittest.TestCase):
    def setUp(self):
        self.study = type("Example", (), {})()
        self.study.title, self.study.settings, self.study.notes = "nobody: nothing, 2000", [], []
        self.study.results, self.study.figures, self.study.curves, self.study.schedules = [], [], [], []
        self.study.substitutes = []
        rows = [
            ("1", "at the edge", 100.0, 110.0, True, True, ""),
            ("2", "beyond it", 100.0, 110.001, False, True, "too slow"),
            ("3", "in a range", "a third", 0.25, True, True, ""),
            ("4", "below it, fitted", "a third", 0.2499, False, False, ""),
        ]
        self.study.claims = []
        for row in rows:
            claim = Claim()
            claim.id, claim.statement, claim.published, claim.simulated = row[:4]
            claim.holds, claim.evidence, claim.reason = row[4:]
            claim.unit, claim.tolerance, claim.chosen, claim.cause = "", "10 %", "us", ""
            claim.headline, claim.inputs, claim.where = False, "", "table 1"
            self.study.claims.append(claim)

    def test_what_is_no_evidence_is_counted_apart(self):
        count = report.counts(self.study.claims)
        self.assertEqual(count["claims"], 4)
        self.assertEqual((count["hold"], count["fail"]), (2, 2))
        self.assertEqual((count["evidence_hold"], count["evidence_fail"]), (2, 1))

    def test_rows_summary_and_notes(self):
        all_of_it = report.of_all(self.study)
        self.assertEqual(all_of_it["table"]["rows"][1][-1], "too slow")
        self.assertEqual(all_of_it["summary"]["by_claim"][3],
            {"id": "4", "published": "a third", "simulated": 0.2499, "holds": False})
        self.assertEqual(
            all_of_it["notes"],
            [
                "# [1] cause unknown: too slow",
                "# [2] cause unknown: no reason found",
                "# hold, by statement: 1 1 of 1, 2 0 of 1, 3 1 of 1, 4 0 of 1",
                "# 2 of 4 statements hold; as evidence 2 of 3; headlines 0 of 0",
            ],
        )

    def test_a_reason_stands_beside_its_rows_and_once_below(self):
        self.study.claims[0].reason = "put in"
        self.study.claims[3].reason = "too slow"
        all_of_it = report.of_all(self.study)
        self.assertEqual([row[-1] for row in all_of_it["views"][0]["rows"]], ["[1]", "[2]", None, "[2]"])
        self.assertEqual(all_of_it["views"][0]["columns"][-1][0], "Why")
        notes = ["# [1] no evidence: put in", "# [2] cause unknown: too slow"]
        self.assertEqual(all_of_it["notes"][:2], notes)

    def test_statements_of_one_number_are_counted_together(self):
        for claim, name in zip(self.study.claims, ("C21a-x", "C21b-y", "C2-a", "T-3")):
            claim.id = name
        self.assertIn("# hold, by statement: C21 1 of 2, C2 1 of 1, T 0 of 1",
            report.of_all(self.study)["notes"])

    def test_main_results_are_the_first_view(self):
        self.study.results = [("whole", 2, 2, 1, 0), ("in part", 3, 2, 3, 0), ("untested", 0, 0, 0, 0)]
        all_of_it = report.of_all(self.study)
        rows = [["whole", True, "2 of 2", "1 of 2"], ["in part", False, "2 of 3", "3 of 3"],
            ["untested", False, None, None]]
        self.assertEqual(all_of_it["views"][0]["rows"], rows)
        self.assertTrue(all_of_it["notes"][-1].endswith("; main results 1 of 3"))
        result = {"result": "in part", "comes_out": False, "statements": 3, "hold": 2, "evidence": 3}
        self.assertEqual(all_of_it["summary"]["main_results"][1], result)

    def test_one_statement(self):
        self.study.claims, self.study.terms = [self.study.claims[1]], {"time(4)": (110.001, "us")}
        one = report.of_statement(self.study)
        self.assertEqual(dict(one["settings"])["tolerance"], "10 % (chosen by us)")
        self.assertEqual(one["table"]["rows"][0], ["time(4)", 110.001, "us"])
        self.assertEqual(one["notes"], ["# fails",
            "# cause unknown: too slow"])


class Numbers(unittest.TestCase):
    def test_sums_are_of_one_order(self):
        numbers = [0.1] * 10 + [1e16, 1.0, -1e16]
        wanted = 0.0
        for number in numbers:
            wanted += number
        self.assertEqual(values.total_of(numbers), wanted)

    def test_text_as_keys_have_it(self):
        self.assertEqual([values.text(one) for one in (4096, 32.0, 0.5, 1e-07, "flat")],
            ["4096", "32", "0.5", "1e-07", "flat"])


class EveryPublication(unittest.TestCase):
    def test_its_tables_are_understood(self):
        names = [name for name in os.listdir(ROOM)
            if os.path.exists(os.path.join(ROOM, name, "statements.csv"))]
        self.assertGreater(len(names), 4)
        for name in names:
            with self.subTest(name):
                Study(os.path.join(ROOM, name), None, {"name": name})


if __name__ == "__main__":
    unittest.main()
