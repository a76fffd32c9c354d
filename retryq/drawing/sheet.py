"""A sheet of paper: shapes, lines and words at their places, in points (1/72 inch), and the pen that sets
them.

How wide a word is comes from the caller, so nothing here knows a drawing library.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

__all__ = ["Line", "Measure", "Pen", "Shape", "Sheet", "Word", "stack"]

Measure = Callable[[str, float, bool], float]  # text, size, bold -> width in points


class Shape(NamedTuple):
    """A filled rectangle, or the disc in it. ``tag`` says what it stands for: (kind, queue, lane, column)."""

    box: tuple[float, float, float, float]  # left, bottom, right, top
    style: str
    round: bool = False
    tag: tuple | None = None

    def moved(self, up: float, way: int = 1) -> Shape:
        """The same with every y as ``up + way * y``: higher up, or (``way=-1``) counted from the other end."""
        left, y0, right, y1 = self.box
        low, high = (y0, y1) if way > 0 else (y1, y0)
        return Shape((left, up + way * low, right, up + way * high), self.style, self.round, self.tag)


class Line(NamedTuple):
    """A straight line between two points."""

    ends: tuple[tuple[float, float], tuple[float, float]]
    style: str

    def moved(self, up: float, way: int = 1) -> Line:
        """As `Shape.moved`."""
        (x0, y0), (x1, y1) = self.ends
        return Line(((x0, up + way * y0), (x1, up + way * y1)), self.style)


class Word(NamedTuple):
    """A label: where the pen begins (x, and y of the base line), its size, and the name of its colour."""

    text: str
    x: float
    y: float
    size: float
    bold: bool
    colour: str
    tag: tuple | None = None

    def moved(self, up: float, way: int = 1) -> Word:
        """As `Shape.moved`."""
        return Word(self.text, self.x, up + way * self.y, self.size, self.bold, self.colour, self.tag)


class Sheet(NamedTuple):
    """Everything that is to be drawn; the lower left corner is (0, 0)."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    lines: tuple[Line, ...]
    words: tuple[Word, ...]


def stack(sheets: Sequence[Sheet]) -> Sheet:
    """Sheets under each other as one."""
    bottom = height = sum(sheet.height for sheet in sheets)
    shapes: list[Shape] = []
    lines: list[Line] = []
    words: list[Word] = []
    for sheet in sheets:
        bottom -= sheet.height
        shapes += [shape.moved(bottom) for shape in sheet.shapes]
        lines += [line.moved(bottom) for line in sheet.lines]
        words += [word.moved(bottom) for word in sheet.words]
    return Sheet(max(sheet.width for sheet in sheets), height, tuple(shapes), tuple(lines), tuple(words))


class Pen:
    """Sets shapes, lines and words, from the top down: y grows downward until `sheets` turns it over."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.shapes: list[Shape] = []
        self.lines: list[Line] = []
        self.words: list[Word] = []
        self._torn: list[tuple[float, int, int, int]] = []

    def tear(self, y: float) -> None:
        """Begin a new sheet at ``y``: what was set so far is above it, what follows below."""
        self._torn.append((y, len(self.shapes), len(self.lines), len(self.words)))

    def sheets(self, width: float, height: float) -> tuple[Sheet, ...]:
        """What was set, sheet by sheet from the top. All are equally wide: at least ``width``, and wide enough for
        every word. ``height`` is where the last one ends."""
        wide = max(
            [width, *(word.x + self.measure(word.text, word.size, word.bold) + 10 for word in self.words)]
        )
        self.tear(height)
        return tuple(
            Sheet(
                wide,
                low - high,
                tuple(shape.moved(low, -1) for shape in self.shapes[shapes:shapes_end]),
                tuple(line.moved(low, -1) for line in self.lines[lines:lines_end]),
                tuple(word.moved(low, -1) for word in self.words[words:words_end]),
            )
            for (high, shapes, lines, words), (low, shapes_end, lines_end, words_end) in pairwise(
                [(0.0, 0, 0, 0), *self._torn]
            )
        )

    def write(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        bold: bool = False,
        colour: str = "ink",
        tag: tuple | None = None,
        align: float = 0.0,
    ) -> None:
        """Set a word: its left edge (``align=0``), its middle (0.5) or its right edge (1) at ``x``."""
        x -= align * self.measure(text, size, bold) if align else 0.0
        self.words.append(Word(text, x, y, size, bold, colour, tag))

    def rule(self, x0: float, y0: float, x1: float, y1: float, style: str) -> None:
        """Draw a straight line."""
        self.lines.append(Line(((x0, y0), (x1, y1)), style))

    def wrap(self, text: str, size: float, bold: bool, room: float) -> list[str]:
        """Lines no wider than ``room``, broken between words, and within a word that alone is too wide."""
        lines: list[str] = []
        for word in text.split(" "):
            for piece in self.split(word, size, bold, room):
                if lines and self.measure(f"{lines[-1]} {piece}", size, bold) <= room:
                    lines[-1] += f" {piece}"
                else:
                    lines.append(piece)
        return lines

    def split(self, word: str, size: float, bold: bool, room: float) -> list[str]:
        """A word that is too wide in pieces: after its hyphens and underscores, else in pieces of like
        length."""
        if self.measure(word, size, bold) <= room:
            return [word]
        pieces = [""]
        for part in re.split(r"(?<=[-_])", word):
            if self.measure(pieces[-1] + part, size, bold) <= room:
                pieces[-1] += part
            else:
                pieces.append(part)
        if len(pieces) <= 3 and all(self.measure(piece, size, bold) <= room for piece in pieces):
            return [piece for piece in pieces if piece]
        for count in range(2, len(word)):
            step = -(-len(word) // count)
            pieces = [word[start : start + step] for start in range(0, len(word), step)]
            if all(self.measure(piece, size, bold) <= room for piece in pieces):
                return pieces
        return list(word)

    def cut(self, text: str, size: float, room: float) -> str:
        """A quoted payload, shortened with an ellipsis where it is too wide."""
        if self.measure(text, size, False) <= room:
            return text
        kept = text[:-1]
        while len(kept) > 2 and self.measure(f'{kept}…"', size, False) > room:
            kept = kept[:-1]
        return f'{kept}…"'
