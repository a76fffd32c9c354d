"""The rules as a pure function: the executable specification, slow and obvious.

``step(state, op)`` says what an operation answers, which clause decides that, why, and what the next state is.
Nothing here is changed in place: a state is a value, so a run can be kept, compared, rewound and forked.
This module and ``queue.py`` are two tellings of the same rules and neither imports the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

__all__ = ["JobState", "QueueState", "State", "Step", "run", "start", "step"]

WAITING, IN_FLIGHT, ACKNOWLEDGED, CANCELLED = "waiting", "in flight", "acknowledged", "cancelled"


class JobState(NamedTuple):
    """One accepted job. ``attempt`` is how often it was reserved so far; ``status`` one of the four state words."""

    id: str
    payload: str
    attempt: int
    status: str


class QueueState(NamedTuple):
    """One queue: every job it ever accepted, in order of acceptance, and the ids in line, head first."""

    capacity: int
    jobs: tuple[JobState, ...] = ()
    line: tuple[str, ...] = ()

    def job(self, id: str) -> JobState | None:
        """The job of this id, or ``None`` where the id was never accepted."""
        for job in self.jobs:
            if job.id == id:
                return job
        return None

    @property
    def in_flight(self) -> tuple[JobState, ...]:
        """The jobs in flight, in order of acceptance."""
        return tuple([job for job in self.jobs if job.status == IN_FLIGHT])

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self.line)

    @property
    def active(self) -> int:
        """How many slots are taken (``capacity.active``)."""
        return len(self.line) + len(self.in_flight)


class State(NamedTuple):
    """All queues made so far (``new``), and the index of the selected one (``use``)."""

    queues: tuple[QueueState, ...]
    selected: int = 0

    @property
    def current(self) -> QueueState:
        """The selected queue."""
        return self.queues[self.selected]


class Step(NamedTuple):
    """One operation: the state before it, its result, the clause that decided and why, and the state after it.

    ``result`` is ``True``, ``False``, ``None`` or ``(id, payload, attempt)``. ``also`` names further clauses
    that this very operation shows.
    """

    before: State
    op: tuple
    result: bool | None | tuple[str, str, int]
    clause: str
    why: str
    after: State
    also: tuple[str, ...] = ()

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause that this operation shows, the deciding one first."""
        return (self.clause, *self.also)

    @property
    def refused(self) -> bool:
        """Whether the operation answered ``False``, or was a ``reserve`` that answered ``None``."""
        return self.result is False or (self.op[0] == "reserve" and self.result is None)


# What a rule says of one operation on one queue: the result, the clause that decides, why, the queue after it, and
# further clauses that it shows.
_Verdict = tuple[bool | None | tuple[str, str, int], str, str, QueueState, tuple[str, ...]]


def start(capacity: int) -> State:
    """The state in which every run begins: one empty queue of ``capacity`` slots, selected."""
    return State((QueueState(capacity),))


def step(state: State, op: Sequence) -> Step:
    """Apply one operation of the notation, for example ``("ack", "a", 1)``.

    The operation is taken to be well formed (``scenario.validate`` sees to that); ``ValueError`` where it has a
    name that the notation does not know or uses a queue that is not there.

    >>> step(start(1), ("enqueue", "a", "A")).why
    'accepted: 1 of 1 slot was free, and a joins the tail at place 1'
    >>> step(start(1), ("reserve",)).clause
    'fifo.missing'
    """
    op = tuple(op)
    name, *arguments = op
    if name == "new":
        queues = (*state.queues, QueueState(state.current.capacity))
        why = f"queue {len(state.queues)} is made, empty, and selected; it shares nothing with the others"
        return Step(state, op, None, "isolation.queues", why, State(queues, len(queues) - 1))
    if name == "use":
        (index,) = arguments
        if not 0 <= index < len(state.queues):
            raise ValueError(f"there is no queue {index}: {len(state.queues)} made so far")
        why = f"queue {index} is selected; nothing in any queue has changed"
        return Step(state, op, None, "isolation.queues", why, State(state.queues, index))
    if name not in _RULES:
        raise ValueError(f"there is no operation {name!r}")
    queue = state.current
    result, clause, why, changed, also = _RULES[name](queue, *arguments)
    after = state
    if changed is not queue:
        all_queues = list(state.queues)
        all_queues[state.selected] = changed
        after = State(tuple(all_queues), state.selected)
    if result is False or result is None:
        also += ("refusal.unchanged",)
    if len(state.queues) > 1:
        also += ("isolation.queues",)
    return Step(state, op, result, clause, why, after, also)


def run(capacity: int, ops: Iterable[Sequence]) -> tuple[Step, ...]:
    """The steps of a whole run from an empty queue."""
    steps, state = [], start(capacity)
    for op in ops:
        steps.append(step(state, op))
        state = steps[-1].after
    return tuple(steps)


# One function for each operation: the queue before it, the arguments, and what the rules say.


