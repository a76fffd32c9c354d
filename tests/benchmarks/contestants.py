"""The queues that are measured side by side, behind one small interface: the methods of `retryq.Queue`.

A queue that has no such operation leaves it out; the mixes that need it then show a dash.
"""

from __future__ import annotations

import queue as standard
import tempfile
from collections import deque

from retryq import Job, Queue


class Floor:
    """The least that pure Python can do: a bare ``deque`` and ``dict`` that check nothing but the capacity.

    It cancels by a mark that ``reserve`` skips, and believes every attempt it is told.
    """

    __slots__ = ("active", "capacity", "jobs", "line")

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.active = 0
        self.jobs: dict[str, list | None] = {}
        self.line: deque[str] = deque()

    def enqueue(self, id: str, payload: str) -> bool:
        if self.active >= self.capacity:
            return False
        self.jobs[id] = [payload, 0]
        self.line.append(id)
        self.active += 1
        return True

    def reserve(self) -> Job | None:
        while self.line:
            id = self.line.popleft()
            job = self.jobs[id]
            if job is not None:
                job[1] += 1
                return Job(id, job[0], job[1])
        return None

    def ack(self, id: str, attempt: int) -> bool:
        self.jobs[id] = None
        self.active -= 1
        return True

    def retry(self, id: str, attempt: int) -> bool:
        self.line.append(id)
        return True

    def cancel(self, id: str) -> bool:
        self.jobs[id] = None
        self.active -= 1
        return True


class StandardQueue:
    """``queue.Queue`` with ``task_done``: no ids, no attempts, no cancelling; a retry is another ``put``."""

    def __init__(self, capacity: int) -> None:
        self.queue: standard.Queue = standard.Queue(capacity)

    def enqueue(self, id: str, payload: str) -> bool:
        try:
            self.queue.put_nowait((id, payload, 1))
        except standard.Full:
            return False
        return True

    def reserve(self) -> tuple | None:
        try:
            return self.queue.get_nowait()
        except standard.Empty:
            return None

    def ack(self, id: str, attempt: int) -> bool:
        self.queue.task_done()
        return True

    def retry(self, id: str, attempt: int) -> bool:
        self.queue.put_nowait((id, "", attempt + 1))
        return True


class LiteQueue:
    """litequeue in memory: SQLite behind it, a message has a state, and can be done or retried."""

    def __init__(self, capacity: int) -> None:
        from litequeue import LiteQueue as Messages

        self.queue = Messages(":memory:", maxsize=capacity)
        self.taken: dict[str, str] = {}

    def enqueue(self, id: str, payload: str) -> bool:
        from sqlite3 import Error

        try:
            self.queue.put(id)
        except Error:  # its way of saying that the queue is full
            return False
        return True

    def reserve(self) -> tuple | None:
        message = self.queue.pop()
        if message is None:
            return None
        self.taken[message.data] = message.message_id
        return message.data, "", 1

    def ack(self, id: str, attempt: int) -> bool:
        self.queue.done(self.taken[id])
        return True

    def retry(self, id: str, attempt: int) -> bool:
        self.queue.retry(self.taken[id])
        return True


class PersistAck:
    """persist-queue's acknowledging queue, its SQLite file in a temporary folder. It has no capacity."""

    def __init__(self, capacity: int) -> None:
        from persistqueue import SQLiteAckQueue

        self.folder = tempfile.TemporaryDirectory()
        self.queue = SQLiteAckQueue(self.folder.name, auto_commit=True)

    def enqueue(self, id: str, payload: str) -> bool:
        self.queue.put(id)
        return True

    def reserve(self) -> tuple | None:
        from persistqueue.exceptions import Empty

        try:
            return self.queue.get(block=False), "", 1
        except Empty:
            return None

    def ack(self, id: str, attempt: int) -> bool:
        self.queue.ack(id)
        return True

    def retry(self, id: str, attempt: int) -> bool:
        self.queue.nack(id)
        return True


IN_MEMORY = {"retryq.Queue": Queue, "floor": Floor, "queue.Queue": StandardQueue}
# These go through SQLite for every operation, so they are measured with fewer jobs.
THROUGH_SQLITE = {"litequeue :memory:": LiteQueue, "persist-queue ack": PersistAck}
