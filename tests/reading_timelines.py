"""What a timeline shows, read back from the picture's artists, from its text twin, and from the history
itself.

Each of the three answers with the same grid: for (queue, name of a lane, column) a `Cell`. The picture is
read as an eye reads it: a column is where an operation's number stands, a lane is where its name stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from retryq.drawing.ink import Words, measure
from retryq.drawing.sheet import Word
from retryq.history import History

ORDINAL = re.compile(r"\d+(st|nd|rd|th)")
MARKS = ("refused", "acknowledged", "cancelled")
SHORT = {"ack": "acknowledged", "cancel": "cancelled", "x": "refused"}


class Cell(NamedTuple):
    """A job's state and its label ("waiting", "2nd"), and the marks there."""

    state: str = ""
    label: str = ""
    marks: frozenset[str] = frozenset()


Grid = dict[tuple[int, str, int], Cell]


def from_history(history: History) -> Grid:
    """What is true, said by the states of the model alone."""
    grid: Grid = {}
    for column, step in enumerate(history.steps):
        for number, queue in enumerate(step.after.queues):
            for job in queue.jobs:
                if job.status == "waiting":
                    grid[number, job.id, column] = Cell("waiting", _nth(queue.line.index(job.id) + 1))
                elif job.status == "in flight":
                    grid[number, job.id, column] = Cell("in flight", f"#{job.attempt}")
                elif (
                    number >= len(step.before.queues)
                    or step.before.queues[number].job(job.id).status != job.status
                ):
                    grid[number, job.id, column] = Cell(marks=frozenset({job.status}))
        if step.refused:
            key = (step.before.selected, step.op[1] if len(step.op) > 1 else "no job", column)
            old = grid.get(key, Cell())
            grid[key] = old._replace(marks=old.marks | {"refused"})
    return grid


def _nth(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number if number < 20 else number % 10, 'th') }"


# ------------------------------------------------------------------------------------------------ the picture


def words_of(figure: Figure) -> list[tuple[Word, str]]:
    """Every word of a picture, with its colour."""
    return [
        (word, artist.colour)
        for artist in figure.artists
        if isinstance(artist, Words)
        for word in artist.words
    ]


def boxes_of(figure: Figure) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
    """Style and bounds of every filled shape, in the order in which they are drawn."""
    for artist in sorted(figure.findobj(PolyCollection), key=lambda artist: artist.get_zorder()):
        for path in artist.get_paths():
            low, high = path.vertices.min(axis=0), path.vertices.max(axis=0)
            yield artist.get_gid(), (*low, *high)


_RENDERER = FigureCanvasAgg(Figure(dpi=288)).get_renderer()


@cache
def _room(text: str, size: float, bold: bool) -> tuple[float, float, float]:
    font = FontProperties(family="DejaVu Sans", size=size, weight="bold" if bold else "normal")
    width, height, descent = _RENDERER.get_text_width_height_descent(text, font, ismath=False)
    return width / 4, height / 4, descent / 4


def extents(figure: Figure) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Every word with the room that matplotlib's own Agg renderer says it takes, in points."""
    found = []
    for word, _ in words_of(figure):
        width, height, descent = _room(word.text, word.size, word.bold)
        found.append((word.text, (word.x, word.y - descent, word.x + width, word.y - descent + height)))
    return found


def columns_of(figure: Figure) -> list[tuple[float, float, float]]:
    """For each column: where its middle is, the top of its row, and the foot of its row."""
    numbers = [word for word, _ in words_of(figure) if word.tag and word.tag[0] == "number"]
    numbers.sort(key=lambda word: int(word.text))
    assert [int(word.text) for word in numbers] == list(range(1, len(numbers) + 1)), (
        "the operations are numbered"
    )
    middles = [word.x + _width(word) / 2 for word in numbers]
    rows, start = [], 0
    for index in range(1, len(numbers) + 1):
        if index == len(numbers) or middles[index] < middles[index - 1]:
            rows.append(range(start, index))
            start = index
    slots = [
        word
        for word, _ in words_of(figure)
        if word.tag and word.tag[0] == "slots" and word.tag[3] is not None
    ]
    feet = [min(word.y for word in slots if word.tag[3] in row) for row in rows]
    tops = [float("inf"), *feet]
    return [(middles[index], top, foot) for row, top, foot in zip(rows, tops, feet) for index in row]


