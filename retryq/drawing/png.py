"""A picture as PNG.

Written here because a general encoder tries five filters on every line of a picture that is mostly white, and
takes three times as long; and in 256 colours a picture is less than half as large.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from retryq.drawing.palette import AREAS, LINES, PAPER, WORDS

__all__ = ["kinds_of", "png"]

KINDS = 16**3  # of colours: all that are alike in the upper four bits of red, green and blue are one


def kinds_of(pixels: ArrayLike) -> np.ndarray:
    """The kind of the colour of each RGBA pixel: rows, columns."""
    red, green, blue = (np.asarray(pixels)[..., part] for part in range(3))
    return (red >> 4).astype(np.uint16) << 8 | (green & 0xF0 | blue >> 4)


def png(parts: Sequence[np.ndarray], dpi: float, level: int) -> bytes:
    """A PNG of parts of one width under each other, each with the kinds of its pixels (rows, columns), compressed at
    ``level`` (0-9)."""
    kinds = np.concatenate(parts)
    height, width = kinds.shape
    index, palette = _palette(kinds)
    lines = np.zeros((height, 1 + width), np.uint8)  # each line begins with its filter: 0, none
    lines[:, 1:] = index[kinds]
    metre = round(dpi / 0.0254)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"pHYs", struct.pack(">IIB", metre, metre, 1)),
            _chunk(b"PLTE", palette.tobytes()),
            _chunk(b"IDAT", zlib.compress(lines.data, level)),
            _chunk(b"IEND", b""),
        )
    )


def _palette(kinds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each kind its place in the palette, and the palette: at most 256 colours. Those beyond, the rarest, get
    the one that is nearest."""
    count = np.bincount(kinds.ravel(), minlength=KINDS)
    present = np.flatnonzero(count)
    kept = np.sort(present[np.argsort(-count[present], kind="stable")[:256]])
    colours = _colours().astype(int)
    index = np.zeros(KINDS, np.uint8)
    index[present] = np.abs(colours[present, None] - colours[None, kept]).sum(axis=2).argmin(axis=1)
    return index, _colours()[kept]


@cache
def _colours() -> np.ndarray:
    """The colour that stands for each kind: one that the kit draws in, if the kind has one, so that it stays what
    it is; else its digits doubled (0x3a becomes 0x33), which only the soft edges of shapes get."""
    colours = np.indices((16, 16, 16), np.uint8).reshape(3, -1).T * np.uint8(17)
    drawn = [PAPER, *WORDS.values(), *(colour for colour, _ in LINES.values())]
    drawn += [colour for area in AREAS.values() for colour in (area.on, area.edge, area.fill)]
    own = np.array([list(bytes.fromhex(colour[1:])) for colour in drawn], np.uint8)
    colours[kinds_of(own)] = own
    return colours


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
