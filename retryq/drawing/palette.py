"""The colours of a timeline (Okabe and Ito's, which the colour-blind can tell apart), and how to measure
contrast.

Colour is never alone: a waiting bar is hatched and says its place, a bar in flight is solid and says its
attempt, an end has a mark and a word. Everything after the cursor is drawn in greys, and can still be read.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["AREAS", "INK", "LINES", "PAPER", "Area", "contrast"]

PAPER, INK = "#ffffff", "#1a1a1a"


class Area(NamedTuple):
    """How a shape is filled and outlined, and the colour of the strokes or words on it."""

    fill: str
    edge: str
    on: str
    width: float = 1.0  # of the outline, in points


AREAS: dict[str, Area] = {
    "waiting": Area("#fff3d6", "#8a5a00", "#e69f00", 1.2),  # `on`: the hatch
    "in flight": Area("#0072b2", "#00496f", "#ffffff"),
    "free": Area(PAPER, "#808080", "#595959"),
    "acknowledged": Area("#009e73", "#00664a", "#ffffff"),
    "cancelled": Area("#cc79a7", "#8a3a68", INK),
    "refused": Area(PAPER, "#d55e00", "#d55e00", 1.8),
    "label": Area(PAPER, PAPER, INK),  # behind a label that stands on a hatch
    "parts": Area("#fff7b8", "#8a5a00", INK, 1.4),
    "waiting later": Area(PAPER, "#858585", "#dcdcdc"),
    "in flight later": Area("#e4e4e4", "#858585", "#595959"),
    "free later": Area(PAPER, "#858585", "#595959"),
    "acknowledged later": Area("#e4e4e4", "#858585", "#595959"),
    "cancelled later": Area("#e4e4e4", "#858585", "#595959"),
    "refused later": Area(PAPER, "#858585", "#858585", 1.4),
    "label later": Area(PAPER, PAPER, "#595959"),
}

LINES: dict[str, tuple[str, float]] = {  # colour, width in points
    "column": ("#dedede", 0.7),
    "rule": ("#9a9a9a", 0.8),
    "finished": ("#b0b0b0", 0.8),
    "cursor": (INK, 2.0),
}

WORDS: dict[str, str] = {
    "ink": INK,
    "quiet": "#595959",
    "refused": "#a84300",
    "acknowledged": "#00664a",
    "cancelled": "#8a3a68",
    "in flight": "#ffffff",
    "later": "#666666",
}


def contrast(one: str, other: str) -> float:
    """The contrast of two ``#rrggbb`` colours as WCAG 2 reckons it: 1 for the same, 21 for black on white.

    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
