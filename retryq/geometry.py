"""A run as plain data (`layout`, from ``lanes``) and the same printed: the text twin of every timeline.

The text twin is what a screen reader reads, what a terminal shows and what nbval compares. It has one line
for each operation and one column for each job, holds the very bars, marks and words that the picture has, and
is at most `WIDTH` characters wide. Nothing in it but the labels is beyond ASCII.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from retryq.history import History
from retryq.lanes import ACKNOWLEDGED, CANCELLED, REFUSED, Column, Layout, Panel, layout

__all__ = ["WIDTH", "alt", "layout", "notes", "print_layout", "text"]

WIDTH = 100
SHORT = {ACKNOWLEDGED: "ack", CANCELLED: "cancel"}  # where the whole words would make the table too wide
PIECE = 24  # a call or an answer that is longer breaks before its payload

Cell = Sequence[str]  # the lines of one cell


def text(history: History, cursor: int | None = None, title: str = "") -> str:
    """The text twin of a run; ``cursor`` as in `layout`.

    >>> print(text(History.start(1).do(["enqueue", "a", "A"]).do(["reserve"]).do(["enqueue", "b", "B"])))
    Capacity 1, 3 operations
    <BLANKLINE>
       operation      answer    slots   a             b
    1  enqueue a "A"  True      1 of 1  waiting 1st   .
    2  reserve        a "A" #1  1 of 1  in flight #1  .
    3  enqueue b "B"  False     1 of 1  in flight #1  x
    <BLANKLINE>
    Why
    3  enqueue b "B": refused: the only slot is taken: 0 waiting, 1 in flight; the id b is not taken by
       this (capacity.full)
    <BLANKLINE>
    1st, 2nd: its place in line. #1, #2: its attempt. x: refused.
    """
    return print_layout(layout(history, cursor, title))


def print_layout(drawn: Layout) -> str:
    """The text twin of a layout: a heading, a table for each queue, the whys, and how to read it."""
    parts = ["\n".join(piece for line in _heading(drawn) for piece in textwrap.wrap(line, WIDTH))]
    for queue, panel in enumerate(drawn.panels):
        name = [f"Queue {queue}"] if len(drawn.panels) > 1 else []
        parts += ["\n".join([*name, *block]) for block in _blocks(drawn, queue, panel)]
    whys = notes(drawn)
    if whys:
        parts.append("\n".join(["Why", *whys]))
    if drawn.columns:
        parts.append(_key(drawn))
    return "\n\n".join(parts)


def notes(drawn: Layout) -> list[str]:
    """The full why of every refusal, and of the answer where two runs part: numbered, at most `WIDTH`
    wide."""
    wide = len(str(len(drawn.columns)))
    lines = []
    for index, column in enumerate(drawn.columns):
        if column.refused or column.parts:
            lines += textwrap.wrap(
                f"{index + 1:>{wide}}  {' '.join(column.words)}: {column.why} ({column.clause})",
                WIDTH,
                subsequent_indent=" " * (wide + 2),
                break_on_hyphens=False,
            )
    return lines


def alt(drawn: Layout) -> str:
    """The text twin in sentences, for the ``alt`` of a picture.

    >>> alt(layout(History.start(1).do(["reserve"])))
    'Timeline. Capacity 1, 1 operation. 1: reserve answers None (no job waiting).'
    """
    sentences = ["Timeline.", *(f"{line}." for line in _heading(drawn))]
    queue = 0
    for index, column in enumerate(drawn.columns):
        if index == drawn.cursor:
            sentences.append("Still to come:")
        where = (
            f" on queue {column.queue}"
            if column.queue != queue and column.words[0] not in ("new", "use")
            else ""
        )
        queue = column.queue
        hint = f" ({column.hint})" if column.hint else ""
        sentences.append(
            f"{index + 1}: {' '.join(column.words)}{where} answers {' '.join(column.answer)}{hint}."
        )
    return " ".join(sentences)


def _heading(drawn: Layout) -> list[str]:
    count = len(drawn.columns)
    lines = [f"Capacity {drawn.capacity}, {count} operation{'' if count == 1 else 's'}"]
    if drawn.title:
        lines[0] = f"{drawn.title}: {lines[0][0].lower()}{lines[0][1:]}"
    if drawn.cursor is not None:
        lines.append(f"Now: after {drawn.cursor} of {count}")
    if drawn.parts_at is not None:
        column = drawn.columns[drawn.parts_at]
        lines.append(
            f"Operation {drawn.parts_at + 1}, {' '.join(column.words)}. "
            f"The rules: {' '.join(column.answer)}. "
            f"Your queue: {' '.join(column.own or ('nothing',))}"
        )
    return lines


def _key(drawn: Layout) -> str:
    """How to read the table, for somebody who never saw the picture."""
    tables = [_table(drawn, panel, queue, long=True) for queue, panel in enumerate(drawn.panels)]
    kinds = {mark.kind for panel in drawn.panels for mark in panel.marks}
    if all(map(_fits, tables)):
        sentences = ["1st, 2nd: its place in line.", "#1, #2: its attempt."]
    else:
        sentences = [
            "1st, 2nd: it waits, at this place in line.",
            "#1, #2: it is in flight, on this attempt.",
        ]
        sentences += [f"{SHORT[kind]}: {kind}." for kind in SHORT if kind in kinds]
    return "\n".join(textwrap.wrap(" ".join([*sentences, *["x: refused."] * (REFUSED in kinds)]), WIDTH))


def _blocks(drawn: Layout, queue: int, panel: Panel) -> list[list[str]]:
    """The table of one queue as blocks of lines, none wider than `WIDTH`: lanes that do not fit beside the
    operations stand in further blocks under their own numbers."""
    table = _table(drawn, panel, queue, long=True)
    if not _fits(table):
        table = _table(drawn, panel, queue, long=False)
    number, *others = table
    blocks, now = [], [number]
    for column in others:
        if not _fits([*now, column]) and len(now) > 1:
            blocks.append(now)
            now = [number]
        now.append(column)
    blocks.append(now)
    return [_lines(drawn, queue, block) for block in blocks]


def _fits(table: Sequence[Sequence[Cell]]) -> bool:
    return sum(_width(column) + 2 for column in table) - 2 <= WIDTH


def _width(column: Sequence[Cell]) -> int:
    return max(len(line) for cell in column for line in cell)


def _table(drawn: Layout, panel: Panel, queue: int, long: bool) -> list[list[Cell]]:
    """The table of one queue, column by column, each with its head: number, operation, answers, slots,
    lanes."""
    own = [index for index, column in enumerate(drawn.columns) if column.queue == queue]
    columns = [drawn.columns[index] for index in own]
    table: list[list[Cell]] = [
        [("",), *((str(index + 1),) for index in own)],
        [("operation",), *(_pieces(column.words) for column in columns)],
    ]
    if drawn.parts_at is None:
        table.append([("answer",), *(_pieces(column.answer) for column in columns)])
    else:
        table.append([("the rules",), *(_pieces(column.answer) for column in columns)])
        table.append([("your queue",), *(_own(column) for column in columns)])
    table.append([("slots",), *((slots.label if (slots := panel.slots[index]) else "",) for index in own)])
    for lane in range(len(panel.lanes)):
        table.append([(panel.lanes[lane].id,), *((_cell(panel, lane, index, long),) for index in own)])
    return table


def _pieces(words: tuple[str, ...]) -> Cell:
    """A call or an answer on one line, or on two where it is long."""
    line = " ".join(words)
    if len(line) <= PIECE or len(words) < 3:
        return (line,)
    first = 2 if words[0] == "enqueue" else 1
    return (" ".join(words[:first]), "  " + " ".join(words[first:]))


def _own(column: Column) -> Cell:
    lines = _pieces(column.own or ("",))
    return (*lines[:-1], lines[-1] + " <- differs") if column.parts else lines


def _cell(panel: Panel, lane: int, column: int, long: bool) -> str:
    """What one lane shows in one column: ``"in flight #1 x"``, or ``"."`` for nothing."""
    words = []
    for bar in panel.bars:
        if bar.lane == lane and bar.first <= column <= bar.last:
            words.append(f"{bar.status} {bar.label}" if long else bar.label)
    for mark in panel.marks:
        if mark.lane == lane and mark.column == column:
            words.append("x" if mark.kind == REFUSED else mark.kind if long else SHORT[mark.kind])
    return " ".join(words) or "."


def _lines(drawn: Layout, queue: int, table: Sequence[Sequence[Cell]]) -> list[str]:
    widths = [_width(column) for column in table]
    own = [-1, *(index for index, column in enumerate(drawn.columns) if column.queue == queue)]
    lines, shown_now = [], drawn.cursor is None
    for index, row in zip(own, zip(*table, strict=True), strict=True):
        if not shown_now and index >= 0 and drawn.later(index):
            lines.append(
                f"-- now: after {drawn.cursor} of {len(drawn.columns)}, what follows is still to come --"
            )
            shown_now = True
        for part in range(max(len(cell) for cell in row)):
            pieces = [cell[part] if part < len(cell) else "" for cell in row]
            aligned = [pieces[0].rjust(widths[0]), *(p.ljust(w) for p, w in zip(pieces[1:], widths[1:]))]
            lines.append("  ".join(aligned).rstrip())
    return lines
