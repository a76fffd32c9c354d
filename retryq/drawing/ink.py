"""matplotlib artists for a sheet.

A timeline has hundreds of words, and thousands of strokes in its hatches. matplotlib lays a `Text` out again at
every drawing, which takes half a millisecond each, and a stroke takes longer than a rectangle. So whatever comes
again and again is drawn once, kept as a *stamp* (a few pixels, with their transparency), and stamped wherever it
is needed, at a whole pixel. A file of lines (SVG, PDF) has no pixels, and gets the words and strokes themselves.

What a label says is drawn as it is: nothing here reads ``$``, ``_`` or ``\\`` as markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D, Transform

from retryq.drawing.palette import AREAS, LINES
from retryq.drawing.sheet import Line, Shape, Word

__all__ = ["Hatches", "Words", "areas", "measure", "strokes"]

FAMILY = "DejaVu Sans"  # comes with matplotlib, so pictures look the same everywhere
HATCH = 1.2  # how wide a stroke of a hatch is, in points


def _weight(bold: bool) -> str:
    return "bold" if bold else "normal"


@lru_cache(maxsize=4096)
def _outline(text: str, bold: bool) -> tuple[np.ndarray, np.ndarray]:
    """The outline of a word, one point high, from where the pen begins: vertices and path codes."""
    font = FontProperties(family=FAMILY, weight=_weight(bold))
    vertices, codes = text_to_path.get_text_path(font, text, ismath=False)
    points = np.asarray(vertices, float).reshape(-1, 2) / text_to_path.FONT_SCALE
    return points, np.asarray(codes, np.uint8).reshape(-1)


@lru_cache(maxsize=4096)
def _width(text: str, bold: bool) -> float:
    vertices, _ = _outline(text, bold)
    return float(vertices[:, 0].max()) if len(vertices) else 0.0


def measure(text: str, size: float, bold: bool = False) -> float:
    """How wide a word is, in points."""
    return _width(text, bold) * size


class Stamp(NamedTuple):
    """A small drawing in pixels (lines from the lowest up, columns, RGBA), and how many pixels its lower left
    corner is right of and above the place it is set at."""

    pixels: np.ndarray
    right: int
    above: int


@lru_cache(maxsize=4096)
def _word_stamp(text: str, size: float, bold: bool, colour: str, dpi: float) -> Stamp:
    vertices, codes = _outline(text, bold)
    return _stamp(Path(vertices * size, codes), colour, dpi)


@lru_cache(maxsize=1024)
def _hatch_stamp(width: float, height: float, style: str, dpi: float) -> Stamp:
    return _stamp(_diagonals(width, height), AREAS[style].on, dpi, stroke=HATCH)


def _stamp(path: Path, colour: str, dpi: float, stroke: float = 0) -> Stamp:
    """A path, in points, as a stamp: its lines, if they are ``stroke`` points wide, or what it encloses."""
    scale, points = dpi / 72, np.asarray(path.vertices, float)
    if not len(points):
        return Stamp(np.zeros((1, 1, 4), np.uint8), 0, 0)
    left, bottom = (np.floor(points.min(axis=0) * scale).astype(int) - 1).tolist()
    right, top = (np.ceil(points.max(axis=0) * scale).astype(int) + 1).tolist()
    renderer = RendererAgg(right - left, top - bottom, dpi)
    gc = renderer.new_gc()
    gc.set_linewidth(stroke)
    gc.set_foreground(colour)
    gc.set_snap(False)  # else a word of upright and level strokes alone, such as +, is bent to the pixels
    place = Affine2D().scale(scale).translate(-left, -bottom)
    renderer.draw_path(gc, path, place, None if stroke else to_rgba(colour))
    lines = np.asarray(renderer.buffer_rgba())[::-1]  # `draw_image` takes them from the lowest one up
    return Stamp(np.ascontiguousarray(lines), left, bottom)


def _set(renderer: Any, gc: Any, stamps: Iterable[Stamp], places: np.ndarray) -> None:
    """Set each stamp at its place, in pixels from the lower left corner."""
    for (pixels, right, above), (x, y) in zip(stamps, np.floor(places + 0.5).astype(int).tolist()):
        renderer.draw_image(gc, x + right, y + above, pixels)


def _in_pixels(renderer: Any) -> bool:
    return hasattr(renderer, "buffer_rgba")


class Words(Artist):
    """Words of one colour. ``words`` are the labels: text, place (points from the lower left corner of the
    sheet) and size."""

    def __init__(self, words: Sequence[Word], colour: str, transform: Transform) -> None:
        super().__init__()
        self.words = tuple(words)
        self.colour = colour
        self.set_transform(transform)

    def draw(self, renderer: Any) -> None:
        """Draw all words: as stamps into pixels, else as text, so that a file can share its letters and a PDF be
        searched."""
        gc = renderer.new_gc()
        places = self.get_transform().transform([(word.x, word.y) for word in self.words])
        if _in_pixels(renderer):
            key = (self.colour, renderer.dpi)
            stamps = (_word_stamp(word.text, word.size, word.bold, *key) for word in self.words)
            _set(renderer, gc, stamps, places)
        else:
            gc.set_foreground(self.colour)
            height = renderer.get_canvas_width_height()[1]
            for word, (x, y) in zip(self.words, places):
                font = FontProperties(family=FAMILY, weight=_weight(word.bold), size=word.size)
                renderer.draw_text(
                    gc, x, height - y if renderer.flipy() else y, word.text, font, 0, ismath=False
                )
        gc.restore()
        self.stale = False


def areas(shapes: Sequence[Shape], style: str, transform: Transform) -> PolyCollection:
    """Rectangles and discs of one style, filled and outlined."""
    area = AREAS[style]
    corners: Any = np.array(
        [_corners(shape) for shape in shapes]
    )  # one array is taken ten times faster than a list
    return PolyCollection(
        corners,
        facecolors=area.fill,
        edgecolors=area.edge,
        linewidths=area.width,
        transform=transform,
        gid=style,
    )


_ROUND = np.linspace(0, 2 * np.pi, 33)[:-1]
_CIRCLE = np.column_stack([np.cos(_ROUND), np.sin(_ROUND)])


def _corners(shape: Shape) -> np.ndarray:
    x0, y0, x1, y1 = shape.box
    if shape.round:
        return _CIRCLE * ((x1 - x0) / 2, (y1 - y0) / 2) + ((x0 + x1) / 2, (y0 + y1) / 2)
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def _diagonals(width: float, height: float, apart: float = 6.0) -> Path:
    """Diagonal strokes over a rectangle whose lower left corner is (0, 0), ``apart`` points from each other."""
    level = np.arange(-apart * (height // apart), width, apart)  # the strokes are x - y = level
    low, high = np.maximum(0, level), np.minimum(width, height + level)
    vertices = np.column_stack([low, low - level, high, high - level]).reshape(-1, 2)
    return Path(vertices, np.tile(np.array([Path.MOVETO, Path.LINETO], np.uint8), len(level)))


class Hatches(Artist):
    """Diagonal strokes over rectangles of one style. matplotlib's own hatch looks different in each file format
    and is slow."""

    def __init__(self, shapes: Sequence[Shape], style: str, transform: Transform) -> None:
        super().__init__()
        self.style = style
        edge = AREAS[style].width / 2  # the outline is not hatched
        self.boxes = [
            (left + edge, bottom + edge, right - edge, top - edge)
            for left, bottom, right, top in (shape.box for shape in shapes)
        ]
        self.set_transform(transform)
        self.set_gid(f"{style} hatch")

    def draw(self, renderer: Any) -> None:
        """Draw all hatches: as stamps into pixels, else as strokes."""
        gc = renderer.new_gc()
        corners = np.array([box[:2] for box in self.boxes])
        sizes = [(round(right - left, 2), round(top - bottom, 2)) for left, bottom, right, top in self.boxes]
        if _in_pixels(renderer):
            stamps = (_hatch_stamp(*size, self.style, renderer.dpi) for size in sizes)
            _set(renderer, gc, stamps, self.get_transform().transform(corners))
        else:
            gc.set_foreground(AREAS[self.style].on)
            gc.set_linewidth(renderer.points_to_pixels(HATCH))
            path = Path.make_compound_path(
                *(
                    Affine2D().translate(*corner).transform_path(_diagonals(*size))
                    for corner, size in zip(corners, sizes)
                )
            )
            renderer.draw_path(gc, path, self.get_transform())
        gc.restore()
        self.stale = False


def strokes(lines: Sequence[Line], style: str, transform: Transform) -> LineCollection:
    """Straight lines of one style: one of ``LINES``, or the strokes on the marks of ``AREAS``."""
    colour, width = LINES[style] if style in LINES else (AREAS[style].on, 2.0)
    return LineCollection(
        [line.ends for line in lines],
        colors=colour,
        linewidths=width,
        transform=transform,
        capstyle="round" if style in AREAS else "butt",
        gid=f"{style} stroke",
    )
