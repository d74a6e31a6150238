# SPDX-License-Identifier: Apache-2.0
"""Rows with names, as all results are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Sequence, Union

if TYPE_CHECKING:
    import pandas

Value = Union[str, int, float, bool, None]
Row = Dict[str, Value]


class Table(List[Row]):
    """A list of rows, each a dict of the same columns. ``settings`` says what was run. ``summary`` sums up
    the results."""

    def __init__(
        self, rows: Sequence[Row] = (), settings: Mapping[str, str] = {}, summary: Mapping[str, Any] = {}
    ) -> None:
        super().__init__(rows)
        self.settings: Dict[str, str] = dict(settings)
        self.summary: Dict[str, Any] = dict(summary)

    @property
    def columns(self) -> List[str]:
        """Names, in the order in which they first appear."""
        return list(dict.fromkeys(name for row in self for name in row))

    def column(self, name: str) -> List[Value]:
        """The values of one column, with None for rows without it. Raises KeyError if no row has it."""
        if name not in self.columns:
            raise KeyError(f"no column '{name}'; there are {', '.join(self.columns)}")
        return [row.get(name) for row in self]

    def where(self, **values: Value) -> Table:
        """The rows that have these values. Raises KeyError if no row has such a column."""
        for name in values if self else ():
            self.column(name)
        rows = [row for row in self if all(row.get(name) == value for name, value in values.items())]
        return Table(rows, self.settings, self.summary)

    def frame(self) -> pandas.DataFrame:
        """The table as a pandas DataFrame. Raises ImportError if pandas is not installed."""
        import pandas

        return pandas.DataFrame(list(self), columns=self.columns)


def of_statistics(entries: Sequence[Mapping[str, Any]]) -> Table:
    """Statistics of rccerun: each label becomes a column, a number where it is one."""

    def number(text: str) -> Value:
        return int(text) if text.isdigit() else text

    return Table(
        [
            {
                "name": entry["name"],
                **{label: number(value) for label, value in entry["labels"].items()},
                "value": entry["value"],
                "unit": entry["unit"],
            }
            for entry in entries
        ]
    )
