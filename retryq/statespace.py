"""Every state that a small queue can reach, and the shortest way into each.

A *scope* bounds what is looked at: a capacity, some ids, and how often a job may be reserved. Within it there
are only so many states, and `explore` finds them all by trying every operation in every state, nearest states
first. What it says is complete for that scope, and says nothing about a larger one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from retryq import model
from retryq.history import History
from retryq.model import State

__all__ = ["Graph", "Transition", "describe", "explore", "key"]


class Transition(NamedTuple):
    """One operation in one state: what it answers, the clause that decides, and where it leads.

    ``source`` and ``target`` are places in `Graph.states`. ``target`` is the source itself where nothing
    changes, and ``None`` where the operation leads out of the scope: a reservation beyond ``max_attempt``.
    """

    source: int
    op: tuple
    result: bool | None | tuple[str, str, int]
    clause: str
    target: int | None

    @property
    def changes(self) -> bool:
        """Whether the operation leads to another state."""
        return self.target != self.source


@dataclass(frozen=True)
class Graph:
    """The states of one scope, nearest first, and every operation in each. State 0 is the empty queue.

    ``ways[i]`` is the shortest run of operations into state ``i``. ``transitions[i]`` holds every operation
    that the scope offers in it, in a fixed order. Two states that differ only in which of their jobs was
    accepted first are one state here: nothing that can be asked of a queue tells them apart.
    """

    capacity: int
    ids: tuple[str, ...]
    max_attempt: int
    states: tuple[State, ...]
    transitions: tuple[tuple[Transition, ...], ...]
    ways: tuple[tuple[tuple, ...], ...]

    def __len__(self) -> int:
        return len(self.states)

    def find(self, state: State) -> int:
        """The place of a state. ``KeyError`` where it lies outside this scope."""
        return self._places[key(state)]

    def follow(self, place: int, op: Sequence) -> Transition:
        """What an operation does in state ``place``. ``KeyError`` where the scope does not offer it.

        >>> explore(1, ["a"], 1).follow(0, ["enqueue", "a", "A"]).target
        1
        """
        return self._offers[place][tuple(op)]

    def history(self, place: int) -> History:
        """The shortest way into a state, as a run that can be drawn and stepped through."""
        return History(self.capacity, model.run(self.capacity, self.ways[place]))

    @property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """The places of the states that are 0, 1, 2, … operations away from the empty queue."""
        found: list[list[int]] = [[] for _ in range(len(self.ways[-1]) + 1)]
        for place, way in enumerate(self.ways):
            found[len(way)].append(place)
        return tuple(map(tuple, found))

    @property
    def moves(self) -> Iterator[Transition]:
        """The transitions that lead to another state of this scope."""
        return (
            each for offers in self.transitions for each in offers if each.changes and each.target is not None
        )

    @property
    def refusals(self) -> Iterator[Transition]:
        """The transitions that leave the state as it is."""
        return (each for offers in self.transitions for each in offers if not each.changes)

    def __str__(self) -> str:
        """The scope and its numbers, in words.

        >>> print(explore(1, ["a"], 1))  # doctest: +NORMALIZE_WHITESPACE
        Capacity 1, id a, attempts up to 1: 7 states, the farthest 3 operations away. Of 63 operations tried,
        7 lead to another state, 55 change nothing, and 1 leads out of this scope.
        """
        tried = sum(map(len, self.transitions))
        moved, refused = len(tuple(self.moves)), len(tuple(self.refusals))
        out = tried - moved - refused
        names = f"id{'' if len(self.ids) == 1 else 's'} {', '.join(self.ids)}"
        return (
            f"Capacity {self.capacity}, {names}, attempts up to {self.max_attempt}: {len(self)} states, "
            f"the farthest {len(self.ways[-1])} operations away. "
            f"Of {tried} operations tried, {moved} lead to another state, {refused} change nothing, "
            f"and {out} lead{'s' if out == 1 else ''} out of this scope."
        )

    @cached_property
    def _places(self) -> dict[tuple, int]:
        return {key(state): place for place, state in enumerate(self.states)}

    @cached_property
    def _offers(self) -> tuple[dict[tuple, Transition], ...]:
        return tuple({each.op: each for each in offers} for offers in self.transitions)


def explore(capacity: int, ids: Sequence[str], max_attempt: int, *, interchangeable: bool = False) -> Graph:
    """Find every state that a queue of ``capacity`` can reach with these ids, each job reserved up to
    ``max_attempt`` times.

    A job's payload is its id in capitals. ``ack`` and ``retry`` are tried with every attempt from 0 to
    ``max_attempt + 1``. With ``interchangeable``, ids that were never accepted count as one: only the first
    of them is tried, so that of states which differ only in names one is kept.

    >>> len(explore(1, ["a"], 2)), len(explore(2, ["a", "b"], 2))
    (11, 130)
    """
    ids = tuple(ids)
    first = model.start(capacity)
    states: list[State] = [first]
    ways: list[tuple[tuple, ...]] = [()]
    transitions: list[tuple[Transition, ...]] = []
    places = {key(first): 0}
    for place, state in enumerate(states):  # the list grows while it is read: nearest states first
        found = []
        for op in _offered(state, ids, max_attempt, interchangeable):
            step = model.step(state, op)
            target: int | None = place
            if step.after != state:
                target = (
                    None if _leaves(step, max_attempt) else places.setdefault(key(step.after), len(states))
                )
                if target == len(states):
                    states.append(step.after)
                    ways.append((*ways[place], op))
            found.append(Transition(place, op, step.result, step.clause, target))
        transitions.append(tuple(found))
    return Graph(capacity, ids, max_attempt, tuple(states), tuple(transitions), tuple(ways))


def key(state: State) -> tuple:
    """What makes a state the same state: its queues' jobs by name, their lines, and which queue is
    selected."""
    return (
        tuple((queue.capacity, frozenset(queue.jobs), queue.line) for queue in state.queues),
        state.selected,
    )


def describe(state: State) -> str:
    """A state in one line: who waits (head first), who is in flight with which attempt, who is finished.

    >>> describe(model.run(2, [("enqueue", "a", "A"), ("enqueue", "b", "B"), ("reserve",)])[-1].after)
    'waiting: b · in flight: a #1'
    """
    queue = state.current
    waiting = [_counted(queue.job(id).attempt, id) for id in queue.line]  # type: ignore[union-attr]
    flying = [f"{job.id} #{job.attempt}" for job in queue.in_flight]
    finished = [
        _counted(job.attempt, f"{job.id} {job.status}")
        for job in queue.jobs
        if job.status in (model.ACKNOWLEDGED, model.CANCELLED)
    ]
    parts = [("waiting", waiting), ("in flight", flying), ("finished", finished)]
    return " · ".join(f"{word}: {', '.join(names)}" for word, names in parts if names) or "empty"


def _counted(attempts: int, text: str) -> str:
    return text if attempts == 0 else f"{text} (after #{attempts})"


def _offered(state: State, ids: tuple[str, ...], max_attempt: int, interchangeable: bool) -> Iterator[tuple]:
    queue = state.current
    if interchangeable:
        known = [id for id in ids if queue.job(id) is not None]
        ids = (*known, *[id for id in ids if id not in known][:1])
    yield from (("enqueue", id, id.upper()) for id in ids)
    yield ("reserve",)
    yield from (
        (name, id, attempt) for name in ("ack", "retry") for id in ids for attempt in range(max_attempt + 2)
    )
    yield from (("cancel", id) for id in ids)


def _leaves(step: model.Step, max_attempt: int) -> bool:
    return isinstance(step.result, tuple) and step.result[2] > max_attempt
