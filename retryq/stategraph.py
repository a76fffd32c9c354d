"""Every state of a small queue on one picture, drawn by matplotlib, with its text twin.

An opaque white card, in the colours and textures of a timeline. What is drawn comes from `statemap`, and so does what
is printed. matplotlib's `Figure` class is used and never pyplot, so no figure stays open.
"""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from retryq.drawing.card import card
from retryq.drawing.figures import SETTINGS, png_of
from retryq.drawing.ink import FAMILY
from retryq.drawing.palette import AREAS, INK, PAPER, WORDS
from retryq.statemap import Arrow, Node, StateMap, rows, statemap, text
from retryq.statespace import Graph
from retryq.tour import Tour

__all__ = ["StateGraph"]

# In points.
CELL = (92.0, 42.0)  # a state
ACROSS, DOWN = 158.0, 104.0  # from one column, and from one row, to the next
MARGIN, TOP, BOTTOM = 12.0, 14.0, 24.0
BADGE = 9.0  # the radius of the disc with a state's number
OFF = 62.0  # how long an arrow is that leads off the map
SMALL, USUAL = 9.0, 10.0
PALE = "#8c8c8c"  # an arrow that was not walked


Box = tuple[float, float, float, float]  # left, bottom, right, top


class StateGraph:
    """A picture of all states of a `Graph` and of the arrows between them.

    ``tour`` is a `Tour`: what it has walked is drawn strong, the rest pale. A shape of a state says how its job is;
    the disc on it is the state's number. ``ValueError`` for a graph of more states than can be read.

    >>> from retryq.statespace import explore
    >>> StateGraph(explore(1, ["a"], 1)).text().splitlines()[4]
    '0  empty                  enqueue a to 1                                 8'
    """

    def __init__(self, graph: Graph, tour: Tour | None = None) -> None:
        self.map: StateMap = statemap(graph, tour)

    def text(self) -> str:
        """The text twin: a line for each state, with the arrows that lead on from it."""
        return text(self.map)

    __str__ = text
    __repr__ = text

    @property
    def alt(self) -> str:
        """The text twin in sentences."""
        states = "; ".join(f"{number}, {told}: {leads}" for number, told, leads, _ in rows(self.map))
        walked = " *: walked." if self.map.toured else ""
        return f"A map of states, from the empty queue on the left. {self.map.graph} {states}.{walked}"

    def figure(self) -> Figure:
        """A new matplotlib figure, as large as it needs to be."""
        columns = max(node.column for node in self.map.nodes)
        off = any(arrow.target is None for arrow in self.map.arrows)
        width = columns * ACROSS + CELL[0] + 2 * MARGIN + (OFF + 8 if off else 0)
        height = max(node.row for node in self.map.nodes) * DOWN + CELL[1] + TOP + BOTTOM
        figure = Figure(figsize=(width / 72, height / 72), facecolor=PAPER, edgecolor=PAPER)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, width), ylim=(0, height))
        axes.axis("off")
        boxes = {node.place: self._box(node, height) for node in self.map.nodes}
        for arrow in self.map.arrows:
            self._arrow(axes, arrow, boxes)
        for node in self.map.nodes:
            self._state(axes, node, boxes[node.place])
        return figure

    def png(self, dpi: int = 144) -> bytes:
        """The picture as PNG."""
        return png_of(self.figure(), dpi)

    def html(self) -> str:
        """The picture with its ``alt``, on a white card that a narrow page scales down, or scrolls."""
        figure = self.figure()
        return card(png_of(figure, 144), round(figure.get_figwidth() * 96), self.alt, "Map of states")

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture as .svg, .png or .pdf, by the ending of ``path``; ``ValueError`` for any other."""
        kind = fspath(path).rpartition(".")[2].lower()
        if kind not in ("svg", "png", "pdf"):
            raise ValueError(f"a map of states is saved as .svg, .png or .pdf, got {fspath(path)!r}")
        stamp = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}[kind]
        with matplotlib.rc_context(SETTINGS):
            self.figure().savefig(path, format=kind, facecolor=PAPER, metadata=stamp)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": self.text(), "text/html": self.html()}

    def _box(self, node: Node, height: float) -> Box:
        left, top = MARGIN + node.column * ACROSS, height - TOP - node.row * DOWN
        return left, top - CELL[1], left + CELL[0], top

    def _state(self, axes: Axes, node: Node, box: Box) -> None:
        left, bottom, right, top = box
        faded = self.map.toured and not node.walked
        area = AREAS[("free" if node.status == "empty" else node.status) + (" later" if faded else "")]
        axes.add_patch(Rectangle((left, bottom), *CELL, facecolor=area.fill, edgecolor=area.edge, linewidth=1.4))
        if node.status == "waiting":
            axes.add_patch(Rectangle((left, bottom), *CELL, fill=False, edgecolor=area.on, hatch="////", linewidth=0))
            axes.add_patch(Rectangle((left + 9, bottom + 7), CELL[0] - 18, CELL[1] - 14, facecolor=PAPER, linewidth=0))
        words = f"{node.status}\n{node.attempt}" if node.attempt else node.status
        ink = WORDS["later"] if faded else WORDS["in flight"] if node.status == "in flight" else INK
        _write(axes, (left + right) / 2, (bottom + top) / 2, words, USUAL, ink, bold=True)
        _write(axes, (left + right) / 2, bottom - 9, f"{node.refusals} change nothing", SMALL, WORDS["quiet"])
        rim, ink = (PALE, WORDS["later"]) if faded else (INK, INK)
        x, y = left + 5, top + 3  # out of the corner, clear of the longest word
        axes.add_patch(Circle((x, y), BADGE, facecolor=PAPER, edgecolor=rim, linewidth=1.2, zorder=6))
        _write(axes, x, y - 0.5, str(node.place), SMALL, ink, bold=True, above=7)

    def _arrow(self, axes: Axes, arrow: Arrow, boxes: dict[int, Box]) -> None:
        strong = arrow.walked or not self.map.toured
        here = boxes[arrow.source]
        off = here[2] + OFF
        there = boxes[arrow.target] if arrow.target is not None else (off, here[1], off, here[3])
        begin, end = _ends(here, there)
        axes.add_patch(FancyArrowPatch(
            begin, end, arrowstyle="-|>", mutation_scale=12, shrinkA=0, shrinkB=1, zorder=1,
            linewidth=2.2 if arrow.walked else 1.2, color=INK if strong else PALE,
            linestyle="--" if arrow.target is None else "-"))
        x, y, ink = (begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2, INK if strong else WORDS["later"]
        flat = begin[1] == end[1]  # then the words stand above the arrow, clear of the one that goes up from there
        _write(axes, x + 3 if flat else x, y + 9 if flat else y, arrow.label, SMALL, ink, card=not flat)
        if arrow.target is None:
            _write(axes, x, y - 9, "off the map", SMALL, ink)


def _ends(here: Box, there: Box) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where an arrow leaves one box and meets another, which stands below it or farther to the right."""
    if here[0] == there[0]:
        x = here[0] + CELL[0] / 2
        return (x, here[1] - 16), (x, there[3])
    return (here[2], (here[1] + here[3]) / 2), (there[0], (there[1] + there[3]) / 2)


def _write(axes: Axes, x: float, y: float, words: str, size: float, colour: str, bold: bool = False,
           card: bool = False, above: float = 5) -> None:
    """Words around a point, as they are: nothing in them is markup."""
    behind = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.2} if card else None
    axes.text(x, y, words, size=size, color=colour, family=FAMILY, weight="bold" if bold else "normal", ha="center",
              va="center", linespacing=1.15, bbox=behind, parse_math=False, zorder=above)
