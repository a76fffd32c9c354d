"""One lane of a page: its name, its bars, its marks."""

from __future__ import annotations

from retryq.drawing.page_sizes import Frame
from retryq.drawing.sheet import Pen, Shape
from retryq.lanes import IN_FLIGHT, NO_JOB, REFUSED, WAITING, Bar, Layout, Mark, Panel

__all__ = ["draw_lane", "in_lane"]


def in_lane(panel: Panel, lane: int, span: range) -> bool:
    """Whether there is anything of a lane in these columns."""
    return any(
        bar.lane == lane and bar.first < span.stop and bar.last >= span.start for bar in panel.bars
    ) or any(mark.lane == lane and mark.column in span for mark in panel.marks)


def draw_lane(pen: Pen, frame: Frame, layout: Layout, queue: int, lane: int, centre: float) -> None:
    """Draw what one lane has in the columns of a frame, around the height ``centre``."""
    panel, span = layout.panels[queue], frame.span
    _name(pen, frame, layout, queue, lane, centre)
    bars = [
        bar for bar in panel.bars if bar.lane == lane and bar.first < span.stop and bar.last >= span.start
    ]
    marks = [mark for mark in panel.marks if mark.lane == lane]
    refused = {mark.column for mark in marks if mark.kind == REFUSED}
    named = {max(bar.first, span.start) for bar in bars}
    for bar in bars:
        _bar(pen, frame, layout, queue, bar, centre)
        _label(pen, frame, layout, queue, bar, centre, refused)
    for mark in marks:
        if mark.column in span and mark.kind == REFUSED:
            x = frame.middle(mark.column) + (0.3 * frame.sizes.column if mark.column in named else 0.0)
            radius = 8.0 if frame.sizes.tall else 6.5
            _mark(pen, layout, x, centre, radius, ("mark", queue, lane, mark.column), REFUSED)
        elif mark.column < span.stop and mark.kind != REFUSED:
            _end(
                pen,
                frame,
                layout,
                queue,
                mark,
                centre,
                sorted(column for column in refused if column > mark.column),
            )


def _name(pen: Pen, frame: Frame, layout: Layout, queue: int, lane: int, centre: float) -> None:
    sizes, job = frame.sizes, layout.panels[queue].lanes[lane]
    later, tag = layout.later(job.first), ("lane", queue, lane, None)
    known = job.payload is not None or job.id != NO_JOB
    colour = "later" if later else "ink" if known else "quiet"
    room = sizes.gutter - 20
    size = min(sizes.label, sizes.label * room / pen.measure(job.id, sizes.label, True))
    right = sizes.gutter - 8
    if sizes.tall and job.payload is not None:
        pen.write(job.id, right, centre - 2, size, True, colour, tag, align=1)
        payload = pen.cut(f'"{job.payload}"', 8, room)
        pen.write(payload, right, centre + 10, 8, False, "later" if later else "quiet", tag, align=1)
    else:
        pen.write(job.id, right, centre + size * 0.36, size, known, colour, tag, align=1)


def _bar(pen: Pen, frame: Frame, layout: Layout, queue: int, bar: Bar, centre: float) -> None:
    """The visible part of a bar; it runs over the edge where it goes on in another row, and is faded after
    the cursor."""
    first, last, half = (
        max(bar.first, frame.span.start),
        min(bar.last, frame.span.stop - 1),
        frame.sizes.bar / 2,
    )
    left = frame.x(first) + (2 if first == bar.first else -3)
    right = frame.x(last + 1) - (2 if last == bar.last else -3)
    now = last + 1 if layout.cursor is None else min(max(first, layout.cursor), last + 1)
    tag = ("bar", queue, bar.lane, bar.first)
    split = left if now == first else right if now == last + 1 else frame.x(now)
    if split > left:
        pen.shapes.append(Shape((left, centre - half, split, centre + half), bar.status, tag=tag))
    if split < right:
        pen.shapes.append(Shape((split, centre - half, right, centre + half), f"{bar.status} later", tag=tag))


