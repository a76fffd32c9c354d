"""A layout placed on a sheet: where every bar, mark and word goes, in points (1/72 inch).

Columns run left to right and wrap into rows; in each row the queues stand under each other, each with its
operations on top, its lanes, the answers and the slots. Sizes follow the run: few operations get wide columns, few
jobs tall lanes. How wide a word is comes from the caller, so this file knows no drawing library.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from retryq.lanes import IN_FLIGHT, REFUSED, WAITING, Bar, Column, Layout, Mark, Panel

__all__ = ["Line", "Shape", "Sheet", "Word", "place"]

PAGE = 912.0  # the widest sheet, 12 2/3 inches
Measure = Callable[[str, float, bool], float]  # text, size, bold -> width in points


class Shape(NamedTuple):
    """A filled rectangle, or a disc in it. ``tag`` says what it stands for: (kind, queue, lane, column)."""

    box: tuple[float, float, float, float]  # left, bottom, right, top
    style: str
    round: bool = False
    tag: tuple | None = None


class Line(NamedTuple):
    ends: tuple[tuple[float, float], tuple[float, float]]
    style: str


class Word(NamedTuple):
    """A label: where its pen begins (x, y of the base line), its size, and the name of its colour."""

    text: str
    x: float
    y: float
    size: float
    bold: bool
    colour: str
    tag: tuple | None = None


class Sheet(NamedTuple):
    width: float
    height: float
    shapes: tuple[Shape, ...]
    lines: tuple[Line, ...]
    words: tuple[Word, ...]


class Sizes(NamedTuple):
    """All the sizes that follow the run."""

    column: float
    per_row: int
    lane: float
    bar: float
    head: float  # an operation
    small: float  # numbers, payloads, whys
    label: float  # place in line, attempt
    answer: float
    gutter: float
    tall: bool  # lanes have two lines of text


def place(layout: Layout, measure: Measure) -> Sheet:
    """Place a layout. The same layout gives the same sheet."""
    return _Placer(layout, measure).place()


class _Placer:
    """Fills a sheet from the top down (y grows downward until ``place`` turns the sheet over)."""

    def __init__(self, layout: Layout, measure: Measure) -> None:
        self.layout, self.measure = layout, measure
        self.shapes: list[Shape] = []
        self.lines: list[Line] = []
        self.words: list[Word] = []
        self.sizes = self._sizes()
        self.y = 12.0
        self.right = 0.0

    # ------------------------------------------------------------------------------------------- the whole

    def place(self) -> Sheet:
        count, per_row = len(self.layout.columns), self.sizes.per_row
        width = self.sizes.gutter + per_row * self.sizes.column + 16
        self._heading(max(width, 420.0))
        for first in range(0, count, per_row):
            self._row(range(first, min(first + per_row, count)))
        if not count:
            self._word("Nothing has happened yet.", 14, self.y + 12, 11)
            self.y += 24
        right = max([width, *(word.x + self.measure(word.text, word.size, word.bold) + 12 for word in self.words)])
        height = self.y + 4
        return Sheet(right, height,
                     tuple(s._replace(box=(s.box[0], height - s.box[3], s.box[2], height - s.box[1]))
                           for s in self.shapes),
                     tuple(Line(((x0, height - y0), (x1, height - y1)), style)
                           for ((x0, y0), (x1, y1)), style in self.lines),
                     tuple(word._replace(y=height - word.y) for word in self.words))

    def _sizes(self) -> Sizes:
        layout = self.layout
        count = len(layout.columns)
        lanes = sum(len(panel.lanes) for panel in layout.panels)
        tall, dense = lanes <= 10, count > 12
        ids = [lane.id for panel in layout.panels for lane in panel.lanes]
        label = 12.0 if tall else 10.0
        names = ["your queue", f"{layout.capacity} slots", *(f"queue {i}" for i in range(len(layout.panels)))]
        gutter = 20 + max([min(130.0, self.measure(id, label, True)) for id in ids]
                          + [self.measure(name, 9, True) for name in names])
        column = 52.0 if dense else min(84.0, max(66.0, 800.0 / max(count, 1)))
        most = max(1, min(16 if dense else 12, int((PAGE - gutter - 16) // column)))
        rows = -(-count // most) or 1
        return Sizes(column, -(-count // rows) or 1, 40.0 if tall else 21.0, 31.0 if tall else 16.0,
                     8.0 if dense else 10.0, 7.0 if dense else 8.5, label, 8.5 if dense else 11.0, gutter, tall)

    def _heading(self, width: float) -> None:
        layout, lines = self.layout, []
        if layout.title:
            lines.append((layout.title, 13.0, True, "ink"))
        if layout.parts_at is not None:
            column = layout.columns[layout.parts_at]
            said = f"{layout.parts_at + 1}, {' '.join(column.words)}: the rules answer {' '.join(column.answer)}, " \
                   f"your queue answers {' '.join(column.own or ())}."
            lines += [(said, 11.0, True, "refused"), (f"{column.why} ({column.clause})", 10.0, False, "ink")]
        for text, size, bold, colour in lines:
            for piece in self._wrap(text, size, bold, width - 28):
                self._word(piece, 14, self.y + size, size, bold, colour)
                self.y += size * 1.35
        self.y += 6 if lines else 0

    def _row(self, span: range) -> None:
        top = self.y
        if self.layout.cursor is not None:
            self.y += 14
        for queue, panel in enumerate(self.layout.panels):
            if any(column.queue == queue for column in self.layout.columns[span.start:span.stop]) \
                    or _busy(panel, span):
                self._panel(queue, panel, span)
        self._cursor(span, top)
        self.y += 10

    def _cursor(self, span: range, top: float) -> None:
        cursor = self.layout.cursor
        if cursor is None or not (span.start < cursor <= span.stop or cursor == span.start == 0):
            return
        x = self._x(cursor, span)
        self.lines.append(Line(((x, top + 12), (x, self.y - 2)), "cursor"))
        self._centred("now", x, top + 8, 9, True, "ink", ("now", 0, None, cursor))

    # --------------------------------------------------------------------------------------- one queue in a row

    def _panel(self, queue: int, panel: Panel, span: range) -> None:
        own = [i for i in span if self.layout.columns[i].queue == queue]
        top = self.y
        if len(self.layout.panels) > 1:
            self._gutter(f"queue {queue}", top + 10, 10, True, "ink", ("queue", queue, None, None))
        band = len(self.shapes)
        self._heads(queue, own, span)
        self.y = max(self.y, top + (16 if len(self.layout.panels) > 1 else 0))
        lanes_top = self.y
        for lane in range(len(panel.lanes)):
            if _in_lane(panel, lane, span):
                self._lane(queue, panel, lane, span)
        lanes_bottom = self.y = self.y + 3
        if own:
            self._answers(queue, own, span)
        for i in range(span.start, span.stop + 1):
            self.lines.append(Line(((self._x(i, span),) + (lanes_top,), (self._x(i, span), lanes_bottom)), "column"))
        if self.layout.parts_at in own:
            x = self._x(self.layout.parts_at or 0, span)
            box = (x + 1, top - 3, x + self.sizes.column - 1, self.y + 1)
            self.shapes.insert(band, Shape(box, "parts", tag=("parts", queue, None, self.layout.parts_at)))
        self._strip(queue, panel, span)

    def _heads(self, queue: int, own: list[int], span: range) -> None:
        sizes, lowest = self.sizes, self.y
        for index in own:
            column, x, y = self.layout.columns[index], self._middle(index, span), self.y
            colour = "later" if self.layout.later(index) else "ink"
            quiet = "later" if self.layout.later(index) else "quiet"
            tag = ("head", queue, None, index)
            y += sizes.small
            self._centred(str(index + 1), x, y, sizes.small, False, quiet, tag)
            y += sizes.head * 1.3
            self._centred(column.words[0], x, y, sizes.head, True, colour, tag)
            for line, size in self._about(column.words[1:]):
                y += size * 1.3
                self._centred(line, x, y, size, False, colour, tag)
            lowest = max(lowest, y)
        self.y = lowest + 6 if own else self.y

    def _about(self, words: tuple[str, ...]) -> list[tuple[str, float]]:
        """The lines under an operation's name, or of a job that was answered: id and attempt on one line where
        they fit, a long id broken, a payload on its own line and cut."""
        sizes = self.sizes
        payload = [word for word in words if word.startswith('"')]
        first = " ".join(word for word in words if not word.startswith('"'))
        room = sizes.column - 4
        if self.measure(first, sizes.head, False) <= room:
            lines = [(first, sizes.head)] if first else []
        else:
            size = sizes.head if sizes.head <= 8 else sizes.head - 1
            lines = [(piece, size) for word in first.split(" ") for piece in self._break(word, size, room)]
        return lines + [(self._cut(word, sizes.small, room), sizes.small) for word in payload]

    def _lane(self, queue: int, panel: Panel, lane: int, span: range) -> None:
        sizes, job = self.sizes, panel.lanes[lane]
        centre = self.y + sizes.lane / 2
        name = job.id
        size = min(sizes.label, sizes.label * (sizes.gutter - 20) / max(1.0, self.measure(name, sizes.label, True)))
        tag = ("lane", queue, lane, None)
        if sizes.tall and job.payload is not None:
            self._gutter(name, centre - 2, size, True, "ink", tag)
            self._gutter(self._cut(f'"{job.payload}"', 8, sizes.gutter - 20), centre + 10, 8, False, "quiet", tag)
        else:
            known = job.payload is not None or panel.lanes[lane].id != "no job"
            self._gutter(name, centre + size * 0.36, size, known, "ink" if known else "quiet", tag)
        refused = {mark.column for mark in panel.marks if mark.lane == lane and mark.kind == REFUSED}
        for bar in panel.bars:
            if bar.lane == lane and bar.first < span.stop and bar.last >= span.start:
                self._bar(queue, bar, span, centre, refused)
        named = {max(bar.first, span.start) for bar in panel.bars if bar.lane == lane}
        for mark in panel.marks:
            if mark.lane == lane and mark.column in span:
                if mark.kind == REFUSED:
                    self._refusal(queue, mark, span, centre, mark.column in named)
                else:
                    self._end(queue, panel, mark, span, centre)
        self.y += sizes.lane

    def _bar(self, queue: int, bar: Bar, span: range, centre: float, refused: set[int]) -> None:
        sizes, half = self.sizes, self.sizes.bar / 2
        first, last = max(bar.first, span.start), min(bar.last, span.stop - 1)
        left = self._x(first, span) + (2 if first == bar.first else -3)
        right = self._x(last + 1, span) - (2 if last == bar.last else -3)
        now = last + 1 if self.layout.cursor is None else min(max(first, self.layout.cursor), last + 1)
        tag = ("bar", queue, bar.lane, first)
        x = self._x(now, span)
        for start, end, style in ((left, x, bar.status), (x, right, f"{bar.status} later")):
            if (now > first) if style == bar.status else (now <= last):
                start, end = max(start, left), min(end, right)
                end = right if (style != bar.status or now > last) else end
                self.shapes.append(Shape((start, centre - half, end, centre + half), style, tag=tag))
        later = self.layout.later(first)
        colour = "later" if later else "in flight" if bar.status == IN_FLIGHT else "ink"
        crowded = first in refused
        middle = self._x(first, span) + sizes.column * (0.3 if crowded else 0.5)
        room = sizes.column - 10 if not crowded else sizes.column * 0.56
        big, small = (12.0, 8.0) if sizes.tall else (9.0, 8.0)
        long = f"{bar.status} {bar.label}"
        if sizes.tall and self.measure(bar.status, small, False) <= room:
            lines = [(bar.status, small, False, centre - 4), (bar.label, big, True, centre + 9.5)]
        elif not sizes.tall and self.measure(long, small, True) <= room:
            lines = [(long, small, True, centre + small * 0.36)]
        else:
            lines = [(bar.label, big, True, centre + big * 0.36)]
        wide = max(self.measure(text, size, bold) for text, size, bold, _ in lines) / 2 + 3
        if bar.status == WAITING:
            box = (middle - wide, centre - half + 2, middle + wide, centre + half - 2)
            self.shapes.append(Shape(box, "label later" if later else "label"))
        for text, size, bold, y in lines:
            self._centred(text, middle, y, size, bold, colour, tag)

    def _refusal(self, queue: int, mark: Mark, span: range, centre: float, crowded: bool) -> None:
        x = self._x(mark.column, span) + self.sizes.column * (0.8 if crowded else 0.5)
        self._mark(x, centre, 8.0 if self.sizes.tall else 6.5, ("mark", queue, mark.lane, mark.column), REFUSED)

    def _end(self, queue: int, panel: Panel, mark: Mark, span: range, centre: float) -> None:
        """An end mark and its word: under each other where lanes are tall, else the word behind the mark, in the
        free columns that follow."""
        sizes, tag = self.sizes, ("mark", queue, mark.lane, mark.column)
        colour = "later" if self.layout.later(mark.column) else mark.kind
        later = [m.column for m in panel.marks if m.lane == mark.lane and m.column > mark.column]
        free = min([span.stop, *later])
        if sizes.tall:
            size = min(8.5, 8.5 * (sizes.column - 3) / self.measure(mark.kind, 8.5, True))
            self._mark(self._middle(mark.column, span), centre - 6, 8.0, tag, mark.kind)
            self._centred(mark.kind, self._middle(mark.column, span), centre + 13, size, True, colour, tag)
            after = self._x(mark.column + 1, span)
        else:
            left = self._x(mark.column, span) + 4
            self._mark(left + 6, centre, 6.0, tag, mark.kind)
            room = self._x(free, span) - left - 16 + (14 if free == span.stop else -12)
            word, size = mark.kind, 7.5
            if self.measure(word, size, True) > room:
                word = {"acknowledged": "ack", "cancelled": "cancel"}[mark.kind]
            self._word(word, left + 15, centre + 2.8, size, True, colour, tag)
            after = left + 19 + self.measure(word, size, True)
        for column in [*later, None]:
            until = self._x(span.stop if column is None else column, span)
            if column is None or column in span:
                if until > after:
                    self.lines.append(Line(((after, centre), (until, centre)), "finished"))
                if column is not None:
                    after = self._x(column + 1, span)

    def _mark(self, x: float, y: float, radius: float, tag: tuple, kind: str) -> None:
        style = f"{kind} later" if self.layout.later(tag[3]) else kind
        box = (x - radius, y - radius, x + radius, y + radius)
        self.shapes.append(Shape(box, style, round=kind != "cancelled", tag=tag))
        r = radius * 0.45
        strokes = {"refused": [((-r, -r), (r, r)), ((-r, r), (r, -r))],
                   "acknowledged": [((-r, 0), (-r * 0.2, r * 0.8)), ((-r * 0.2, r * 0.8), (r, -r * 0.8))],
                   "cancelled": [((-r, 0), (r, 0))]}[kind]
        for (x0, y0), (x1, y1) in strokes:
            self.lines.append(Line(((x + x0, y + y0), (x + x1, y + y1)), style))

    # ------------------------------------------------------------------------------- answers and slots

    def _answers(self, queue: int, own: list[int], span: range) -> None:
        parting = self.layout.parts_at is not None
        self.lines.append(Line(((self.sizes.gutter, self.y), (self._x(span.stop, span), self.y)), "rule"))
        self._answer_row(queue, own, span, "the rules" if parting else "answer", False)
        if parting:
            self._answer_row(queue, own, span, "your queue", True)

    def _answer_row(self, queue: int, own: list[int], span: range, name: str, theirs: bool) -> None:
        sizes = self.sizes
        top, lowest = self.y, self.y
        self._gutter(name, top + sizes.answer + 3, 9, True, "quiet", ("answers", queue, None, None))
        for index in own:
            column = self.layout.columns[index]
            later = self.layout.later(index)
            words = (column.own or ()) if theirs else column.answer
            y = top + 3
            for text, size, bold, colour in self._answer(column, words, theirs):
                y += size * (1.0 if y == top + 3 else 1.25)
                self._centred(text, self._middle(index, span), y, size, bold, "later" if later else colour,
                              ("own" if theirs else "answer", queue, None, index))
            lowest = max(lowest, y)
        self.y = lowest + 5

    def _answer(self, column: Column, words: tuple[str, ...], theirs: bool) -> list[tuple[str, float, bool, str]]:
        sizes, room = self.sizes, self.sizes.column - 4
        refusal = column.refused if not theirs else column.parts
        if len(words) > 1:
            return [(text, size, False, "refused" if refusal else "ink")
                    for text, size in self._about((words[0], words[2], words[1]))]
        size, colour = sizes.answer, "refused" if refusal else "ink"
        lines = [(text, size, refusal, colour) for word in words for text in self._break(word, size, room)]
        if column.refused and not theirs:
            lines += [(text, sizes.small, False, "refused") for text in self._wrap(column.hint, sizes.small, False, room)]
        return lines

    def _strip(self, queue: int, panel: Panel, span: range) -> None:
        """One small box for each slot, and how many are taken of all."""
        sizes, capacity = self.sizes, self.layout.capacity
        each = min(12.0 if sizes.tall else 9.0, 60.0 / max(capacity, 1))
        top = self.y + 3
        bottom = top + each * capacity
        for index in span:
            slots = panel.slots[index]
            if slots is None:
                continue
            later = " later" if self.layout.later(index) else ""
            y, left, right = bottom, self._x(index, span) + 5, self._x(index + 1, span) - 5
            for style, count in ((IN_FLIGHT, slots.in_flight), (WAITING, slots.waiting), ("free", slots.free)):
                for _ in range(count):
                    self.shapes.append(Shape((left, y - each + 0.75, right, y - 0.75), style + later,
                                             tag=("slot", queue, None, index)))
                    y -= each
            self._centred(slots.label, self._middle(index, span), bottom + sizes.small + 3, sizes.small, False,
                          "later" if later else "quiet", ("slots", queue, None, index))
        self._gutter("slots", max((top + bottom) / 2 + 3, bottom + sizes.small + 3 if capacity == 0 else 0), 9, True, "quiet",
                     ("slots", queue, None, None))
        self.y = bottom + sizes.small + 12

    # ----------------------------------------------------------------------------------------- words and places

    def _x(self, column: int, span: range) -> float:
        return self.sizes.gutter + (column - span.start) * self.sizes.column

    def _middle(self, column: int, span: range) -> float:
        return self._x(column, span) + self.sizes.column / 2

    def _word(self, text: str, x: float, y: float, size: float, bold: bool = False, colour: str = "ink",
              tag: tuple | None = None) -> None:
        self.words.append(Word(text, x, y, size, bold, colour, tag))

    def _centred(self, text: str, x: float, y: float, size: float, bold: bool, colour: str, tag: tuple) -> None:
        self._word(text, x - self.measure(text, size, bold) / 2, y, size, bold, colour, tag)

    def _gutter(self, text: str, y: float, size: float, bold: bool, colour: str, tag: tuple) -> None:
        """A word at the right edge of the gutter."""
        self._word(text, self.sizes.gutter - 8 - self.measure(text, size, bold), y, size, bold, colour, tag)

    def _wrap(self, text: str, size: float, bold: bool, room: float) -> list[str]:
        """Lines no wider than ``room``, broken between words, and within a word that is too wide."""
        lines: list[str] = []
        for word in text.split(" "):
            for piece in self._break(word, size, room, bold):
                if lines and self.measure(f"{lines[-1]} {piece}", size, bold) <= room:
                    lines[-1] += f" {piece}"
                else:
                    lines.append(piece)
        return lines

    def _break(self, word: str, size: float, room: float, bold: bool = True) -> list[str]:
        """A word that is too wide, in as many pieces of like length as it takes."""
        for count in range(1, max(1, len(word)) + 1):
            step = -(-len(word) // count) or 1
            pieces = [word[i:i + step] for i in range(0, len(word), step)] or [word]
            if all(self.measure(piece, size, bold) <= room for piece in pieces):
                return pieces
        return list(word)

    def _cut(self, text: str, size: float, room: float) -> str:
        """A quoted payload, shortened with an ellipsis where it is too wide."""
        if self.measure(text, size, False) <= room:
            return text
        kept = text[:-1]
        while len(kept) > 2 and self.measure(f'{kept}…"', size, False) > room:
            kept = kept[:-1]
        return f'{kept}…"'


def _busy(panel: Panel, span: range) -> bool:
    return any(bar.first < span.stop and bar.last >= span.start for bar in panel.bars)


def _in_lane(panel: Panel, lane: int, span: range) -> bool:
    return any(bar.lane == lane and bar.first < span.stop and bar.last >= span.start for bar in panel.bars) \
        or any(mark.lane == lane and mark.column in span for mark in panel.marks)
