"""Broken queues: is the id taken? Faults of identity."""

from __future__ import annotations

from retryq.zoo.simple import ACKNOWLEDGED, CANCELLED, SimpleQueue


class DuplicateReplacesThePayload(SimpleQueue):
    """Refuses a duplicate, and keeps its payload all the same."""

    story = "The payload was stored before the id was checked."
    belief = "If the same id comes again, its newer payload is the better one."
    correction = (
        "A duplicate is rejected, and the first job, its payload included, is untouched "
        "(`identity.duplicate`)."
    )
    broken = frozenset({"identity.duplicate"})

    def enqueue(self, id: str, payload: str) -> bool:
        if self.is_active(id):
            self.records[id].payload = payload
        return super().enqueue(id, payload)


class DuplicateGoesToTheTail(SimpleQueue):
    """Refuses a duplicate, and moves the waiting first job to the tail."""

    story = "The id was taken out and appended again, and only then found to be old."
    belief = "Asking for a job again means asking for it later."
    correction = "The first job is untouched, and keeps its place (`identity.duplicate`)."
    broken = frozenset({"identity.duplicate", "refusal.unchanged"})

    def enqueue(self, id: str, payload: str) -> bool:
        if id in self.line:
            self.line.remove(id)
            self.line.append(id)
        return super().enqueue(id, payload)


class OnlyTheLineIsSearched(SimpleQueue):
    """Takes an id for free as soon as its job has left the line."""

    story = "Duplicates were looked for in the line, because that is where a double would do harm."
    belief = "An id is only taken while its job is in the queue."
    correction = (
        "An id that was ever accepted is rejected: in line, in flight or finished (`identity.duplicate`)."
    )
    broken = frozenset({"identity.duplicate", "identity.forever"})
    report = "https://github.com/softwaremill/elasticmq/issues/354"

    def knows(self, id: str) -> bool:
        return id in self.line


class DuplicateLooksAccepted(SimpleQueue):
    """Answers true to a duplicate, and adds nothing."""

    story = "Adding was made *idempotent*: the job is there, so the caller was told that all is well."
    belief = "The job is in the queue, which is what I asked for, so the answer is true."
    correction = (
        "True means that this call added a job. A duplicate is rejected with false (`identity.duplicate`), "
        "so that the caller learns it."
    )
    broken = frozenset({"identity.duplicate", "identity.forever", "refusal.unchanged"})
    report = "https://github.com/OptimalBits/bull/issues/1828"

    def enqueue(self, id: str, payload: str) -> bool:
        return self.knows(id) or super().enqueue(id, payload)


class EverySecondDuplicateGetsIn(SimpleQueue):
    """Turning a duplicate away makes the queue forget the id."""

    story = "The clean-up after a failed `enqueue` removed the id, which a duplicate had not put there."
    belief = "After a refusal everything that belongs to the id should be cleaned up."
    correction = "The id belongs to the first job. A duplicate is rejected every time (`identity.duplicate`)."
    broken = frozenset({"identity.duplicate"})
    report = "https://github.com/noxdafox/rabbitmq-message-deduplication/issues/121"

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self.seen: set[str] = set()

    def knows(self, id: str) -> bool:
        if id in self.seen:
            self.seen.remove(id)
            return True
        return False

    def accept(self, id: str, payload: str) -> None:
        self.seen.add(id)
        super().accept(id, payload)


class AckFreesTheId(SimpleQueue):
    """Accepts an id again once its job is acknowledged."""

    story = "`ack` deleted the record, and the id went with it."
    belief = "The job is done, so its id can be used for the next one."
    correction = (
        "An acknowledged id stays taken for the lifetime of its queue (`identity.forever`). That is what "
        "makes it safe to send the same job twice."
    )
    broken = frozenset({"identity.forever"})

    def knows(self, id: str) -> bool:
        return id in self.records and self.records[id].state != ACKNOWLEDGED


class CancelFreesTheId(SimpleQueue):
    """Accepts an id again once its job is cancelled."""

    story = "Cancelling was written as undoing the `enqueue`, id included."
    belief = "A cancelled job never ran, so it is as if its id had never been used."
    correction = (
        "Cancelled or acknowledged, an id stays taken for the lifetime of its queue (`identity.forever`)."
    )
    broken = frozenset({"identity.forever"})

    def knows(self, id: str) -> bool:
        return id in self.records and self.records[id].state != CANCELLED


class FullQueueBurnsTheId(SimpleQueue):
    """Remembers the id of a job that was refused because the queue was full."""

    story = "The id was noted in the set of known ids first, and only then was the room checked."
    belief = "An id that was tried once is used up."
    correction = "A rejected `enqueue` does not take its id: it can be accepted later (`identity.rejected`)."
    broken = frozenset({"identity.rejected"})
    report = "https://github.com/laravel/framework/issues/48483"

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self.seen: set[str] = set()

    def knows(self, id: str) -> bool:
        known = id in self.seen
        self.seen.add(id)
        return known


class RefusedPayloadSticks(SimpleQueue):
    """Gives a job the payload of an earlier `enqueue` that was refused."""

    story = (
        "`payloads.setdefault(id, payload)` stood before the check for room and kept the first payload it "
        "ever saw."
    )
    belief = "The first payload that came with an id is the original one."
    correction = (
        "A rejected `enqueue` leaves nothing behind (`identity.rejected`). The original payload is the one "
        "that was accepted."
    )
    broken = frozenset({"identity.rejected"})

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self.payloads: dict[str, str] = {}

    def enqueue(self, id: str, payload: str) -> bool:
        return super().enqueue(id, self.payloads.setdefault(id, payload))


class UpperAndLowerAreOne(SimpleQueue):
    """Takes `A` for a duplicate of `a`."""

    story = "Ids were compared in lower case, as one does with mail addresses."
    belief = "Nobody would give two jobs the same name in capitals and small letters."
    correction = "Ids are case-sensitive: `a` and `A` are two jobs (`identity.case`)."
    broken = frozenset({"identity.case"})

    def knows(self, id: str) -> bool:
        return id.lower() in [known.lower() for known in self.records]
