"""The words of the lab: a step, a call and an answer as a learner reads them, and a run as a test to keep.

The widget and the code say the same because both say what stands here.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from retryq.missions import Mission
from retryq.model import State, Step
from retryq.queue import Job
from retryq.scenario import Scenario

__all__ = ["Told", "answer", "as_test", "call", "count", "mission_words", "nothing_yet",
           "state_words", "step_words"]


@dataclass(frozen=True)
class Told:
    """What an action did. It prints as its words; ``step`` is the operation it is about, if any."""

    words: str
    step: Step | None = None

    def __repr__(self) -> str:
        return self.words

    @property
    def result(self) -> bool | None | tuple[str, str, int]:
        """What the rules answered: ``True``, ``False``, ``None`` or ``(id, payload, attempt)``."""
        return self.step.result if self.step else None

    @property
    def clause(self) -> str | None:
        """The name of the clause that decided."""
        return self.step.clause if self.step else None

    @property
    def why(self) -> str | None:
        """Why, in words."""
        return self.step.why if self.step else None


def count(number: int, noun: str) -> str:
    """A number with its noun: ``1 slot``, ``2 slots``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def nothing_yet(capacity: int) -> str:
    """What there is to say before the first operation."""
    if capacity == 0:
        return "Nothing has happened yet: the queue has no slot at all."
    return f"Nothing has happened yet: {count(capacity, 'slot')}, all free."


def call(op: Sequence, capacity: int) -> str:
    """An operation as the line of code that does it.

    >>> call(("ack", "a", 1), 2), call(("enqueue", "a", 'say "hi"'), 2), call(("new",), 2)
    ('queue.ack("a", 1)', 'queue.enqueue("a", "say \\\\"hi\\\\"")', 'queue = Queue(2)')
    """
    name, *arguments = op
    if name == "new":
        return f"queue = Queue({capacity})"
    if name == "use":
        return f"queue = queues[{arguments[0]}]"
    return f"queue.{name}({', '.join(json.dumps(argument) for argument in arguments)})"


def answer(result: object) -> str:
    """An answer as Python shows it.

    >>> answer(("a", "A", 1)), answer(None)
    ("Job(id='a', payload='A', attempt=1)", 'None')
    """
    return repr(Job(*result)) if isinstance(result, tuple) else repr(result)


def step_words(number: int, step: Step) -> tuple[str, str]:
    """A step in two lines: the call with its answer, and the reason with the clause that decided."""
    called = call(step.op, step.before.current.capacity)
    shown = "" if step.op[0] in ("new", "use") else f" -> {answer(step.result)}"
    return f"{number}. {called}{shown}", f"{step.why} ({step.clause})"


def state_words(state: State) -> tuple[str, ...]:
    """The line, the jobs in flight and the slots, for every queue; the selected one is marked if there are several.

    >>> from retryq import model
    >>> state_words(model.run(2, [("enqueue", "a", "A"), ("enqueue", "b", "B"), ("reserve",)])[-1].after)
    ('in line: head b tail; in flight: a #1; slots: 2 of 2 taken',)
    """
    lines = []
    for index, queue in enumerate(state.queues):
        line = f"head {' '.join(queue.line)} tail" if queue.line else "nobody"
        flying = ", ".join(f"{job.id} #{job.attempt}" for job in queue.in_flight) or "none"
        mark = "" if len(state.queues) == 1 else f"queue {index}{' (selected)' * (index == state.selected)}: "
        lines.append(f"{mark}in line: {line}; in flight: {flying}; "
                     f"slots: {queue.active} of {queue.capacity} taken")
    return tuple(lines)


def mission_words(missions: Sequence[Mission], reached: Collection[int]) -> tuple[str, ...]:
    """The missions with a tick for each that is reached.

    >>> mission_words((Mission("Finish a job.", "ack.completes"), Mission("Fill it.", "capacity.full")), {0})
    ('Missions: 1 of 2 reached', '[x] Finish a job.', '[ ] Fill it.')
    """
    ticks = (f"[{'x' if index in reached else ' '}] {mission.goal}" for index, mission in enumerate(missions))
    return (f"Missions: {len(reached)} of {len(missions)} reached", *ticks)


def as_test(scenario: Scenario, name: str = "run") -> str:
    """The run as a pytest test of ``retryq.Queue``, to keep or to aim at a queue of one's own.

    >>> print(as_test(Scenario(1, (("enqueue", "a", "A"), ("reserve",)), expected=(True, ("a", "A", 1)))))
    from retryq import Queue
    <BLANKLINE>
    <BLANKLINE>
    def test_run():
        queue = Queue(1)
        assert queue.enqueue("a", "A") is True
        assert tuple(queue.reserve()) == ("a", "A", 1)
    <BLANKLINE>
    """
    several = any(op[0] == "new" for op in scenario.ops)
    lines = [f"queue = Queue({scenario.capacity})"]
    if several:
        lines.append("queues = [queue]")
    for op, output in zip(scenario.ops, scenario.expected or ()):
        called = call(op, scenario.capacity)
        if op[0] in ("new", "use"):
            lines.append(called)
        elif isinstance(output, tuple):
            lines.append(f"assert tuple({called}) == ({', '.join(map(json.dumps, output))})")
        else:
            lines.append(f"assert {called} is {output}")
        if op[0] == "new":
            lines.append("queues.append(queue)")
    body = "".join(f"    {line}\n" for line in lines)
    return f"from retryq import Queue\n\n\ndef test_{name}():\n{body}"