def _enqueue(queue: QueueState, id: str, payload: str) -> _Verdict:
    known = queue.job(id)
    if known is not None and known.status in (WAITING, IN_FLIGHT):
        why = f"refused: {id} was accepted before and is {known.status}; that first job stays as it is"
        return False, "identity.duplicate", why, queue, ()
    if known is not None:
        why = f"refused: {id} was accepted before and is {known.status}; its id stays taken for good"
        return False, "identity.forever", why, queue, ("identity.duplicate",)
    if queue.capacity == 0:
        why = "refused: capacity is 0, so there is no slot to have"
        return False, "capacity.zero", why, queue, ("capacity.full", "identity.rejected")
    free = queue.capacity - queue.active
    if free <= 0:
        flying = len(queue.in_flight)
        why = (f"refused: {_slots_taken(queue)}: {queue.waiting} waiting, {flying} in flight; "
               f"the id {id} is not taken by this")
        counted = ("capacity.active",) if flying else ()
        return False, "capacity.full", why, queue, (*counted, "identity.rejected")
    why = (f"accepted: {free} of {_count(queue.capacity, 'slot')} {'was' if free == 1 else 'were'} free, "
           f"and {id} joins the tail at place {queue.waiting + 1}")
    also = ["fifo.tail"]
    if any(job.status in (ACKNOWLEDGED, CANCELLED) for job in queue.jobs):
        also.append("capacity.freed")
    if any(job.id.lower() == id.lower() for job in queue.jobs):
        also.append("identity.case")
    if any(job.payload == payload for job in queue.jobs):
        also.append("identity.duplicate")  # the id decides, not the payload
    after = QueueState(queue.capacity, (*queue.jobs, JobState(id, payload, 0, WAITING)), (*queue.line, id))
    return True, "capacity.room", why, after, tuple(also)


def _reserve(queue: QueueState) -> _Verdict:
    if not queue.line:
        flying = len(queue.in_flight)
        why = f"missing: no job is waiting ({flying} in flight)" if flying else "missing: no job is waiting"
        return None, "fifo.missing", why, queue, ()
    head, *rest = queue.line
    job = queue.job(head)
    assert job is not None, "an id in line is an accepted job"
    attempt = job.attempt + 1
    place = f"the first of {queue.waiting} in line" if rest else "the only job in line"
    count = "its first reservation" if attempt == 1 else f"reservation {attempt} of this job"
    why = f"{head} is {place}; attempt {attempt}: {count}"
    after = _with(queue, JobState(head, job.payload, attempt, IN_FLIGHT), tuple(rest))
    also = ("attempt.first" if attempt == 1 else "attempt.next", "attempt.snapshot")
    return (head, job.payload, attempt), "fifo.head", why, after, also


def _ack(queue: QueueState, id: str, attempt: int) -> _Verdict:
    refusal = _fence(queue, id, attempt)
    if refusal is not None:
        return refusal
    job = _known(queue, id)
    after = _with(queue, job._replace(status=ACKNOWLEDGED), queue.line)
    why = f"done: attempt {attempt} is the current attempt of {id}; {_now_taken(after)}"
    return True, "ack.completes", why, after, ("fence.exact", "capacity.freed")


def _retry(queue: QueueState, id: str, attempt: int) -> _Verdict:
    refusal = _fence(queue, id, attempt)
    if refusal is not None:
        return refusal
    job = _known(queue, id)
    after = _with(queue, job._replace(status=WAITING), (*queue.line, id))
    why = (f"given back: attempt {attempt} is the current attempt of {id}; it joins the tail at place "
           f"{len(after.line)} and keeps its slot")
    return True, "retry.tail", why, after, ("fence.exact", "retry.slot")


def _cancel(queue: QueueState, id: str) -> _Verdict:
    job = queue.job(id)
    if job is None:
        return False, "cancel.finished", f"refused: {id} was never accepted", queue, ()
    if job.status in (ACKNOWLEDGED, CANCELLED):
        return False, "cancel.finished", f"refused: {id} is already {job.status}", queue, ()
    after = _with(queue, job._replace(status=CANCELLED), tuple(i for i in queue.line if i != id))
    if job.status == IN_FLIGHT:
        why = f"cancelled: {id} was in flight, and its attempt {job.attempt} is worth nothing now; {_now_taken(after)}"
        return True, "cancel.in-flight", why, after, ("capacity.freed",)
    place = queue.line.index(id) + 1
    why = f"cancelled: {id} was waiting at place {place} of {queue.waiting}; {_now_taken(after)}"
    others = ("cancel.order",) if len(after.line) > 1 else ()
    return True, "cancel.waiting", why, after, (*others, "capacity.freed")


def _fence(queue: QueueState, id: str, attempt: int) -> _Verdict | None:
    """The refusal of an ``ack`` or ``retry``, or ``None`` where this attempt holds the job."""
    job = queue.job(id)
    if attempt == 0:
        why = "refused: attempt 0 is never valid; the first reservation is attempt 1"
        return False, "fence.zero", why, queue, ()
    if job is None:
        return False, "fence.in-flight", f"refused: {id} was never accepted", queue, ()
    if job.status != IN_FLIGHT:
        return False, "fence.in-flight", f"refused: {id} is {job.status}, not in flight", queue, ()
    if attempt != job.attempt:
        kind = "negative" if attempt < 0 else "stale" if attempt < job.attempt else "a future one"
        why = f"refused: attempt {attempt} is {kind}, the current attempt of {id} is {job.attempt}"
        return False, "fence.exact", why, queue, ()
    return None


_RULES: dict[str, Callable[..., _Verdict]] = {
    "enqueue": _enqueue, "reserve": _reserve, "ack": _ack, "retry": _retry, "cancel": _cancel,
}


def _known(queue: QueueState, id: str) -> JobState:
    job = queue.job(id)
    assert job is not None, "the fence has let this job through"
    return job


def _with(queue: QueueState, changed: JobState, line: tuple[str, ...]) -> QueueState:
    """The queue with one of its jobs replaced, and with this line."""
    jobs = tuple([changed if job.id == changed.id else job for job in queue.jobs])
    return QueueState(queue.capacity, jobs, line)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _slots_taken(queue: QueueState) -> str:
    if queue.capacity == 1:
        return "the only slot is taken"
    return f"all {queue.capacity} slots are taken"


def _now_taken(queue: QueueState) -> str:
    return f"its slot is free, {queue.active} of {queue.capacity} taken now"
