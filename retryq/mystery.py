"""Break it: a broken queue behind a mask. Find the shortest scenario that gives it away.

A mystery is a member of the zoo under a number. `Mystery.test` runs a scenario on it and says whether an answer gives
it away, and how close the scenario is to the shortest one that `check` knows.

>>> mystery = Mystery(24)
>>> mystery.test([["enqueue", "a", "A"], ["reserve"]])
Mystery 24, capacity 2
<BLANKLINE>
    operation                answer
 1  queue.enqueue("a", "A")  True
 2  queue.reserve()          ("a", "A", 1)
<BLANKLINE>
Not given away: each of these answers is what the rules say.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import Any

from retryq import model, zoo
from retryq.checking.report import Report
from retryq.checking.verdict import symptom
from retryq.checking.words import answer as told
from retryq.checking.words import call
from retryq.conformance import Trouble, check, plain
from retryq.history import History
from retryq.playing.sources import open_source
from retryq.rules import CLAUSES
from retryq.scenario import same, validate

__all__ = ["HOW_MANY", "Mystery", "Unmasked", "Verdict"]

WIDTH = 100


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


# Shuffled, but the same everywhere: the zoo itself stands in the order of the clauses, which would give much away.
_MASKED = tuple(sorted(zoo.ZOO, key=lambda member: _digest(member.__name__)))

HOW_MANY = len(_MASKED)  # mysteries there are


@cache
def _known(number: int) -> Report:
    """The check of a mystery, made once: it takes a second or two."""
    member = _MASKED[number - 1]
    member.forget()  # else a class that remembers would begin the check with what a test has left
    return check(member)


@dataclass(frozen=True)
class Verdict:
    """What a scenario has shown of a mystery.

    ``history`` is the run with the mystery's own answers. ``index`` is the place (from 0) of the answer that is not
    the rules', or ``None``. ``length`` is how many operations it takes until that shows, and ``shortest`` how many
    the shortest known scenario takes; both ``None`` where nothing was given away. ``changed`` says that the answer
    was right when it was given, and was changed afterwards.
    """

    title: str
    history: History
    index: int | None = None
    length: int | None = None
    shortest: int | None = None
    proof: str = ""
    changed: bool = False

    @property
    def given_away(self) -> bool:
        """Whether an answer is not what the rules say."""
        return self.index is not None

    @property
    def too_many(self) -> int | None:
        """How many operations the scenario has more than the shortest one known; ``None`` where nothing shows."""
        return None if self.length is None or self.shortest is None else self.length - self.shortest

    def __repr__(self) -> str:
        if not self.history.steps:
            return f"{self.title}: not attempted: there are no operations yet. Do some, and run the cell again."
        parts = [f"{self.title}, capacity {self.history.capacity}", self._table()]
        if self.index is None:
            parts.append("Not given away: each of these answers is what the rules say.")
        else:
            parts += [self._where(self.history.steps[self.index]), self._how_close()]
        return "\n\n".join([*parts[:2], *(textwrap.fill(each, WIDTH, break_on_hyphens=False) for each in parts[2:])])

    def _table(self) -> str:
        rows = [("operation", "answer")]
        for step, answer in zip(self.history.steps, self.history.answers or (), strict=True):
            rows.append((call(step.op), told(answer)))
        width = max(len(operation) for operation, _ in rows)
        lines = [f"{number or '':>2}  {operation:{width}}  {answer}" for number, (operation, answer) in enumerate(rows)]
        if self.index is not None:
            right = told(self.history.steps[self.index].result)
            lines[self.index + 1] += "  <- changed later" if self.changed else f"  <- the rules say {right}"
        return "\n".join(lines)

    def _where(self, step: model.Step) -> str:
        assert self.index is not None and self.history.answers is not None
        if self.changed:
            return (f"Given away: what operation {self.index + 1} answered was right at the time, and has changed "
                    "since (attempt.snapshot).")
        clause = symptom(step, self.history.answers[self.index], self.changed)
        return f"Given away by operation {self.index + 1}. By the rules: {step.why} ({clause})."

    def _how_close(self) -> str:
        assert self.length is not None and self.too_many is not None
        took, after = _count(self.length, "operation"), len(self.history) - self.length
        extra = " What comes after that may go." if after else ""
        if self.too_many <= 0:
            why = "no shorter scenario exists" if "no shorter" in self.proof else "no shorter one is known"
            return f"It took {took}, and {why}: well done.{extra}"
        return f"It took {took}; the shortest known takes {self.shortest}. {self.too_many} too many.{extra}"


@dataclass(frozen=True)
class Unmasked:
    """Who a mystery is: the class itself, and its check, whose counterexample is the shortest known."""

    title: str
    member: type[zoo.SimpleQueue]
    report: Report = field(repr=False)

    def __repr__(self) -> str:
        member = self.member
        found = self.report.counterexample
        assert found is not None
        others = len(member.broken) - 1
        more = f", and with it {_count(others, 'other clause')}" if others else ""
        told = [
            f"{self.title} is {member.__name__}. It breaks {zoo.primary(member)}{more}.",
            f"How it gets written: {member.story}",
            f"The belief: {member.belief}",
            f"But: {member.correction}",
            *([f"Seen in the field: {member.report}"] if member.report else []),
            (f"The shortest scenario known, with capacity {found.capacity}: "
            f"{'; '.join(map(call, found.ops))}."),
        ]
        return "\n\n".join(textwrap.fill(each, WIDTH, break_on_hyphens=False, break_long_words=False) for each in told)


class Mystery:
    """A broken queue behind a mask.

    ``which`` is a number from 1 to `HOW_MANY`, or any word (your own name, say), which picks one and always the same.
    ``queue_class`` is the queue itself, as `Lab(queue_class=...)` takes it. ``ValueError`` for another number,
    ``TypeError`` for what is neither.
    """

    def __init__(self, which: int | str) -> None:
        if isinstance(which, str):
            which = int(_digest(which), 16) % HOW_MANY + 1
        if type(which) is not int:
            raise TypeError(f"a mystery is chosen by a number or a word, got {type(which).__name__}")
        if not 1 <= which <= HOW_MANY:
            raise ValueError(f"there are mysteries 1 to {HOW_MANY}, got {which}")
        self.number = which
        self._hints = 0
        self._member = _MASKED[which - 1]
        about = {"__doc__": "A broken queue behind a mask.", "__module__": __name__}
        self.queue_class: type = type(f"Mystery{which}", (self._member,), about)

    def __repr__(self) -> str:
        return (f"Mystery {self.number} of {HOW_MANY}: a queue with the five methods that breaks some rule. "
                "Which scenario gives it away?")

    def test(self, run: Any, capacity: int = 2) -> Verdict:
        """Run a scenario on it: a list of operations with a ``capacity``, a scenario, its JSON, or a lab.

        ``ScenarioError`` for what the notation does not allow.
        """
        if isinstance(run, Sequence) and not isinstance(run, str):
            scenario = validate({"capacity": capacity, "ops": [list(op) for op in run]})
        else:
            scenario = open_source(getattr(run, "scenario", run)).scenario
        ops, title = scenario.ops, f"Mystery {self.number}"
        answers, _ = self._answers(scenario.capacity, ops)
        history = History(scenario.capacity, model.run(scenario.capacity, ops), answers)
        for length in range(1, len(ops) + 1):
            given, changed = self._answers(scenario.capacity, ops[:length])
            wrong = not same(history.steps[length - 1].result, given[-1])
            if wrong or changed is not None:
                index = length - 1 if wrong else changed
                known = self._report
                assert known.counterexample is not None
                return Verdict(title, history, index, length, len(known.counterexample.ops), known.proof, not wrong)
        return Verdict(title, history)

    def hint(self) -> str:
        """One hint more than last time: how long, then which lesson, then which clause."""
        found = self._report.counterexample
        assert found is not None
        clause = CLAUSES[zoo.primary(self._member)]
        hints = (
            f"The shortest scenario known has {_count(len(found.ops), 'operation')} and capacity {found.capacity}.",
            f"The rule that it breaks is taught in lesson {clause.lesson}.",
            f"The rule is {clause.name}: {clause.sentence}",
        )
        self._hints = min(self._hints + 1, len(hints))
        return f"Hint {self._hints} of {len(hints)}: {hints[self._hints - 1]}"

    def give_up(self) -> Unmasked:
        """Take the mask off: the fault, how it gets written, the belief behind it, and the shortest scenario."""
        return Unmasked(f"Mystery {self.number}", self._member, self._report)

    @property
    def _report(self) -> Report:
        return _known(self.number)

    def _answers(self, capacity: int, ops: Sequence[tuple]) -> tuple[tuple, int | None]:
        """The answers of a fresh queue, and which one of them was changed after it was given."""
        self._member.forget()
        queue = self.queue_class(capacity)
        queues, given, held = [queue], [], []
        for place, (name, *arguments) in enumerate(ops):
            output: Any = None
            if name == "new":
                queue = self.queue_class(capacity)
                queues.append(queue)
            elif name == "use":
                queue = queues[arguments[0]]
            else:
                try:
                    answer = getattr(queue, name)(*arguments)
                    output = plain(answer)
                    held.append((place, answer, output))
                except Exception as error:  # noqa: BLE001 (any that it raises)
                    output = Trouble("raised", f"{type(error).__name__}: {error}", name)
            given.append(output)
        return tuple(given), next((place for place, answer, before in held if plain(answer) != before), None)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
