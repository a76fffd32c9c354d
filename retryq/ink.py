"""matplotlib artists for a sheet, and the picture as PNG.

A timeline has hundreds of words. matplotlib lays a `Text` out again at every drawing, which takes half a
millisecond each; here the outline of a word is made once and kept, and all words of one colour are drawn as one
shape. What a label says is drawn as it is: nothing here reads ``$``, ``_`` or ``\\`` as markup.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Transform

from retryq.palette import AREAS, LINES
from retryq.sheet import Line, Shape, Word

__all__ = ["Words", "areas", "hatches", "measure", "png", "strokes"]

FONT = {bold: FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal") for bold in (False, True)}


@lru_cache(maxsize=4096)
def _outline(text: str, bold: bool) -> tuple[np.ndarray, np.ndarray]:
    """The outline of a word, one point high, from where the pen begins: vertices and path codes."""
    vertices, codes = text_to_path.get_text_path(FONT[bold], text, ismath=False)
    return np.asarray(vertices, float).reshape(-1, 2) / text_to_path.FONT_SCALE, np.asarray(codes, np.uint8)


def measure(text: str, size: float, bold: bool = False) -> float:
    """How wide a word is, in points."""
    vertices, _ = _outline(text, bold)
    return float(vertices[:, 0].max()) * size if len(vertices) else 0.0


class Words(Artist):
    """Words of one colour, drawn as one shape. ``words`` are the labels: text, place (points from the lower left
    corner of the sheet) and size."""

    def __init__(self, words: Sequence[Word], colour: str, transform: Transform) -> None:
        super().__init__()
        self.words = tuple(words)
        self.colour = colour
        self.set_transform(transform)

    def draw(self, renderer: Any) -> None:
        vertices, codes = [], []
        for word in self.words:
            outline, kinds = _outline(word.text, word.bold)
            vertices.append(outline * word.size + (word.x, word.y))
            codes.append(kinds)
        if not any(len(kinds) for kinds in codes):
            return
        gc = renderer.new_gc()
        gc.set_linewidth(0)
        gc.set_antialiased(True)
        path = Path(np.concatenate(vertices), np.concatenate(codes))
        renderer.draw_path(gc, path, self.get_transform(), to_rgba(self.colour))
        gc.restore()
        self.stale = False


def areas(shapes: Sequence[Shape], style: str, transform: Transform) -> PolyCollection:
    """Rectangles and discs of one style, filled and outlined."""
    area = AREAS[style]
    return PolyCollection([_corners(shape) for shape in shapes], facecolors=area.fill, edgecolors=area.edge,
                          linewidths=area.width, transform=transform, gid=style)


_ROUND = np.linspace(0, 2 * np.pi, 33)[:-1]
_CIRCLE = np.column_stack([np.cos(_ROUND), np.sin(_ROUND)])


def _corners(shape: Shape) -> np.ndarray:
    x0, y0, x1, y1 = shape.box
    if shape.round:
        return _CIRCLE * ((x1 - x0) / 2, (y1 - y0) / 2) + ((x0 + x1) / 2, (y0 + y1) / 2)
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def hatches(shapes: Sequence[Shape], style: str, transform: Transform, apart: float = 6.0) -> LineCollection:
    """Diagonal strokes over rectangles, ``apart`` points from each other. matplotlib's own hatch looks different
    in each file format and is slow; these are plain lines."""
    segments = []
    for x0, y0, x1, y1 in (shape.box for shape in shapes):
        start = np.ceil((x0 - y1) / apart) * apart  # the strokes are x - y = start, start + apart, ...
        for level in np.arange(start, x1 - y0, apart):
            low, high = max(x0, y0 + level), min(x1, y1 + level)
            segments.append([(low, low - level), (high, high - level)])
    return LineCollection(segments, colors=AREAS[style].on, linewidths=1.2, transform=transform, gid=f"{style} hatch")


def strokes(lines: Sequence[Line], style: str, transform: Transform) -> LineCollection:
    """Straight lines of one style: one of ``LINES``, or the strokes on the marks of ``AREAS``."""
    colour, width = LINES[style] if style in LINES else (AREAS[style].on, 2.0)
    return LineCollection([line.ends for line in lines], colors=colour, linewidths=width, transform=transform,
                          capstyle="round" if style in AREAS else "butt", gid=f"{style} stroke")


def png(pixels: np.ndarray, dpi: float, level: int) -> bytes:
    """A PNG of RGBA pixels, its transparency left out. Written here because it is three times as fast as a general
    encoder, which tries five filters on every line of a picture that is mostly white."""
    height, width = pixels.shape[:2]
    lines = np.zeros((height, 1 + 3 * width), np.uint8)  # each line begins with its filter: 0, none
    lines[:, 1:] = pixels[:, :, :3].reshape(height, 3 * width)
    metre = round(dpi / 0.0254)
    return b"\x89PNG\r\n\x1a\n" + b"".join((
        _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        _chunk(b"pHYs", struct.pack(">IIB", metre, metre, 1)),
        _chunk(b"IDAT", zlib.compress(lines.tobytes(), level)),
        _chunk(b"IEND", b"")))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
