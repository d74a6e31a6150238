# SPDX-License-Identifier: Apache-2.0
"""One publication, evaluated: its statements, main results, figures and curves, as often as measurements come
in."""

import os

import judge

from . import quantities
from .expressions import Refused, Sentence, words_of
from .tables import Curves, Statement, read_figures, read_published, rows_of
from .values import cell, is_word, known, rounded, text


class UnknownStatement(Exception):
    """--statement names none of these."""

    def __init__(self, ids):
        super().__init__("there is no such statement")
        self.ids = ids


class Claim:
    """A statement with what is simulated; its members are what FORMAT.md calls its columns."""


class Study:
    """The tables and the file NAME.py in that folder. `ask` sends a message to rccebench and returns its
    answer."""

    def __init__(self, folder, ask, config):
        self.name, self._config = config["name"], config
        self._measurements = quantities.Measurements(ask)
        quantities.begin(self._measurements, self._published, config.get("options", {}))
        self._values = read_published(os.path.join(folder, "published.csv"))
        names = self._names = self._load(os.path.join(folder, self.name + ".py"))
        names.update(config.get("lists", {}))
        self.substitutes = [("with", ", ".join(config["with"]))] if config.get("with") else []
        for read in (self._read_title, self._read_sentences):
            try:
                read(names)
            except (TypeError, ValueError, AttributeError) as error:  # of what is no list, or of other parts
                raise Refused(f"'{self.name}.py': {error} ({read.__doc__})") from error
        self._statements = [Statement(row, names) for row in rows_of(os.path.join(folder, "statements.csv"))]
        wanted = [one for one in self._figures_of(folder) if not self._left_out(one.beginning)]
        self._figures = [one for one in wanted if not isinstance(one, Curves)]
        self._curves = [one for one in wanted if isinstance(one, Curves)]

    def _read_title(self, names):
        """on_machines: presets with commas; schedules: name, machine, ranks, parameters"""
        self.title, self.machines, self.schedules = names["title"], names["on_machines"], names["schedules"]
        self.machines.split(",")
        list(self.schedules)

    def _read_sentences(self, names):
        """settings and results: pairs; notes: sentences; no_evidence: sentences by preset"""
        sentence = self._sentence
        self._settings = [(name, sentence(text)) for name, text in names["settings"]]
        self._notes = [sentence(text) for text in names["notes"]]
        self._results = [(ids.split(), sentence(text)) for ids, text in names["results"]]
        self._no_evidence = {word: sentence(text) for word, text in names.get("no_evidence", {}).items()}

    def _load(self, file):
        names = {name: getattr(judge, name) for name in judge.__all__}
        names["__name__"] = self.name
        try:
            with open(file, encoding="utf-8") as source:
                exec(compile(source.read(), file, "exec"), names)
        except SyntaxError as error:
            raise Refused(f"'{file}' line {error.lineno}: {error.msg}") from None
        except (Refused, OSError):
            raise
        except Exception as error:  # whatever its author has written
            raise Refused(words_of(error)) from error
        missing = [name for name in ("title", "on_machines", "settings", "notes", "results", "schedules")
        if name not in names]
        if missing:
            raise Refused(f"'{file}': there is no '{missing[0]}'")
        return names

    def check_substitutes(self, substitutes):
        """PRESET=FILE of --with: presets that the publication says it can do without."""
        allowed = self._names.get("substitutable", self.machines.split(","))
        presets = [one.partition("=")[0] for one in substitutes]
        for one in substitutes:
            preset, _, file = one.partition("=")
            if presets.count(preset) > 1:
                raise Refused(f"--with '{one}': '{preset}' is replaced twice; name one file")
            if not file or preset not in allowed:
                known_ones = ", ".join(allowed) or "none for this publication"
                raise Refused(f"--with '{one}': PRESET=FILE, where PRESET is one of: {known_ones}")

    def _sentence(self, text):
        try:
            return Sentence(text, self._names, [])
        except Refused as error:
            raise Refused(f"'{self.name}.py': {error}") from error

    def _figures_of(self, folder):
        for file, read in (("figures.csv", read_figures), ("curves.csv", _read_curves)):
            path = os.path.join(folder, file)
            if os.path.exists(path):
                yield from read(path, self._names)

    def _left_out(self, beginning):
        return any(beginning.startswith(one) for one in self._config.get("leave_out", []))

    def _published(self, key, missing=Refused):
        one = self._values.get(key)
        if one is None and missing is Refused:
            raise Refused(f"published.csv has no value of '{key}'")
        return one

    def run(self):
        """Measures what the statements need, and evaluates them. None after an interruption, or of a
        shard."""
        derived = False
        while True:
            self.evaluate()
            if not self._measurements.pending:
                self.complete = True
                return self
            if not self._measurements.measure(derived):
                if not self._config.get("keeps"):
                    return None
                self.evaluate()
                self.complete = False
                return self
            derived = True

    def evaluate(self):
        """By what is known so far; what is not, is asked for."""
        wanted = self._config.get("statement")
        ids, self.claims = [], []
        for statement in self._statements:
            for bound in statement.of(lambda: list(statement.each.each({}))):
                ids.append(statement.once(statement.of(statement.id, bound), ids))
                if wanted:
                    if ids[-1] != wanted:
                        continue
                    quantities.current.terms = {}
                self.claims.append(statement.of(self._claim, statement, bound))
                self.terms, quantities.current.terms = quantities.current.terms, None
        self.claims.sort(key=lambda claim: not claim.headline)
        if wanted:
            if not self.claims:
                raise UnknownStatement(ids)
            return
        self.results = [self._main_result(ids, text({})) for ids, text in self._results]
        self.figures = [one for figure in self._figures for one in figure.of(lambda: list(_made(figure)))]
        self.curves = [one for curves in self._curves for one in curves.of(lambda: list(_drawn(curves)))]
        self.settings = [*((name, text({})) for name, text in self._settings), *self.substitutes]
        self.notes = ["# " + text({}) for text in self._notes]

    def _claim(self, statement, bound):
        misses = quantities.current.misses
        simulated, published = statement.quantity(bound), statement.value_published(bound)
        limits = statement.limits(bound)
        claim = Claim()
        claim.id, claim.statement = statement.id(bound), statement.statement(bound)
        claim.where, claim.inputs = statement.where(bound), statement.inputs(bound)
        claim.published, claim.simulated = (
            cell(value, statement.whole and (is_word(value) or value == rounded(value)))
            for value in (published, simulated)
        )
        claim.unit, claim.chosen = statement.unit, statement.chosen
        claim.tolerance = statement.tolerance(*limits)
        is_complete = quantities.current.misses == misses
        claim.holds = statement.holds(simulated, published, limits) if is_complete else None
        claim.headline, claim.evidence = statement.headline, statement.evidence
        claim.reason = ""
        if is_complete and not (claim.holds and claim.evidence):
            claim.reason = statement.reason(bound)
        claim.cause = statement.cause if claim.holds is False else ""
        none = self._no_evidence.get(bound.get("machine"))
        if none is not None:
            claim.evidence = False
            if claim.holds:
                claim.reason = none({})
        return claim

    def _main_result(self, ids, text):
        """Text, statements, how many of those hold and are evidence, and how many are not measured."""
        found = []
        for beginning in ids:
            own = [one for one in self.claims if one.id.startswith(beginning)
                and not one.id[len(beginning) :][:1].isalnum()]
            if not own:
                raise Refused(f"'{self.name}.py', result '{text}': there is no statement '{beginning}'")
            found += own
        held = [one.holds for one in found]
        return (text, len(found), held.count(True), sum(one.evidence for one in found), held.count(None))


