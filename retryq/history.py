"""A run is data: a list of steps. Stepping back is an index, undo is a shorter list, "what if" is a fork."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retryq import model
from retryq.model import State, Step
from retryq.scenario import Scenario, same
from retryq.scenario import run as run_class

__all__ = ["History", "run"]


@dataclass(frozen=True)
class History:
    """The steps of a run from an empty queue of ``capacity`` slots.

    ``answers`` holds what a class of queue answered beside the rules' results, one for each step, in the
    notation's form; ``None`` where no class was run. A history never changes: ``do``, ``undo`` and ``fork``
    each give another one.

    >>> history = History.start(1).do(["enqueue", "a", "A"]).do(["reserve"])
    >>> history.results
    (True, ('a', 'A', 1))
    >>> history.undo().do(["cancel", "a"]).steps[-1].why
    'cancelled: a was waiting at place 1 of 1; its slot is free, 0 of 1 taken now'
    """

    capacity: int
    steps: tuple[Step, ...] = ()
    answers: tuple | None = None

    @classmethod
    def start(cls, capacity: int) -> History:
        """The history in which nothing has happened yet."""
        return cls(capacity)

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def ops(self) -> tuple[tuple, ...]:
        """The operations, in order."""
        return tuple(step.op for step in self.steps)

    @property
    def results(self) -> tuple:
        """What the rules answer, one for each operation."""
        return tuple(step.result for step in self.steps)

    @property
    def scenario(self) -> Scenario:
        """This run in the scenario notation, with the rules' results as what is expected."""
        return Scenario(self.capacity, self.ops, expected=self.results)

    @property
    def parts_at(self) -> int | None:
        """The index of the first step at which the class's own answer is not the rules' answer."""
        pairs = zip(self.results, self.answers or ())
        return next((index for index, (result, answer) in enumerate(pairs) if not same(result, answer)), None)

    def at(self, index: int) -> State:
        """The state after ``index`` steps: 0 is before the first, ``len(history)`` is now.

        ``IndexError`` outside that range.
        """
        if not 0 <= index <= len(self.steps):
            raise IndexError(f"step must be 0 to {len(self.steps)}, got {index}")
        if index:
            return self.steps[index - 1].after
        return model.start(self.capacity)

    def do(self, op: Sequence) -> History:
        """This history and one more operation. A class's own answers are not continued: see ``run``."""
        return History(self.capacity, (*self.steps, model.step(self.at(len(self)), op)))

    def undo(self, count: int = 1) -> History:
        """This history without its last ``count`` steps (fewer where it has fewer)."""
        return self.fork(max(0, len(self) - count))

    def fork(self, index: int) -> History:
        """The first ``index`` steps: where another future can begin. ``IndexError`` outside 0 to ``len(history)``."""
        self.at(index)
        return History(self.capacity, self.steps[:index], None if self.answers is None else self.answers[:index])


def run(scenario: Scenario, queue_class: type | None = None) -> History:
    """Run a scenario by the rules; with ``queue_class``, keep that class's own answers beside the rules' results.

    The class is run as it is, and what it raises is raised here: code that is not trusted belongs under ``guard``.
    ``TypeError`` for a queue in place of its class, or for what is no scenario.

    >>> from retryq import Queue
    >>> run(Scenario(1, (("enqueue", "a", "A"), ("reserve",))), Queue).answers
    (True, ['a', 'A', 1])
    """
    if not hasattr(scenario, "ops"):
        raise TypeError(f"run wants a scenario, such as scenario.validate makes of a dict; this is a {type(scenario).__name__}")
    if queue_class is not None and not callable(queue_class):
        raise TypeError(f"run wants the class itself, as in run(scenario, Queue); this is a {type(queue_class).__name__}")
    steps = model.run(scenario.capacity, scenario.ops)
    answers = None if queue_class is None else tuple(run_class(scenario, queue_class))
    return History(scenario.capacity, steps, answers)
