# SPDX-License-Identifier: Apache-2.0
"""A publication's tables, read. What is wrong in them is refused by its line; ../FORMAT.md explains the
columns."""

import csv

import judge

from .expressions import Expression, Loops, Refused, Sentence, unit_in, words_of
from .quantities import current
from .values import is_word, known, matches, text

# By name: how it is written with the numbers of its tolerance, and the rule for simulated and published.
# The expressions that a tolerance consists of follow from its form.
comparisons = {
    "within": ("{} %", lambda s, p, least, most: abs(s - p) <= abs(p) * least / 100),
    "factor": ("factor {}", lambda s, p, least, most: s <= p * least and p <= s * least),
    "near": ("within {}", lambda s, p, least, most: abs(s - p) <= least),
    "range": ("{} to {}", lambda s, p, least, most: least <= s <= most),
    "above": ("above {}", lambda s, p, least, most: s > least),
    "below": ("below {}", lambda s, p, least, most: s < least),
    "at least": ("at least {}", lambda s, p, least, most: s >= least),
    "at most": ("at most {}", lambda s, p, least, most: s <= least),
    "other than": ("other than {}", lambda s, p, least, most: s != least),
    "equals": ("exact", lambda s, p, least, most: matches(s, p)),
    "order": ("order", lambda s, p, least, most: least != 0),
    "all": ("all", lambda s, p, least, most: least != 0),
}


class Row(dict):
    """Fields by column, in a table whose lines have numbers."""

    def __init__(self, file, line, fields):
        super().__init__(fields)
        self.file, self.line = file, line

    def __missing__(self, column):
        raise Refused(f"there is no column '{column}'; there are {', '.join(self)}")

    def refused(self, error):
        return Refused(f"'{self.file}' line {self.line}: {error}")

    def one_of(self, column, allowed):
        if self[column] not in allowed:
            raise Refused(f"{column} '{self[column]}' is none of {', '.join(allowed)}")
        return self[column]


def rows_of(file):
    """Rows of a CSV file; the first line that is neither empty nor a comment names the columns."""
    columns = None
    with open(file, encoding="utf-8-sig", errors="surrogateescape") as lines:
        for number, line in enumerate(lines, 1):
            if any("\udc80" <= letter <= "\udcff" for letter in line):
                raise Refused(f"'{file}' line {number}: it is no UTF-8")
            line = line.rstrip("\r\n")
            if not line or line.startswith("#"):
                continue
            try:
                fields = next(csv.reader([line], strict=True))
            except csv.Error as error:
                raise Refused(f"'{file}' line {number}: {error}") from None
            if columns is None:
                columns = fields
                if twice := [name for at, name in enumerate(columns) if name in columns[:at]]:
                    raise Refused(f"'{file}' line {number}: two columns are called '{twice[0]}'; "
                                  "leave one out")
            elif len(fields) != len(columns):
                raise Refused(f"'{file}' line {number}: {len(fields)} fields, and there are {len(columns)} "
                              f"columns")
            else:
                yield Row(str(file), number, zip(columns, fields))


def _number(source):
    """The number that the text is; None where it is another text."""
    try:
        return float(source)
    except ValueError:
        return None


def read_published(file):
    """Values with unit and id, by id and by what they are of."""
    values = {}
    for row in rows_of(file):
        try:
            number = _number(row["value"])
            one = (row["value"] if number is None else number, row["unit"], row["id"])
            keys = dict.fromkeys((row["id"], row["of"]))
        except Refused as error:
            raise row.refused(error) from error
        for key in keys:
            if key in values:
                raise row.refused(f"there is a value of '{key}' already; leave one of them out")
            values[key] = one
    return values


def _may_measure(name, names):
    """True if a function is of the publication's own file, where its quantities are, and no fact."""
    return names[name] is not getattr(judge, name, None) and not getattr(names[name], "is_fact", False)


class Line:
    """A row that is understood, or refused by its line, and evaluated in the same way."""

    def __init__(self, row, names):
        self._row = row
        try:
            self.read(row, names)
        except Refused as error:
            raise row.refused(error) from error

    def read(self, row, names):
        raise NotImplementedError

    def of(self, evaluate, *arguments):
        """The result of a function of this row; what goes wrong in it is of this line."""
        try:
            return evaluate(*arguments)
        except Refused as error:
            raise self._row.refused(error) from error
        except Exception as error:  # of a value that is none, as a list
            raise self._row.refused(words_of(error)) from error


