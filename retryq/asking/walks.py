"""Fresh runs on one clause, without end: random walks through the rules, the same for the same seed.

At every step the operations that make sense there are listed, and one is drawn; a few times over, until it shows the
clause. A walk in which the clause decides no answer is thrown away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from retryq import model, zoo
from retryq.asking import beliefs
from retryq.history import History
from retryq.model import IN_FLIGHT, WAITING, QueueState, State, Step
from retryq.rules import CLAUSES
from retryq.scenario import Scenario, parts_at, same

__all__ = ["LEVELS", "MOST_ASKED", "Exercise", "exercise"]

LEVELS = ((4, 8), (6, 9), (7, 11), (8, 13), (11, 16), (15, 22))  # how many operations a run has, from easy to hard
MOST_ASKED = 3
DRAWS = 4  # of an operation, until one shows the clause
WALKS = 300  # before a longer run is tried

STEMS = ("mail", "bill", "scan", "order", "photo", "parcel", "ticket", "report", "page", "song")
PAYLOADS = ("send", "print", "pay", "pack", "sort", "copy", "check", "draw", "fetch", "read")
ODD_PAYLOADS = ("", " ", " send", "pay ", " two  words ", "  copy", "read  ")  # what tidying up would spoil


class Exercise(NamedTuple):
    """A run, and the numbers of the operations to ask, counted from 1: the clause decides each of them."""

    scenario: Scenario
    ask: tuple[int, ...]


class _Cast(NamedTuple):
    """The jobs of a run, in the order in which they appear."""

    ids: tuple[str, ...]
    payloads: tuple[str, ...]


def exercise(clause: str, seed: int = 0, number: int = 0) -> Exercise:
    """The run with this number (0 is the first and easiest) of the drill on a clause, for this seed.

    >>> exercise("capacity.zero", 1).scenario == exercise("capacity.zero", 1).scenario
    True
    """
    rng = Random(f"{clause} {seed} {number}")
    members = [member for member in zoo.for_clause(clause) if zoo.primary(member) == clause]
    shortest, longest = LEVELS[min(number, len(LEVELS) - 1)]
    while True:
        for _ in range(WALKS):
            walk = _walk(rng, clause, longest, rng.randint(shortest, longest) - 4)
            asked = beliefs.decided(clause, walk.steps, beliefs.believers(walk, members))
            if clause in beliefs.DECIDING and asked:
                asked = _contested(clause, walk, asked)
            ends = [index + 1 for index in asked if index >= shortest - 1]
            if ends:
                end = rng.choice(ends)  # what comes after the last question would be of no use
                ask = tuple(index + 1 for index in asked if index < end)
                return Exercise(walk.fork(end).scenario, ask[-MOST_ASKED:])
        longest += 1


def _contested(clause: str, walk: History, asked: Sequence[int]) -> tuple[int, ...]:
    """Those of the operations where somebody errs: a broken queue parts here, or one that breaks this clause errs."""
    unsettled: set[int | None] = set(asked)
    results, scenario = walk.results, walk.scenario
    for member in dict.fromkeys((*zoo.for_clause(clause), *zoo.ZOO)):  # the likely ones first
        about = zoo.primary(member)
        if about == "answer.kind":
            continue
        answers = zoo.answering(member, scenario)
        if about == clause:
            unsettled -= {index for index, answer in enumerate(answers) if not same(results[index], answer)}
        else:  # what it says after it has parted tells nothing
            unsettled -= {parts_at(results, answers)}
        if not unsettled:
            break
    return tuple(index for index in asked if index not in unsettled)


def _walk(rng: Random, clause: str, length: int, early: int) -> History:
    """A walk of this length. Until ``early``, the operations that show the clause are rather avoided: where a broken
    queue has parted once, its later answers say nothing more, so in a long run that must come late."""
    slots = [witness.capacity for witness in CLAUSES[clause].witnesses]
    least = max(1, min(slots)) if any(slots) else 0
    capacity = rng.randint(least, max(least, 2) + length // 6) if least else 0
    cast = _cast(rng, clause)
    state, steps = model.start(capacity), list[Step]()
    while len(steps) < length:
        late = clause in beliefs.DECIDING - beliefs.LATER or len(steps) >= early
        weights, moves = zip(*_moves(rng, state, steps, clause, cast, late))
        sums = tuple(accumulate(weights))
        for _ in range(DRAWS):
            step = model.step(state, rng.choices(moves, cum_weights=sums)[0])
            if (clause in step.clauses) is late:
                break
        state = step.after
        steps.append(step)
    return History(capacity, tuple(steps))


def _cast(rng: Random, clause: str) -> _Cast:
    if rng.random() < 0.4:
        first = rng.randrange(4)
        ids = tuple("abcdefghijklmnopqrstuvwxyz"[first:])
        return _Cast(ids, _payloads(rng, clause) or tuple(id.upper() for id in ids))
    stem, first = rng.choice(STEMS), rng.randint(1, 60)
    ids = tuple(f"{stem}-{number}" for number in range(first, first + 24))
    return _Cast(ids, _payloads(rng, clause) or tuple(rng.sample(PAYLOADS, len(PAYLOADS))))


def _payloads(rng: Random, clause: str) -> tuple[str, ...]:
    return tuple(rng.sample(ODD_PAYLOADS, len(ODD_PAYLOADS))) if clause == "attempt.snapshot" else ()


def _moves(rng: Random, state: State, steps: Sequence[Step], clause: str, cast: _Cast, late: bool
           ) -> Iterator[tuple[float, tuple]]:
    """The operations that make sense here, each with how likely it is."""
    queue = state.current
    known = [step.op[1] for step in steps if step.op[0] == "enqueue"]
    fresh = next(index for index, id in enumerate(cast.ids) if id not in known)
    payload = cast.payloads[fresh % len(cast.payloads)]
    yield 4 if queue.active < queue.capacity else 1, ("enqueue", cast.ids[fresh], payload)
    yield 4 if queue.line else 0.7, ("reserve",)
    for job in queue.jobs:
        yield from _about(rng, queue, job)
    if known:
        again = rng.choice(known)
        yield 1, ("enqueue", again, rng.choice(cast.payloads))
        if clause == "identity.case":
            yield 3, ("enqueue", again.swapcase(), payload)
        if clause == "identity.rejected" and queue.job(again) is None:
            yield 6 if late and queue.active < queue.capacity else 0.2, ("enqueue", again, payload)
    for operation in ("ack", "retry"):
        yield 0.1, (operation, cast.ids[fresh], rng.randint(0, 1))
    yield 0.2, ("cancel", cast.ids[fresh])
    if clause == "isolation.queues":
        if len(state.queues) < 3:
            yield 0.5, ("new",)
        for index in range(len(state.queues)):
            if index != state.selected:
                yield 0.4, ("use", index)


def _about(rng: Random, queue: QueueState, job: model.JobState) -> Iterator[tuple[float, tuple]]:
    """The operations on one job."""
    operation = rng.choice(("ack", "retry"))
    if job.status == IN_FLIGHT:
        yield 1.5, ("ack", job.id, job.attempt)
        yield 2, ("retry", job.id, job.attempt)
        yield 0.5, ("cancel", job.id)
        yield 0.3, (operation, job.id, job.attempt + 1)
        if job.attempt > 1:
            yield 1, (operation, job.id, rng.randint(1, job.attempt - 1))
    elif job.status == WAITING:
        yield 0.8, ("cancel", job.id)
        yield 0.4, (operation, job.id, max(1, job.attempt))
    else:
        yield 0.3, (operation, job.id, max(1, job.attempt))
        yield 0.3, ("cancel", job.id)
    yield 0.2, (operation, job.id, 0)
