"""How large everything on a page is: few operations get wide columns, few jobs tall lanes."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from retryq.drawing.sheet import Measure
from retryq.lanes import Layout

__all__ = ["WHOLE", "Frame", "Sizes", "sizes_of"]

PAGE = 900.0  # the widest page, 12.5 inches
WHOLE = 1.5  # the height of a row is a multiple of it: whole pixels at 96 and at 144 to the inch
WIDE, DENSE = 12, 14  # so many columns at most in a row, wide or narrow ones


class Sizes(NamedTuple):
    """Sizes in points. ``gutter`` is the room for names on the left; ``tall`` lanes have two lines of
    text."""

    column: float
    per_row: int
    lane: float
    bar: float
    head: float  # an operation
    small: float  # numbers, payloads, whys
    label: float  # the name of a lane
    answer: float
    gutter: float
    tall: bool


class Frame(NamedTuple):
    """One row: the columns in it, and where they stand."""

    sizes: Sizes
    span: range

    def x(self, column: int) -> float:
        """The left edge of a column."""
        return self.sizes.gutter + (column - self.span.start) * self.sizes.column

    def middle(self, column: int) -> float:
        """The middle of a column."""
        return self.x(column) + self.sizes.column / 2


def sizes_of(layout: Layout, measure: Measure) -> Sizes:
    """The sizes for a run."""
    count, lanes = len(layout.columns), sum(len(panel.lanes) for panel in layout.panels)
    dense, tall = count > WIDE, lanes * max(1, -(-count // WIDE)) <= WIDE
    label = 13.0 if tall else 10.0
    names = [
        "answer",
        *["your queue"] * (layout.parts_at is not None),
        *["queue 0"] * (len(layout.panels) > 1),
    ]
    ids = [min(130.0, measure(lane.id, label, True)) for panel in layout.panels for lane in panel.lanes]
    payloads = [
        min(90.0, measure(f'"{lane.payload}"', 8, False))
        for panel in layout.panels
        for lane in panel.lanes
        if tall and lane.payload is not None
    ]
    gutter = 20 + max([*ids, *payloads, *(measure(name, 9, True) for name in names)])
    gutter = ceil(gutter / 6) * 6  # a name that is a little longer moves nothing: rows already drawn can stay
    column = 57.0 if dense else min(84.0, max(66.0, 800.0 / max(count, 1)))
    most = min(DENSE if dense else WIDE, int((PAGE - gutter - 16) // column))
    rows = max(1, -(-count // most))
    per_row = max(1, -(-count // rows))  # rows of like length
    return Sizes(
        column,
        per_row,
        40.0 if tall else 21.0,
        31.0 if tall else 16.0,
        8.0 if dense else 10.0,
        7.0 if dense else 8.5,
        label,
        8.5 if dense else 11.0,
        gutter,
        tall,
    )