def _read_curves(file, names):
    return [Curves(row, names) for row in rows_of(file)]


def _value(column, bound):
    value = column.value(bound)
    if column.right:
        return value
    if column.decimals == "yes" and known(value):
        return bool(value)
    if not column.decimals and not is_word(value) and known(value) and abs(value - rounded(value)) > 1e-9:
        raise Refused(f"{text(value)} is no whole number; column 'decimals' says with how many it is printed")
    return cell(value, not column.decimals)


def _made(figure):
    """The tables of a figure: file, whether it is in the text, title, columns, rows."""
    for outer in figure.figures.each({}):
        columns = [
            [column.name(bound), column.unit, int(column.decimals) if column.decimals.isdigit() else 0,
            column.right]
            for column in figure.columns
            for bound in column.of(lambda: list(column.each.each(outer)))
        ]
        rows = [
            [column.of(_value, column, bound) for column in figure.columns
            for bound in column.each.each(of_row)]
            for of_row in figure.rows.each(outer)
        ]
        table = {"title": figure.title(outer), "columns": columns, "rows": rows}
        yield {"file": figure.file(outer), "in_text": figure.in_text, "table": table}


def _drawn(curves):
    """The figures of curves, as the page's maker takes them."""
    for outer in curves.figures.each({}):
        lines, rings = [], []
        for of_line in curves.lines.each(outer):
            line, ring, name = [], [], curves.name(of_line)
            for bound in curves.points.each(of_line):
                x, y = float(bound[curves.points.variables[-1]]), curves.value(bound)
                if known(y):
                    line.append([x, float(y)])
                if curves.published:
                    ring.append([x, float(curves.published(bound))])
            lines.append({"name": name, "points": line})
            if ring:
                rings.append({"name": name + ", published", "points": ring, "of": name})
        yield {"title": curves.title(outer), "x": curves.x, "y": curves.y, "curves": lines + rings}
