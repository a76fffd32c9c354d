"""Broken queues: who may finish a job? Faults of `ack` and `retry`, and of the attempt as a fencing token."""

from __future__ import annotations

from typing import Any

from retryq.zoo.simple import ACKNOWLEDGED, IN_FLIGHT, WAITING, SimpleQueue


class OnlyTheLastReservedCanFinish(SimpleQueue):
    """Only the job that was reserved last can be acknowledged."""

    story = "The job in hand was kept in one variable, and the next `reserve` wrote over it."
    belief = "The job in flight is the one that was reserved last."
    correction = (
        "Many jobs can be in flight together, and each can be finished with its current attempt, in any "
        "order (`ack.completes`)."
    )
    broken = frozenset({"ack.completes"})
    last: str | None = None

    def hand_out(self, id: str) -> Any:
        self.last = id
        return super().hand_out(id)

    def ack(self, id: str, attempt: int) -> bool:
        return id == self.last and super().ack(id, attempt)


class OnlyAttemptOneCounts(SimpleQueue):
    """Acknowledges only with attempt 1, whichever attempt is the current one."""

    story = "The token was built where no attempt was at hand, so 1 was filled in, and no test retried a job."
    belief = "A worker finishes its first attempt, so the number it brings is 1."
    correction = (
        "After a retry the current attempt is 2, and that is the one which finishes the job "
        "(`ack.completes`); 1 is stale (`fence.exact`)."
    )
    broken = frozenset({"ack.completes", "fence.exact", "capacity.freed"})
    report = "https://github.com/temporalio/temporal/pull/10135"

    def ack(self, id: str, attempt: int) -> bool:
        if not (self.is_out(id) and attempt == 1):
            return False
        self.finish(id, ACKNOWLEDGED)
        return True


class AttemptIsIgnored(SimpleQueue):
    """Any attempt finishes or retries a job that is in flight."""

    story = "The state was checked, which felt like enough, and the attempt was left for later."
    belief = "If the job is in flight and I name it, I must be the one who holds it."
    correction = (
        "The id says which job; only the attempt says which reservation. `ack` and `retry` need the exact "
        "current one (`fence.exact`)."
    )
    broken = frozenset({"fence.exact", "fence.zero", "refusal.unchanged"})

    def holds(self, id: str, attempt: int) -> bool:
        return self.is_out(id)


class OldAttemptsStillCount(SimpleQueue):
    """Accepts the current attempt and every one before it."""

    story = "The attempt was checked against the range of attempts that had been handed out."
    belief = "My attempt was valid when I got it, so it still is."
    correction = (
        "A retry ended that attempt. Once the job is reserved again, the old number is stale and answers "
        "false (`fence.exact`)."
    )
    broken = frozenset({"fence.exact"})
    report = "https://github.com/cadence-workflow/cadence/pull/1214"

    def holds(self, id: str, attempt: int) -> bool:
        return self.is_out(id) and 1 <= attempt <= self.records[id].attempt


class FutureAttemptsCount(SimpleQueue):
    """Accepts the current attempt and every one after it."""

    story = "Only older numbers were feared, so the check was `>=`."
    belief = "A higher attempt is newer, so it cannot be stale."
    correction = (
        "A number that was never handed out holds nothing: only the exact current attempt does "
        "(`fence.exact`)."
    )
    broken = frozenset({"fence.exact", "refusal.unchanged"})

    def holds(self, id: str, attempt: int) -> bool:
        return self.is_out(id) and attempt >= self.records[id].attempt


class AnyLiveAttemptWillDo(SimpleQueue):
    """Accepts the current attempt of any job in flight."""

    story = "The live tokens were kept in one set, and the set did not say whose they are."
    belief = "A valid attempt is valid, whichever job it came with."
    correction = (
        "Every job has its own attempts: `ack` and `retry` need the current one of that very job "
        "(`fence.exact`)."
    )
    broken = frozenset({"fence.exact"})

    def holds(self, id: str, attempt: int) -> bool:
        live = {record.attempt for record in self.records.values() if record.state == IN_FLIGHT}
        return self.is_out(id) and attempt in live


