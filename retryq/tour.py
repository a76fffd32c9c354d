"""Walks over the states of a small queue: what a set of runs has seen of them, and what not; and every walk there is
to one operation, tried on a queue.

>>> from retryq import Queue
>>> from retryq.statespace import explore
>>> walks = every_operation(explore(1, ["a"], 2))
>>> len(walks), len(wrong(walks, Queue))
(121, 0)
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from retryq import history
from retryq.scenario import Scenario
from retryq.statespace import Graph, Transition

__all__ = ["Tour", "count", "every_operation", "label", "wrong"]

WIDTH = 100


class Tour:
    """Runs over a map: which states and arrows they have seen.

    ``runs`` is a list of runs, each a list of operations from the empty queue on. ``ValueError``, in a sentence, for
    an operation that the map does not offer.

    >>> from retryq.statespace import explore
    >>> Tour(explore(1, ["a"], 1), [[["enqueue", "a", "A"], ["reserve"], ["ack", "a", 1]]])
    1 run, 3 operations: 4 of 7 states and 3 of 7 arrows walked.
    <BLANKLINE>
    States not seen yet: 3, 5, 6.
    Arrows not walked yet: 1 to 3 (cancel a), 2 to 5 (retry a #1), 2 to 6 (cancel a), 5 to 6 (cancel a).
    """

    def __init__(self, graph: Graph, runs: Sequence[Sequence[Sequence]]) -> None:
        self.graph = graph
        self.runs = tuple(tuple(tuple(op) for op in run) for run in runs)
        self.states = {0}
        self.walked: set[tuple[int, tuple]] = set()  # a state's place and an operation
        for number, run in enumerate(self.runs, 1):
            self._walk(number, run)

    def _walk(self, number: int, run: Sequence[tuple]) -> None:
        at: int | None = 0
        for place, op in enumerate(run, 1):
            if at is None:
                raise ValueError(f"run {number}, operation {place}: the operation before has led off the map")
            try:
                step = self.graph.follow(at, op)
            except (KeyError, TypeError):
                raise ValueError(f"run {number}, operation {place}: the map has no {' '.join(map(str, op))}; it is of "
                                 f"id {', '.join(self.graph.ids)}, and of attempts up to {self.graph.max_attempt}"
                                 ) from None
            self.walked.add((at, op))
            at = step.target
            self.states |= set() if at is None else {at}

    @property
    def unseen(self) -> tuple[int, ...]:
        """The places of the states that no run has come to."""
        return tuple(place for place in range(len(self.graph)) if place not in self.states)

    @property
    def unwalked(self) -> tuple[Transition, ...]:
        """The arrows that no run has taken."""
        return tuple(move for move in self.graph.moves if (move.source, move.op) not in self.walked)

    @property
    def complete(self) -> bool:
        """Whether every state was seen and every arrow taken."""
        return not self.unseen and not self.unwalked

    def __repr__(self) -> str:
        operations, arrows = sum(map(len, self.runs)), len(tuple(self.graph.moves))
        if not operations:
            return "Not attempted: there are no operations yet. Write a run, and run the cell again."
        head = (f"{count(len(self.runs), 'run')}, {count(operations, 'operation')}: {len(self.states)} of "
                f"{len(self.graph)} states and {arrows - len(self.unwalked)} of {arrows} arrows walked.")
        if self.complete:
            return f"{head}\n\nThat is every state and every arrow."
        left = []
        if self.unseen:
            left.append(f"States not seen yet: {', '.join(map(str, self.unseen))}.")
        if self.unwalked:
            names = (f"{move.source} to {move.target} ({label(move.op)})" for move in self.unwalked)
            left.append(f"Arrows not walked yet: {', '.join(names)}.")
        return "\n".join([head, "", *(textwrap.fill(line, WIDTH, break_on_hyphens=False) for line in left)])


def every_operation(graph: Graph) -> tuple[Scenario, ...]:
    """A scenario for every operation in every state: the shortest way into the state, then the operation."""
    return tuple(Scenario(graph.capacity, (*graph.ways[offer.source], offer.op))
                 for offers in graph.transitions for offer in offers)


def wrong(scenarios: Iterable[Scenario], queue_class: type) -> tuple[Scenario, ...]:
    """Those scenarios in which an answer of the class is not the rules' answer. The class is run as it is."""
    return tuple(each for each in scenarios if history.run(each, queue_class).parts_at is not None)


def label(op: Sequence) -> str:
    """An operation in few words.

    >>> label(("ack", "a", 1)), label(("enqueue", "a", "A"))
    ('ack a #1', 'enqueue a')
    """
    name, *arguments = op
    return " ".join([name, *arguments[:1], *(f"#{number}" for number in arguments[1:] if name != "enqueue")])


def count(number: int, noun: str) -> str:
    """A number with its noun: ``1 run``, ``2 runs``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
