"""One check, as the parent of all the children that it runs: it finds a fault, makes it short, and makes sure
of it.

The parent never touches the class. It asks one child after the other, each for one stage (``check_child``);
where a child hangs or ends, it knows from the progress notes which call was under way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from retryq import guard
from retryq.check_child import (
    BROKEN,
    CELLS,
    LOADED,
    RAISED,
    UNDER_WAY,
    UNTOUCHED,
    UNWRITTEN,
    WRITTEN,
    Bench,
    under_way,
    witness_list,
)
from retryq.check_plan import plan, plan_for
from retryq.check_run import MAKING, METHODS, Trouble, revive
from retryq.check_short import WHOLE, warm
from retryq.check_shrink import Run, minimise
from retryq.guard_outcome import Outcome, Progress
from retryq.rules import CLAUSES

__all__ = ["SECONDS", "Inquiry", "LoadError"]

SECONDS = 10.0  # for a whole check, by the clock on the wall; only an overloaded machine needs as much
FIRST = 3.0  # of these, for the witnesses: whoever needs longer is too slow to be checked
STALL = 0.6  # in one call, before it counts as one that does not come back
PATIENCE = 1.5  # for making a run short that hangs or ends the program
FIND, SHRINK, SEARCH = (
    2.2,
    1.5,
    2.0,
)  # seconds of CPU: for all that is planned, to make a run short, to try all shorter
MANY = 20  # times that a class may end the program before its witnesses are skipped
NO_SHORTER, CANNOT_SHRINK = "no shorter scenario exists", "no operation can be left out"


class LoadError(Exception):
    """The class could not be loaded. The message is one sentence."""


class Inquiry:
    """One check under way."""

    def __init__(self, load: Callable[[], Any], name: str, names: tuple[str, ...], seconds: float) -> None:
        self.load, self.name, self.names = load, name, names
        self.deadline = monotonic() + seconds
        self.loading = 0.0
        self.witnesses = witness_list(names)
        self.board = Progress()  # kept over all stages: what the witnesses showed, and what is not written
        self.runs = self.calls = self.printed = self.done = 0
        self.keep = True
        self.end: Trouble | None = None  # how the last child ended that did not answer
        self.unsure: list[Any] = []  # faults that were seen, and not seen again
        self.proof = ""

    @property
    def left(self) -> float:
        return self.deadline - monotonic()

    def ask(
        self,
        stage: str,
        *arguments: Any,
        stall: float | None = STALL,
        least: float = 0.1,
        most: float = SECONDS,
        scripts: Sequence[Any] = (),
    ) -> tuple[dict | None, Run | None]:
        """One stage in a child: what it answers; or, where the child did not come to its end, the run under
        way.

        Neither, where the time is up while calls still come back.
        """
        self.board.note(b"")
        self.board.cells[LOADED] = 0
        began, seconds = monotonic(), max(least, min(most + self.loading, self.left))
        outcome = guard.call(
            lambda: getattr(Bench(self.load, self.board, self.names), stage)(*arguments),
            seconds=seconds,
            stall=None if stall is None else stall + 2 * self.loading,
            progress=self.board,
        )
        self.printed += outcome.printed
        self.end, self.out_of_time = None, outcome.kind == "ran too long" and monotonic() - began >= seconds
        if not self.board.cells[LOADED]:
            raise LoadError(f"{self.name} could not be loaded: the code {outcome.detail}")
        if outcome.kind == "returned" and isinstance(outcome.value, dict):
            return outcome.value, None
        if self.out_of_time:
            return None, None
        run = under_way(self.board, scripts)
        self.end = _end(outcome, run, self.board.cells[0] == MAKING)
        return None, run

    def try_loading(self, seconds: float) -> None:
        """Load the class once, to learn how long that takes: so much longer may each stage stand still."""
        began = monotonic()
        self.ask("hello", stall=None, most=seconds)
        self.loading = monotonic() - began
        self.deadline += self.loading

    # Finding.

    def run(self) -> Run | None:
        """Answers the counterexample, or ``None`` where there is none."""
        for find in (self.from_witnesses, self.from_plan, self.from_fresh_starts):
            run = find()
            found = self.settle(run) if run is not None else None
            if found is not None or self.too_slow:
                return found
        return None

    def from_witnesses(self) -> Run | None:
        """Run every witness; answers the shortest run that shows a fault."""
        todo = list(range(len(self.witnesses)))
        found: list[tuple[int, Run]] = []
        hangs = 0
        while todo:
            value, run = self.ask("witnesses", self.witnesses, tuple(todo), most=FIRST)
            if value is not None:
                self._count(value)
                break
            if self.out_of_time:
                self.too_slow = True
                return None
            at = next((number for number in todo if self.board.cells[CELLS + number] == UNDER_WAY), todo[-1])
            self.board.cells[CELLS + at] = BROKEN
            self.board.cells[RAISED] = 1
            todo = [number for number in todo if number > at]
            if run is not None:
                found.append((len(run[1]), run))
                method = run[1][-1][0]
                hangs += self.end is not None and self.end.kind == "ran too long"
                if hangs or len(found) > MANY:  # what does not come back once is not waited for again
                    todo = [
                        number
                        for number in todo
                        if all(op[0] != method for op in self.witnesses[number][1].ops)
                    ]
            if run is None or hangs > 1 or (self.end is not None and self.end.where == "__init__"):
                break
        for number, (_, witness) in enumerate(self.witnesses):
            length = self.board.cells[CELLS + len(self.witnesses) + number]
            if length:
                found.append((length, (witness.capacity, witness.ops[:length])))
        return min(found, key=lambda each: each[0])[1] if found else None

    def from_plan(self) -> Run | None:
        """Run everything that is planned; answers the first run that shows a solid fault."""
        lacking = self.unwritten()
        scripts = (plan_for([name for name in METHODS if name not in lacking]) if lacking else plan()).scripts
        value, run = self.ask("search", scripts, FIND, max(0.5, self.left / 2), scripts=scripts)
        if value is None:
            return run
        self._count(value)
        self.done = value["done"]
        self.unsure += value["unsure"]
        if "found" not in value:
            return None
        capacity, ops, self.keep = value["found"]
        return capacity, ops

    def from_fresh_starts(self) -> Run | None:
        """Where faults came and went: does one show in a process that has run nothing else, each time
        anew?"""
        tried = list(self.unsure)
        if tried:
            tried += [
                (witness.capacity, witness.ops, True) for witness in CLAUSES["isolation.queues"].witnesses
            ]
        for capacity, ops, keep, *_ in tried:
            if self.left < SECONDS / 4:
                break
            twice = [self.ask("confirm", (capacity, ops), keep, 1)[0] for _ in range(2)]
            seen = [value and value["seen"][0] for value in twice]
            if seen[0] is not None and seen[0] == seen[1]:
                self.keep, self.alone = keep, True
                return capacity, ops[: seen[0][2]]
        return None

    out_of_time = too_slow = False
    alone = False  # whether a run must be the first of its process to show what it shows

    # Settling: short, proven, plain, and certain.

    def settle(self, run: Run) -> Run | None:
        """Make a counterexample short and plain, and make sure of it; ``None`` where it does not show
        again."""
        self.proof = CANNOT_SHRINK
        deadly, whole = self.end is not None, True
        if not deadly and not self.alone:
            value, dead = self.ask("shrink", run, self.keep, SHRINK)
            if value is not None and "found" not in value:
                self._doubt(run, value["seen"])
                return None
            deadly = dead is not None
            if value is not None:
                run, whole = _run(value["found"]), value["whole"]
            elif dead is not None:
                run = dead
        if deadly or self.alone:
            self.patience = monotonic() + PATIENCE
            run = minimise(run, self.shows)
        if len(run[1]) == 1:
            self.proof = NO_SHORTER
        elif not self.alone:
            run = self.shortest(run, whole)
        if not self.alone and not (self.end and self.end.kind == "ran too long"):
            value, _ = self.ask("plainest", run, self.keep, whole, stall=STALL / 2)
            run = _run(value["found"]) if value is not None else run
        return self.confirm(run)

    def shortest(self, run: Run, whole: bool) -> Run:
        """The shortest run of all, as far as all can be tried."""
        warm(min(len(run[1]) - 1, WHOLE))
        for _ in range(3):
            value, dead = self.ask("shortest", run, self.keep, SEARCH, whole, stall=STALL / 2)
            if value is not None:
                self.proof = NO_SHORTER if value["proven"] else CANNOT_SHRINK
                return _run(value["found"])
            if dead is None or len(dead[1]) >= len(run[1]):
                break
            run = dead
            if len(run[1]) == 1:
                self.proof = NO_SHORTER
                break
        return run

    def shows(self, run: Run) -> int | None:
        """Whether a run shows a fault, asked of a child of its own: for what hangs, or ends the program."""
        if monotonic() > self.patience or not run[1]:
            return None
        value, dead = self.ask("confirm", run, self.keep, 1, stall=STALL / 2)
        if value is None:
            return len(dead[1]) if dead is not None else None
        return value["seen"][0][2] if value["seen"][0] else None

    def confirm(self, run: Run) -> Run | None:
        """Run it from a fresh start: the same fault each time, or it is no counterexample."""
        value, dead = self.ask("confirm", run, self.keep, 1 if self.alone else 4, least=3.0)
        if value is None:
            if self.end is None or dead is None or dead[1] != run[1]:
                self._doubt(run, None)
                return None
            self.parting, self.outputs = (len(run[1]) - 1, self.end, len(run[1]), False), []
            return run
        parting = value["seen"][0]
        if parting is None or any(each != parting for each in value["seen"]):
            self._doubt(run, parting)
            return None
        self.parting = (parting[0], revive(parting[1]), parting[2], parting[3])
        self.outputs = [revive(output) for output in value["given"]]
        return run

    def _doubt(self, run: Run, seen: Any) -> None:
        self.end = None
        self.unsure.append((run[0], run[1], self.keep, seen))

    def _count(self, value: dict) -> None:
        self.runs += value["runs"]
        self.calls += value["calls"]

    def unwritten(self) -> dict[str, str]:
        """The methods that are not written yet, each with "not written" or "missing"."""
        cells = self.board.cells
        if cells[UNTOUCHED]:
            return dict.fromkeys(METHODS, "not written")
        return {
            name: UNWRITTEN[cells[WRITTEN + place] - 1]
            for place, name in enumerate((*METHODS, "__init__"))
            if cells[WRITTEN + place]
        }


def _run(found: Any) -> Run:
    """A run that has crossed from another process: tuples all through."""
    return found[0], tuple(map(tuple, found[1]))


def _end(outcome: Outcome, run: Run | None, making: bool) -> Trouble:
    """How a child ended that did not answer."""
    where = "__init__" if making else run[1][-1][0] if run and run[1] else ""
    kind = outcome.kind if outcome.kind in ("ran too long", "exited", "crashed") else "raised"
    return Trouble(kind, _words(outcome), where)


def _words(outcome: Outcome) -> str:
    """The same words each time: no seconds, no bytes."""
    if outcome.kind == "ran too long":
        return "did not come back" + (", and printed without end" if outcome.flooded else "")
    if outcome.kind == "raised":
        return outcome.detail.removeprefix("raised ")
    return outcome.detail.partition(", and it flooded")[0]
