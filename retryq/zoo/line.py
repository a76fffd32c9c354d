"""Broken queues: who is next? Faults of the order in line, of places in it, and of the empty line."""

from __future__ import annotations

from typing import Any

from retryq.queue import Job
from retryq.zoo.simple import WAITING, SimpleQueue


class LastInFirstOut(SimpleQueue):
    """Hands out the job that came last."""

    story = "A list was used as the line, and `pop()` without an index takes the last element."
    belief = "The newest job is the one that matters most, so it goes out first."
    correction = (
        "The job that has waited longest goes first (`fifo.head`); otherwise an early job may wait for "
        "ever."
    )
    broken = frozenset({
        "fifo.head", "attempt.first", "fifo.tail", "retry.tail", "fifo.missing",
        "attempt.snapshot", "attempt.next", "ack.completes", "fence.exact", "cancel.order",
        "capacity.freed", "identity.case", "identity.duplicate", "refusal.unchanged",
    })

    def next_id(self) -> str:
        return self.line.pop()


class AlphabeticalLine(SimpleQueue):
    """Sorts the line by id whenever a job joins."""

    story = (
        "The waiting jobs were kept sorted so that they print nicely, and `reserve` takes the first of "
        "them."
    )
    belief = "The ids are in order, so the smallest id must be the job that came first."
    correction = (
        "An id is a name and says nothing about time: the job that has waited longest goes first "
        "(`fifo.head`)."
    )
    broken = frozenset({"fifo.head"})

    def join(self, id: str) -> None:
        self.line.append(id)
        self.line.sort(key=str.casefold)


class FillsTheFirstGap(SimpleQueue):
    """Puts a new job into the place that a job in flight has left at the head."""

    story = (
        "The line was an array with holes; a new job took the first hole, and `reserve` reads from the "
        "left."
    )
    belief = "When a job leaves the front, its place is free, and a new job can have it."
    correction = (
        "A new job joins the tail, behind everyone who waits (`fifo.tail`). A free slot is no place in "
        "line."
    )
    broken = frozenset({"fifo.tail"})

    def join(self, id: str) -> None:
        gap = any(self.is_out(other) for other in self.records)
        self.line.insert(0 if gap else len(self.line), id)


class ReserveOnlyLooks(SimpleQueue):
    """Answers the head of the line and leaves it there."""

    story = "`line[0]` was written where `line.pop(0)` was meant, and the test reserved only once."
    belief = "A job stays at the head of the line until it is done."
    correction = (
        "`reserve` takes the job out of the line and marks it in flight, so the next `reserve` finds the "
        "next job (`fifo.head`)."
    )
    broken = frozenset({
        "fifo.head", "attempt.first", "fifo.tail", "retry.tail", "fifo.missing",
        "attempt.snapshot", "attempt.next", "ack.completes", "fence.exact", "cancel.waiting",
        "cancel.in-flight", "cancel.order", "capacity.full", "identity.case",
        "identity.duplicate", "identity.forever", "refusal.unchanged",
    })

    def next_id(self) -> str:
        return self.line[0]


class IdleWorkerGetsAJobInFlight(SimpleQueue):
    """With nobody in line, hands out a job that is already in flight."""

    story = "To keep every worker busy, `reserve` fell back to any unfinished job."
    belief = "If there is still unfinished work, `reserve` should hand some of it out."
    correction = (
        "Only a waiting job can be reserved. With none in line the answer is missing, even while others are "
        "in flight (`fifo.missing`)."
    )
    broken = frozenset({
        "fifo.missing", "cancel.waiting", "capacity.full", "identity.duplicate",
        "refusal.unchanged",
    })

    def reserve(self) -> Any:
        if not self.line:
            return next((self.hand_out(id) for id in self.records if self.is_out(id)), None)
        return super().reserve()


class SlowRetryGetsAHelper(SimpleQueue):
    """With nobody in line, hands a retried job in flight to a second worker, with the same attempt."""

    story = "Retried jobs were suspected to be slow, so a free worker was allowed to double up on them."
    belief = "A job that failed before is worth giving to a second worker, to be safe."
    correction = (
        "A job in flight belongs to one reservation. With none in line `reserve` answers missing "
        "(`fifo.missing`), whatever the job in flight has been through."
    )
    broken = frozenset({"fifo.missing"})

    def reserve(self) -> Any:
        if not self.line:
            for record in self.records.values():
                if self.is_out(record.id) and record.attempt > 1:
                    return Job(record.id, record.payload, record.attempt)
        return super().reserve()


