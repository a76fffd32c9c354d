"""What runs under guard: a class is loaded, run, and held against the rules. Only plain data comes back.

Each stage is one guarded call, made anew, so that nothing of the stage before is left. While it runs, the
note says which run is under way and the cells say which call of it, and what each witness has shown: if the
class hangs or ends the program, that is where it did.
"""

from __future__ import annotations

import dis
import marshal
from collections.abc import Callable, Iterable, Sequence
from time import monotonic, process_time
from types import FunctionType
from typing import Any

from retryq import model
from retryq.checking.calls import Call, calls_of, ops_of
from retryq.checking.fresh import Remembered
from retryq.checking.runs import MAKING, METHODS, Parting, Trouble, first_parting, outputs, pack
from retryq.checking.short import WHOLE, WIDE, all_runs, shorter_than
from retryq.checking.shrink import Run, minimise, plain
from retryq.checking.verdict import breaks, symptom
from retryq.guarding.outcome import Progress
from retryq.rules import CLAUSES, Witness
from retryq.scenario import same

__all__ = [
    "BROKEN",
    "CELLS",
    "KEPT",
    "LOADED",
    "NOT_REACHED",
    "RAISED",
    "UNDER_WAY",
    "UNTOUCHED",
    "UNWRITTEN",
    "WRITTEN",
    "Bench",
    "told",
    "under_way",
    "witness_list",
]

# The cells: 0 is the call under way; then these; from CELLS on one for each witness, and then a second one
# for each. TURN is another one in every run: a slow run that is repeated must not look like one that hangs.
LOADED, WRITTEN, RAISED, UNTOUCHED, TURN, CELLS = 1, 2, 8, 9, 10, 16
NOT_RUN, UNDER_WAY, KEPT, BROKEN, NOT_REACHED = range(5)
UNWRITTEN = ("not written", "missing")
AGAIN = 2  # times that a fault must show again before it is believed
ENOUGH = 3  # faults that did not show again, after which the search gives up


def witness_list(clauses: Iterable[str]) -> list[tuple[str, Witness]]:
    """Every witness of these clauses, each with its clause."""
    return [(name, witness) for name in clauses for witness in CLAUSES[name].witnesses]


