"""A sheet of paper: shapes, lines and words at their places, in points (1/72 inch), and the pen that sets
them.

How wide a word is comes from the caller, so nothing here knows a drawing library.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

__all__ = ["Line", "Measure", "Pen", "Shape", "Sheet", "Word"]

Measure = Callable[[str, float, bool], float]  # text, size, bold -> width in points


class Shape(NamedTuple):
    """A filled rectangle, or the disc in it. ``tag`` says what it stands for: (kind, queue, lane, column)."""

    box: tuple[float, float, float, float]  # left, bottom, right, top
    style: str
    round: bool = False
    tag: tuple | None = None


class Line(NamedTuple):
    """A straight line between two points."""

    ends: tuple[tuple[float, float], tuple[float, float]]
    style: str


class Word(NamedTuple):
    """A label: where the pen begins (x, and y of the base line), its size, and the name of its colour."""

    text: str
    x: float
    y: float
    size: float
    bold: bool
    colour: str
    tag: tuple | None = None


class Sheet(NamedTuple):
    """Everything that is to be drawn; the lower left corner is (0, 0)."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    lines: tuple[Line, ...]
    words: tuple[Word, ...]


class Pen:
    """Sets shapes, lines and words, from the top down: y grows downward until `sheet` turns it over."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.shapes: list[Shape] = []
        self.lines: list[Line] = []
        self.words: list[Word] = []

    def sheet(self, width: float, height: float) -> Sheet:
        """What was set, on a sheet at least this wide, and wide enough for every word."""
        wide = max(
            [width, *(word.x + self.measure(word.text, word.size, word.bold) + 10 for word in self.words)]
        )
        boxes = (
            (left, height - bottom, right, height - top) for (left, top, right, bottom), *_ in self.shapes
        )
        return Sheet(
            wide,
            height,
            tuple(shape._replace(box=box) for shape, box in zip(self.shapes, boxes, strict=True)),
            tuple(
                Line(((x0, height - y0), (x1, height - y1)), style)
                for ((x0, y0), (x1, y1)), style in self.lines
            ),
            tuple(word._replace(y=height - word.y) for word in self.words),
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