class Statement(Line):
    """One statement, or the like of several machines and sizes."""

    def read(self, row, names):
        if not row["id"]:
            raise Refused("a statement has no id")
        self.each = Loops(row["each"], names, [])
        variables = self.each.variables
        for column in ("id", "statement", "where", "reason", "inputs"):
            setattr(self, column, Sentence(row[column], names, variables))
        self.chosen, self.unit = row["chosen by"], row["unit"]
        self.headline = row.one_of("headline", ("headline", "")) == "headline"
        self.evidence = row.one_of("evidence", ("evidence", "input", "repeats")) == "evidence"
        self.cause = row.one_of("cause", ("known", "suspected", "unknown", ""))
        published = row["published"]
        number = _number(published)
        if published.startswith("="):
            self.published = Expression(published[1:], names, variables)
        elif number is not None:
            self.published = lambda bound: number
        else:
            self.published = Sentence(published, names, variables)
        self._takes_published = getattr(self.published, "is_published", False)
        self.quantity = Expression(row["quantity"], names, variables)
        self._compared_unit = unit_in(self.unit) or self.quantity.unit
        if self.quantity.unit and self._compared_unit != self.quantity.unit:
            raise Refused(f"unit '{self.unit}': the quantity is in {self.quantity.unit}")
        if row["comparison"] not in comparisons:
            raise Refused(f"there is no comparison '{row['comparison']}'; there are {', '.join(comparisons)}")
        self._tolerance, self._rule = comparisons[row["comparison"]]
        self.whole = row["comparison"] == "equals"
        parts = [part for part in row["tolerance"].split(" to ") if part]
        takes = {"exact": 0, "{} to {}": 2}.get(self._tolerance, 1)
        if len(parts) != takes:
            form = ("leave it empty", "one expression", "A to B")[takes]
            raise Refused(f"tolerance '{row['tolerance']}' of '{row['comparison']}': {form}")
        self._limits = [Expression(part, names, variables) for part in parts]
        # Published values and lists alone agree with each other whatever is simulated.
        if self.evidence and not any(_may_measure(call, names) for one in (self.quantity, *self._limits)
                for call in one.calls):
            raise Refused(f"quantity '{row['quantity']}': nothing in it is measured, so it is no evidence; "
                          "use a quantity, or say 'input' in column 'evidence'")

    def once(self, name, others):
        """The name, if no other statement has it."""
        if name in others:
            raise self._row.refused(f"there is a statement '{name}' already; leave one of them out")
        return name

    def value_published(self, bound):
        """The published side, which is in the unit of the quantity."""
        current.units = set()
        value = self.published(bound)
        units = {unit_in(one) for one in current.units} if self._takes_published else set()
        for unit in units - {"", self._compared_unit} if self._compared_unit else ():
            raise Refused(f"the published value is in {unit}, and the quantity in {self._compared_unit}")
        return value

    def limits(self, bound):
        """The one or two numbers of the tolerance."""
        return [*(float(one(bound)) for one in self._limits), 0.0, 0.0][:2]

    def tolerance(self, least, most):
        return self._tolerance.format(text(least), text(most))

    def holds(self, simulated, published, limits):
        if not all(map(known, (simulated, *limits))):
            return False
        if not self.whole and is_word(published) and self._tolerance in ("{} %", "factor {}", "within {}"):
            raise Refused(f"published '{published}' is no number to compare with")
        if not self.whole and is_word(simulated) and self._tolerance not in ("order", "all"):
            raise Refused(f"the quantity is '{simulated}', and no number")
        return bool(self._rule(simulated, published, *limits))


class Column(Line):
    """A column of a figure, or several of one kind."""

    def __init__(self, row, names, outer, variables):
        self._outer, self._of_rows = outer, variables
        super().__init__(row, names)

    def read(self, row, names):
        self.each = Loops(row["columns"], names, self._outer)
        self.name = Sentence(row["column"], names, self._outer + self.each.variables)
        self.unit, self.decimals = row["unit"], row["decimals"]
        if self.decimals not in ("", "yes") and not (self.decimals.isdigit() and len(self.decimals) == 1):
            raise Refused(f"column 'decimals': '{self.decimals}' is no whole number from 0 to 9, nor 'yes'")
        variables = self._of_rows + self.each.variables
        self.right = "{" in row["value"]  # words made of numbers
        self.value = (Sentence if self.right else Expression)(row["value"], names, variables)


def _loop_parts(source, most):
    """Parts between bars, the missing ones in front empty."""
    parts = source.split("|")
    if len(parts) > most:
        raise Refused(f"'{source}': at most {most} lists of loops")
    return [""] * (most - len(parts)) + parts


class Figure(Line):
    """A table or figure: one of each file, or several."""

    def read(self, row, names):
        figures, rows = _loop_parts(row["each"], 2)
        self.beginning = row["file"]
        self.figures = Loops(figures, names, [])
        self.outer = self.figures.variables
        self.rows = Loops(rows, names, self.outer)
        self.file, self.title = Sentence(row["file"], names, self.outer), Sentence(row["title"], names,
            self.outer)
        self.in_text = row.one_of("shown", ("text", "file")) == "text"
        self.columns = []


def read_figures(file, names):
    figures = []
    for row in rows_of(file):
        if row["file"]:
            figures.append(Figure(row, names))
        if not figures:
            raise row.refused("a column before the first figure")
        figure = figures[-1]
        figure.columns.append(Column(row, names, figure.outer, figure.outer + figure.rows.variables))
    return figures


class Curves(Line):
    """Curves of the page, with published points over them."""

    def read(self, row, names):
        figures, lines, points = _loop_parts(row["each"], 3)
        self.beginning = row["title"]
        self.figures = Loops(figures, names, [])
        self.lines = Loops(lines, names, self.figures.variables)
        of_line = self.figures.variables + self.lines.variables
        self.points = Loops(points, names, of_line)
        variables = of_line + self.points.variables
        self.title = Sentence(row["title"], names, self.figures.variables)
        self.name = Sentence(row["line"], names, of_line)
        self.x = [row["x"], row["x unit"], row.one_of("x scale", ("logarithmic", "linear")) == "logarithmic"]
        self.y = [row["y"], row["y unit"], True]
        self.value = Expression(row["value"], names, variables)
        self.published = Expression(row["published"], names, variables) if row["published"] else None
