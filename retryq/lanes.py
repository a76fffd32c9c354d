"""A history as plain data to draw: a panel for each queue, a lane for each job, a column for each operation.

`layout` turns a run into bars (a job waits, a job is in flight), marks (a refusal, an end) and words. It
knows no inches and no colours: the text twin prints this data, the timeline draws it, so both say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from retryq.history import History
from retryq.model import ACKNOWLEDGED, CANCELLED, IN_FLIGHT, WAITING, QueueState, Step

__all__ = [
    "ACKNOWLEDGED",
    "CANCELLED",
    "IN_FLIGHT",
    "NO_JOB",
    "REFUSED",
    "WAITING",
    "Bar",
    "Column",
    "Lane",
    "Layout",
    "Mark",
    "Panel",
    "Slots",
    "call",
    "layout",
    "shown",
]

REFUSED = "refused"
NO_JOB = "no job"  # the lane of a `reserve` that found nobody waiting


class Bar(NamedTuple):
    """A job in one unchanging state from column ``first`` to column ``last``, both included.

    ``status`` is "waiting" or "in flight"; ``label`` is the place in line ("1st") or the attempt ("#1").
    """

    lane: int
    first: int
    last: int
    status: str
    label: str


class Mark(NamedTuple):
    """What happened to a lane in one column: "refused", "acknowledged" or "cancelled" (the last two end the
    job)."""

    lane: int
    column: int
    kind: str


class Slots(NamedTuple):
    """How the slots of a queue are used after an operation."""

    waiting: int
    in_flight: int
    free: int

    @property
    def label(self) -> str:
        """For example "1 of 2": taken, of all."""
        taken = self.waiting + self.in_flight
        return f"{taken} of {taken + self.free}"


class Lane(NamedTuple):
    """One id of one queue. ``payload`` is ``None`` where the id was never accepted."""

    id: str
    payload: str | None
    first: int


class Column(NamedTuple):
    """One operation. Columns are counted from 0, the number that people read is ``column + 1``.

    ``words`` is the operation in pieces: its name, then what it is about (``("ack", "a", "#1")``). ``answer``
    is what the rules answer, in pieces; ``own`` is the answer of a class that was run beside them, or
    ``None``. ``hint`` says in a few words why a refusal was refused, ``why`` says it in full; ``queue`` is
    the panel.
    """

    queue: int
    words: tuple[str, ...]
    answer: tuple[str, ...]
    refused: bool
    hint: str
    clause: str
    why: str
    own: tuple[str, ...] | None = None
    parts: bool = False


class Panel(NamedTuple):
    """One queue: its lanes, with the bars and marks in them, and its slots after each column (``None`` before
    the queue was made)."""

    lanes: tuple[Lane, ...]
    bars: tuple[Bar, ...]
    marks: tuple[Mark, ...]
    slots: tuple[Slots | None, ...]


class Layout(NamedTuple):
    """A whole run. ``cursor`` is how many operations have happened by now (``None``: all, and no cursor is
    shown). ``parts_at`` is the column in which the two answers part, or ``None``."""

    capacity: int
    columns: tuple[Column, ...]
    panels: tuple[Panel, ...]
    cursor: int | None = None
    parts_at: int | None = None
    title: str = ""

    def later(self, column: int) -> bool:
        """Whether this column lies after the cursor: it has not happened yet, and is drawn faded."""
        return self.cursor is not None and column >= self.cursor


def layout(
    history: History, cursor: int | None = None, title: str = "", parts_at: int | None = None
) -> Layout:
    """The lanes, bars, marks and words of a run. Raises ``IndexError`` for a cursor outside 0 to
    ``len(history)``.

    ``parts_at`` is the index of the step where a class's own answers part from the rules';
    ``history.parts_at`` if not given.

    >>> run = History.start(1).do(["enqueue", "a", "A"]).do(["reserve"]).do(["enqueue", "b", "B"])
    >>> panel = layout(run).panels[0]
    >>> panel.bars[0]
    Bar(lane=0, first=0, last=0, status='waiting', label='1st')
    >>> panel.bars[1]
    Bar(lane=0, first=1, last=2, status='in flight', label='#1')
    >>> panel.marks
    (Mark(lane=1, column=2, kind='refused'),)
    """
    if cursor is not None:
        history.at(cursor)
    parts_at = history.parts_at if parts_at is None else parts_at
    columns = tuple(_column(history, index, parts_at) for index in range(len(history)))
    queues = len(history.at(len(history)).queues)
    panels = tuple(_panel(history, columns, queue) for queue in range(queues))
    return Layout(history.capacity, columns, panels, cursor, parts_at, shown(title))


def shown(text: object) -> str:
    """A label as it is drawn: as it is, except that what has no shape on a line (a newline, a tab) is
    escaped."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in str(text)
    )