def _width(word: Word) -> float:
    return measure(word.text, word.size, word.bold)


def from_picture(figure: Figure) -> Grid:
    """Read the lanes of a picture."""
    columns = columns_of(figure)
    words = [word for word, _ in words_of(figure)]
    boxes = list(boxes_of(figure))
    step = min((b[0] - a[0] for a, b in pairwise(columns) if a[1:] == b[1:]), default=80.0)
    grid: Grid = {}
    names = [word for word in words if word.tag and word.tag[0] == "lane" and not word.text.startswith('"')]
    for name in names:
        centre = name.y + 3
        lane = [(style, box) for style, box in boxes if box[1] - 4 <= centre <= box[3] + 4]
        for column, (middle, top, foot) in enumerate(columns):
            if not foot < centre < top:
                continue
            state, marks, labels = "", set(), []
            for style, box in lane:
                kind = style.removesuffix(" later")
                if kind in ("waiting", "in flight") and box[0] < middle < box[2]:
                    state = kind
                    goes_on = [
                        other for other in lane if abs(other[1][2] - box[0]) < 0.1
                    ]  # faded from here on
                    labels = _labels(words, box, middle) or (
                        _labels(words, goes_on[0][1], middle) if goes_on else []
                    )
                elif kind in MARKS and abs((box[0] + box[2]) / 2 - middle) < step / 2:
                    marks.add(kind)
            if state or marks:
                grid[name.tag[1], name.text, column] = Cell(
                    state, labels[-1] if labels else "", frozenset(marks)
                )
    return grid


def _labels(words: list[Word], box: tuple[float, float, float, float], middle: float) -> list[str]:
    inside = [
        word
        for word in words
        if box[0] < word.x < box[2] and box[1] < word.y < box[3] and word.x < middle + 40
    ]
    inside.sort(key=lambda word: word.x + _width(word) / 2)
    return [match[0] for word in inside if (match := re.search(r"#\d+|\d+(st|nd|rd|th)", word.text))]


# ---------------------------------------------------------------------------------------------- the text twin


def from_text(text: str) -> Grid:
    """Read the tables of a text twin."""
    grid: Grid = {}
    queue = 0
    for block in text.split("\n\n")[1:]:
        lines = block.split("\n")
        if match := re.fullmatch(r"Queue (\d)", lines[0]):
            queue = int(match[1])
            lines = lines[1:]
        heads = [(match.start(), match[0]) for match in re.finditer(r"\S+(?: \S+)*", lines[0])]
        if lines[0] == "Why" or not lines[0].startswith(" "):
            continue
        fixed = 0
        if heads[0][1] == "operation":
            fixed = [head for _, head in heads].index("slots") + 1
        for line in lines[1:]:
            number = re.match(r" *(\d+)  ", line)
            if not number or line.startswith("--"):
                continue
            ends = [start for start, _ in heads[1:]] + [None]
            for (start, head), end in list(zip(heads, ends, strict=True))[fixed:]:
                cell = _cell(line[start:end].strip())
                if cell != Cell():
                    grid[queue, head, int(number[1]) - 1] = cell
    return grid


def _cell(text: str) -> Cell:
    state, label, marks = "", "", set()
    for word in text.replace("in flight", "").replace("waiting", "").split():
        if ORDINAL.fullmatch(word):
            state, label = "waiting", word
        elif re.fullmatch(r"#\d+", word):
            state, label = "in flight", word
        elif word != ".":
            marks.add(SHORT.get(word, word))
    return Cell(state, label, frozenset(marks))
