# SPDX-License-Identifier: Apache-2.0
"""Expressions, loops and sentences of tables, compiled.

What is wrong in one is a Refused, whose message the reader of the table understands.
"""

import ast

from .quantities import current
from .values import known, nothing, printed, text

# Numbers of two of these units are not compared as they are; other texts are explanations.
_units = frozenset(("ns", "us", "ms", "s", "cycles"))
_same_unit = frozenset(("min", "max", "sum", "mean", "median", "geomean", "round", "abs", "float"))
_builtins = frozenset(("abs", "float", "int", "len", "range", "str", "True", "False", "None"))


class Refused(Exception):
    """A mistake of the table, or of what it is asked for."""


def _parsed(source):
    try:
        return ast.parse(source.strip(), mode="eval").body
    except SyntaxError as error:
        raise Refused(f"{error.msg} in '{source}'") from None


def _check_names(tree, source, names, variables):
    """Refuses what is no variable, list, quantity or function."""
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)
        and not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)} | set(variables)
    for node in ast.walk(tree):
        known = isinstance(node, ast.Name) and (node.id in bound or node.id in names or node.id in _builtins)
        if isinstance(node, ast.Name) and not known:
            from difflib import get_close_matches

            near = get_close_matches(node.id, [*bound, *(name for name in names if not name.startswith("_"))],
                1)
            raise Refused(
                f"'{node.id}' is no variable, list, quantity or function"
                f"{f', did you mean {chr(39)}{near[0]}{chr(39)}?' if near else ''} (a word stands in "
                f"quotes) in '{source}'"
            )


def unit_in(text):
    """Its first word, if that is a unit of time: "us at 8192 bytes"."""
    first = text.partition(" ")[0]
    return first if first in _units else ""


def _unit_of(tree, names):
    """The unit of quantities of one unit that are added, averaged or compared; else nothing."""
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        if tree.func.id not in _same_unit:
            return unit_in(getattr(names.get(tree.func.id), "unit", ""))
        parts = tree.args
    elif isinstance(tree, ast.BinOp) and isinstance(tree.op, (ast.Add, ast.Sub)):
        parts = [tree.left, tree.right]
    elif isinstance(tree, ast.IfExp):
        parts = [tree.body, tree.orelse]
    elif isinstance(tree, (ast.GeneratorExp, ast.ListComp)):
        parts = [tree.elt]
    else:
        return ""
    units = {_unit_of(part, names) for part in parts}
    return units.pop() if len(units) == 1 else ""


class Expression:
    """A Python expression over some variables. `unit` is the one of its quantities, where it is plain;
    `calls` are the names of the functions in it."""

    def __init__(self, source, names, variables):
        tree = _parsed(source)
        _check_names(tree, source, names, variables)
        self.unit = _unit_of(tree, names)
        named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        self.calls = {name for name in named if callable(names.get(name))}
        self.is_published = isinstance(tree, ast.Call) and getattr(tree.func, "id", "") == "published"
        self._source, self._variables = source, variables
        # A lambda, for the loops inside the expression to see the variables.
        self._function = eval(f"lambda {', '.join(variables)}: ({source.strip()})", names)

    def __call__(self, bound):
        try:
            return self._function(*[bound[variable] for variable in self._variables])
        except Refused:
            raise
        except Exception as error:  # whatever the table's author has written
            if current.measurements.pending:
                return nothing  # what is not measured yet may stand below a bar
            raise Refused(f"{words_of(error)} in '{self._source}'") from error


def words_of(error):
    """What went wrong, and in which line of a publication's own file."""
    named = {KeyError: f"there is no {error}", ZeroDivisionError: "division by zero"}
    what = named.get(type(error), str(error))
    at, trace = "", error.__traceback__
    while trace is not None:
        frame = trace.tb_frame.f_code
        if frame.co_filename.endswith(".py") and "/judge/" not in frame.co_filename:
            at = f" ('{frame.co_filename}' line {trace.tb_lineno})"
        trace = trace.tb_next
    return what + at


class Loops:
    """ "for machine in machines for n in sizes if n > 4": combinations of values, the first variable the
    slowest."""

    def __init__(self, source, names, variables):
        self.variables, self._all = [], None
        if not source.strip():
            return
        tree = _parsed(f"[0 {source}]")
        if not isinstance(tree, ast.ListComp):
            raise Refused(f"no loops, as 'for VARIABLE in LIST if CONDITION', in '{source}'")
        for generator in tree.generators:
            targets = generator.target.elts if isinstance(generator.target, ast.Tuple) else [generator.target]
            if not all(isinstance(one, ast.Name) for one in targets):
                raise Refused(f"loops have variables, in '{source}'")
            self.variables += [one.id for one in targets]
        self._all = Expression(f"[({', '.join(self.variables)},) {source}]", names, variables)

    def each(self, outer):
        """The outer variables with each combination."""
        if self._all is None:
            yield outer
            return
        combinations = self._all(outer)
        for values in combinations if isinstance(combinations, list) else ():  # else it is not known yet
            yield {**outer, **dict(zip(self.variables, values))}


class Sentence:
    """Text with expressions in braces: {EXPRESSION:DECIMALS}, {EXPRESSION:+DECIMALS}, {EXPRESSION}."""

    def __init__(self, source, names, variables):
        self._parts = []
        while source:
            words, brace, rest = source.partition("{")
            if words:
                self._parts.append(words)
            if not brace:
                break
            inner, closed, source = rest.partition("}")
            if not closed:
                raise Refused(f"'}}' is missing in '{brace}{rest}'")
            self._parts.append(self._placeholder(inner, names, variables))

    @staticmethod
    def _placeholder(inner, names, variables):
        before, _, decimals = inner.rpartition(":")
        sign = decimals.startswith("+")
        if before and len(decimals) == 1 + sign and decimals[-1].isdigit():
            form = f"+4.{decimals[-1]}f" if sign else f".{decimals}f"
            return Expression(before, names, variables), form
        return Expression(inner, names, variables), None

    def __call__(self, bound):
        return "".join(
            part if isinstance(part, str) else shown(part[0](bound), part[1]) for part in self._parts
        )


def shown(value, form=None):
    if isinstance(value, str):
        return printed(value)
    if not known(value):
        return "-"
    return text(value) if form is None else format(float(value), form)
