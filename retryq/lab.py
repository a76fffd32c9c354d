"""The lab: a queue to play with, every step of it shown and explained. A thin view of `session.Session`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from ipywidgets import HTML, Box, Layout, VBox

from retryq.history import History
from retryq.missions import Mission
from retryq.playing import lab_html, lab_parts
from retryq.playing.session import Session
from retryq.playing.told import Told, as_test
from retryq.scenario import Scenario, ScenarioError
from retryq.timeline import Timeline

__all__ = ["Lab"]


class Lab(VBox):
    """A queue to play with: operate, step back and forth, take back, and see which rule decided, and why.

    ``of`` is a capacity; or a scenario, its JSON, the name of a published example, a clause (its witness), a saved
    lab; or a check's report. ``queue_class`` is a queue that answers beside the rules. ``missions`` is a lesson's
    name, or `Mission` objects. All that the controls do can be done in code, with the same effect and the same
    words. What the notation does not allow raises `ScenarioError` with one sentence, and changes nothing.

    >>> lab = Lab(1)
    >>> lab.do(["enqueue", "a", "A"])
    1. queue.enqueue("a", "A") -> True
       accepted: 1 of 1 slot was free, and a joins the tail at place 1 (capacity.room)
    """

    def __init__(self, of: object = None, queue_class: type | None = None,
                 missions: str | Mission | Iterable[str | Mission] = (), *, capacity: int = 2) -> None:
        self._session = session = Session(capacity if of is None else of, queue_class, missions)
        self._saved: set[Path] = set()
        self._drawn: tuple[History, int] | None = None
        self._heading, self._happened, self._picture, self._missions = (lab_parts.html() for _ in range(4))
        self._operate = lab_parts.Operate(session, self._run)
        self._jobs = lab_parts.Jobs(session, self._run)
        self._time = lab_parts.Time(session, self._run)
        texts = {"JSON": self.as_json, "a test": self.as_test, "a saved lab": self.state_text}
        self._files = lab_parts.Files(session, self._run, texts, self._save_new)
        self._messages = (self._operate.message, self._jobs.message, self._time.message, self._files.message,
                          self._files.file_message)
        self._missions.layout = Layout(flex="2 1 250px", width="auto")
        middle = Box([self._jobs.box, *([self._missions] if session.missions else [])],
                     layout=Layout(flex_flow="row wrap", width="100%"))
        self._help = lab_parts.html(lab_html.HELP)
        super().__init__([HTML(lab_html.STYLE, layout=Layout(display="none")), self._heading, self._operate.box, middle,
                          self._happened, self._time.box, self._picture, self._files.box, self._help],
                         layout=Layout(width="100%"))
        self._show()

    # ---- what can be read

    @property
    def history(self) -> History:
        """The whole run, what lies after the cursor included."""
        return self._session.history

    @property
    def cursor(self) -> int:
        """How many operations of the run have been done at the step that is shown."""
        return self._session.cursor

    @property
    def scenario(self) -> Scenario:
        """The run in the scenario notation, with the rules' answers as what is expected."""
        return self._session.scenario

    @property
    def missions(self) -> tuple[tuple[str, bool], ...]:
        """Each mission's goal, and whether it is reached."""
        return tuple((mission.goal, index in self._session.reached)
                     for index, mission in enumerate(self._session.missions))

    def __str__(self) -> str:
        return self._session.text()

    __repr__ = __str__

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """The live controls; and for every page that has none, the picture and the text twin."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**options)
        picture = self._timeline().html(level=9) if self.history.steps else ""
        return bundle | {"text/plain": str(self), "text/html": lab_html.static(self._session, picture)}

    # ---- what can be done

    def do(self, op: Sequence, *more: Any) -> Told:
        """Do one operation of the notation, such as ``["ack", "a", 1]``, at the step that is shown."""
        if more:
            raise ScenarioError(f"operation: must be one list, as in lab.do({[op, *more]!r})")
        return self._call(lambda: self._session.do(op))

    def goto(self, step: int) -> Told:
        """Show the state after ``step`` operations; 0 is the beginning."""
        return self._call(lambda: self._session.goto(step))

    def undo(self) -> Told:
        """Take the last change back: an operation and what it dropped, a restart, the opening of a run."""
        return self._call(self._session.undo)

    def redo(self) -> Told:
        """Do again what was taken back."""
        return self._call(self._session.redo)

    def restart(self, capacity: int | None = None) -> Told:
        """Begin again with an empty queue, of the same capacity or another one."""
        return self._call(lambda: self._session.restart(capacity))

    def load(self, source: object, cursor: int | None = None) -> Told:
        """Open another run in place of this one: whatever the lab itself can be made of, save a capacity."""
        return self._call(lambda: self._session.load(source, cursor))

    # ---- what can be kept

    def as_json(self) -> str:
        """The run in the scenario notation."""
        return self.scenario.to_json()

    def as_test(self) -> str:
        """The run as a pytest test."""
        return as_test(self.scenario)

    def state_text(self) -> str:
        """The whole lab as one short line: the run, the step shown, the missions reached. `restore` reads it."""
        return self._session.state_text()

    @classmethod
    def restore(cls, text: str, queue_class: type | None = None,
                missions: str | Mission | Iterable[str | Mission] = ()) -> Lab:
        """The lab that `state_text` has put into words."""
        return cls(text, queue_class, missions)

    def save(self, path: str | Path) -> Told:
        """Save the run: ``.json`` the notation, ``.py`` a test, ``.txt`` this text, ``.svg .png .pdf`` the picture."""
        path = Path(path)
        text = {".json": self.as_json, ".py": self.as_test, ".txt": self.__str__}.get(path.suffix)
        if text is not None:
            path.write_text(text().rstrip("\n") + "\n", encoding="utf-8")
        elif path.suffix in (".svg", ".png", ".pdf"):
            self._timeline().save(path)
        else:
            raise ScenarioError("file: its name must end in .svg, .png, .pdf, .json, .py or .txt, "
                                f"got {str(path)!r}")
        self._saved.add(path)
        return Told(f"Saved the run as {path}.")

    # ---- the view

    def _call(self, action: Callable[[], Told]) -> Told:
        told = action()
        self._show()
        return told

    def _run(self, message: HTML, action: Callable[[], object]) -> None:
        """What every control calls: nothing fails in silence, and what cannot be done is said beside the control."""
        words, failed = "", True
        try:
            done = action()
            words, failed = done if isinstance(done, str) else "", False
        except ScenarioError as error:
            words = str(error)
        except OSError as error:
            words = f"file: {error.filename} cannot be written: {error.strerror}"
        except Exception as error:
            words = f"This is a mistake of the lab, not yours: {type(error).__name__}: {error}"
        for each in self._messages:
            each.value = lab_html.message(words, failed) if each is message else ""
            each.layout.display = None if each.value else "none"
        self._show()

    def _show(self) -> None:
        """Show the session. Only what has changed is sent to the browser."""
        session = self._session
        self._heading.value = lab_html.heading(session)
        self._happened.value = lab_html.happened(session)
        self._missions.value = lab_html.missions(session)
        for part in (self._operate, self._jobs, self._time):
            part.show()
        self._show_picture()

    def _show_picture(self) -> None:
        shown = (self.history, self.cursor)
        if self._drawn != shown:
            self._drawn = shown
            self._picture.value = self._timeline().html() if self.history.steps else ""

    def _timeline(self) -> Timeline:
        return Timeline(self.history, self.cursor if self.cursor < len(self.history) else None)

    def _save_new(self, name: str) -> str:
        """Save from the control: under a new name, or over what this lab has saved before."""
        path = Path(name.strip())
        if path.is_file() and path not in self._saved:
            raise ScenarioError(f"file: {str(path)!r} is there already, and is left as it is; choose another name")
        return self.save(path).words
