"""Sound queues, written as people would write them: each keeps every rule, no two keep their jobs alike.

A checker that rejects one of these has mistaken its own habits for rules. Three more, less usual, stand in
``sound_oddities.py``.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from sound_oddities import LinkedQueue, ReplayQueue, RingBufferQueue


class OrderedDictQueue:
    """The waiting line is an ``OrderedDict``, and answers are plain tuples."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.waiting: OrderedDict[str, tuple[str, int]] = OrderedDict()
        self.out: dict[str, tuple[str, int]] = {}
        self.used: set[str] = set()

    def enqueue(self, id: str, payload: str) -> bool:
        if id in self.used or len(self.waiting) + len(self.out) >= self.capacity:
            return False
        self.used.add(id)
        self.waiting[id] = (payload, 0)
        return True

    def reserve(self) -> tuple[str, str, int] | None:
        if not self.waiting:
            return None
        id, (payload, attempt) = self.waiting.popitem(last=False)
        self.out[id] = (payload, attempt + 1)
        return id, payload, attempt + 1

    def ack(self, id: str, attempt: int) -> bool:
        if id not in self.out or self.out[id][1] != attempt:
            return False
        del self.out[id]
        return True

    def retry(self, id: str, attempt: int) -> bool:
        if id not in self.out or self.out[id][1] != attempt:
            return False
        self.waiting[id] = self.out.pop(id)
        return True

    def cancel(self, id: str) -> bool:
        removed = self.waiting.pop(id, None) or self.out.pop(id, None)
        return removed is not None


class LazyDequeQueue:
    """A cancelled job stays in the ``deque`` until it comes to the head, and is skipped there."""

    class Ticket:
        """What a reservation answers: an object of its own, with slots."""

        __slots__ = ("attempt", "id", "payload")

        def __init__(self, id: str, payload: str, attempt: int) -> None:
            self.id, self.payload, self.attempt = id, payload, attempt

    def __init__(self, capacity: int) -> None:
        self.free = capacity
        self.line: deque[str] = deque()
        self.jobs: dict[str, list[Any]] = {}  # payload, attempt, state

    def enqueue(self, id: str, payload: str) -> bool:
        if id in self.jobs or self.free == 0:
            return False
        self.free -= 1
        self.jobs[id] = [payload, 0, "waits"]
        self.line.append(id)
        return True

    def reserve(self) -> Ticket | None:
        while self.line:
            id = self.line.popleft()
            job = self.jobs[id]
            if job[2] == "waits":
                job[1] += 1
                job[2] = "out"
                return self.Ticket(id, job[0], job[1])
        return None

    def ack(self, id: str, attempt: int) -> bool:
        return self._end(id, attempt)

    def retry(self, id: str, attempt: int) -> bool:
        if self.jobs.get(id, [None, 0, ""])[1:] != [attempt, "out"]:
            return False
        self.jobs[id][2] = "waits"
        self.line.append(id)
        return True

    def cancel(self, id: str) -> bool:
        return self._end(id, None)

    def _end(self, id: str, attempt: int | None) -> bool:
        job = self.jobs.get(id)
        if job is None or job[2] == "over":
            return False
        if attempt is not None and job[1:] != [attempt, "out"]:
            return False
        job[0], job[2] = "", "over"
        self.free += 1
        return True


