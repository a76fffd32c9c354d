"""Operations as *calls*, each with the answer that the rules give to it.

A call is ``(method, arguments, right)``. The rules are asked once for each state and operation: what was
asked before is known, so that runs with the same beginning cost little.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from retryq import model
from retryq.statespace import key

__all__ = ["Call", "Node", "call_of", "calls_of", "ops_of"]

Call = tuple[str, tuple, Any]


class Node:
    """A state of the rules with what is known of its operations: for each, the call and the node that it
    leads to."""

    __slots__ = ("known", "same", "state")

    def __init__(self, state: model.State, same: dict[tuple, Node] | None = None) -> None:
        self.state = state
        self.known: dict[tuple, tuple[Call, Node]] = {}
        self.same = (
            same  # where given: the nodes by state, so that a state has one node however it is reached
        )

    def do(self, op: tuple) -> tuple[Call, Node]:
        """Ask the rules once; what leaves the state as it is leads back to this very node."""
        found = self.known.get(op)
        if found is None:
            step = model.step(self.state, op)
            after = self if step.after == self.state else self._node(step.after)
            found = self.known[op] = (call_of(op, step.result), after)
        return found

    def _node(self, state: model.State) -> Node:
        if self.same is None:
            return Node(state)
        place = key(state)
        found = self.same.get(place)
        if found is None:
            found = self.same[place] = Node(state, self.same)
        return found


@cache
def node(capacity: int) -> Node:
    """The node in which every run of this capacity begins."""
    return Node(model.start(capacity))


def calls_of(capacity: int, ops: Iterable[Sequence]) -> tuple[Call, ...]:
    """The operations as calls, each with the rules' answer.

    >>> calls_of(1, [["enqueue", "a", "A"], ["reserve"]])
    (('enqueue', ('a', 'A'), True), ('reserve', (), ('a', 'A', 1)))
    """
    at, calls = node(capacity), []
    for op in ops:
        call, at = at.do(tuple(op))
        calls.append(call)
    return tuple(calls)


def call_of(op: tuple, right: Any) -> Call:
    """One operation of the notation as a call."""
    return (op[0], op[1:], right)


def ops_of(calls: Iterable[Call]) -> tuple[tuple, ...]:
    """The operations of the notation again."""
    return tuple((name, *arguments) for name, arguments, _ in calls)
