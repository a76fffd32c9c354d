"""matplotlib artists for a sheet, and the picture as PNG.

A timeline has hundreds of words. matplotlib lays a `Text` out again at every drawing, which takes half a
millisecond each; here the outline of a word is made once and kept, and all words of one colour are drawn as
one shape. What a label says is drawn as it is: nothing here reads ``$``, ``_`` or ``\\`` as markup.
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
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Transform

from retryq.drawing.palette import AREAS, LINES
from retryq.drawing.sheet import Line, Shape, Word

__all__ = ["Words", "areas", "hatches", "measure", "png", "strokes"]

FAMILY = "DejaVu Sans"  # comes with matplotlib, so pictures look the same everywhere


def _weight(bold: bool) -> str:
    return "bold" if bold else "normal"


@lru_cache(maxsize=4096)
def _outline(text: str, bold: bool) -> tuple[np.ndarray, np.ndarray]:
    """The outline of a word, one point high, from where the pen begins: vertices and path codes."""
    font = FontProperties(family=FAMILY, weight=_weight(bold))
    vertices, codes = text_to_path.get_text_path(font, text, ismath=False)
    points = np.asarray(vertices, float).reshape(-1, 2) / text_to_path.FONT_SCALE
    return points, np.asarray(codes, np.uint8).reshape(-1)


def measure(text: str, size: float, bold: bool = False) -> float:
    """How wide a word is, in points."""
    vertices, _ = _outline(text, bold)
    return float(vertices[:, 0].max()) * size if len(vertices) else 0.0


class Words(Artist):
    """Words of one colour, drawn as one shape. ``words`` are the labels: text, place (points from the lower
    left corner of the sheet) and size."""

    def __init__(self, words: Sequence[Word], colour: str, transform: Transform) -> None:
        super().__init__()
        self.words = tuple(words)
        self.colour = colour
        self.set_transform(transform)

    def draw(self, renderer: Any) -> None:
        """Draw all words: as one shape into pixels, else word by word, so that a file can share its letters
        and a PDF be searched."""
        gc = renderer.new_gc()
        gc.set_foreground(self.colour)
        if hasattr(renderer, "buffer_rgba"):
            outlines = [(_outline(word.text, word.bold), word) for word in self.words]
            vertices = [points * word.size + (word.x, word.y) for (points, _), word in outlines]
            path = Path(np.concatenate(vertices), np.concatenate([codes for (_, codes), _ in outlines]))
            gc.set_linewidth(0)
            renderer.draw_path(gc, path, self.get_transform(), to_rgba(self.colour))
        else:
            height = renderer.get_canvas_width_height()[1]
            for word in self.words:
                x, y = self.get_transform().transform((word.x, word.y))
                font = FontProperties(family=FAMILY, weight=_weight(word.bold), size=word.size)
                renderer.draw_text(
                    gc, x, height - y if renderer.flipy() else y, word.text, font, 0, ismath=False
                )
        gc.restore()
        self.stale = False


def areas(shapes: Sequence[Shape], style: str, transform: Transform) -> PolyCollection:
    """Rectangles and discs of one style, filled and outlined."""
    area = AREAS[style]
    return PolyCollection(
        [_corners(shape) for shape in shapes],
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


def hatches(shapes: Sequence[Shape], style: str, transform: Transform, apart: float = 6.0) -> PathPatch:
    """Diagonal strokes over rectangles, ``apart`` points from each other, all in one path. matplotlib's own
    hatch looks different in each file format and is slow."""
    ends = []
    for x0, y0, x1, y1 in (shape.box for shape in shapes):
        level = np.arange(np.ceil((x0 - y1) / apart) * apart, x1 - y0, apart)  # the strokes are x - y = level
        low, high = np.maximum(x0, y0 + level), np.minimum(x1, y1 + level)
        ends.append(np.column_stack([low, low - level, high, high - level]).reshape(-1, 2))
    vertices = np.concatenate(ends)
    codes = np.tile(np.array([Path.MOVETO, Path.LINETO], np.uint8), len(vertices) // 2)
    return PathPatch(
        Path(vertices, codes),
        fill=False,
        edgecolor=AREAS[style].on,
        linewidth=1.2,
        transform=transform,
        gid=f"{style} hatch",
    )


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


def png(pixels: np.ndarray, dpi: float, level: int) -> bytes:
    """A PNG of RGBA pixels, its transparency left out and its colours brought down to a palette, compressed
    at ``level`` (0-9).

    Written here because a general encoder tries five filters on every line of a picture that is mostly white,
    and takes three times as long; and in 256 colours a picture is less than half as large.
    """
    height, width = pixels.shape[:2]
    index, colours = _palette(pixels)
    lines = np.zeros((height, 1 + width), np.uint8)  # each line begins with its filter: 0, none
    lines[:, 1:] = index
    metre = round(dpi / 0.0254)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"pHYs", struct.pack(">IIB", metre, metre, 1)),
            _chunk(b"PLTE", colours.tobytes()),
            _chunk(b"IDAT", zlib.compress(lines.data, level)),
            _chunk(b"IEND", b""),
        )
    )


def _palette(pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An index for each pixel, and at most 256 colours.

    Colours that are alike in the upper four bits of red, green and blue are of one kind, and become their
    average; beyond 256 kinds, the rarest become the colour that is nearest. Done for each run of equal pixels
    and not for each pixel: a picture has twenty times fewer of them.
    """
    rgba = np.ascontiguousarray(pixels).reshape(-1, 4)
    whole = rgba.view(np.uint32).ravel()  # one number for each pixel
    starts = np.flatnonzero(np.concatenate(([True], whole[1:] != whole[:-1])))
    lengths = np.diff(np.append(starts, len(whole)))
    runs = rgba[starts, :3].astype(np.uint16)
    kind = (runs[:, 0] >> 4 << 8) | (runs[:, 1] & 0xF0) | (runs[:, 2] >> 4)
    count = np.bincount(kind, weights=lengths, minlength=4096)
    kinds = np.flatnonzero(count)
    sums = [np.bincount(kind, weights=part * lengths, minlength=4096)[kinds] for part in runs.T]
    means = np.column_stack(sums) / count[kinds, None]
    kept = np.sort(np.argsort(-count[kinds], kind="stable")[:256])
    index = np.zeros(4096, np.uint8)
    index[kinds] = np.abs(means[:, None] - means[None, kept]).sum(axis=2).argmin(axis=1)
    colours = np.rint(means[kept]).astype(np.uint8)
    return np.repeat(index[kind], lengths).reshape(pixels.shape[:2]), colours


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