def _label(
    pen: Pen, frame: Frame, layout: Layout, queue: int, bar: Bar, centre: float, refused: set[int]
) -> None:
    """The place or the attempt under the operation that brought it about; with the state's word where there
    is room. A refusal in the same column pushes it aside."""
    sizes, half = frame.sizes, frame.sizes.bar / 2
    first, last = max(bar.first, frame.span.start), min(bar.last, frame.span.stop - 1)
    later = layout.later(first)
    colour = "later" if later else "in flight" if bar.status == IN_FLIGHT else "ink"
    middle, room = frame.middle(first), sizes.column - 10
    long, big = f"{bar.status} {bar.label}", 13.0 if sizes.tall else 9.0
    lines = [(bar.label, big, True, centre + big * 0.36)]
    if first in refused:
        middle -= 0.22 * sizes.column
    elif sizes.tall:
        lines = [(bar.status, 8.0, False, centre - 5), (bar.label, big, True, centre + 9.5)]
    elif pen.measure(long, 8.0, True) <= room:
        lines = [(long, 8.0, True, centre + 2.9)]
    elif last > first and first + 1 != layout.cursor:
        lines = [(long, 8.0, True, centre + 2.9)]
        middle = frame.x(first) + 8 + pen.measure(long, 8.0, True) / 2
    if bar.status == WAITING:  # white behind the words: they would not be read on a hatch
        wide = max(pen.measure(text, size, bold) for text, size, bold, _ in lines) / 2 + 3
        box = (middle - wide, centre - half + 2, middle + wide, centre + half - 2)
        pen.shapes.append(Shape(box, "label later" if later else "label"))
    for text, size, bold, y in lines:
        pen.write(text, middle, y, size, bold, colour, ("bar", queue, bar.lane, bar.first), align=0.5)


def _end(
    pen: Pen, frame: Frame, layout: Layout, queue: int, mark: Mark, centre: float, after: list[int]
) -> None:
    """An end mark and its word, and a thin line from there on: the id stays taken. The word stands under the
    mark where lanes are tall, else behind it, and may reach into the column that follows."""
    sizes, span = frame.sizes, frame.span
    x = frame.x(span.start)
    if mark.column in span:
        tag, colour = (
            ("mark", queue, mark.lane, mark.column),
            "later" if layout.later(mark.column) else mark.kind,
        )
        if sizes.tall:
            size = min(8.5, 8.5 * (sizes.column - 4) / pen.measure(mark.kind, 8.5, True))
            _mark(pen, layout, frame.middle(mark.column), centre - 6, 8.0, tag, mark.kind)
            pen.write(mark.kind, frame.middle(mark.column), centre + 13, size, True, colour, tag, align=0.5)
            x = frame.x(mark.column + 1)
        else:
            x = frame.x(mark.column) + 17
            _mark(pen, layout, x - 9, centre, 6.0, tag, mark.kind)
            pen.write(mark.kind, x, centre + 2.6, 7.2, True, colour, tag)
            x += pen.measure(mark.kind, 7.2, True) + 4
    for column in (*(column for column in after if column in span), span.stop):
        until = frame.x(column) if column == span.stop else frame.middle(column) - 12
        if until > x:
            pen.rule(x, centre, until, centre, "finished")
        x = until + 24


def _mark(pen: Pen, layout: Layout, x: float, y: float, radius: float, tag: tuple, kind: str) -> None:
    """A disc with a cross (refused) or a tick (acknowledged), a square with a dash (cancelled)."""
    style = f"{kind} later" if layout.later(tag[3]) else kind
    pen.shapes.append(
        Shape((x - radius, y - radius, x + radius, y + radius), style, kind != "cancelled", tag)
    )
    r = radius * 0.45
    strokes: dict[str, list[tuple[float, float, float, float]]]
    strokes = {
        "refused": [(-r, -r, r, r), (-r, r, r, -r)],
        "acknowledged": [(-r, 0, -r * 0.2, r * 0.8), (-r * 0.2, r * 0.8, r, -r * 0.8)],
        "cancelled": [(-r, 0, r, 0)],
    }
    for x0, y0, x1, y1 in strokes[kind]:
        pen.rule(x + x0, y + y0, x + x1, y + y1, style)
