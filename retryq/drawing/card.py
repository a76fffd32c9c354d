"""A picture as a piece of a page: a white card that fits itself to the page, but not so far that it cannot be read."""

from __future__ import annotations

import base64
from html import escape

__all__ = ["card"]

LEAST = 0.66  # of its size: where the page is narrower still, as when somebody zooms in, the card scrolls instead


def card(png: bytes, width: int, alt: str, name: str) -> str:
    """An ``<img>`` with its ``alt``, ``width`` pixels wide where there is room, on a white card that can be scrolled,
    by the keyboard too. Its ``name`` is a word or two: what a screen reader says before the ``alt``."""
    data = base64.b64encode(png).decode()
    return (
        f'<div style="overflow-x: auto" tabindex="0" role="group" aria-label="{escape(name)}">'
        f'<img alt="{escape(alt)}" src="data:image/png;base64,{data}" width="{width}" style="display: block; '
        f'max-width: max(100%, {round(width * LEAST)}px); height: auto; background: #fff"></div>'
    )
