"""What a check has found out about a class, as plain fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from retryq import model
from retryq.history import History
from retryq.model import Step
from retryq.scenario import Scenario

__all__ = ["OUTCOMES", "Explored", "Findings"]

OUTCOMES = ("passes", "disagrees", "raised", "ran too long", "exited", "not attempted", "not repeatable")


@dataclass(frozen=True)
class Explored:
    """What was tried: how many runs and operations, and the same in words with what lies beyond."""

    runs: int
    operations: int
    states: int
    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class Findings:
    """Does a class keep the rules?

    ``outcome`` is one of `OUTCOMES`. Where the class and the rules part, ``counterexample`` is the shortest
    scenario that was found, ``expected`` and ``actual`` are the outputs of the rules and of the class, and
    ``index`` is where they part. ``symptom`` is the clause that decides there. ``broken`` holds every clause
    of which a witness fails, and ``clause`` is the most general of these (the symptom where no witness
    fails). ``clauses`` says of each clause that was looked at whether it is "kept", "broken" or "not
    reached". ``proof`` is "no shorter scenario exists" or "no operation can be left out". ``explored`` tells
    what was tried.
    """

    name: str
    outcome: str
    explored: Explored
    counterexample: Scenario | None = None
    expected: list[Any] = field(default_factory=list)
    actual: list[Any] = field(default_factory=list)
    index: int | None = None
    symptom: str | None = None
    clause: str | None = None
    broken: frozenset[str] = frozenset()
    clauses: Mapping[str, str] = field(default_factory=dict)
    proof: str = ""
    changed: bool = False  # the answer was right when it was given, and was changed afterwards
    held: bool = True  # whether the fault shows while all answers are kept, or only when they are let go
    unwritten: Mapping[str, str] = field(default_factory=dict)  # what is not written yet, in words, by method
    seen: tuple | None = None  # of a fault that did not show again: capacity, operations, index, answer
    home: str = ""  # the module from which the class can be imported, if any
    printed: int = 0  # bytes that it printed
    queue_class: Any = field(default=None, repr=False, compare=False)  # the class itself: the lab runs it on

    @property
    def passed(self) -> bool:
        """Whether every rule that was looked at is kept, as far as it was tried."""
        return self.outcome == "passes"

    @cached_property
    def history(self) -> History | None:
        """The counterexample as a run, with the class's own answers beside the rules'."""
        if self.counterexample is None:
            return None
        steps = model.run(self.counterexample.capacity, self.counterexample.ops)
        return History(self.counterexample.capacity, steps, tuple(self.actual))

    @property
    def step(self) -> Step | None:
        """The step at which the class and the rules part: what the rules answer there, and why."""
        return None if self.history is None or self.index is None else self.history.steps[self.index]
