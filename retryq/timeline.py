"""The timeline: a run drawn by matplotlib, with its text twin.

matplotlib's `Figure` class is used and never pyplot, so no figure stays open. A long run is drawn row by row, and
the last 16 rows that were drawn are kept: a step in the lab draws one of them again. A picture is an opaque white
card: a dark theme cannot hide its ink.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from html import escape
from io import BytesIO
from os import PathLike, fspath
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.transforms import Affine2D

from retryq import history as _history
from retryq.drawing import ink
from retryq.drawing.card import card
from retryq.drawing.figures import SETTINGS
from retryq.drawing.page import place
from retryq.drawing.palette import AREAS, PAPER, WORDS
from retryq.drawing.png import kinds_of, png
from retryq.drawing.sheet import Sheet, stack
from retryq.geometry import alt, layout, notes, print_layout
from retryq.history import History
from retryq.scenario import Scenario

__all__ = ["Timeline"]


class Timeline:
    """A picture of a run.

    ``run`` is a `History`, a scenario (anything with ``capacity`` and ``ops``), or a check's report with a
    counterexample. ``cursor`` is how many operations have happened by now: what comes after is drawn faded.
    ``TypeError`` for anything else, ``ValueError`` for a report without a counterexample, ``IndexError`` for
    a cursor outside the run.

    >>> from retryq.scenario import Scenario
    >>> print(Timeline(Scenario(1, (("enqueue", "a", "A"), ("reserve",)))))
    Capacity 1, 2 operations
    <BLANKLINE>
       operation      answer    slots   a
    1  enqueue a "A"  True      1 of 1  waiting 1st
    2  reserve        a "A" #1  1 of 1  in flight #1
    <BLANKLINE>
    1st, 2nd: its place in line. #1, #2: its attempt.
    """

    def __init__(self, run: Any, cursor: int | None = None) -> None:
        self.history, title, parts_at = _read(run)
        self.layout = layout(self.history, cursor, title, parts_at)

    def text(self) -> str:
        """The text twin: one line for each operation, one column for each job."""
        return print_layout(self.layout)

    __str__ = text

    def __repr__(self) -> str:
        return self.text()

    @property
    def alt(self) -> str:
        """The text twin in sentences."""
        return alt(self.layout)

    @property
    def notes(self) -> str:
        """The full why of every refusal, numbered as the operations are."""
        return "\n".join(notes(self.layout))

    def figure(self) -> Figure:
        """A new matplotlib figure of the run, as large as it needs to be."""
        return _draw(stack(self._sheets()))

    def _sheets(self) -> tuple[Sheet, ...]:
        return place(self.layout, ink.measure)

    def png(self, dpi: float | None = None, level: int = 3) -> bytes:
        """The picture as PNG. ``dpi`` is chosen by its size if not given; ``level`` is how hard to compress
        (0-9). ``ValueError`` for a ``dpi`` that is no number from 10 to 1200."""
        if dpi is not None and not (isinstance(dpi, (int, float)) and 10 <= dpi <= 1200):
            raise ValueError(f"dpi must be a number from 10 to 1200, got {dpi!r}")
        return _png(self._sheets(), dpi, level)

    def html(self, level: int = 3, why: bool = False) -> str:
        """The picture with its ``alt``, on a white card that a narrow page scales down, or scrolls. With ``why``,
        the whys of all refusals stand under it, folded up."""
        sheets = self._sheets()
        width = round(sheets[0].width * 96 / 72)
        return card(_png(sheets, None, level), width, self.alt, "Timeline") + (self._whys() if why else "")

    def _whys(self) -> str:
        told = [
            (number, column)
            for number, column in enumerate(self.layout.columns, 1)
            if column.refused or column.parts
        ]
        if not told:
            return ""
        items = (
            f'<li value="{number}"><b>{escape(" ".join(column.words))}</b>: {escape(column.why)} '
            f"(<code>{escape(column.clause)}</code>)</li>"
            for number, column in told
        )
        return f"<details><summary>Why it was refused</summary><ol>{''.join(items)}</ol></details>"

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture as .svg, .png or .pdf, by the ending of ``path``; ``ValueError`` for any other.

        The same run gives the same file.
        """
        name = fspath(path)
        kind = name.rpartition(".")[2].lower()
        if kind not in ("svg", "png", "pdf") or "." not in name:
            raise ValueError(f"a timeline is saved as .svg, .png or .pdf, got {name!r}")
        if kind == "png":
            with open(path, "wb") as file:
                file.write(self.png(level=9))
            return
        about: dict[str, Any] = {"Title": "Timeline", "Creator": None}
        about |= (
            {"Date": None} if kind == "svg" else {"CreationDate": None, "Producer": None, "Subject": self.alt}
        )
        drawn = BytesIO()
        with matplotlib.rc_context(SETTINGS):
            self.figure().savefig(drawn, format=kind, metadata=about, facecolor=PAPER, bbox_inches=None)
        label = f'<svg role="img" aria-label="{escape(self.alt)}" '.encode()
        with open(path, "wb") as file:
            file.write(drawn.getvalue().replace(b"<svg ", label, 1) if kind == "svg" else drawn.getvalue())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": self.text(), "text/html": self.html(level=6, why=True)}


