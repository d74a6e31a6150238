# SPDX-License-Identifier: Apache-2.0
"""Values of statements, and the functions that expressions have over them.

A value is a number or a word. A number that is not known yet, or that there is not, is `nothing`: whatever is
computed from it is nothing, too. Sums are loops: Python's own sum() of floats depends on its version.
"""

import math

nothing = math.nan


class Word(str):
    """A word that is printed in another way: Word("phenom-1090t", "1090T")."""

    __slots__ = ("printed",)

    def __new__(cls, word, printed):
        one = super().__new__(cls, word)
        one.printed = printed
        return one


def words(text):
    """A list of words from "core2d i5-750=i5 flat-vector=flat_+_vector": WORD or WORD=PRINTED, `_` for a
    blank."""
    pairs = (item.partition("=") for item in text.split())
    return [Word(word, shown.replace("_", " ")) if shown else word for word, _, shown in pairs]


def is_word(value):
    return isinstance(value, str)


def known(value):
    return value == value


def text(value):
    """As keys have it: 32, 0.5, flat-padded."""
    if is_word(value):
        return str(value)
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer() and abs(value) < 1e16):
        return str(int(value))
    return repr(value)


def printed(value):
    """As people read it."""
    return getattr(value, "printed", None) or text(value)


def cell(value, whole=False):
    """As tables have it: a word, a whole number, a float, None."""
    if is_word(value):
        return printed(value)
    if not known(value):
        return None
    if math.isinf(value):
        raise ValueError("a value is infinite")
    return int(math.copysign(math.floor(abs(value) + 0.5), value)) if whole else float(value)


def joined(items, between):
    """One value of several, as people read them; a single one stays what it is."""
    items = list(items)
    return items[0] if len(items) == 1 else between.join(printed(item) for item in items)


def matches(value, alternatives):
    """Whether the second is the first, or names it among alternatives: "linear or dynamic"."""
    if not is_word(alternatives):
        return value == alternatives
    return printed(value) in printed(alternatives).split(" or ")


def _all_known(values):
    """A list of the values, empty where one is not known."""
    values = list(values)
    return values if all_of(map(known, values)) else []


all_of = all  # the built-in one


def aggregate(function):
    """An aggregate over values: nothing where there are none, or where one is not known."""

    def over(values):
        values = _all_known(values)
        return function(values) if values else nothing

    over.__name__, over.__doc__ = function.__name__, function.__doc__
    return over


def _least(values):
    best = values[0]
    for value in values:
        if value < best:
            best = value
    return best


def _most(values):
    best = values[0]
    for value in values:
        if value > best:
            best = value
    return best


def least(*values):
    """min() of its arguments, or of the one list that it is given."""
    return aggregate(_least)(values[0] if len(values) == 1 and hasattr(values[0], "__iter__") else values)


def most(*values):
    """max(), likewise."""
    return aggregate(_most)(values[0] if len(values) == 1 and hasattr(values[0], "__iter__") else values)


@aggregate
def total_of(values):
    """sum()"""
    result = 0.0
    for value in values:
        result += value
    return result


@aggregate
def mean(values):
    return total_of(values) / len(values)


@aggregate
def geomean(values):
    return math.exp(total_of([math.log(value) for value in values]) / len(values))


@aggregate
def median(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def _count(values):
    return len([value for value in values if value])


@aggregate
def count(values):
    """How many are true."""
    return _count(values)


@aggregate
def share(values):
    """Which part of them is true."""
    return _count(values) / len(values)


@aggregate
def every(values):
    """all(), which looks at each."""
    return _count(values) == len(values)


@aggregate
def tally(values):
    """ "3 of 5": how many are true."""
    return f"{_count(values)} of {len(values)}"


@aggregate
def series(values):
    """All of them as one text: whole numbers, or two decimals of each."""
    decimals = 0 if all_of(value == math.floor(value) for value in values) else 2
    return ", ".join(f"{value:.{decimals}f}" for value in values)


@aggregate
def rising(values):
    return all_of(not b < a for a, b in zip(values, values[1:]))


@aggregate
def falling(values):
    return all_of(not b > a for a, b in zip(values, values[1:]))


def of_pairs(function):
    """Of pairs (item, value); an item may be several: ((table, bytes), value)."""

    def over(pairs):
        pairs = [(joined(item, ", ") if isinstance(item, tuple) else item, value) for item, value in pairs]
        return function(pairs) if pairs and all_of(known(value) for _, value in pairs) else nothing

    over.__name__, over.__doc__ = function.__name__, function.__doc__
    return over


@of_pairs
def argmin(pairs):
    """The item of the least value, the first of several."""
    best = pairs[0]
    for pair in pairs:
        if pair[1] < best[1]:
            best = pair
    return best[0]


@of_pairs
def argmax(pairs):
    """The item of the greatest value, the first of several."""
    best = pairs[0]
    for pair in pairs:
        if pair[1] > best[1]:
            best = pair
    return best[0]


@of_pairs
def in_order(pairs):
    """The items by rising value: "linear < pair_tree", or "linear = pair_tree" of one value."""
    pairs = sorted(pairs, key=lambda pair: pair[1])
    order = pairs[0][0]
    for before, pair in zip(pairs, pairs[1:]):
        order = f"{printed(order)} {'<' if before[1] < pair[1] else '='} {printed(pair[0])}"
    return order


@of_pairs
def up_to(pairs):
    """The item up to which, from the first one on, the condition holds; 0 where it never does."""
    last = 0
    for item, holds in pairs:
        if not holds:
            break
        last = item
    return last


def ln(number):
    """The natural logarithm, the same bits on every host: additions, multiplications and divisions only."""
    if not known(number):
        return nothing
    if number <= 0:
        raise ValueError(f"there is no logarithm of {text(number)}")
    m, exponent = math.frexp(number)
    if m < 0.707106781186547524400844362105:
        m, exponent = m * 2, exponent - 1
    ratio = (m - 1) / (m + 1)
    square = ratio * ratio
    result = 0.0
    for k in range(23, 0, -2):
        result = result * square + 1.0 / k
    return 2 * ratio * result + exponent * 0.693147180559945309417232121458


def rounded(number):
    """The nearest whole number; a half goes away from 0."""
    return math.copysign(math.floor(abs(number) + 0.5), number) if known(number) else nothing
