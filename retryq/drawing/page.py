"""A layout placed on a page: where every bar, mark and word goes.

Columns run left to right and wrap into rows; in each row the queues stand under each other, each with its
operations on top, then its lanes, the answers and the slots.
"""

from __future__ import annotations

from math import ceil

from retryq.drawing.page_lane import draw_lane, in_lane
from retryq.drawing.page_sizes import WHOLE, Frame, sizes_of
from retryq.drawing.sheet import Measure, Pen, Shape, Sheet
from retryq.lanes import IN_FLIGHT, WAITING, Column, Layout, Panel

__all__ = ["place"]


def place(layout: Layout, measure: Measure) -> tuple[Sheet, ...]:
    """Place a layout: a sheet for each row of columns, from the top. The same layout gives the same sheets."""
    return _Page(layout, measure).place()


class _Page:
    """``y`` is how far down the page is filled."""

    def __init__(self, layout: Layout, measure: Measure) -> None:
        self.layout, self.pen = layout, Pen(measure)
        self.sizes = sizes_of(layout, measure)
        self.width = self.sizes.gutter + self.sizes.per_row * self.sizes.column + 16
        self.y = 12.0

    def place(self) -> tuple[Sheet, ...]:
        self._heading()
        count, per_row = len(self.layout.columns), self.sizes.per_row
        for first in range(0, count, per_row):
            if first:
                self.pen.tear(self.y)
            self._row(Frame(self.sizes, range(first, min(first + per_row, count))))
        if not count:
            free = (
                f"Nothing has happened yet: {self.layout.capacity} of {self.layout.capacity} slots are free."
            )
            self.pen.write(free, 14, self.y + 12, 11)
            self.y += 30
        return self.pen.sheets(self.width, self.y)

    def _heading(self) -> None:
        """The title; and where two runs part, who says what, and why."""
        layout, lines = self.layout, []
        if layout.title:
            lines.append((layout.title, 13.0, True, "ink"))
        if layout.parts_at is not None:
            column = layout.columns[layout.parts_at]
            said = (
                f"Operation {layout.parts_at + 1}, {' '.join(column.words)}. "
                f"The rules: {' '.join(column.answer)}. "
                f"Your queue: {' '.join(column.own or ('nothing',))}."
            )
            lines += [(said, 11.0, True, "refused"), (f"{column.why} ({column.clause})", 10.0, False, "ink")]
        for text, size, bold, colour in lines:
            for piece in self.pen.wrap(text, size, bold, max(self.width, 420.0) - 28):
                self.pen.write(piece, 14, self.y + size, size, bold, colour, ("heading", 0, None, None))
                self.y += size * 1.35
        self.y += 6 if lines else 0

    def _row(self, frame: Frame) -> None:
        top, span, several = self.y, frame.span, len(self.layout.panels) > 1
        if several and span.start:
            self.pen.rule(12, top, self.width - 12, top, "rule")
            top = self.y = top + 12
        self.y += 0 if self.layout.cursor is None else 14
        gap = 0.0
        for queue, panel in enumerate(self.layout.panels):
            own = [index for index in span if self.layout.columns[index].queue == queue]
            if own or any(bar.first < span.stop and bar.last >= span.start for bar in panel.bars):
                self.y += gap
                gap = 14.0
                self._panel(frame, queue, panel, own)
        self._cursor(frame, top)
        self.y = ceil((self.y + 12) / WHOLE) * WHOLE

    def _cursor(self, frame: Frame, top: float) -> None:
        cursor, span = self.layout.cursor, frame.span
        if cursor is not None and (span.start < cursor <= span.stop or cursor == span.start == 0):
            x = frame.x(cursor)
            self.pen.rule(x, top + 12, x, self.y - 2, "cursor")
            self.pen.write("now", x, top + 9, 9, True, "ink", ("now", 0, None, cursor), align=0.5)

    # ------------------------------------------------------------------------------------- one queue in a row

    def _panel(self, frame: Frame, queue: int, panel: Panel, own: list[int]) -> None:
        top, below = self.y, len(self.pen.shapes)
        if len(self.layout.panels) > 1:
            self._gutter(f"queue {queue}", top + 10, 10, "ink", ("queue", queue, None, None))
            self.y += 0 if own else 16
        self._heads(frame, own)
        lanes = self.y
        for lane in range(len(panel.lanes)):
            if in_lane(panel, lane, frame.span):
                draw_lane(self.pen, frame, self.layout, queue, lane, self.y + self.sizes.lane / 2)
                self.y += self.sizes.lane
        self.y += 3
        for index in range(frame.span.start, frame.span.stop + 1):
            self.pen.rule(frame.x(index), lanes, frame.x(index), self.y, "column")
        if own:
            self._answers(frame, own)
        if self.layout.parts_at in own:
            x = frame.x(self.layout.parts_at or 0)
            box = (x + 1, top - 3, x + self.sizes.column - 1, self.y + 1)
            self.pen.shapes.insert(
                below, Shape(box, "parts", tag=("parts", queue, None, self.layout.parts_at))
            )
        self._strip(frame, queue, panel)

    def _heads(self, frame: Frame, own: list[int]) -> None:
        """Number, name and arguments of each operation of this queue."""
        sizes, lowest = self.sizes, self.y
        for index in own:
            column, y = self.layout.columns[index], self.y + self.sizes.small
            ink, quiet = ("later", "later") if self.layout.later(index) else ("ink", "quiet")
            lines = [(column.words[0], sizes.head, True), *self._job(column.words[1:])]
            self.pen.write(
                str(index + 1),
                frame.middle(index),
                y,
                sizes.small,
                False,
                quiet,
                ("number", column.queue, None, index),
                align=0.5,
            )
            for text, size, bold in lines:
                y += size * 1.3
                self.pen.write(
                    text,
                    frame.middle(index),
                    y,
                    size,
                    bold,
                    ink,
                    ("head", column.queue, None, index),
                    align=0.5,
                )
            lowest = max(lowest, y)
        self.y = lowest + (6 if own else 0)

    def _job(self, words: tuple[str, ...]) -> list[tuple[str, float, bool]]:
        """A job in lines: id and attempt on one line where they fit, a long id broken, a payload cut."""
        sizes, room = self.sizes, self.sizes.column - 4
        named = [word for word in words if not word.startswith('"')]
        line, size = " ".join(named), sizes.head
        lines = [line] if line else []
        if self.pen.measure(line, size, False) > room:
            size = max(8.0, size - 1)
            lines = [piece for word in named for piece in self.pen.split(word, size, False, room)]
        payloads = [self.pen.cut(word, sizes.small, room) for word in words if word.startswith('"')]
        return [(text, size, False) for text in lines] + [(text, sizes.small, False) for text in payloads]

    # ------------------------------------------------------------------------------------- answers and slots

    def _answers(self, frame: Frame, own: list[int]) -> None:
        self.pen.rule(self.sizes.gutter, self.y, frame.x(frame.span.stop), self.y, "rule")
        if self.layout.parts_at is None:
            self._answer_row(frame, own, "answer")
        else:
            self._answer_row(frame, own, "the rules")
            self._answer_row(frame, own, "your queue")

    def _answer_row(self, frame: Frame, own: list[int], name: str) -> None:
        top, lowest = self.y + 3, self.y
        kind, queue = "own" if name == "your queue" else "answer", self.layout.columns[own[0]].queue
        self._gutter(name, top + self.sizes.answer, 9, "quiet", (kind, queue, None, None))
        for index in own:
            y = top
            for text, size, bold, colour in self._answer(self.layout.columns[index], kind == "own"):
                y += size * (1.0 if y == top else 1.25)
                colour = "later" if self.layout.later(index) else colour
                self.pen.write(
                    text, frame.middle(index), y, size, bold, colour, (kind, queue, None, index), align=0.5
                )
            lowest = max(lowest, y)
        self.y = lowest + 5

    def _answer(self, column: Column, theirs: bool) -> list[tuple[str, float, bool, str]]:
        """An answer in lines; under a refusal, in a few words, why."""
        sizes, room = self.sizes, self.sizes.column - 4
        words = (column.own or ()) if theirs else column.answer
        warns = column.parts if theirs else column.refused
        colour = "refused" if warns else "ink"
        if len(words) == 3:
            return [(*line, colour) for line in self._job((words[0], words[2], words[1]))]
        size = (
            sizes.answer if all(len(word) <= 8 for word in words) else sizes.small
        )  # an odd answer may be long
        lines = [
            (text, size, warns, colour) for word in words for text in self.pen.wrap(word, size, warns, room)
        ]
        if column.refused and not theirs:
            hint = self.pen.wrap(column.hint, sizes.small, False, room)
            lines += [(text, sizes.small, False, colour) for text in hint]
        return lines

    def _strip(self, frame: Frame, queue: int, panel: Panel) -> None:
        """A box for each slot, or a block for all slots of a kind where they are many; and how many are
        taken."""
        sizes, capacity = self.sizes, self.layout.capacity
        each = min(12.0 if sizes.tall else 9.0, 44.0 / max(capacity, 1))
        gap = 1.5 if each > 8 else 0.0
        bottom = self.y + 3 + each * capacity
        base = bottom + sizes.small + 3
        for index in frame.span:
            slots = panel.slots[index]
            if slots is None:
                continue
            later = " later" if self.layout.later(index) else ""
            y, left, right = bottom, frame.x(index) + 5, frame.x(index + 1) - 5
            for style, count in (
                (IN_FLIGHT, slots.in_flight),
                (WAITING, slots.waiting),
                ("free", slots.free),
            ):
                for size in [each] * count if gap else [each * count] if count else []:
                    box = (left, y - size + gap / 2, right, y - gap / 2)
                    self.pen.shapes.append(Shape(box, style + later, tag=("slot", queue, None, index)))
                    y -= size
            self.pen.write(
                slots.label,
                frame.middle(index),
                base,
                sizes.small,
                False,
                "later" if later else "quiet",
                ("slots", queue, None, index),
                align=0.5,
            )
        self._gutter("slots", base, 9, "quiet", ("slots", queue, None, None))
        self.y = base + 6

    def _gutter(self, text: str, y: float, size: float, colour: str, tag: tuple) -> None:
        """A word at the right edge of the gutter."""
        self.pen.write(text, self.sizes.gutter - 8, y, size, True, colour, tag, align=1)
