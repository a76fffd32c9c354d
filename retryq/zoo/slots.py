"""Broken queues: is there room? Faults of the count of slots."""

from __future__ import annotations

from typing import Any

from retryq.zoo.simple import ACKNOWLEDGED, CANCELLED, SimpleQueue


class OneSlotTooMany(SimpleQueue):
    """Accepts one job more than its capacity."""

    story = "The limit was checked with `>` where `>=` was meant."
    belief = "A queue is full once it holds more than its capacity."
    correction = (
        "With as many active jobs as slots the queue is full, and `enqueue` answers false "
        "(`capacity.full`)."
    )
    broken = frozenset({
        "capacity.full", "capacity.active", "capacity.freed", "capacity.zero", "retry.slot",
        "refusal.unchanged", "identity.rejected",
    })

    def is_full(self) -> bool:
        return self.taken > self.capacity


class OneSlotTooFew(SimpleQueue):
    """Always keeps one slot empty."""

    story = (
        "A ring buffer tells full from empty by leaving one place unused, and nobody made the ring one "
        "larger."
    )
    belief = "The last place has to stay free, so that full and empty can be told apart."
    correction = (
        "That is a matter inside the queue. A new id is accepted while a slot is free (`capacity.room`)."
    )
    broken = frozenset({
        "capacity.room", "fifo.head", "attempt.first", "fifo.tail", "retry.tail",
        "fifo.missing", "attempt.snapshot", "attempt.next", "ack.completes", "fence.exact",
        "fence.zero", "fence.in-flight", "cancel.waiting", "cancel.in-flight", "cancel.order",
        "capacity.full", "capacity.active", "capacity.freed", "retry.slot", "identity.case",
        "identity.forever", "cancel.finished", "refusal.unchanged", "identity.rejected",
    })

    def is_full(self) -> bool:
        return self.taken >= self.capacity - 1


class NeverMoreThanEight(SimpleQueue):
    """Accepts eight jobs at the most, whatever its capacity."""

    story = "The buffer was made with eight places for a first try, and the number stayed."
    belief = "Eight places will be enough for everyone."
    correction = (
        "The capacity is what the caller asked for: a new id is accepted while a slot is free "
        "(`capacity.room`)."
    )
    broken = frozenset({"capacity.room"})

    def is_full(self) -> bool:
        return self.taken >= min(self.capacity, 8)


class RefusesEqualPayloads(SimpleQueue):
    """Takes a new job for a duplicate when an active one has the same payload."""

    story = "Duplicates were recognised by what the job says, because that was at hand."
    belief = "Two jobs that say the same are the same job."
    correction = (
        "A job is known by its id alone. A new id is accepted while a slot is free (`capacity.room`), "
        "whatever it carries."
    )
    broken = frozenset({"capacity.room"})
    report = "https://github.com/symfony/symfony/issues/59741"

    def enqueue(self, id: str, payload: str) -> bool:
        active = [record for record in self.records.values() if self.is_active(record.id)]
        return payload not in [record.payload for record in active] and super().enqueue(id, payload)


class RoundsUpToAPowerOfTwo(SimpleQueue):
    """Makes 4 slots out of 3, and 8 out of 5."""

    story = "The ring buffer needed a power of two, and its size was then used as the limit."
    belief = "A little more room than was asked for cannot hurt."
    correction = "A full queue rejects `enqueue` (`capacity.full`), and it is full at exactly its capacity."
    broken = frozenset({"capacity.full"})

    def __init__(self, capacity: int) -> None:
        super().__init__(1 << (capacity - 1).bit_length() if capacity else 0)


class CountsTheLineOnly(SimpleQueue):
    """Counts the waiting jobs and not those in flight."""

    story = "The limit was compared with the length of the line, which is what the queue holds in its hands."
    belief = "A reserved job has left the queue, so its slot is free."
    correction = (
        "A job in flight may come back, so it keeps its slot: capacity counts waiting and in flight "
        "together (`capacity.active`)."
    )
    broken = frozenset({"capacity.active", "refusal.unchanged"})
    report = "https://github.com/rabbitmq/rabbitmq-server/issues/2313"

    def is_full(self) -> bool:
        return len(self.line) >= self.capacity


class AllInFlightCountAsOne(SimpleQueue):
    """Counts one slot for any number of jobs in flight."""

    story = "There was one worker at first, so *busy* was a flag; then there were two."
    belief = "Only one job is in flight at any time."
    correction = "Any number may be in flight, and each of them takes a slot of its own (`capacity.active`)."
    broken = frozenset({"capacity.active"})

    def is_full(self) -> bool:
        busy = self.taken > len(self.line)
        return len(self.line) + busy >= self.capacity


