"""What an operation costs: the same queue with four kinds of waiting line, and how much work each does.

The four queues answer alike, in every run. They differ in what happens to the line: a *step* is one element
of it that is looked at or moved. The steps are reckoned, see ``cost_lines``, and the same on every machine;
the clock, which is not, may confirm them (`clock`).

>>> for queue_class in QUEUES:
...     queue = filled(queue_class, 1000)
...     print(queue.name, queue.cancel("job-500"), queue.last)
list True 1000
deque True 1501
dict True 1
OrderedDict True 1
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from retryq.cost_lines import DequeLine, DictLine, Line, ListLine, OrderedDictLine
from retryq.queue import Job

__all__ = [
    "QUEUES", "SIZES", "WORKS", "CountedQueue", "DequeQueue", "DictQueue", "Growth", "ListQueue",
    "OrderedDictQueue", "clock", "compare", "filled", "grow", "tombstone_bytes",
]  # fmt: skip

SIZES = (10, 100, 1000)


class CountedQueue:
    """`retryq.Queue` with another line, and a count of the steps that its line takes.

    ``steps`` is how many there were so far, ``last`` how many in the latest operation. What is not the line
    (the map of the ids, the count of the slots) is the same in all four, and is not counted.
    """

    name: str
    make_line: Callable[[], Line]

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.steps = self.last = 0
        self._active = 0
        self._jobs: dict[str, Job | None] = {}  # None is a tombstone
        self._in_flight: set[str] = set()
        self._line = self.make_line()

    def enqueue(self, id: str, payload: str) -> bool:
        self._count(0)
        if self._active >= self.capacity or id in self._jobs:
            return False
        self._jobs[id] = Job(id, payload, 1)
        self._active += 1
        self._line.join(id)
        self._count(1)
        return True

    def reserve(self) -> Job | None:
        self._count(0)
        if not len(self._line):
            return None
        id, steps = self._line.take()
        self._count(steps)
        self._in_flight.add(id)
        return self._jobs[id]

    def ack(self, id: str, attempt: int) -> bool:
        self._count(0)
        return self._held(id, attempt) is not None and self._finish(id)

    def retry(self, id: str, attempt: int) -> bool:
        self._count(0)
        job = self._held(id, attempt)
        if job is None:
            return False
        self._jobs[id] = job._replace(attempt=attempt + 1)
        self._in_flight.remove(id)
        self._line.join(id)
        self._count(1)
        return True

    def cancel(self, id: str) -> bool:
        self._count(0)
        if self._jobs.get(id) is None:
            return False
        if id not in self._in_flight:
            self._count(self._line.leave(id))
        return self._finish(id)

    def kept(self) -> tuple[int, int]:
        """What the queue still keeps: how many ids, and how many characters of payload."""
        return len(self._jobs), sum(len(job.payload) for job in self._jobs.values() if job)

    def _held(self, id: str, attempt: int) -> Job | None:
        job = self._jobs.get(id)
        return job if job and job.attempt == attempt and id in self._in_flight else None

    def _finish(self, id: str) -> bool:
        self._jobs[id] = None
        self._in_flight.discard(id)
        self._active -= 1
        return True

    def _count(self, steps: int) -> None:
        self.last = steps
        self.steps += steps


class ListQueue(CountedQueue):
    """The line is a ``list``."""

    name, make_line = "list", ListLine


class DequeQueue(CountedQueue):
    """The line is a ``collections.deque``."""

    name, make_line = "deque", DequeLine


class DictQueue(CountedQueue):
    """The line is a plain ``dict``."""

    name, make_line = "dict", DictLine


class OrderedDictQueue(CountedQueue):
    """The line is a ``collections.OrderedDict``, as in `retryq.Queue`."""

    name, make_line = "OrderedDict", OrderedDictLine


QUEUES: tuple[type[CountedQueue], ...] = (ListQueue, DequeQueue, DictQueue, OrderedDictQueue)


def filled(queue_class: type[CountedQueue], count: int) -> CountedQueue:
    """A queue in which ``count`` jobs wait: ``job-0`` is the oldest. One slot is left free."""
    queue = queue_class(count + 1)
    for number in range(count):
        queue.enqueue(f"job-{number}", "")
    return queue


def _cancel(numbers: Iterable[int]) -> Iterator[tuple]:
    return (("cancel", f"job-{number}") for number in numbers)


def _in_and_out(count: int) -> Iterator[tuple]:
    for number in range(count):
        yield "enqueue", f"new-{number}", ""
        yield ("reserve",)
        yield "ack", f"job-{number}", 1


# What is done to a queue in which so many jobs wait.
WORKS: dict[str, Callable[[int], Iterator[tuple]]] = {
    "reserve all": lambda count: (("reserve",) for _ in range(count)),
    "cancel all, oldest first": lambda count: _cancel(range(count)),
    "cancel all, newest first": lambda count: _cancel(reversed(range(count))),
    "cancel all, here and there": lambda count: _cancel(number * 619 % count for number in range(count)),
    "one in, one out": _in_and_out,
}  # fmt: skip


@dataclass(frozen=True)
class Growth:
    """What a work costs for each job in line, in lines of several lengths; ``mean`` by the queue's name."""

    work: str
    unit: str
    sizes: tuple[int, ...]
    mean: dict[str, tuple[float, ...]]

    def __str__(self) -> str:
        heads = [f"{size:,} jobs" for size in self.sizes]
        lines = [f"{self.work}: {self.unit} for each job"]
        lines.append(" " * 12 + "".join(f"{head:>14}" for head in heads))
        for name, means in self.mean.items():
            lines.append(f"{name:12}" + "".join(f"{mean:>14,.1f}" for mean in means))
        return "\n".join(lines)

    __repr__ = __str__