class RetryJumpsTheLine(SimpleQueue):
    """Puts a retried job back at the head."""

    story = "The job was taken from the front, so `retry` undid that and put it back to the front."
    belief = "A job that failed should get its next try at once, before the others."
    correction = (
        "A retried job has had its turn and joins the tail, behind everyone who waits (`retry.tail`). At "
        "the head, one job that always fails would block all the rest."
    )
    broken = frozenset({"retry.tail", "attempt.next", "fence.exact"})
    report = "https://github.com/peter-wangxu/persist-queue/issues/143"

    def put_back(self, id: str) -> None:
        self.records[id].state = WAITING
        self.line.insert(0, id)


class RetryWaitsBehindTheHead(SimpleQueue):
    """Puts a retried job at the second place in line."""

    story = "A compromise: the retried job should not block the head, yet it should not wait long either."
    belief = "It is enough for a retried job to let one other job go first."
    correction = "It goes to the tail: behind everyone who waits, not only behind the head (`retry.tail`)."
    broken = frozenset({"retry.tail"})

    def put_back(self, id: str) -> None:
        self.records[id].state = WAITING
        self.line.insert(1, id)


class NewJobsOvertakeRetried(SimpleQueue):
    """Puts a new job in front of the retried ones."""

    story = "Retried jobs were moved to a second line, which is served when the first one is empty."
    belief = "Fresh work should not have to wait for jobs that failed before."
    correction = (
        "There is one line. A retried job stands at its tail, and a job that arrives later stands behind it "
        "(`retry.tail`)."
    )
    broken = frozenset({"retry.tail", "attempt.next"})

    def join(self, id: str) -> None:
        fresh = sum(self.records[other].attempt == 0 for other in self.line)
        self.line.insert(fresh, id)


class RetryForgetsTheLine(SimpleQueue):
    """Marks a retried job as waiting, and puts it nowhere."""

    story = "The state was set to waiting, and the line that `reserve` reads from was forgotten."
    belief = "Once a job is marked as waiting, it will be found."
    correction = "`reserve` serves the line, so a retried job must stand in it: at the tail (`retry.tail`)."
    broken = frozenset({
        "retry.tail", "fifo.missing", "attempt.snapshot", "attempt.next", "ack.completes",
        "fence.exact", "cancel.in-flight", "capacity.freed", "identity.duplicate",
        "refusal.unchanged",
    })

    def put_back(self, id: str) -> None:
        self.records[id].state = WAITING


class CancelSwapsInTheLast(SimpleQueue):
    """Fills the place of a cancelled job with the last one in line."""

    story = (
        "Swapping with the last element makes a removal from a list fast, and the order was not thought of."
    )
    belief = "Removing one job in a fast way leaves the others where they are."
    correction = "The last job has overtaken those in between. The others keep their order (`cancel.order`)."
    broken = frozenset({"cancel.order"})
    report = "https://github.com/garro95/priority-queue/issues/28"

    def withdraw(self, id: str) -> None:
        if id in self.line:
            place, last = self.line.index(id), self.line.pop()
            if last != id:
                self.line[place] = last


class CancelTurnsTheLineRound(SimpleQueue):
    """Rebuilds the line without the cancelled job, and back to front."""

    story = "The line was emptied onto a stack while looking for the job, and the stack became the new line."
    belief = "All the others are still in line afterwards, so nothing has changed for them."
    correction = "Being in line is not enough: the others keep their order (`cancel.order`)."
    broken = frozenset({"cancel.order"})

    def withdraw(self, id: str) -> None:
        self.line = [other for other in reversed(self.line) if other != id]


class CancelInFlightDropsTheLast(SimpleQueue):
    """Cancelling a job that is not in line removes the last one that is."""

    story = (
        "A search answers -1 for *not found*, and `del line[-1]` is a legal way to remove the last element."
    )
    belief = "A job that can be cancelled must be somewhere in line."
    correction = (
        "A job in flight stands in no line, so cancelling it takes nobody out: the waiting jobs stay, in "
        "their order (`cancel.order`)."
    )
    broken = frozenset({"cancel.order"})

    def withdraw(self, id: str) -> None:
        place = self.line.index(id) if id in self.line else -1
        if self.line:
            del self.line[place]