class ZeroMeansNoLimit(SimpleQueue):
    """Takes capacity 0 for *unlimited*."""

    story = (
        "`if self.capacity and ...` was written, and 0 counts as false; many libraries even document it so."
    )
    belief = "Capacity 0 means that there is no limit."
    correction = (
        "It means that there is no slot: a queue of capacity 0 rejects every `enqueue` (`capacity.zero`)."
    )
    broken = frozenset({"capacity.zero"})

    def is_full(self) -> bool:
        return self.capacity > 0 and super().is_full()


class AckKeepsTheSlot(SimpleQueue):
    """Does not free the slot of an acknowledged job."""

    story = "`ack` and `cancel` were written apart, and only `cancel` counts down."
    belief = "The count goes down when a job leaves the line, and that was long ago."
    correction = "A finished job needs no slot any more: acknowledging it frees its slot (`capacity.freed`)."
    broken = frozenset({"capacity.freed", "refusal.unchanged"})
    report = "https://github.com/triggerdotdev/trigger.dev/pull/4540"

    def finish(self, id: str, state: str) -> None:
        super().finish(id, state)
        if state == ACKNOWLEDGED:
            self.taken += 1


class CancelInFlightKeepsTheSlot(SimpleQueue):
    """Does not free the slot of a job that is cancelled in flight."""

    story = "The slot was to be freed by the worker's `ack`, which a cancelled job never gets."
    belief = "The worker is still busy with it, so the slot is free only when the worker is done."
    correction = "`cancel` removes the job at once, and its slot is free at once (`capacity.freed`)."
    broken = frozenset({"capacity.freed"})
    report = "https://github.com/kestra-io/kestra/issues/19679"

    def cancel(self, id: str) -> bool:
        in_flight = self.is_out(id)
        cancelled = super().cancel(id)
        self.taken += in_flight
        return cancelled


class CancelWaitingKeepsTheSlot(SimpleQueue):
    """Does not free the slot of a job that is cancelled in line."""

    story = "Slots were freed where a reservation ends, and a waiting job has none."
    belief = "A slot is freed when a worker lets go of a job, and no worker had this one."
    correction = "A waiting job takes a slot too, and cancelling it frees that slot (`capacity.freed`)."
    broken = frozenset({"capacity.freed", "refusal.unchanged", "identity.rejected"})

    def cancel(self, id: str) -> bool:
        waiting = id in self.line
        cancelled = super().cancel(id)
        self.taken += waiting
        return cancelled


class CancelFreesTwo(SimpleQueue):
    """Frees two slots when a job is cancelled."""

    story = "Cancelling released the worker's share and the queue's share, and both were the same slot."
    belief = "A job holds a place in the queue and a place with its worker, and both come free."
    correction = "A job has one slot all along, so finishing it frees exactly one (`capacity.freed`)."
    broken = frozenset({"capacity.freed", "refusal.unchanged"})
    report = "https://github.com/kestra-io/kestra/issues/13211"

    def finish(self, id: str, state: str) -> None:
        super().finish(id, state)
        if state == CANCELLED:
            self.taken -= 1


class RetryGivesUpTheSlot(SimpleQueue):
    """Frees the slot of a job that is retried."""

    story = "`retry` was written as *give the job back*, and the slot was given back with it."
    belief = "Whoever gives a job back gives back its slot as well."
    correction = "A retried job waits again and is as active as before: it keeps its slot (`retry.slot`)."
    broken = frozenset({"retry.slot"})
    report = "https://github.com/litements/litequeue/blob/main/src/litequeue/__init__.py"

    def put_back(self, id: str) -> None:
        super().put_back(id)
        self.taken -= 1


class RetryTakesASecondSlot(SimpleQueue):
    """Counts a retried job twice while it waits: as waiting, and as still in flight."""

    story = (
        "The full test added the line to the set of jobs handed out, and `retry` did not take the job off "
        "that set."
    )
    belief = "Going back in line is like coming in new, and that needs a slot."
    correction = "The job has a slot already and keeps it: one slot, not two (`retry.slot`)."
    broken = frozenset({"retry.slot"})

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self.handed_out: set[str] = set()

    def is_full(self) -> bool:
        return len(self.line) + len(self.handed_out) >= self.capacity

    def hand_out(self, id: str) -> Any:
        self.handed_out.add(id)
        return super().hand_out(id)

    def finish(self, id: str, state: str) -> None:
        self.handed_out.discard(id)
        super().finish(id, state)
