# SPDX-License-Identifier: Apache-2.0
"""What a publication's own file has quantities by: measurements of rccebench, each asked for once.

A measurement that has no result yet ends the quantity, whose value is `nothing` until the next evaluation.
"""

from .values import Word, known, nothing, text


class Unmeasured(Exception):
    """A result that is not there yet."""


def text_of(name, arguments):
    return f"{name}({', '.join(text(one) for one in arguments)})"


class Measurements:
    """The results of rccebench by their names, and what is asked for and not there."""

    def __init__(self, ask):
        self._ask = ask  # a function: message to answer
        self.results, self.pending, self._facts = {}, {}, {}

    def get(self, name, item):
        result = self.results.get(name)
        if result is None:
            self.pending[name] = item
            raise Unmeasured
        return result

    def fact(self, name, item):
        """Computed at once: nothing is simulated for it."""
        if name not in self._facts:
            self._facts[name] = self._ask({"fact": item})["result"]
        return self._facts[name]

    def measure(self, derived):
        """Has all that is pending measured. False where some is still missing: interrupted, or other
        shards'."""
        names = sorted(self.pending)
        answer = self._ask({"measure": [self.pending[name] for name in names], "derived": derived})
        for name, result in zip(names, answer["results"]):
            if result is not None:
                self.results[name] = result
        self.pending = {}
        return answer["whole"]


class _Current:
    """Of the study that is evaluated in this process."""

    measurements = None
    terms = None  # of the one statement that is shown with them
    misses = 0  # how often a quantity had no value
    published = None  # a function
    units = set()  # of the published values that were asked for
    options = {}


current = _Current()


def begin(measurements, published, options):
    current.measurements, current.published, current.options = measurements, published, options
    current.terms = None


def options():
    """What the command line changes: "set", a dict of the machines' parameters."""
    return current.options


def point(name, **members):
    """The result of a point as `rccebench points` takes and prints it. Raises Unmeasured."""
    return current.measurements.get("point " + name, {"point": members, "name": name})


def measured(name, *arguments):
    """The result of a measurement that the publication has in C++. Raises Unmeasured."""
    return current.measurements.get(text_of(name, arguments), _item(name, arguments))


def all_measured(name):
    """All results so far of that measurement, in the order of their arguments as text."""
    results = current.measurements.results
    return [results[key] for key in sorted(results) if key.startswith(name + "(")]


def fact(name, *arguments):
    """What a publication computes in C++ without a simulation."""
    return current.measurements.fact(text_of(name, arguments), _item(name, arguments))


def _item(name, arguments):
    return {"quantity": name, "arguments": [str(one) if isinstance(one, Word) else one for one in arguments]}


def note(name, arguments, value, unit):
    if current.terms is not None:
        current.terms.setdefault(text_of(name, arguments), (value, unit))


def quantity(unit=""):
    """Makes a function of words and numbers a quantity of the tables, in that unit."""

    def made(function):
        values = {}

        def of(*arguments):
            value = values.get(arguments)
            if value is None:
                value = nothing
                if all(map(known, arguments)):
                    misses = current.misses
                    try:
                        value = function(*arguments)
                        if current.misses == misses:  # of quantities that it has used
                            values[arguments] = value
                    except Unmeasured:
                        current.misses += 1
            note(function.__name__, arguments, value, unit)
            return value

        of.__name__, of.__doc__, of.unit = function.__name__, function.__doc__, unit
        return of

    return made


def _alike(get, unit, names):
    def one(name):
        def function(*arguments):
            return get(name, *arguments)

        function.__name__ = name
        made = quantity(unit)(function)
        made.is_fact = get is fact
        return made

    return [one(name) for name in names.split()]


def measurements(unit, names):
    """Quantities that are measurements of the same names: read, lines = measurements("ns", "read lines")."""
    return _alike(measured, unit, names)


def facts(unit, names):
    """Quantities that are facts of the same names."""
    return _alike(fact, unit, names)


def helper(function):
    """Remembers what a function of quantities gives, once all of them have a value."""
    values = {}

    def of(*arguments):
        if current.terms is not None:  # its quantities are to be noted each time
            return function(*arguments)
        if arguments not in values:
            misses = current.misses
            value = function(*arguments)
            if current.misses > misses:
                return value
            values[arguments] = value
        return values[arguments]

    of.__name__, of.__doc__ = function.__name__, function.__doc__
    return of


def _of(key):
    return ", ".join(text(one) for one in key)


def published(*key):
    """The printed value of that id, or of what it is of: published("cube", 50000, 1024)."""
    value, unit, _ = current.published(_of(key))
    current.units.add(unit)
    note("published", key, value, unit)
    return value


def published_id(*key):
    """Its id."""
    return current.published(_of(key))[2]


def is_printed(*key):
    """Whether published.csv has it."""
    return current.published(_of(key), missing=None) is not None