class ZeroFitsAnyAttempt(SimpleQueue):
    """Takes attempt 0 for *whatever the current one is*."""

    story = "Old clients sent no attempt, which arrived as 0, and they were let through."
    belief = "Attempt 0 means that I do not care which attempt it is."
    correction = (
        "There is no such pass: the first reservation is attempt 1, and 0 is never valid (`fence.zero`)."
    )
    broken = frozenset({"fence.zero", "refusal.unchanged"})

    def holds(self, id: str, attempt: int) -> bool:
        return self.is_out(id) and attempt in (0, self.records[id].attempt)


class FreshJobIsHeldByZero(SimpleQueue):
    """Attempt 0 finishes a job that was never reserved, because its count is still 0."""

    story = "The numbers were compared, both were 0, and nobody asked whether the job was in flight."
    belief = "If the numbers are equal, the attempt is the right one."
    correction = (
        "A job that was never reserved is held by no attempt. The 0 in its record is a count, and 0 is "
        "never valid (`fence.zero`)."
    )
    broken = frozenset({"fence.zero"})

    def holds(self, id: str, attempt: int) -> bool:
        fresh = id in self.line and self.records[id].attempt == 0
        return super().holds(id, attempt) or (fresh and attempt == 0)


class LateAckStillCounts(SimpleQueue):
    """A retried job can be acknowledged by its old attempt until somebody reserves it again."""

    story = "The number stays in the record until the next `reserve`, and `ack` compared only the number."
    belief = "The work is done after all, so it is right to take the job out of the line."
    correction = (
        "A retried job waits, and `ack` of a waiting job answers false (`fence.in-flight`). Whoever gave "
        "the job back has nothing left to finish."
    )
    broken = frozenset({"fence.in-flight", "refusal.unchanged"})
    report = "https://github.com/beanstalkd/beanstalkd/issues/402"

    def ack(self, id: str, attempt: int) -> bool:
        if id in self.line and 1 <= attempt == self.records[id].attempt:
            return self.cancel(id)
        return super().ack(id, attempt)


class AckTwiceIsFine(SimpleQueue):
    """Repeating an `ack` that succeeded answers true again."""

    story = "Acknowledging was made *idempotent*, and the answer was repeated along with the effect."
    belief = "The job is done, so it does no harm to say so again."
    correction = (
        "It does no harm, but it did nothing: repeating an `ack` that succeeded answers false "
        "(`fence.in-flight`), so that the caller learns it."
    )
    broken = frozenset({"fence.in-flight", "refusal.unchanged"})
    report = "https://github.com/fridujo/rabbitmq-mock/issues/156"

    def ack(self, id: str, attempt: int) -> bool:
        record = self.records.get(id)
        if record is not None and record.state == ACKNOWLEDGED and record.attempt == attempt:
            return True
        return super().ack(id, attempt)


class RetryTwiceDoublesTheJob(SimpleQueue):
    """Repeating a `retry` puts the job in line a second time."""

    story = (
        "`retry` compared the attempt, which had not changed yet, and did not ask whether the job was in "
        "flight."
    )
    belief = "If I am not sure that my `retry` arrived, I can send it again."
    correction = (
        "The first one ended the reservation: `retry` of a waiting job answers false (`fence.in-flight`). "
        "Otherwise the job stands in line twice."
    )
    broken = frozenset({"fence.in-flight"})
    report = "https://github.com/resque/resque/issues/548"

    def retry(self, id: str, attempt: int) -> bool:
        record = self.records.get(id)
        if record is not None and record.state == WAITING and 1 <= attempt == record.attempt:
            self.put_back(id)
            return True
        return super().retry(id, attempt)
