"""What is tried through the graph of states: every operation in every state of small queues.

To try an operation means more than to look at its answer: a queue may answer well and remember wrongly. So
enough operations follow to tell the state that it led to from every other state, as in the W-method of
testing finite-state machines. They end the run here in four ways, which see different things: serve
everybody, give everything back, withdraw everything, or fill the queue first. The refusals of a state, which
must lead nowhere, are tried in one batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from retryq import model
from retryq.checking.calls import Call, call_of
from retryq.grammar import MAX_OPS
from retryq.model import QueueState, State
from retryq.statespace import explore

__all__ = ["ENDINGS", "Script", "Walked", "ending"]

FRESH = ("d", "e", "f", "g", "h")  # ids that no scope uses


Script = tuple[int, tuple[Call, ...]]  # a capacity and the calls, with the rules' answers
ENDINGS = 4


class Walked:
    """One scope, made ready: its graph, and the way into each state as calls."""

    def __init__(self, capacity: int, ids: str, max_attempt: int) -> None:
        self.graph = explore(capacity, ids, max_attempt, interchangeable=True)
        self.asked = [_what_is_asked(state.current) for state in self.graph.states]
        self.ways: list[tuple[Call, ...]] = [()] * len(self.graph)
        for move in self.graph.moves:  # nearest states first, so the way into the source is known
            if move.target and self.graph.ways[move.target] == (*self.graph.ways[move.source], move.op):
                self.ways[move.target] = (*self.ways[move.source], call_of(move.op, move.result))

    def moves(self, kind: int) -> Iterator[Script]:
        """Every operation that changes a state, followed by an ending of this kind, or the next kind, in
        turns."""
        for number, move in enumerate(self.graph.moves):
            assert move.target is not None
            last = ending(self.asked[move.target], (kind + number) % ENDINGS)
            yield self.graph.capacity, (*self.ways[move.source], call_of(move.op, move.result), *last)

    def refusals(self, kind: int, backwards: bool) -> Iterator[Script]:
        """Every operation that must change nothing, all those of a state in one run, then an ending."""
        for place, way in enumerate(self.ways):
            batch = [
                call_of(each.op, each.result) for each in self.graph.transitions[place] if not each.changes
            ]
            last = ending(self.asked[place], (kind + place) % ENDINGS)
            batch = (batch[::-1] if backwards else batch)[: MAX_OPS - len(way) - len(last)]
            yield self.graph.capacity, (*way, *batch, *last)


def _what_is_asked(queue: QueueState) -> QueueState:
    """The queue as far as an `ending` tells it from others.

    Finished jobs and the order of acceptance make no difference to that, so the same ending serves many states.
    """
    jobs = tuple(
        sorted(
            job
            if job.status in (model.WAITING, model.IN_FLIGHT)
            else job._replace(payload="", attempt=0, status=model.CANCELLED)
            for job in queue.jobs
        )
    )
    return QueueState(queue.capacity, jobs, queue.line)


@cache
def ending(queue: QueueState, kind: int) -> tuple[Call, ...]:
    """Operations that tell this state from others, as calls with the rules' answers."""
    writer = _Writer(queue)
    (_serve, _give_back, _withdraw, _fill_first)[kind](writer)
    return tuple(writer.calls)


class _Writer:
    """Writes operations down one by one, and knows the state after them."""

    def __init__(self, queue: QueueState) -> None:
        self.state = State((queue,))
        self.calls: list[Call] = []
        self._fresh = iter(FRESH)

    @property
    def queue(self) -> QueueState:
        return self.state.current

    def do(self, *op: Any) -> Any:
        step = model.step(self.state, op)
        self.state = step.after
        self.calls.append(call_of(op, step.result))
        return step.result

    def reserve_all(self) -> None:
        while self.do("reserve") is not None:
            pass

    def fill(self, beyond: int = 1) -> None:
        """Add new jobs until the queue is full, and `beyond` more that are refused."""
        free = self.queue.capacity - self.queue.active
        for _ in range(min(free, 3) + beyond):
            id = next(self._fresh, None)
            if id is not None:
                self.do("enqueue", id, id.upper())

    def again(self) -> None:
        """Add every known id again: each is refused."""
        for job in self.queue.jobs:
            self.do("enqueue", job.id, "again")


def _serve(writer: _Writer) -> None:
    writer.reserve_all()
    for job in writer.queue.in_flight:
        writer.do("ack", job.id, job.attempt)
    writer.again()
    writer.fill()
    writer.reserve_all()


def _give_back(writer: _Writer) -> None:
    for job in reversed(writer.queue.in_flight):
        writer.do("retry", job.id, job.attempt)
    writer.fill(beyond=0)
    writer.reserve_all()
    for job in writer.queue.in_flight:
        writer.do("ack", job.id, job.attempt - 1)
        writer.do("ack", job.id, job.attempt)
    writer.fill()
    writer.reserve_all()


def _withdraw(writer: _Writer) -> None:
    for job in writer.queue.jobs:
        writer.do("cancel", job.id)
        if job.status == model.IN_FLIGHT:
            writer.do("ack", job.id, job.attempt)
        writer.fill(beyond=0)
    writer.fill(beyond=1)
    writer.again()
    writer.reserve_all()


def _fill_first(writer: _Writer) -> None:
    writer.fill(beyond=2)
    writer.reserve_all()
    for job in writer.queue.in_flight:
        writer.do("retry", job.id, job.attempt)
    writer.reserve_all()
    for job in reversed(writer.queue.in_flight):
        writer.do("cancel", job.id)
    writer.reserve_all()
