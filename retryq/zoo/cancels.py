"""Broken queues: is it gone? Faults of `cancel`."""

from __future__ import annotations

from retryq.zoo.simple import ACKNOWLEDGED, CANCELLED, SimpleQueue


class CancelledIsStillHandedOut(SimpleQueue):
    """A job that is cancelled in line stays in line."""

    story = "The job was marked as cancelled, and `reserve` does not look at the mark."
    belief = "Marking a job as cancelled is enough, because everyone can see the mark."
    correction = (
        "`cancel` removes a waiting job at once: `reserve` must never hand it out (`cancel.waiting`)."
    )
    broken = frozenset({"cancel.waiting", "cancel.order", "identity.forever", "identity.rejected"})
    report = "https://github.com/rq/rq/issues/2292"

    def withdraw(self, id: str) -> None:
        pass


class CancelMissesTheRetried(SimpleQueue):
    """A job that waits again after a retry is not taken out of the line."""

    story = (
        "Retried jobs were in line under another key, with the attempt in it, and `cancel` looked for the "
        "plain one."
    )
    belief = "A waiting job can be withdrawn until somebody has worked on it."
    correction = (
        "Waiting is waiting, on the first attempt or a later one: `cancel` answers true and removes the job "
        "at once (`cancel.waiting`)."
    )
    broken = frozenset({"cancel.waiting"})

    def withdraw(self, id: str) -> None:
        if self.records[id].attempt == 0:
            super().withdraw(id)


class CancelOnlyInLine(SimpleQueue):
    """Refuses to cancel a job that is in flight."""

    story = "`cancel` searched the line, did not find the job there, and answered false."
    belief = "It is too late to cancel a job that a worker has already taken."
    correction = (
        "`cancel` of an in-flight job answers true, and its reservation is worth nothing from then on "
        "(`cancel.in-flight`)."
    )
    broken = frozenset({
        "cancel.in-flight", "cancel.order", "capacity.freed", "identity.forever",
        "cancel.finished",
    })

    def is_active(self, id: str) -> bool:
        return id in self.line


class CancelledMayStillAck(SimpleQueue):
    """A job that was cancelled in flight can still be acknowledged."""

    story = "The worker's result was welcome whenever it came, and the state was simply written over."
    belief = "The worker has done the work, so its `ack` should count."
    correction = (
        "The job is gone. Once it is cancelled, its reservation is worth nothing, and the `ack` answers "
        "false (`cancel.in-flight`)."
    )
    broken = frozenset({"cancel.in-flight"})
    report = "https://github.com/grantcarthew/node-rethinkdb-job-queue/issues/82"

    def ack(self, id: str, attempt: int) -> bool:
        record = self.records.get(id)
        if record is not None and record.state == CANCELLED and 1 <= attempt == record.attempt:
            record.state = ACKNOWLEDGED
            return True
        return super().ack(id, attempt)


class RetryBringsItBack(SimpleQueue):
    """A job that was cancelled in flight comes back when its worker retries it."""

    story = "`retry` put the job in line without asking what had become of it in the meantime."
    belief = "If the worker gives the job back, then it is there again."
    correction = (
        "A cancelled job cannot come back: its reservation is worth nothing, and the `retry` answers false "
        "(`cancel.in-flight`)."
    )
    broken = frozenset({"cancel.in-flight"})
    report = "https://github.com/procrastinate-org/procrastinate/issues/1131"

    def retry(self, id: str, attempt: int) -> bool:
        record = self.records.get(id)
        if record is not None and record.state == CANCELLED and 1 <= attempt == record.attempt:
            self.taken += 1
            self.put_back(id)
            return True
        return super().retry(id, attempt)


class CancelUnknownSaysYes(SimpleQueue):
    """Answers true for an id that it has never seen."""

    story = "Whatever the id was, the job is not there afterwards, so the request was called a success."
    belief = "I wanted the job not to be there, and it is not there, so the answer is true."
    correction = (
        "The answer says whether this `cancel` removed a job. For an unknown id it is false "
        "(`cancel.finished`)."
    )
    broken = frozenset({"cancel.finished"})

    def cancel(self, id: str) -> bool:
        return id not in self.records or super().cancel(id)


class CancelFinishedSaysYes(SimpleQueue):
    """Answers true for a job that is already acknowledged or cancelled."""

    story = "The id was found among the records, and its state was not looked at."
    belief = "The queue knows this job, so it can be cancelled."
    correction = (
        "Its id is only remembered; the job is over and there is nothing left to withdraw: `cancel` answers "
        "false (`cancel.finished`)."
    )
    broken = frozenset({"cancel.finished", "refusal.unchanged"})
    report = "https://github.com/apache/datafusion-ballista/issues/1493"

    def cancel(self, id: str) -> bool:
        return super().cancel(id) or id in self.records


class CancelWaitsForTheJob(SimpleQueue):
    """Remembers the cancel of an unknown id, and drops the job of that name when it comes."""

    story = (
        "Cancelled ids were kept in a set, and an id was put into it before anyone asked whether it exists."
    )
    belief = "If I cancel an id before its job arrives, the job should not run."
    correction = (
        "`cancel` speaks about the jobs that are there. For an unknown id it answers false "
        "(`cancel.finished`) and has changed nothing."
    )
    broken = frozenset({"cancel.finished"})
    report = "https://github.com/python-arq/arq/issues/485"

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self.unwanted: set[str] = set()

    def cancel(self, id: str) -> bool:
        if id not in self.records:
            self.unwanted.add(id)
        return super().cancel(id)

    def join(self, id: str) -> None:
        if id in self.unwanted:
            self.finish(id, CANCELLED)
        else:
            super().join(id)