class PlainListQueue:
    """One list of rows, searched from the front for everything. As slow as it looks."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.rows: list[dict[str, Any]] = []
        self.clock = 0

    def _tick(self) -> int:
        self.clock += 1
        return self.clock

    def _active(self) -> list[dict[str, Any]]:
        return [row for row in self.rows if row["state"] in ("ready", "taken")]

    def _find(self, id: str) -> dict[str, Any] | None:
        return next((row for row in self._active() if row["id"] == id), None)

    def enqueue(self, id: str, payload: str) -> bool:
        if any(row["id"] == id for row in self.rows) or len(self._active()) >= self.capacity:
            return False
        row = {"id": id, "payload": payload, "attempt": 0, "state": "ready", "since": self._tick()}
        self.rows.append(row)
        return True

    def reserve(self) -> tuple[str, str, int] | None:
        ready = [row for row in self.rows if row["state"] == "ready"]
        if not ready:
            return None
        row = min(ready, key=lambda row: row["since"])
        row.update(state="taken", attempt=row["attempt"] + 1)
        return (row["id"], row["payload"], row["attempt"])

    def _change(self, id: str, attempt: int, state: str) -> bool:
        row = self._find(id)
        if row is None or row["state"] != "taken" or row["attempt"] != attempt:
            return False
        row.update(state=state, since=self._tick())
        return True

    def ack(self, id: str, attempt: int) -> bool:
        return self._change(id, attempt, "done")

    def retry(self, id: str, attempt: int) -> bool:
        return self._change(id, attempt, "ready")

    def cancel(self, id: str) -> bool:
        row = self._find(id)
        if row is None:
            return False
        row["state"] = "cancelled"
        return True


class TwoDictQueue:
    """Waiting jobs in one ``dict``, jobs in flight in another; a ``dict`` keeps the order of filling."""

    class Job(NamedTuple):
        id: str
        payload: str
        attempt: int

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.waiting: dict[str, TwoDictQueue.Job] = {}
        self.flying: dict[str, TwoDictQueue.Job] = {}
        self.tombstones: set[str] = set()

    def enqueue(self, id: str, payload: str) -> bool:
        if id in self.waiting or id in self.flying or id in self.tombstones:
            return False
        if len(self.waiting) + len(self.flying) >= self.capacity:
            return False
        self.waiting[id] = self.Job(id, payload, 0)
        return True

    def reserve(self) -> Job | None:
        for id in self.waiting:
            job = self.waiting.pop(id)
            self.flying[id] = job._replace(attempt=job.attempt + 1)
            return self.flying[id]
        return None

    def ack(self, id: str, attempt: int) -> bool:
        return self._land(id, attempt) is not None and not self.tombstones.add(id)

    def retry(self, id: str, attempt: int) -> bool:
        job = self._land(id, attempt)
        if job is None:
            return False
        self.waiting[id] = job
        return True

    def cancel(self, id: str) -> bool:
        if self.waiting.pop(id, None) is None and self.flying.pop(id, None) is None:
            return False
        self.tombstones.add(id)
        return True

    def _land(self, id: str, attempt: int) -> Job | None:
        job = self.flying.get(id)
        return self.flying.pop(id) if job is not None and job.attempt == attempt else None


@dataclass(frozen=True)
class Reservation:
    """What `DataclassQueue` answers: frozen, equal by value, and no tuple."""

    id: str
    payload: str
    attempt: int


@dataclass
class DataclassQueue:
    """A dataclass whose fields are made anew for each queue; it keeps reservations as it handed them out."""

    capacity: int
    line: list[Reservation] = field(default_factory=list)
    held: dict[str, Reservation] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def enqueue(self, id: str, payload: str) -> bool:
        accepted = id not in self.seen and len(self.line) + len(self.held) < self.capacity
        if accepted:
            self.seen.add(id)
            self.line.append(Reservation(id, payload, 0))
        return accepted

    def reserve(self) -> Reservation | None:
        if not self.line:
            return None
        first = self.line.pop(0)
        held = self.held[first.id] = replace(first, attempt=first.attempt + 1)
        return held

    def ack(self, id: str, attempt: int) -> bool:
        match self.held.get(id):
            case Reservation(attempt=current) if current == attempt:
                del self.held[id]
                return True
        return False

    def retry(self, id: str, attempt: int) -> bool:
        held = self.held.get(id)
        return self.ack(id, attempt) and not self.line.append(held)  # type: ignore[arg-type]

    def cancel(self, id: str) -> bool:
        before = len(self.line)
        self.line = [waiting for waiting in self.line if waiting.id != id]
        return self.held.pop(id, None) is not None or len(self.line) < before


SOUND = (
    OrderedDictQueue,
    LazyDequeQueue,
    PlainListQueue,
    TwoDictQueue,
    DataclassQueue,
    RingBufferQueue,
    LinkedQueue,
    ReplayQueue,
)