class Bench:
    """One class on the bench. ``load`` answers the class; ``wanted`` are the clauses that are looked at."""

    def __init__(self, load: Callable[[], Any], progress: Progress, wanted: Sequence[str]) -> None:
        self.progress, self.cells = progress, progress.cells
        self.make = load()
        self.cells[LOADED] = 1
        self.cells[UNTOUCHED] = all(_is_stub(getattr(self.make, name, None)) for name in METHODS)
        self.wanted = frozenset(wanted)
        self.fresh = Remembered(self.make)
        self.runs = self.calls = 0
        self.keep = True

    def parting(self, capacity: int, calls: Sequence[Call], keep: bool | None = None) -> Parting | None:
        """Run from a fresh start. What is not written yet is noted, and is no fault."""
        self.fresh.restore()
        self.runs += 1
        self.calls += len(calls)
        self.cells[TURN] = self.runs % 256
        parting = first_parting(self.make, capacity, calls, self.cells, self.keep if keep is None else keep)
        if parting is not None and isinstance(parting.output, Trouble) and parting.output.kind in UNWRITTEN:
            self._unwritten(parting.output)
            return None
        return parting

    def at_issue(self, capacity: int, calls: Sequence[Call], parting: Parting) -> bool:
        """Whether the fault concerns the clauses that are looked at."""
        if len(self.wanted) == len(CLAUSES):
            return True
        ops = ops_of(calls)[: parting.index + 1]
        step = model.run(capacity, ops)[-1]
        about = {symptom(step, parting.output, parting.changed)}
        if any(op[0] == "new" for op in ops):
            about.add("isolation.queues")
        return not self.wanted.isdisjoint(about)

    def do(self, stage: str, arguments: tuple) -> dict:
        """One stage; what the class keeps outside of its queues is then as it was, should this be no child."""
        try:
            return getattr(self, stage)(*arguments)
        finally:
            self.fresh.restore()

    # The stages. Each answers plain data.

    def hello(self) -> dict:
        """Nothing but that the class is loaded."""
        return self._said()

    def witnesses(self, witnesses: Sequence[tuple[str, Witness]], numbers: Sequence[int]) -> dict:
        """Run these witnesses. What each has shown stands in its cell, and how long it took in a second
        one."""
        for number in numbers:
            name, witness = witnesses[number]
            calls = calls_of(witness.capacity, witness.ops)
            self._note(witness.capacity, calls)
            self.cells[CELLS + number] = UNDER_WAY
            self.fresh.restore()
            given, changed = outputs(self.make, witness.capacity, calls, self.cells)
            self.runs += 1
            self.calls += len(calls)
            last = given[-1]
            if (
                any(isinstance(output, Trouble) and output.kind not in UNWRITTEN for output in given)
                and ("new",) not in witness.ops
            ):
                self.cells[RAISED] = 1
            if isinstance(last, Trouble) and last.kind in UNWRITTEN:
                self._unwritten(last)
                verdict = NOT_REACHED
            else:
                given += [last] * (len(calls) - len(given))
                verdict = BROKEN if breaks(CLAUSES[name], witness, given, changed is not None) else KEPT
            right = changed is None and len(given) == len(calls) and all(map(same, witness.expected, given))
            parting = None if right else self.parting(witness.capacity, calls)
            if parting is not None and (verdict == BROKEN or self.at_issue(witness.capacity, calls, parting)):
                self.cells[CELLS + len(witnesses) + number] = parting.end
            self.cells[CELLS + number] = verdict
        return self._said()

    def search(self, scripts: Sequence[tuple[int, Sequence[Call]]], cpu: float, wall: float) -> dict:
        """Run the scripts, up to the first that shows a solid fault, or until the time is up."""
        cpu, wall = process_time() + cpu, monotonic() + wall
        unsure: list[Any] = []
        for number, (capacity, calls) in enumerate(scripts):
            if number % 32 == 0 and (process_time() > cpu or monotonic() > wall):
                return self._said(done=number, unsure=unsure)
            self.keep = number % 2 == 0
            self.progress.note(b"n%d" % number)
            parting = self.parting(capacity, calls)
            if parting is None or not self.at_issue(capacity, calls, parting):
                continue
            seen = (capacity, ops_of(calls)[: parting.end], self.keep)
            if self._is_solid(capacity, calls, parting):
                return self._said(done=number + 1, unsure=unsure, found=seen)
            unsure.append((*seen, told(parting)))
            if len(unsure) == ENOUGH:
                return self._said(done=number + 1, unsure=unsure)
        return self._said(done=len(scripts), unsure=unsure)

    def shrink(self, run: Run, keep: bool, cpu: float) -> dict:
        """A shorter run that shows a fault. ``found`` is missing where this one does not show it again."""
        deadline = process_time() + cpu
        self.keep = keep
        calls = calls_of(*run)
        self._note(run[0], calls)
        parting = self.parting(run[0], calls)
        if parting is None or not self._is_solid(run[0], calls, parting):
            return self._said(seen=parting and told(parting))
        whole = not self.at_issue(run[0], calls, parting)
        if whole:
            self.wanted = frozenset(CLAUSES)  # a witness failed, for a reason that lies elsewhere
        short = minimise(run, lambda each: None if process_time() > deadline else self.shows(each))
        return self._said(found=short, whole=whole)

    def shortest(self, run: Run, keep: bool, cpu: float, whole: bool) -> dict:
        """Try everything that is shorter than this run. ``proven`` says that all of it was tried. With
        ``whole``, any fault counts; else those that concern the clauses that are looked at."""
        deadline = process_time() + cpu
        self.keep = keep
        if whole:
            self.wanted = frozenset(CLAUSES)
        for shorter in shorter_than(len(run[1])):
            until = deadline + cpu if shorter <= WHOLE else deadline  # twice the time where it makes a proof
            found = self._first(shorter, until)
            if found is not None:
                return self._said(found=found, proven=shorter <= WHOLE + 1)
            if process_time() > until:
                return self._said(found=run, proven=False)
        return self._said(found=run, proven=len(run[1]) <= WHOLE + 1)

    def plainest(self, run: Run, keep: bool, whole: bool) -> dict:
        """The same run with the plainest names. Of very short ones, the first that shows a fault is
        plainest."""
        self.keep = keep
        if whole:
            self.wanted = frozenset(CLAUSES)
        if len(run[1]) <= WIDE:
            run = self._first(len(run[1]), process_time() + 1) or run
        return self._said(found=plain(run, self.shows))

    def confirm(self, run: Run, keep: bool, times: int) -> dict:
        """Run one scenario several times: where and how it parts each time, and all outputs of one more
        run."""
        self.keep = keep
        calls = calls_of(*run)
        self._note(run[0], calls)
        seen = [self.parting(run[0], calls) for _ in range(times)]
        self.fresh.restore()
        given, _ = outputs(self.make, run[0], calls, self.cells)
        return self._said(
            seen=[parting and told(parting) for parting in seen], given=[pack(output) for output in given]
        )

    # What they are made of.

    def shows(self, run: Run) -> int | None:
        """How many operations it takes until this run shows a fault; ``None`` where it shows none."""
        calls = calls_of(*run)
        self._note(run[0], calls)
        parting = self.parting(run[0], calls) if calls else None
        if parting is None or not self.at_issue(run[0], calls, parting):
            return None
        if parting.changed:  # seen only in the end, so the end must be found
            ends = range(parting.index + 1, len(calls) + 1)
            return next((end for end in ends if self.parting(run[0], calls[:end])), None)
        return parting.end

    def _first(self, length: int, deadline: float) -> Run | None:
        """The first of all runs of this length that shows a solid fault."""
        for number, (capacity, calls, tails) in enumerate(all_runs(length)):
            if number % 64 == 0 and process_time() > deadline:
                return None
            self.progress.note(b"a%d %d" % (length, number))
            parting = self.parting(capacity, calls)
            if parting is None:
                continue
            if tails:  # one of a batch: does it show the fault by itself?
                calls = (*calls[: length - 1], calls[max(parting.index, length - 1)])
                parting = self.parting(capacity, calls)
            run = (capacity, ops_of(calls))
            if parting is not None and self.shows(run) == length and self._is_solid(capacity, calls, parting):
                return run
        return None

    def _is_solid(self, capacity: int, calls: Sequence[Call], parting: Parting) -> bool:
        """Whether the very same fault shows again, from a fresh start each time."""
        seen = [self.parting(capacity, calls) for _ in range(AGAIN)]
        return all(again is not None and told(again) == told(parting) for again in seen)

    def _note(self, capacity: int, calls: Sequence[Call]) -> None:
        self.progress.note(b"r" + marshal.dumps((capacity, ops_of(calls))))

    def _unwritten(self, trouble: Trouble) -> None:
        place = METHODS.index(trouble.where) if trouble.where in METHODS else len(METHODS)
        self.cells[WRITTEN + place] = 1 + UNWRITTEN.index(trouble.kind)

    def _said(self, **what: Any) -> dict:
        return {"runs": self.runs, "calls": self.calls, **what}


