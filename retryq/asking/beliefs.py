"""Who would answer otherwise? The queues of the zoo beside a run: where each goes wrong, and on which belief.

A broken queue that has answered every earlier operation as the rules do, and answers this one otherwise, *parts*
here. Its belief is the one that a learner who errs here may hold: nothing before has contradicted it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

from retryq import rules, zoo
from retryq.history import History
from retryq.model import Step
from retryq.rules import CLAUSES
from retryq.scenario import parts_at
from retryq.zoo.simple import SimpleQueue

__all__ = ["DECIDING", "LATER", "Believer", "Raises", "believers", "clause_names", "decided", "plain"]

# The clauses that decide an answer by themselves: those that `Step.clause` can name where there is something to
# predict. `new` and `use` answer nothing.
DECIDING = frozenset({
    "fifo.head", "fifo.missing", "capacity.room", "capacity.full", "capacity.zero", "ack.completes", "retry.tail",
    "fence.exact", "fence.zero", "fence.in-flight", "cancel.waiting", "cancel.in-flight", "cancel.finished",
    "identity.duplicate", "identity.forever",
})
# The clauses that say what an operation does to the queue: a later answer shows that.
LATER = frozenset({
    "fifo.tail", "ack.completes", "retry.tail", "retry.slot", "cancel.waiting", "cancel.in-flight", "cancel.order",
    "identity.duplicate", "identity.rejected", "refusal.unchanged",
})


@dataclass(frozen=True)
class Raises:
    """In place of an answer: the exception that came instead, by its name."""

    error: str

    def __repr__(self) -> str:
        return f"raises {self.error}"


class Believer(NamedTuple):
    """A broken queue beside a run: what it answered to each operation, and the index of the one where it parts."""

    member: type[SimpleQueue]
    answers: tuple
    parts: int

    @property
    def primary(self) -> str:
        """The clause that explains most of what it does wrong."""
        return zoo.primary(self.member)


def believers(history: History, members: Iterable[type[SimpleQueue]] = zoo.ZOO) -> Iterator[Believer]:
    """Every member of the zoo that answers some operation of this run otherwise than the rules do.

    >>> from retryq import data, history
    >>> fences = believers(history.run(data.examples()[1]))
    >>> [(each.member.__name__, each.parts) for each in fences if each.primary == "fence.exact"]
    [('AttemptIsIgnored', 4), ('OldAttemptsStillCount', 4)]
    """
    scenario, results = history.scenario, history.results
    for member in members:
        answers = tuple(map(plain, zoo.answers(member, scenario)))
        parts = parts_at(results, answers)
        if parts is not None:
            yield Believer(member, answers, parts)


def plain(answer: object) -> object:
    """An answer as a value: a job as a tuple, an exception as `Raises`.

    >>> plain(["a", "A", 1]), plain(KeyError("a"))
    (('a', 'A', 1), raises KeyError)
    """
    if isinstance(answer, Exception):
        return Raises(type(answer).__name__)
    return tuple(answer) if isinstance(answer, list) else answer


def decided(clause: str, steps: Collection[Step], found: Iterable[Believer]) -> tuple[int, ...]:
    """The indexes of the operations whose answer this clause decides.

    That is where `Step.clause` names it; and where a queue that breaks this clause above all others parts from the
    rules, if this operation shows the clause, or an earlier one does whose effect is seen here. (`answer.kind` is
    shown by every answer.)
    """
    parting = {each.parts for each in found if each.primary == clause}
    shown, indexes = clause == "answer.kind", []
    for index, step in enumerate(steps):
        here = clause in step.clauses
        if (step.clause == clause and clause in DECIDING) or (index in parting and (here or shown)):
            indexes.append(index)
        shown = shown or (here and clause in LATER)
    return tuple(indexes)


def clause_names(pattern: str) -> tuple[str, ...]:
    """The clauses that a name or a pattern such as ``"fence.*"`` means.

    >>> clause_names("fence.exakt")
    Traceback (most recent call last):
        ...
    ValueError: no clause is named 'fence.exakt'; did you mean fence.exact? The clauses are fifo.tail, fifo.head, \
fifo.missing, attempt.first, attempt.snapshot, attempt.next, capacity.room, capacity.full, capacity.active, \
capacity.freed, capacity.zero, ack.completes, retry.tail, retry.slot, fence.exact, fence.zero, fence.in-flight, \
cancel.waiting, cancel.in-flight, cancel.order, cancel.finished, identity.duplicate, identity.forever, \
identity.rejected, identity.case, refusal.unchanged, isolation.queues, answer.kind
    """
    try:
        return rules.expand(pattern)
    except ValueError:
        near = get_close_matches(pattern.lower(), CLAUSES, 1, 0.5)
        meant = f"did you mean {near[0]}? The" if near else "the"
        raise ValueError(f"no clause is named {pattern!r}; {meant} clauses are {', '.join(CLAUSES)}") from None
