"""The queue itself: in memory, one owner, standard library only. Time is the order of operations.

Three things are kept, and each answers one question at once:

* a map from every id ever accepted to its job: *is this id taken, and who holds it?*
* a linked waiting line: *who is next?* An ``OrderedDict`` lets a job leave from the head or from the middle
  in the same small time. A list would have to move, or search, everything behind it.
* a count of the active jobs: *is a slot free?*

The trick that keeps it short: a waiting job is stored as the very snapshot that its next reservation will hand
out, attempt included. So ``reserve`` only moves it, and an active job that is not in line is in flight.
"""

from __future__ import annotations

from collections import OrderedDict, namedtuple

__all__ = ["Job", "Queue"]


class Job(namedtuple("Job", ["id", "payload", "attempt"])):  # typing's NamedTuple takes longer to import than all this
    """What a reservation answers: a snapshot that never changes afterwards (``attempt.snapshot``).

    It unpacks as ``id, payload, attempt``. ``attempt`` counts this job's reservations from 1. It is also the
    *fencing token*: only the newest attempt can acknowledge or retry the job.

    >>> id, payload, attempt = Job("a", "A", 1)
    """

    __slots__ = ()

    id: str
    payload: str
    attempt: int


class Queue:
    """A first-in, first-out job queue of limited capacity, with retries.

    ``capacity`` is the number of slots: an integer of 0 or more. Every active job, waiting or in flight, takes
    one slot (``capacity.active``). Every operation is expected O(1). Storage grows with the ids ever accepted:
    a finished job keeps its id as a tombstone and lets go of its payload (``identity.forever``).

    An operation that answers ``False``, or ``None``, has changed nothing (``refusal.unchanged``). A misuse that
    the rules do not speak of raises ``TypeError`` or ``ValueError`` and changes nothing either.

    >>> queue = Queue(2)
    >>> queue.enqueue("a", "send the invoice")
    True
    >>> queue.reserve()
    Job(id='a', payload='send the invoice', attempt=1)
    >>> queue.retry("a", 1)
    True
    >>> id, payload, attempt = queue.reserve()
    >>> queue.ack("a", 1), queue.ack("a", attempt)
    (False, True)
    """

    __slots__ = ("_capacity", "_jobs", "_line", "_active")

    def __init__(self, capacity: int) -> None:
        """Make an empty queue. Queues share nothing (``isolation.queues``).

        Raises ``TypeError`` where ``capacity`` is no ``int`` (a ``bool`` is none), ``ValueError`` where it is
        negative. Capacity 0 is a queue that accepts nothing (``capacity.zero``).
        """
        if not isinstance(capacity, int) or isinstance(capacity, bool):
            raise _misuse(capacity=capacity)
        if capacity < 0:
            raise ValueError(f"capacity must be 0 or more, got {capacity}")
        self._capacity = capacity
        self._jobs: dict[str, Job | None] = {}  # None is the tombstone of a finished job
        self._line: OrderedDict[str, Job] = OrderedDict()
        self._active = 0

    @property
    def capacity(self) -> int:
        """How many slots there are."""
        return self._capacity

    @property
    def active(self) -> int:
        """How many slots are taken: the jobs waiting and the jobs in flight."""
        return self._active

    def enqueue(self, id: str, payload: str) -> bool:
        """Add a job at the tail of the waiting line, and answer ``True``.

        ``False`` where the id was ever accepted before (``identity.duplicate``, ``identity.forever``), or where
        no slot is free (``capacity.full``); the id is then not taken (``identity.rejected``).
        Keeps ``fifo.tail`` and ``capacity.room``. Raises ``TypeError`` where an argument is no ``str``.
        """
        if not isinstance(id, str) or not isinstance(payload, str):
            raise _misuse(id=id, payload=payload)
        if self._active >= self._capacity or id in self._jobs:
            return False
        self._jobs[id] = self._line[id] = Job(id, payload, 1)
        self._active += 1
        return True

    def reserve(self) -> Job | None:
        """Take the job that has waited longest; ``None`` where no job waits (``fifo.head``, ``fifo.missing``).

        The job is in flight until it is acknowledged, retried or cancelled, and keeps its slot. Its attempt is
        1 the first time and one more each time after (``attempt.first``, ``attempt.next``).
        """
        if not self._line:
            return None
        _, job = self._line.popitem(last=False)
        return job

    def ack(self, id: str, attempt: int) -> bool:
        """Finish an in-flight job, free its slot, and answer ``True`` (``ack.completes``, ``capacity.freed``).

        ``False`` unless the job is in flight and ``attempt`` is exactly its current one (``fence.exact``,
        ``fence.zero``, ``fence.in-flight``). Raises ``TypeError`` where ``id`` is no ``str`` or ``attempt`` no
        ``int``.
        """
        if self._held(id, attempt) is None:
            return False
        self._jobs[id] = None
        self._active -= 1
        return True

    def retry(self, id: str, attempt: int) -> bool:
        """Give an in-flight job back: it goes to the tail of the line and answers ``True`` (``retry.tail``).

        It keeps its slot (``retry.slot``). Refuses, and raises, exactly as ``ack`` does.
        """
        job = self._held(id, attempt)
        if job is None:
            return False
        self._jobs[id] = self._line[id] = Job(id, job.payload, job.attempt + 1)
        return True

    def cancel(self, id: str) -> bool:
        """Remove an active job at once, free its slot, and answer ``True``.

        The others in line keep their order (``cancel.waiting``, ``cancel.order``); a job in flight can no longer
        be acknowledged or retried (``cancel.in-flight``). ``False`` for an unknown or finished id
        (``cancel.finished``). Raises ``TypeError`` where ``id`` is no ``str``.
        """
        if not isinstance(id, str):
            raise _misuse(id=id)
        if self._jobs.get(id) is None:
            return False
        self._line.pop(id, None)  # nothing to take out where the job is in flight
        self._jobs[id] = None
        self._active -= 1
        return True

    def _held(self, id: str, attempt: int) -> Job | None:
        """The job that this attempt holds in flight, or ``None``."""
        if not isinstance(id, str) or not isinstance(attempt, int) or isinstance(attempt, bool):
            raise _misuse(id=id, attempt=attempt)
        job = self._jobs.get(id)
        if job is None or job.attempt != attempt or id in self._line:
            return None
        return job

    def __repr__(self) -> str:
        waiting = len(self._line)
        return (f"<Queue capacity={self._capacity} active={self._active}: "
                f"{waiting} waiting, {self._active - waiting} in flight>")


def _misuse(**arguments: object) -> TypeError:
    """The error for the first argument of the wrong type."""
    for name, value in arguments.items():
        if name in ("capacity", "attempt"):
            if not isinstance(value, int) or isinstance(value, bool):
                return TypeError(f"{name} must be an int, got {value!r}")
        elif not isinstance(value, str):
            return TypeError(f"{name} must be a str, got {value!r}")
    raise AssertionError("every argument has the right type")
