"""Broken queues: what comes back? Faults of the kind of an answer, and refusals that change something."""

from __future__ import annotations

from typing import Any

from retryq.zoo.simple import ACKNOWLEDGED, IN_FLIGHT, WAITING, Record, SimpleQueue


class NoneForNo(SimpleQueue):
    """Answers `None` where false is meant."""

    story = "`return True` stood at the end, and the early exits were bare `return`s."
    belief = "`None` counts as false, so it is as good an answer."
    correction = (
        "A mutation answers exactly true or false (`answer.kind`). `None` is what `reserve` says when no "
        "job waits."
    )
    broken = frozenset({"answer.kind"})

    def enqueue(self, id: str, payload: str) -> Any:
        return super().enqueue(id, payload) or None

    def ack(self, id: str, attempt: int) -> Any:
        return super().ack(id, attempt) or None

    def retry(self, id: str, attempt: int) -> Any:
        return super().retry(id, attempt) or None

    def cancel(self, id: str) -> Any:
        return super().cancel(id) or None


class OneForYes(SimpleQueue):
    """Answers 1 and 0 where true and false are meant."""

    story = "The operations answered how many jobs they had changed, as a database does."
    belief = "A number will do, because 1 counts as true and 0 as false."
    correction = "A mutation answers exactly true or false, and nothing else (`answer.kind`)."
    broken = frozenset({"answer.kind"})

    def enqueue(self, id: str, payload: str) -> Any:
        return int(super().enqueue(id, payload))

    def ack(self, id: str, attempt: int) -> Any:
        return int(super().ack(id, attempt))

    def retry(self, id: str, attempt: int) -> Any:
        return int(super().retry(id, attempt))

    def cancel(self, id: str) -> Any:
        return int(super().cancel(id))


class EnqueueAnswersTheId(SimpleQueue):
    """Answers the id of the job that was added, where true is meant."""

    story = "Some brokers hand back a message id, and an id in an `if` works like true."
    belief = "`enqueue` should tell me the id of the job that it has added."
    correction = (
        "The caller chose the id and knows it. A mutation answers exactly true or false (`answer.kind`)."
    )
    broken = frozenset({"answer.kind"})

    def enqueue(self, id: str, payload: str) -> Any:
        return super().enqueue(id, payload) and id


class EmptyReserveAnswersFalse(SimpleQueue):
    """Answers false where no job waits."""

    story = "Every operation says false when it cannot do its work, so `reserve` did as well."
    belief = "No job waits, so the answer is false."
    correction = "`reserve` answers a job or the explicit missing result, `None` in Python (`answer.kind`)."
    broken = frozenset({"answer.kind"})

    def reserve(self) -> Any:
        return super().reserve() or False


class EmptyReserveRaises(SimpleQueue):
    """Raises an exception where no job waits."""

    story = "`pop(0)` was called on an empty list, and the check for it was missing."
    belief = "To reserve from an empty line is a mistake, and a mistake raises an exception."
    correction = (
        "An empty line is nothing unusual: `reserve` answers the missing result (`fifo.missing`), and "
        "nothing is raised (`answer.kind`)."
    )
    broken = frozenset({
        "answer.kind", "fifo.missing", "ack.completes", "cancel.waiting", "cancel.in-flight",
        "capacity.full", "capacity.zero", "identity.duplicate", "identity.forever",
        "refusal.unchanged",
    })

    def reserve(self) -> Any:
        return self.hand_out(self.next_id())


class UnknownIdRaises(SimpleQueue):
    """Raises `KeyError` for an id that it has never seen."""

    story = "`records[id]` was written where `records.get(id)` was needed."
    belief = "Nobody will ask about a job that does not exist."
    correction = (
        "Somebody will, and the answer is false. With arguments of the right types nothing is raised "
        "(`answer.kind`)."
    )
    broken = frozenset({"answer.kind", "fence.in-flight", "cancel.finished"})

    def is_out(self, id: str) -> bool:
        return self.records[id].state == IN_FLIGHT

    def is_active(self, id: str) -> bool:
        return self.records[id].state in (WAITING, IN_FLIGHT)


class EveryRetryCallCounts(SimpleQueue):
    """Counts a `retry` that was refused, so that the attempt grows too fast."""

    story = "The counter of retries was raised on the first line of `retry`, before the checks."
    belief = "The attempt says how often somebody has called `retry`."
    correction = (
        "It counts reservations. A `retry` that answers false has changed nothing, the count included "
        "(`refusal.unchanged`)."
    )
    broken = frozenset({"refusal.unchanged"})

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self.retries: dict[str, int] = {}

    def retry(self, id: str, attempt: int) -> bool:
        self.retries[id] = self.retries.get(id, 0) + 1
        return super().retry(id, attempt)

    def next_attempt(self, record: Record) -> int:
        return self.retries.get(record.id, 0) + 1


class WrongAckFinishes(SimpleQueue):
    """Finishes the job on an `ack` with the wrong attempt, and answers false."""

    story = "The job was taken out of the table first, and only then was the attempt compared."
    belief = "False tells the caller off; what has become of the job is another matter."
    correction = "False means that nothing has changed: the job is still in flight (`refusal.unchanged`)."
    broken = frozenset({"refusal.unchanged"})

    def ack(self, id: str, attempt: int) -> bool:
        held = self.holds(id, attempt)
        if self.is_out(id):
            self.finish(id, ACKNOWLEDGED)
        return held


class WrongRetryPutsItBack(SimpleQueue):
    """Puts the job in line on a `retry` with the wrong attempt, and answers false."""

    story = "The job was moved to the line first, and the attempt was only used for the answer."
    belief = "If something is wrong with a retry, it is safest to have the job back in line."
    correction = (
        "A refused `retry` has changed nothing: the job stays in flight, with whoever holds it "
        "(`refusal.unchanged`)."
    )
    broken = frozenset({"refusal.unchanged"})

    def retry(self, id: str, attempt: int) -> bool:
        held = self.holds(id, attempt)
        if self.is_out(id):
            self.put_back(id)
        return held


class LateAckFreesASlotAgain(SimpleQueue):
    """Repeating an `ack` is refused, and frees a slot every time."""

    story = "The slot was released in a `finally` block, which runs on every way out of `ack`."
    belief = "To release a slot once too often is better than to forget it."
    correction = (
        "The job's one slot was freed when it was finished. A refused `ack` changes nothing "
        "(`refusal.unchanged`); otherwise the queue overfills."
    )
    broken = frozenset({"refusal.unchanged"})
    report = "https://github.com/rails/solid_queue/pull/761"

    def ack(self, id: str, attempt: int) -> bool:
        if id in self.records and self.records[id].state == ACKNOWLEDGED:
            self.taken -= 1
        return super().ack(id, attempt)


class EmptyReserveStartsOver(SimpleQueue):
    """Takes an empty line for an empty queue, and sets the slot count back to 0."""

    story = "When nothing was left in line the counters were reset, to be on the safe side."
    belief = "When nobody waits, the queue is empty."
    correction = (
        "Jobs may still be in flight, and they keep their slots: a `reserve` that answers missing has "
        "changed nothing (`refusal.unchanged`)."
    )
    broken = frozenset({"refusal.unchanged"})

    def reserve(self) -> Any:
        if not self.line:
            self.taken = 0
        return super().reserve()