def _is_stub(method: Any) -> bool:
    """Whether a method has no body but ``pass`` or ``...``, as in a starter that nobody has touched."""
    if not isinstance(method, FunctionType):
        return False
    steps = [
        (step.opname, step.argval)
        for step in dis.get_instructions(method)
        if step.opname not in ("RESUME", "NOP")
    ]
    return steps in ([("LOAD_CONST", None), ("RETURN_VALUE", None)], [("RETURN_CONST", None)])


def under_way(progress: Progress, scripts: Sequence[tuple[int, Sequence[Call]]] = ()) -> Run | None:
    """The run that was under way when the child ended, up to the call that did not come back."""
    note, end = progress.read(), progress.cells[0]
    end = 1 if end == MAKING else end + 1
    if note[:1] == b"n":
        capacity, calls = scripts[int(note[1:])]
        return capacity, ops_of(calls)[:end]
    if note[:1] == b"a":
        length, number = map(int, note[1:].split())
        capacity, calls, tails = all_runs(length)[number]
        return capacity, ops_of(
            (*calls[: length - 1], calls[end - 1]) if tails and end > length else calls[:end]
        )
    if note[:1] == b"r":
        capacity, ops = marshal.loads(note[1:])
        return capacity, ops[:end]
    return None


def told(parting: Parting) -> tuple:
    """A parting as plain data."""
    return (parting.index, pack(parting.output), parting.end, parting.changed)
