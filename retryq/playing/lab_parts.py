"""The controls of the lab, group by group. Each knows how to `show` a session, and calls back when it is used.

Widgets are made once and reused: what a group shows changes, the widgets stay.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ipywidgets import (
    HTML,
    BoundedIntText,
    Box,
    Button,
    Dropdown,
    HBox,
    IntSlider,
    Layout,
    Play,
    Text,
    Textarea,
    VBox,
)

from retryq.grammar import MAX_ATTEMPT, MAX_CAPACITY, MAX_OPS
from retryq.model import JobState
from retryq.playing import lab_html, sources
from retryq.playing.session import Session

__all__ = ["Files", "Jobs", "Operate", "Time"]

# ``run(message, action)`` does the action, and puts what cannot be done into the message beside the control.
Run = Callable[[HTML, Callable[[], object]], None]

FEW = 4  # slots that are shown even while they are free
FRAME_TIME = 900  # milliseconds for each step while playing

# Narrow enough for two groups on a line of 590 pixels: a 1024 pixel screen with the file browser open.
_FIT = Layout(width="auto", margin="2px", padding="0 6px")
_GROUP = Layout(flex_flow="row wrap", align_items="center", margin="0 6px 0 0")
_BAR = Layout(flex_flow="row wrap", align_items="center")
_ROW = Layout(flex_flow="row wrap", align_items="center", min_height="34px")
_FULL = Layout(width="100%")
_LABEL = {"description_width": "initial"}


def button(text: str, tooltip: str, press: Callable[[], object]) -> Button:
    """A button without an icon: its name is what it says."""
    made = Button(description=text, tooltip=tooltip, layout=_FIT)
    made.on_click(lambda _: press())
    return made


def number(label: str, most: int, width: str, tooltip: str, value: int = 0) -> BoundedIntText:
    """A field for a whole number from 0 to ``most``."""
    return BoundedIntText(value=value, min=0, max=most, description=label, tooltip=tooltip, style=_LABEL,
                          layout=Layout(width=width, margin="2px 4px 2px 2px"))


def field(label: str, value: str, width: str, tooltip: str) -> Text:
    """A field for a short text."""
    return Text(value=value, description=label, tooltip=tooltip, style=_LABEL,
                layout=Layout(width=width, margin="2px 4px 2px 2px"))


def html(value: str = "") -> HTML:
    """Something to read."""
    return HTML(value=value, layout=Layout(margin="0", width="auto"))


def message() -> HTML:
    """A place beside a control for a sentence about it; not shown while there is none."""
    return HTML(layout=Layout(margin="0", width="auto", display="none"))


class Operate:
    """The five operations with their fields, the queues, and the capacity."""

    def __init__(self, session: Session, run: Run) -> None:
        self._session, self._run = session, run
        self.message = message()
        self.id = field("id", "a", "80px", "The id of the job to add: 1-16 of A-Z, a-z, 0-9, _ and -")
        self.payload = field("payload", "A", "114px", "The payload of the job to add: up to 32 printable characters")
        self.enqueue = button("enqueue", "Add the job at the tail", self._enqueue)
        self.reserve = button("reserve", "Take the job that has waited longest", lambda: self._do(["reserve"]))
        self.any_id = field("any id", "a", "112px", "Any id: of a finished job, or one that was never accepted")
        self.attempt = number("attempt", MAX_ATTEMPT, "108px", "The attempt for ack and retry", 1)
        self.ack = button("ack", "Finish the job of this id", lambda: self._by_id("ack"))
        self.retry = button("retry", "Give back the job of this id", lambda: self._by_id("retry"))
        self.cancel = button("cancel", "Withdraw the job of this id",
                             lambda: self._do(["cancel", self.any_id.value]))
        self.capacity = number("capacity", MAX_CAPACITY, "114px", "The slots of the queue to restart with", 2)
        self.restart = button("restart", "Begin again with an empty queue of this capacity",
                              lambda: run(self.message, lambda: session.restart(self.capacity.value)))
        self.new = button("new queue", "Make another queue of the same capacity and select it",
                          lambda: self._do(["new"]))
        self.queue = Dropdown(options=[0], description="queue", tooltip="A queue made so far", style=_LABEL,
                              layout=Layout(width="90px", margin="2px"))
        self.use = button("use", "Select this queue", lambda: self._do(["use", self.queue.value]))
        groups = (
            (self.id, self.payload, self.enqueue, self.reserve), (self.new, self.queue, self.use),
            (self.any_id, self.attempt, self.ack, self.retry, self.cancel), (self.capacity, self.restart),
        )
        bar = Box([HBox(group, layout=_GROUP) for group in groups], layout=_BAR)
        self.box = VBox([bar, self.message], layout=_FULL)

    def show(self) -> None:
        state = self._session.state
        indexes = tuple(range(len(state.queues)))
        if self.queue.options != indexes:
            self.queue.options = indexes
        self.queue.value = state.selected
        self.capacity.value = self._session.history.capacity

    def _do(self, op: list) -> None:
        self._run(self.message, lambda: self._session.do(op))

    def _by_id(self, operation: str) -> None:
        self._do([operation, self.any_id.value, self.attempt.value])

    def _enqueue(self) -> None:
        id = self.id.value
        self._do(["enqueue", id, self.payload.value])
        step = self._session.step
        if step is not None and step.result is True and step.op[:2] == ("enqueue", id):
            self._suggest()

    def _suggest(self) -> None:
        """Fill in the next letter that no job has, so that several jobs are as many presses."""
        taken = {job.id for job in self._session.state.current.jobs}
        letter = next((each for each in "abcdefghijklmnopqrstuvwxyz" if each not in taken), None)
        if letter:
            self.id.value, self.payload.value = letter, letter.upper()


class _Row:
    """A slot: the job that has it, with its own buttons, or nobody."""

    def __init__(self, jobs: Jobs) -> None:
        self._shown: tuple[Any, ...] = ()
        self.job: JobState | None = None
        self.words = html()
        self.words.layout = Layout(margin="0", flex="1 1 130px", width="auto")
        self.attempt = number("attempt", MAX_ATTEMPT, "108px", "Change it to try a stale or a future attempt")
        self.ack = button("ack", "Finish this job with the attempt beside", lambda: jobs.act("ack", self))
        self.retry = button("retry", "Give this job back with the attempt beside", lambda: jobs.act("retry", self))
        self.cancel = button("cancel", "Withdraw this job", lambda: jobs.act("cancel", self))
        self._controls = (self.words, self.attempt, self.ack, self.retry, self.cancel)
        self.box = HBox([self.words], layout=_ROW)

    def show(self, session: Session, job: JobState | None) -> None:
        self.job = job
        children = (self.words,) if job is None else self._controls
        if len(self.box.children) != len(children):
            self.box.children = children
        if job is None:
            self.words.value = lab_html.free()
            self._shown = ()
            return
        self.words.value = lab_html.job(session.state.current, job)
        # A changed attempt is left as it is until something changes for this job, or another run is shown.
        shown = (job, session.state.selected)
        if shown != self._shown:
            self._shown = shown
            self.attempt.value = max(1, job.attempt)  # a job never reserved: its first attempt to come
            for control, operation in ((self.ack, "ack"), (self.retry, "retry"), (self.cancel, "cancel")):
                control.description = f"{operation} {job.id}"


class Jobs:
    """The queue now: a row for each active job, those in flight first, then the line; a few free slots."""

    def __init__(self, session: Session, run: Run) -> None:
        self._session, self._run = session, run
        self.now, self.message = html(), message()
        self.rows: list[_Row] = []  # at most as many as a queue has slots; made when needed, never dropped
        self._table = VBox([], layout=_FULL)
        self.box = VBox([self.now, self._table, self.message], layout=Layout(flex="3 1 430px", width="auto"))

    def show(self) -> None:
        queue = self._session.state.current
        waiting = [job for job in map(queue.job, queue.line) if job is not None]
        jobs: list[JobState | None] = [*queue.in_flight, *waiting]
        jobs += [None] * (min(queue.capacity, FEW) - len(jobs))
        while len(self.rows) < len(jobs):
            self.rows.append(_Row(self))
        self.now.value = lab_html.now(self._session)
        for row, job in zip(self.rows, jobs):
            row.show(self._session, job)
        if len(self._table.children) != len(jobs):
            self._table.children = [row.box for row in self.rows[: len(jobs)]]

    def act(self, operation: str, row: _Row) -> None:
        job = row.job
        if job is not None:
            op = [operation, job.id] if operation == "cancel" else [operation, job.id, row.attempt.value]
            self._run(self.message, lambda: self._session.do(op))


class Time:
    """Where the cursor stands, and every way to move it; undo and redo."""

    def __init__(self, session: Session, run: Run) -> None:
        self._session, self._run, self._showing = session, run, False
        self.message = message()
        self.first = button("first", "Go to the beginning", lambda: self._go(0))
        self.back = button("back", "One step back", lambda: self._go(session.cursor - 1))
        self.forward = button("forward", "One step forward", lambda: self._go(session.cursor + 1))
        self.last = button("last", "Go to the end of the run", lambda: self._go(len(session.history)))
        self.step = number("step", MAX_OPS, "88px", "The number of operations that have been done")
        self.slider = IntSlider(min=0, max=1, description="", readout=False, tooltip="Scrub through the run",
                                layout=Layout(width="88px", margin="2px 4px"))
        self.play = Play(min=0, max=1, interval=FRAME_TIME, show_repeat=False, tooltip="Play the run",
                         layout=Layout(width="auto", margin="2px"))
        self.undo = button("undo", "Take the last change back", lambda: run(self.message, session.undo))
        self.redo = button("redo", "Do again what was taken back", lambda: run(self.message, session.redo))
        for control in (self.step, self.slider, self.play):
            control.observe(self._moved, "value")
        groups = ((self.first, self.back, self.forward, self.last), (self.step, self.slider, self.play),
                  (self.undo, self.redo))
        bar = Box([HBox(group, layout=_GROUP) for group in groups], layout=_BAR)
        self.box = VBox([bar, self.message], layout=_FULL)

    def show(self) -> None:
        self._showing = True  # what is set here was not moved by anyone
        try:
            length, cursor = len(self._session.history), self._session.cursor
            for control, most in ((self.step, length), (self.slider, max(1, length)), (self.play, length)):
                with control.hold_trait_notifications():
                    control.max, control.value = most, cursor
            self.slider.disabled = self.play.disabled = length == 0
        finally:
            self._showing = False

    def _moved(self, change: Any) -> None:
        if not self._showing:
            self._run(self.message, lambda: self._session.goto(change["new"]))

    def _go(self, index: int) -> None:
        """Go there; whoever presses back at the beginning stays there and is told."""
        def go() -> str | None:
            if index < 0:
                return "This is the beginning of the run."
            if index > len(self._session.history):
                return "This is the end of the run."
            self._session.goto(index)
            return None
        self._run(self.message, go)


class Files:
    """Open a run and save one: by name, through a text to copy, or as a file."""

    def __init__(self, session: Session, run: Run, texts: dict[str, Callable[[], str]],
                 save: Callable[[str], object]) -> None:
        self._run = run
        self.message, self.file_message = message(), message()
        self._names = sources.names()
        self.group = Dropdown(options=list(self._names), description="runs", style=_LABEL,
                              tooltip="The published examples, or the witnesses of a rule",
                              layout=Layout(width="230px", margin="2px"))
        self.name = Dropdown(options=self._names[self.group.value], description="which", style=_LABEL,
                             tooltip="The run to open", layout=Layout(width="270px", margin="2px"))
        self.group.observe(self._choose, "value")
        self.open = button("open", "Open this run in place of the one shown; undo brings that back",
                           lambda: run(self.message, lambda: session.load(self.name.value)))
        self.text = Textarea(description="text", style=_LABEL, tooltip="A scenario in JSON, or a saved lab",
                             placeholder='{"capacity": 2, "ops": [["enqueue", "a", "A"], ["reserve"]]}',
                             layout=Layout(width="auto", height="92px", margin="2px"))
        self.open_text = button("open the text", "Open the scenario or the saved lab in the text field",
                                lambda: run(self.message, lambda: session.load(self.text.value)))
        self.write = {what: self._writer(what, make) for what, make in texts.items()}
        self.file = field("file", "run.svg", "220px", "Its ending says how: .svg .png .pdf .json .py .txt")
        self.save = button("save", "Save the run under this name, in the notebook's folder",
                           lambda: run(self.file_message, lambda: save(self.file.value)))
        self.panel = VBox([
            Box([self.group, self.name, self.open], layout=_BAR),
            self.text,
            Box([self.open_text, *self.write.values()], layout=_BAR), self.message,
            Box([self.file, self.save], layout=_BAR), self.file_message,
        ], layout=Layout(width="100%", display="none"))
        self.toggle = button("show open and save", "Open and save runs", self._toggle)
        self.box = VBox([HBox([self.toggle]), self.panel], layout=_FULL)

    def _writer(self, what: str, make: Callable[[], str]) -> Button:
        def write() -> None:
            self.text.value = make()
        return button(f"write {what}", f"Put the run into the text field as {what}",
                      lambda: self._run(self.message, write))

    def _choose(self, change: Any) -> None:
        self.name.options = self._names[change["new"]]

    def _toggle(self) -> None:
        hidden = self.panel.layout.display == "none"
        self.panel.layout.display = None if hidden else "none"
        self.toggle.description = f"{'hide' if hidden else 'show'} open and save"