def grow(work: str, sizes: Sequence[int] = SIZES) -> Growth:
    """The steps that a work takes for each job, in all four queues.

    >>> grow("reserve all")
    reserve all: steps for each job
                       10 jobs      100 jobs    1,000 jobs
    list                   5.5          50.5         500.5
    deque                  1.0           1.0           1.0
    dict                   5.5          50.5         500.5
    OrderedDict            1.0           1.0           1.0
    """
    mean = {queue_class.name: tuple(_steps(queue_class, work, size) / size for size in sizes)
            for queue_class in QUEUES}  # fmt: skip
    return Growth(work, "steps", tuple(sizes), mean)


def clock(work: str, sizes: Sequence[int] = (250, 1000, 4000), tries: int = 3) -> Growth:
    """The microseconds that a work takes for each job, in the best of some tries.

    They differ from machine to machine, and from run to run.
    """
    mean = {queue_class.name: tuple(1e6 * min(_seconds(queue_class, work, size) for _ in range(tries)) / size
                                    for size in sizes)
            for queue_class in QUEUES}  # fmt: skip
    return Growth(work, "microseconds", tuple(sizes), mean)


def compare(count: int) -> str:
    """A table: the steps for each job, of every work in every queue, with ``count`` jobs in line."""
    lines = [f"{f'{count:,} jobs':28}" + "".join(f"{queue_class.name:>13}" for queue_class in QUEUES)]
    for work in WORKS:
        means = (_steps(queue_class, work, count) / count for queue_class in QUEUES)
        lines.append(f"{work:28}" + "".join(f"{mean:>13,.1f}" for mean in means))
    return "\n".join(lines)


def tombstone_bytes(queue_class: Callable[[int], Any], payload: str = "", count: int = 2000) -> int:
    """How many bytes a queue keeps of each job that is finished: its tombstone, the id itself included."""
    queue = queue_class(1)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for number in range(count):
        queue.enqueue(f"job-{number}", f"{number}{payload}")
        id, _, attempt = queue.reserve()
        queue.ack(id, attempt)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) // count


def _steps(queue_class: type[CountedQueue], work: str, count: int) -> int:
    queue = filled(queue_class, count)
    before = queue.steps
    for name, *arguments in _ops(work, count):
        getattr(queue, name)(*arguments)
    return queue.steps - before


def _seconds(queue_class: type[CountedQueue], work: str, count: int) -> float:
    queue, ops = filled(queue_class, count), [(name, arguments) for name, *arguments in _ops(work, count)]
    begun = perf_counter()
    for name, arguments in ops:
        getattr(queue, name)(*arguments)
    return perf_counter() - begun


def _ops(work: str, count: int) -> Iterator[tuple]:
    if work not in WORKS:
        raise ValueError(f"work must be one of {', '.join(map(repr, WORKS))}, got {work!r}")
    return WORKS[work](count)
