"""The sound queue that every broken one is made from: simple, and cut into small steps to override."""

from __future__ import annotations

from typing import Any

from retryq.queue import Job

__all__ = ["ACKNOWLEDGED", "CANCELLED", "IN_FLIGHT", "WAITING", "Record", "SimpleQueue"]

WAITING, IN_FLIGHT, ACKNOWLEDGED, CANCELLED = "waiting", "in flight", "acknowledged", "cancelled"


class Record:
    """What the queue remembers of one job. ``attempt`` says how often it was reserved so far."""

    def __init__(self, id: str, payload: str) -> None:
        self.id = id
        self.payload = payload
        self.attempt = 0
        self.state = WAITING


class SimpleQueue:
    """A queue that keeps every rule, and makes no effort to be fast.

    Each of the five operations asks whether it may, and then does it. The questions and the steps are methods
    of their own, so that a fault is an override of one or two. A broken queue says of itself:

    ``broken``      the names of the clauses whose witnesses it fails;
    ``story``       one sentence on how such a bug gets written;
    ``belief``      what its author took for true, in the author's words;
    ``correction``  why it is not so, by the clause;
    ``report``      the address of a report of a real system that had the like, or ``None``.

    >>> queue = SimpleQueue(1)
    >>> queue.enqueue("a", "A"), queue.enqueue("b", "B"), queue.reserve()
    (True, False, Job(id='a', payload='A', attempt=1))
    """

    broken: frozenset[str] = frozenset()
    story = belief = correction = ""
    report: str | None = None

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.records: dict[str, Record] = {}  # every id that was ever accepted
        self.line: list[str] = []  # the ids that wait, head first
        self.taken = 0  # slots in use

    @classmethod
    def forget(cls) -> None:
        """Forget what outlives a single queue. A sound queue has nothing of the kind."""

    # The five operations.

    def enqueue(self, id: str, payload: str) -> bool:
        if self.knows(id) or self.is_full():
            return False
        self.accept(id, payload)
        return True

    def reserve(self) -> Any:
        if not self.line:
            return None
        return self.hand_out(self.next_id())

    def ack(self, id: str, attempt: int) -> bool:
        if not self.holds(id, attempt):
            return False
        self.finish(id, ACKNOWLEDGED)
        return True

    def retry(self, id: str, attempt: int) -> bool:
        if not self.holds(id, attempt):
            return False
        self.put_back(id)
        return True

    def cancel(self, id: str) -> bool:
        if not self.is_active(id):
            return False
        self.withdraw(id)
        self.finish(id, CANCELLED)
        return True

    # What they ask.

    def knows(self, id: str) -> bool:
        """Whether the id was ever accepted."""
        return id in self.records

    def is_full(self) -> bool:
        return self.taken >= self.capacity

    def is_active(self, id: str) -> bool:
        return id in self.records and self.records[id].state in (WAITING, IN_FLIGHT)

    def is_out(self, id: str) -> bool:
        """Whether the job is in flight."""
        return id in self.records and self.records[id].state == IN_FLIGHT

    def holds(self, id: str, attempt: int) -> bool:
        """Whether this attempt holds the job."""
        return self.is_out(id) and self.records[id].attempt == attempt

    # What they do.

    def accept(self, id: str, payload: str) -> None:
        self.records[id] = Record(id, payload)
        self.taken += 1
        self.join(id)

    def join(self, id: str) -> None:
        """Put a new job in line."""
        self.line.append(id)

    def next_id(self) -> str:
        """Take the head off the line."""
        return self.line.pop(0)

    def hand_out(self, id: str) -> Any:
        record = self.records[id]
        record.state = IN_FLIGHT
        record.attempt = self.next_attempt(record)
        return Job(id, record.payload, record.attempt)

    def next_attempt(self, record: Record) -> int:
        return record.attempt + 1

    def put_back(self, id: str) -> None:
        """Put a retried job in line."""
        self.records[id].state = WAITING
        self.line.append(id)

    def withdraw(self, id: str) -> None:
        """Take a job out of the line, if it stands there."""
        if id in self.line:
            self.line.remove(id)

    def finish(self, id: str, state: str) -> None:
        self.records[id].state = state
        self.taken -= 1
