"""The lab without its controls: a run, a place in it, and everything that can be done there.

A session holds a `History` and a cursor. Acting behind the end of the run forks it; every change can be taken back.
The widget in `lab` shows a session and calls it, and holds no truth of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from retryq import geometry, history
from retryq.grammar import MAX_CAPACITY, MAX_OPS, shown
from retryq.history import History
from retryq.missions import Mission, gather
from retryq.model import State, Step
from retryq.playing import beside, sources
from retryq.playing.told import (
    Told,
    call,
    count,
    mission_words,
    nothing_yet,
    state_words,
    step_words,
)
from retryq.scenario import Scenario, ScenarioError, parts_at, validate_op

__all__ = ["HINT_AFTER", "Session"]

HINT_AFTER = 6  # operations in which no mission was reached, before a hint is given
CHANGES = 200  # that can be taken back


class _Place(NamedTuple):
    """A run, a step in it, and the class that runs beside it."""

    history: History
    cursor: int
    queue_class: type | None


class Session:
    """A run to play with; ``of`` says how it begins.

    ``of`` is a capacity, or anything that `sources.open_source` opens: a scenario, its JSON, the name of a published
    example, a clause, a saved lab; or a check's report, which opens at the operation where the queue and the rules
    part. ``queue_class`` is a queue that answers beside the rules, under guard. ``missions`` is a lesson's name, or
    `Mission` objects. What the notation does not allow raises `ScenarioError`, with one sentence, and changes nothing.

    >>> session = Session(1)
    >>> session.do(["enqueue", "a", "A"])
    1. queue.enqueue("a", "A") -> True
       accepted: 1 of 1 slot was free, and a joins the tail at place 1 (capacity.room)
    >>> session.do(["ack", "a", 1]).clause
    'fence.in-flight'
    """

    def __init__(self, of: object = 2, queue_class: type | None = None,
                 missions: str | Mission | Iterable[str | Mission] = ()) -> None:
        self.history = History.start(_capacity(of) if isinstance(of, int) else 2)
        self.cursor = 0
        self.queue_class = queue_class
        self.missions = gather(missions)
        self.reached: frozenset[int] = frozenset()  # the missions reached, by index: once reached, always reached
        self.lead: tuple[str, ...] = ()  # what is to be said before the step itself
        self.notes: tuple[str, ...] = ()  # and after it
        self._acts = 0  # operations since a mission was reached
        self._past: deque[tuple[_Place, str]] = deque(maxlen=CHANGES)  # where we were, and what was done then
        self._future: list[tuple[_Place, str]] = []
        if not isinstance(of, int):
            self._open(sources.open_source(of), None, queue_class)
            self._past.clear()

    # ---- what can be read

    @property
    def state(self) -> State:
        """All queues at the cursor."""
        return self.history.at(self.cursor)

    @property
    def step(self) -> Step | None:
        """The operation that led to the cursor, or ``None`` at the very beginning."""
        return self.history.steps[self.cursor - 1] if self.cursor else None

    @property
    def scenario(self) -> Scenario:
        """The whole run in the notation, with the rules' answers as what is expected."""
        return self.history.scenario

    @property
    def beside(self) -> str:
        """How the class that runs beside stands to the rules at the cursor, in words; empty while it keeps to them."""
        return beside.words(self.history, self.cursor - 1, self.name) if self.cursor else ""

    @property
    def name(self) -> str:
        """What the class that runs beside the rules is called."""
        return getattr(self.queue_class, "__name__", "your queue")

    @property
    def hint(self) -> str:
        """A hint for the first open mission, once some operations have reached none; else empty."""
        still_open = [mission for index, mission in enumerate(self.missions) if index not in self.reached]
        return still_open[0].hint if still_open and self._acts >= HINT_AFTER else ""

    @property
    def can_undo(self) -> str:
        """What ``undo`` would take back, in words; empty where there is nothing."""
        return self._past[-1][1] if self._past else ""

    @property
    def can_redo(self) -> str:
        """What ``redo`` would do again, in words; empty where there is nothing."""
        return self._future[-1][1] if self._future else ""

    # ---- moving: nothing is changed

    def goto(self, index: int) -> Told:
        """Go to the state after ``index`` operations; 0 is before the first."""
        if type(index) is not int or not 0 <= index <= len(self.history):
            raise ScenarioError(f"step: must be an integer 0-{len(self.history)}, got {shown(index)}")
        self.cursor = index
        return self._tell()

    # ---- changing: everything can be taken back

    def do(self, op: Sequence) -> Told:
        """Do one operation of the notation at the cursor. What came after the cursor is dropped, and that is said."""
        op = validate_op(op, len(self.state.queues))
        if self.cursor >= MAX_OPS:
            raise ScenarioError(f"operation: a run has at most {MAX_OPS} operations; "
                                "step back and act from there, or restart")
        dropped = len(self.history) - self.cursor
        forked = self.history.fork(self.cursor).do(op)
        self._change(forked, self.cursor + 1, call(op, self.history.capacity), self.queue_class)
        notes = []
        if dropped:
            notes.append(f"You acted in the past: the {_later(dropped)} dropped. Undo brings them back.")
        return self._tell(notes=[*notes, *self._judge()])

    def load(self, source: object, cursor: int | None = None) -> Told:
        """Open another run in place of this one; see `sources.open_source`. The cursor stands at its end."""
        opened = sources.open_source(source)
        return self._open(opened, cursor, opened.queue_class or self.queue_class)

    def restart(self, capacity: int | None = None) -> Told:
        """Begin again with an empty queue, of the same capacity or another one."""
        capacity = self.history.capacity if capacity is None else _capacity(capacity)
        self._change(History.start(capacity), 0, "the restart", self.queue_class)
        slots = count(capacity, "slot")
        return self._tell([f"Started again with an empty queue of {slots}. Undo brings the run before it back."])

    def undo(self) -> Told:
        """Take the last change back: an operation (with what it dropped), a restart, or the opening of a run."""
        if not self._past:
            return self._tell(["There is nothing to take back."])
        place, action = self._past.pop()
        self._future.append((self._here(), action))
        self.history, self.cursor, self.queue_class = place
        again = len(self.history) - self.cursor
        return self._tell([f"Taken back: {action}." + (f" Later operations are there again: {again}." if again else "")])

    def redo(self) -> Told:
        """Do again what was taken back."""
        if not self._future:
            return self._tell(["There is nothing to do again."])
        place, action = self._future.pop()
        self._past.append((self._here(), action))
        self.history, self.cursor, self.queue_class = place
        return self._tell([f"Done again: {action}."])

    # ---- telling

    def tell(self) -> Told:
        """Where the cursor stands: the step, how the class beside stands to it, and what else there is to say."""
        if self.step is None:
            lines = [f"0. {nothing_yet(self.history.capacity)}"]
        else:
            called, why = step_words(self.cursor, self.step)
            lines = [called, f"   {why}"]
        if self.beside:
            lines.append(f"   {self.beside}")
        return Told("\n".join([*self.lead, *lines, *self.notes]), self.step)

    def words(self) -> tuple[str, ...]:
        """What just happened, the queues now, and the missions: all but the run itself."""
        goals = ["\n".join(mission_words(self.missions, self.reached))] if self.missions else []
        return (str(self.tell()), "\n".join(state_words(self.state)), *goals)

    def text(self) -> str:
        """The whole lab in text: the run, and `words`."""
        if not self.history.steps:
            run = f"Lab: capacity {self.history.capacity}, 0 operations"
        else:
            run = geometry.text(self.history, None if self.cursor == len(self.history) else self.cursor, "Lab")
        return "\n\n".join([run, *self.words()])

    def state_text(self) -> str:
        """The whole lab as a short line of text: the run, the cursor and the missions reached. ``load`` opens it."""
        return sources.save_text(self.scenario, self.cursor, tuple(sorted(self.reached)))

    # ---- inside

    def _here(self) -> _Place:
        return _Place(self.history, self.cursor, self.queue_class)

    def _tell(self, lead: Iterable[str] = (), notes: Iterable[str] = ()) -> Told:
        self.lead, self.notes = tuple(lead), tuple(notes)
        return self.tell()

    def _open(self, opened: sources.Source, cursor: int | None, queue_class: type | None) -> Told:
        scenario = opened.scenario
        run = history.run(Scenario(scenario.capacity, scenario.ops))
        place = next((each for each in (cursor, opened.cursor) if each is not None), len(run))
        if type(place) is not int or not 0 <= place <= len(run):
            raise ScenarioError(f"cursor: must be an integer 0-{len(run)}, got {shown(place)}")
        if queue_class in (None, opened.queue_class):  # a report's own class: what it answered then is known
            run, queue_class = replace(run, answers=opened.answers), opened.queue_class
        self._change(run, place, f"opening {opened.name}", queue_class)
        self.reached |= {index for index in opened.reached if index < len(self.missions)}
        lead = [f"Opened {opened.name}: {count(len(run), 'operation')}, capacity {scenario.capacity}."]
        if opened.sentence:
            lead = [*(lead if run.steps else ()), opened.sentence]
        if opened.answers and queue_class is not opened.queue_class and self.history.parts_at is None:
            lead.append(f"{self.name} answers every operation of it as the rules do.")
        differs = None if scenario.expected is None else parts_at(scenario.expected, run.results)
        if differs is not None:
            lead.append(f"The outputs that came with it differ from the rules at operation {differs + 1}.")
        return self._tell(lead)

    def _change(self, changed: History, cursor: int, action: str, queue_class: type | None) -> None:
        """Put another run in place of this one, run the class beside it, and remember how it was."""
        self._past.append((self._here(), action))
        self._future.clear()
        self.queue_class = queue_class
        if queue_class is not None and changed.answers is None:
            known = self.history.answers if changed.ops[:-1] == self.history.ops[: len(changed) - 1] else None
            own = beside.answers(queue_class, changed.scenario, (known or ())[: max(0, len(changed) - 1)])
            changed = replace(changed, answers=own)
        self.history, self.cursor = changed, cursor

    def _judge(self) -> list[str]:
        """Tick the missions that the last operation reached, and say so."""
        run = self.history.fork(self.cursor)
        said = []
        self._acts += 1
        for index, mission in enumerate(self.missions):
            if index in self.reached:
                continue
            try:
                reached = mission.reached_by(run)
            except Exception as error:  # a teacher's own mission may be wrong; the lab goes on and says so
                said.append(f"The mission {mission.goal!r} cannot be judged: {type(error).__name__}: {error}")
                continue
            if reached:
                self.reached |= {index}
                self._acts = 0
                said.append(f"Mission reached: {mission.goal}")
        return said


def _capacity(value: object) -> int:
    if type(value) is not int or not 0 <= value <= MAX_CAPACITY:
        raise ScenarioError(f"capacity: must be an integer 0-{MAX_CAPACITY}, got {shown(value)}")
    return value


def _later(dropped: int) -> str:
    return "operation that came later was" if dropped == 1 else f"{dropped} operations that came later were"
