"""Broken queues: what does a reservation carry? Faults of the attempt count and of the snapshot."""

from __future__ import annotations

from typing import Any

from retryq.zoo.simple import Record, SimpleQueue


class AttemptsStartAtZero(SimpleQueue):
    """Counts 0, 1, 2: the first reservation carries attempt 0."""

    story = "The attempt was read before it was raised, as a list index would be."
    belief = "Counting starts at 0, so the first attempt is attempt 0."
    correction = "The attempt counts reservations, and the first reservation is number 1 (`attempt.first`)."
    broken = frozenset({
        "attempt.first", "retry.tail", "fifo.missing", "attempt.snapshot", "attempt.next",
        "ack.completes", "fence.exact", "fence.zero", "fence.in-flight", "cancel.waiting",
        "cancel.in-flight", "capacity.freed", "identity.case", "identity.duplicate",
        "identity.forever", "cancel.finished", "refusal.unchanged", "identity.rejected",
    })

    def accept(self, id: str, payload: str) -> None:
        super().accept(id, payload)
        self.records[id].attempt = -1


class NewcomersStartHigher(SimpleQueue):
    """A new job's count begins at the number of jobs in flight."""

    story = (
        "Two jobs in flight carried the same attempt, which looked like a clash, so newcomers were started "
        "higher."
    )
    belief = "Two jobs in flight at once should not carry the same attempt."
    correction = (
        "An attempt belongs to its job, and two jobs may well be at attempt 1 together: a job's first "
        "reservation always carries 1 (`attempt.first`)."
    )
    broken = frozenset({"attempt.first"})

    def accept(self, id: str, payload: str) -> None:
        in_flight = sum(self.is_out(other) for other in self.records)
        super().accept(id, payload)
        self.records[id].attempt = in_flight


class OneCountForAll(SimpleQueue):
    """Numbers all reservations of the queue in one sequence."""

    story = "The counter was made an attribute of the queue where the job should have had one."
    belief = "Every reservation gets the next number, whichever job it is for."
    correction = (
        "Every job has its own count: its first reservation carries 1 (`attempt.first`), whatever the "
        "others have done (`attempt.next`)."
    )
    broken = frozenset({
        "attempt.first", "retry.tail", "attempt.next", "ack.completes", "fence.exact",
        "identity.case", "identity.duplicate", "identity.forever", "refusal.unchanged",
    })
    count = 0

    def next_attempt(self, record: Record) -> int:
        self.count += 1
        return self.count


class RetryStartsOver(SimpleQueue):
    """Sets the attempt back when a job is retried, so that each reservation carries 1."""

    story = "`retry` put the job back as if it were new, count included."
    belief = "A retried job starts afresh, so its attempt is 1 again."
    correction = (
        "Each later reservation of a job carries one more (`attempt.next`). If the number came back, a "
        "worker from before could finish somebody else's attempt."
    )
    broken = frozenset({
        "attempt.next", "ack.completes", "fence.exact", "capacity.freed", "identity.duplicate",
        "refusal.unchanged",
    })
    report = "https://github.com/temporalio/temporal/pull/11097"

    def put_back(self, id: str) -> None:
        super().put_back(id)
        self.records[id].attempt = 0


class AttemptsStopAtThree(SimpleQueue):
    """Counts 1, 2, 3, and then 3 for ever."""

    story = "A limit of three tries was planned, and the count was capped in place of the tries."
    belief = "Three attempts are the most a job gets, so the number goes no further."
    correction = "There is no last attempt here: each later reservation carries one more (`attempt.next`)."
    broken = frozenset({"attempt.next"})

    def next_attempt(self, record: Record) -> int:
        return min(record.attempt + 1, 3)


class EmptyPayloadBecomesNone(SimpleQueue):
    """Stores `None` in place of an empty payload."""

    story = (
        "`payload or None` was written to tidy up missing payloads, and an empty string counts as false in "
        "Python."
    )
    belief = "An empty payload is the same as no payload."
    correction = (
        "The empty string is a payload like any other: a reservation answers the original one "
        "(`attempt.snapshot`)."
    )
    broken = frozenset({"attempt.snapshot"})

    def accept(self, id: str, payload: str) -> None:
        super().accept(id, payload or None)  # type: ignore[arg-type]


class PayloadIsTidied(SimpleQueue):
    """Strips the spaces around a payload."""

    story = "Input was cleaned with `strip()` at the door, for ids and payloads alike."
    belief = "Spaces around the text mean nothing, so removing them does no harm."
    correction = (
        "The queue does not know what a payload means: it answers the original one (`attempt.snapshot`)."
    )
    broken = frozenset({"attempt.snapshot"})

    def accept(self, id: str, payload: str) -> None:
        super().accept(id, payload.strip())


class AnswersTheLiveRecord(SimpleQueue):
    """Hands out its own record, which later reservations change."""

    story = "The record had an id, a payload and an attempt already, so `reserve` answered the record itself."
    belief = "The job I was given is mine, so nobody else will change it."
    correction = (
        "A reservation is a snapshot: what was answered never changes afterwards (`attempt.snapshot`). Here "
        "the first worker's attempt 1 turns into 2 in its hands, and its late `ack` passes."
    )
    broken = frozenset({"attempt.snapshot"})

    def hand_out(self, id: str) -> Any:
        super().hand_out(id)
        return self.records[id]