def call(op: Sequence) -> tuple[str, ...]:
    """An operation in pieces: its name, then what it is about.

    >>> call(("enqueue", "a", "A")), call(("ack", "a", 1)), call(("use", 0))
    (('enqueue', 'a', '"A"'), ('ack', 'a', '#1'), ('use', 'queue 0'))
    """
    name, *rest = op
    if name == "enqueue":
        return (name, shown(rest[0]), f'"{shown(rest[1])}"')
    if name in ("ack", "retry"):
        return (name, shown(rest[0]), f"#{rest[1]}")
    if name == "use":
        return (name, f"queue {rest[0]}")
    return (name, *map(shown, rest))


def _answer(answer: object) -> tuple[str, ...]:
    """An answer in pieces: ``True``, ``False``, ``None``, or a job's id, payload and attempt. An odd answer
    of a broken class is shown as Python would write it."""
    if isinstance(answer, (tuple, list)) and [type(part) for part in answer] == [str, str, int]:
        return (shown(answer[0]), f'"{shown(answer[1])}"', f"#{answer[2]}")
    text = shown(repr(answer))
    return (text if len(text) <= 40 else text[:37] + "...",)


def _column(history: History, index: int, parts_at: int | None) -> Column:
    step = history.steps[index]
    own = None
    if parts_at is not None and history.answers is not None and index < len(history.answers):
        own = _answer(history.answers[index])
    hint = _hint(step) if step.refused else ""
    return Column(
        step.after.selected,
        call(step.op),
        _answer(step.result),
        step.refused,
        hint,
        step.clause,
        shown(step.why),
        own,
        index == parts_at,
    )


def _hint(step: Step) -> str:
    """Why an operation was refused, in a few words that fit under its answer."""
    rest = step.op[1:]
    job = step.before.current.job(rest[0]) if rest else None
    status = "never accepted" if job is None else f"already {job.status}"
    if step.clause == "fence.exact" and job is not None:
        kind = "stale" if 0 < rest[1] < job.attempt else "future" if rest[1] > 0 else "negative"
        return f"{kind}: now #{job.attempt}"
    if step.clause == "fence.in-flight" and job is not None and job.status == WAITING:
        return "waiting, not in flight"
    return {
        "identity.forever": "id taken for good",
        "capacity.full": "full",
        "capacity.zero": "no slots at all",
        "fifo.missing": "no job waiting",
        "fence.zero": "#0 is never valid",
    }.get(step.clause, status)


def _panel(history: History, columns: tuple[Column, ...], queue: int) -> Panel:
    """The lanes of one queue, in the order in which their ids are first spoken of; "no job" comes last."""
    states = [_queue(history, index + 1, queue) for index in range(len(columns))]
    mentioned: dict[tuple[str, bool], int] = {}  # an id, and whether it is no id but the lane "no job"
    refusals = []
    for index, step in enumerate(history.steps):
        if columns[index].queue != queue or step.op[0] in ("new", "use"):
            continue
        if step.op[0] != "reserve":
            id = (step.op[1], False)
        else:
            id = (step.result[0], False) if isinstance(step.result, tuple) else (NO_JOB, True)
        mentioned.setdefault(id, index)
        if step.refused:
            refusals.append((id, index))
    order = sorted(mentioned, key=lambda id: (id[1], mentioned[id]))
    number = {id: lane for lane, id in enumerate(order)}
    last = states[-1] if states else None
    lanes, bars, ends = [], [], []
    for id in order:
        job = last.job(id[0]) if last is not None and not id[1] else None
        lanes.append(Lane(shown(id[0]), None if job is None else shown(job.payload), mentioned[id]))
        if job is not None:
            found, end = _bars(states, job.id, number[id])
            bars += found
            ends += end
    marks = [Mark(number[id], index, REFUSED) for id, index in refusals] + ends
    slots = tuple(None if state is None else _slots(state) for state in states)
    return Panel(tuple(lanes), tuple(bars), tuple(sorted(marks, key=lambda mark: mark.column)), slots)


def _queue(history: History, index: int, queue: int) -> QueueState | None:
    """One queue after ``index`` steps, or ``None`` where it was not made yet."""
    queues = history.at(index).queues
    return queues[queue] if queue < len(queues) else None


def _slots(state: QueueState) -> Slots:
    return Slots(state.waiting, state.active - state.waiting, state.capacity - state.active)


def _bars(states: list[QueueState | None], id: str, lane: int) -> tuple[list[Bar], list[Mark]]:
    """The bars of one job: neighbouring columns in which its state is the same make one bar; and its end
    mark."""

    def state(column: int) -> tuple[str, str] | None:
        queue = states[column]
        job = queue.job(id) if queue is not None else None
        if queue is None or job is None:
            return None
        if job.status == WAITING:
            return WAITING, _ordinal(queue.line.index(id) + 1)
        return job.status, f"#{job.attempt}" if job.status == IN_FLIGHT else ""

    bars, ends = [], []
    for key, group in groupby(range(len(states)), state):
        run = list(group)
        if key is not None and key[1]:
            bars.append(Bar(lane, run[0], run[-1], *key))
        elif key is not None:
            ends.append(Mark(lane, run[0], key[0]))
    return bars, ends


def _ordinal(number: int) -> str:
    """
    >>> [_ordinal(number) for number in (1, 2, 3, 4, 11, 12, 21)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st']
    """
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
