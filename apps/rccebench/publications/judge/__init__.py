# SPDX-License-Identifier: Apache-2.0
"""Statements of publications, judged by what rccebench measures.

A publication is a file NAME.py with its lists, helpers and quantities, and tables beside it (../FORMAT.md).
What such a file needs, and what expressions have, is here.
"""

from .quantities import (  # fmt: skip
    all_measured, fact, facts, helper, is_printed, measured, measurements, options, point, published,
    published_id, quantity,
)
from .values import (  # fmt: skip
    Word, argmax, argmin, count, falling, geomean, in_order, ln, matches, mean, median, nothing, printed,
    rising, series, share, tally, up_to, words,
)
from .values import every as all
from .values import least as min
from .values import most as max
from .values import rounded as round
from .values import total_of as sum

__all__ = (
    "Word all all_measured argmax argmin count fact facts falling geomean helper in_order is_printed ln "
    "matches max mean measured measurements median min nothing options point printed published "
    "published_id quantity rising round series share sum tally up_to words "
).split()
