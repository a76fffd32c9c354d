"""One check, as the parent of all the children that it runs: it finds a fault, makes it short, and makes sure
of it.

The parent never touches the class. It asks one child after the other, each for one stage (``child``);
where a child hangs or ends, it knows from the progress notes which call was under way.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from retryq.checking.ask import FIRST, SECONDS, Asker
from retryq.checking.child import BROKEN, CELLS, NOT_REACHED, RAISED, UNDER_WAY, UNTOUCHED, witness_list
from retryq.checking.plan import plan, plan_for
from retryq.checking.runs import METHODS, Trouble, revive
from retryq.checking.short import WIDE, all_runs, shorter_than
from retryq.checking.shrink import Run, minimise
from retryq.rules import CLAUSES

__all__ = ["Inquiry"]

BRIEF = 0.25  # as STALL, where the class is known to hang, and it is made sure of in the end
PATIENCE = 1.5  # seconds for making a run short that hangs or ends the program
FIND, SHRINK, SEARCH = 2.2, 1.5, 2.0  # seconds of CPU: for the plan, to make a run short, to try all shorter
CERTAIN = 12  # times that a counterexample must show its fault, always in the same way
MANY = 20  # times that a class may end the program before its witnesses are skipped
NO_SHORTER, CANNOT_SHRINK = "no shorter scenario exists", "no operation can be left out"


class Inquiry(Asker):
    """One check under way: `run` answers the counterexample, and the attributes tell the rest."""

    def __init__(self, load: Callable[[], Any], name: str, names: tuple[str, ...], seconds: float) -> None:
        super().__init__(load, name, names, seconds)
        self.witnesses = witness_list(names)
        self.runs = self.calls = self.done = 0  # what was tried; how far it came in the plan
        self.keep = True  # whether answers are kept to the end of a run
        self.alone = False  # whether a run must be the first of its process to show what it shows
        self.too_slow = False
        self.unsure: list[Any] = []  # faults that were seen, and not seen again
        self.proof = ""
        self.patience = 0.0
        self.parting: tuple = ()
        self.outputs: list[Any] = []

    # Finding.

    def run(self) -> Run | None:
        """Answers the counterexample, or ``None`` where there is none."""
        for find in (self.from_witnesses, self.from_plan, self.from_fresh_starts):
            run = find()
            found = self.settle(run) if run is not None else None
            if found is not None or self.too_slow or self.board.cells[UNTOUCHED]:
                return found
        return None

    def from_witnesses(self) -> Run | None:
        """Run every witness; answers the shortest run that shows a fault."""
        todo = list(range(len(self.witnesses)))
        found: list[tuple[int, Run, Trouble | None]] = []
        hangs, late = 0, False
        while todo:
            value, run = self.ask("witnesses", self.witnesses, tuple(todo), most=FIRST)
            if value is not None:
                self._count(value)
                break
            if run is None:
                late = True
                break
            at = next((number for number in todo if self.board.cells[CELLS + number] == UNDER_WAY), todo[-1])
            todo = [number for number in todo if number > at]
            end = self.end
            assert end is not None, "a child that was busy with a run has ended somehow"
            if end.kind == "ran too long" and not hangs:  # or was it the machine that stood still?
                value, _ = self.ask("witnesses", self.witnesses, (at,), most=FIRST)
                if value is not None:
                    self._count(value)
                    continue
            self.board.cells[CELLS + at] = BROKEN
            self.board.cells[RAISED] = 1
            found.append((len(run[1]), run, end))
            hangs += end.kind == "ran too long"
            if hangs > 1 or end.where == "__init__":
                break
            if hangs or len(found) > MANY:  # what does not come back once is not waited for again
                method = run[1][-1][0]
                todo = [at for at in todo if all(op[0] != method for op in self.witnesses[at][1].ops)]
        for number, (_, witness) in enumerate(self.witnesses):
            length = self.board.cells[CELLS + len(self.witnesses) + number]
            if length:
                found.append((length, (witness.capacity, witness.ops[:length]), None))
        if self.board.cells[UNTOUCHED] or not found:
            self.too_slow = late
            return None
        _, shortest, self.end = min(found, key=lambda each: each[0])
        return shortest

    def from_plan(self) -> Run | None:
        """Run everything that is planned; answers the first run that shows a solid fault."""
        lacking = self.unwritten()
        scripts = (plan_for(tuple(name for name in METHODS if name not in lacking)) if lacking else plan()).scripts
        value, run = self.ask("search", scripts, FIND, max(0.5, self.left / 2), scripts=scripts)
        if value is None:
            note = self.board.read()
            self.done = int(note[1:]) if note[:1] == b"n" else 0
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
            seen = self._seen_by_each((capacity, ops), keep)
            if seen is not None:
                self.keep, self.alone = keep, True
                self._witnesses_alone()
                return capacity, ops[: seen[2]]
        return None

    def _witnesses_alone(self) -> None:
        """What failed after others may do well alone, and the other way round where queues are compared."""
        again = [
            number
            for number, (name, _) in enumerate(self.witnesses)
            if name == "isolation.queues" or self.board.cells[CELLS + number] == BROKEN
        ]
        for number in again:
            self.board.cells[CELLS + number] = NOT_REACHED
        for number in sorted(again, key=lambda number: self.witnesses[number][0] != "isolation.queues"):
            if self.left > SECONDS / 4:
                self.ask("witnesses", self.witnesses, (number,))

    def _seen_by_each(self, run: Run, keep: bool) -> tuple | None:
        """The fault that a run shows in one new process after the other, if it is always the same."""
        first = None
        for _ in range(CERTAIN):
            value, _ = self.ask("confirm", run, keep, 1)
            seen = value and value["seen"][0]
            if not seen or (first is not None and seen != first):
                return None
            first = seen
        return first

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
        seen = run
        if deadly or self.alone:
            self.patience = monotonic() + PATIENCE
            run = minimise(run, self.shows)
        if not self.alone:
            for length in (*shorter_than(len(run[1])), min(len(run[1]), WIDE)):
                all_runs(length)  # here and now, once: what a child makes is lost with it
            run = self.shortest(run, whole)
            if not (self.end is not None and self.end.kind == "ran too long"):
                value, _ = self.ask("plainest", run, self.keep, whole)
                run = _run(value["found"]) if value is not None else run
        if self.confirm(run):
            return run
        self.proof = CANNOT_SHRINK
        if run != seen and self.confirm(seen):
            return seen
        self._doubt(seen, None)
        return None

    def shortest(self, run: Run, whole: bool) -> Run:
        """The shortest run of all, as far as all can be tried."""
        if len(run[1]) > 1:
            value, dead = self.ask("shortest", run, self.keep, SEARCH, whole)
            if value is not None:
                self.proof = NO_SHORTER if value["proven"] else CANNOT_SHRINK
                return _run(value["found"])
            if dead is None or len(dead[1]) >= len(run[1]):
                return run
            run = dead  # the first of all that are shorter to show something, so it is as short as can be
        self.proof = NO_SHORTER
        return run

    def shows(self, run: Run) -> int | None:
        """Whether a run shows a fault, asked of a child of its own: for what hangs, or ends the program."""
        if monotonic() > self.patience or not run[1]:
            return None
        value, dead = self.ask("confirm", run, self.keep, 1, stall=BRIEF)
        if value is None:
            return len(dead[1]) if dead is not None else None
        return value["seen"][0][2] if value["seen"][0] else None

    def confirm(self, run: Run) -> bool:
        """Run it from a fresh start: the same fault each time, or it is no counterexample."""
        if self.alone and self._seen_by_each(run, self.keep) is None:
            return False
        value, dead = self.ask("confirm", run, self.keep, 1 if self.alone else CERTAIN, least=3.0)
        if value is None:
            if self.end is None or dead is None or dead[1] != run[1]:
                return False
            self.parting, self.outputs = (len(run[1]) - 1, self.end, len(run[1]), False), []
            return True
        parting = value["seen"][0]
        if parting is None or any(each != parting for each in value["seen"]):
            return False
        self.parting = (parting[0], revive(parting[1]), parting[2], parting[3])
        self.outputs = [revive(output) for output in value["given"]]
        return True

    def _doubt(self, run: Run, seen: Any) -> None:
        self.end = None
        self.unsure.append((run[0], run[1], self.keep, seen))

    def _count(self, value: dict) -> None:
        self.runs += value["runs"]
        self.calls += value["calls"]


def _run(found: Any) -> Run:
    """A run that has crossed from another process: tuples all through."""
    return found[0], tuple(map(tuple, found[1]))
