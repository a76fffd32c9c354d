"""Asks a child process one thing after the other about a class that the parent never touches.

Where a child hangs or ends the program, the notes that it left behind say which call was under way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from retryq import guard
from retryq.checking.child import LOADED, UNTOUCHED, UNWRITTEN, WRITTEN, Bench, under_way
from retryq.checking.runs import MAKING, METHODS, Trouble
from retryq.checking.shrink import Run
from retryq.guarding.outcome import Outcome, Progress

__all__ = ["FIRST", "SECONDS", "STALL", "Asker", "LoadError"]

SECONDS = 10.0  # for a whole check, by the clock on the wall; only an overloaded machine needs as much
FIRST = 3.0  # of these, for the witnesses: whoever needs longer is too slow to be checked
STALL = 0.6  # in one call, before it counts as one that does not come back
TRIES = 3  # times that a child is started on a machine that is too busy to start it


class LoadError(Exception):
    """The class could not be loaded. The message is one sentence."""


class Asker:
    """One class, and the time that there is for it. ``load`` answers the class, in the child."""

    def __init__(self, load: Callable[[], Any], name: str, names: tuple[str, ...], seconds: float) -> None:
        self.load, self.name, self.names = load, name, names
        self.deadline = monotonic() + seconds
        self.loading = 0.0  # seconds that it takes to load the class
        self.loaded = False  # whether it has been loaded before
        self.board = Progress()  # kept over all stages: what the witnesses showed, and what is not written
        self.printed = 0
        self.end: Trouble | None = None  # how the last child ended, where it did not answer
        self.out_of_time = False

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
        for _ in range(TRIES):
            self.board.note(b"")
            self.board.cells[LOADED] = 0
            began, seconds = monotonic(), max(least, min(most + self.loading, self.left))
            outcome = guard.call(
                lambda: Bench(self.load, self.board, self.names).do(stage, arguments),
                seconds=seconds,
                stall=None if stall is None else stall + 2 * self.loading,
                progress=self.board,
            )
            if self.board.cells[LOADED] or not self.loaded or outcome.kind != "ran too long":
                break  # else the machine had other things to do: the class has been loaded before
        self.printed += outcome.printed
        self.end, self.out_of_time = None, outcome.kind == "ran too long" and monotonic() - began >= seconds
        if not self.board.cells[LOADED]:
            if self.loaded:
                self.out_of_time = True
                return None, None
            raise LoadError(f"{self.name} could not be loaded: the code {outcome.detail}")
        self.loaded = True
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