def _read(run: Any) -> tuple[History, str, int | None]:
    """The history to draw, its title, and where a report says that two runs part."""
    if isinstance(run, History):
        return run, "", run.parts_at
    if hasattr(run, "counterexample"):
        example = run.counterexample
        if example is None:
            raise ValueError("this report has no counterexample, so there is nothing to draw")
        steps = _history.run(Scenario(example.capacity, tuple(example.ops))).steps
        history = History(example.capacity, steps, tuple(run.actual))
        index = getattr(run, "index", None)
        return history, "", history.parts_at if index is None else index
    if hasattr(run, "capacity") and hasattr(run, "ops"):
        scenario = Scenario(run.capacity, tuple(map(tuple, run.ops)))
        return _history.run(scenario), getattr(run, "name", None) or "", None
    raise TypeError(f"a timeline is made of a history, a scenario or a report, got {type(run).__name__}")


def _png(sheets: tuple[Sheet, ...], dpi: float | None, level: int) -> bytes:
    area = sheets[0].width * sum(sheet.height for sheet in sheets) / 72**2
    dpi = dpi or (144 if area < 90 else 96)
    if any(sheet.height * dpi % 72 for sheet in sheets):  # no whole pixels: they cannot be put together
        sheets = (stack(sheets),)
    return png([_kinds(sheet, dpi) for sheet in sheets], dpi, level)


@lru_cache(maxsize=16)
def _kinds(sheet: Sheet, dpi: float) -> Any:
    """A sheet in pixels. Kept, because a step in the lab changes one sheet or two of a long run."""
    # As matplotlib cuts a size, but for a whole number that floats have left a little short.
    width, height = (int(size * dpi / 72 + 1e-6) for size in (sheet.width, sheet.height))
    renderer = RendererAgg(width, height, dpi)
    with matplotlib.rc_context(SETTINGS):
        figure = _draw(sheet)
        figure.set_dpi(dpi)
        figure.draw(renderer)
    return kinds_of(renderer.buffer_rgba())


def _draw(sheet: Sheet) -> Figure:
    figure = Figure(figsize=(sheet.width / 72, sheet.height / 72), facecolor=PAPER, edgecolor=PAPER)
    points = Affine2D().scale(1 / 72) + figure.dpi_scale_trans
    shapes, lines, words = defaultdict(list), defaultdict(list), defaultdict(list)
    for shape in sheet.shapes:
        shapes[shape.style].append(shape)
    for line in sheet.lines:
        lines[line.style].append(line)
    for word in sheet.words:
        words[word.colour].append(word)
    under = [style for style in shapes if style.startswith(("parts", "waiting", "in flight", "free"))]
    order: list[Any] = [ink.areas(shapes["parts"], "parts", points)] if "parts" in shapes else []
    order += [
        ink.strokes(lines[style], style, points) for style in ("column", "rule", "finished") if style in lines
    ]
    for style in under:
        if style != "parts":
            order.append(ink.areas(shapes[style], style, points))
        if style.startswith("waiting"):
            order.append(ink.Hatches(shapes[style], style, points))
    order += [ink.areas(shapes[style], style, points) for style in shapes if style not in under]
    order += [ink.strokes(lines[style], style, points) for style in lines if style in AREAS]
    order += [ink.strokes(lines["cursor"], "cursor", points)] if "cursor" in lines else []
    order += [ink.Words(words[colour], WORDS[colour], points) for colour in words]
    for depth, artist in enumerate(order):
        artist.set_zorder(depth)
        figure.add_artist(artist)
    return figure
