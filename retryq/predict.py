"""Predict before you run: what will each operation answer? A thin view of `quiz.Quiz`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import Any

from ipywidgets import HTML, Button, HBox, Layout, VBox

from retryq.asking import predict_html
from retryq.asking.drill import Drill
from retryq.asking.questions import MOST, Option, Question
from retryq.asking.quiz import Quiz, Score
from retryq.history import History
from retryq.playing import lab_html
from retryq.playing.lab_parts import button, html, message
from retryq.playing.told import Told
from retryq.scenario import Scenario

__all__ = ["Predict"]

ANOTHER = "another run"


class Predict(VBox):
    """What will each operation of a run answer? Choose, commit, and see the answer, the rule and why.

    ``of`` is a scenario, or its JSON, the name of a published example, a clause (its witness). ``ask`` says which
    operations are asked: ``None`` those where somebody errs, ``"all"``, numbers of operations counted from 1, or
    clauses. All that the controls do can be done in code, with the same effect and the same words. It prints as
    questions with the answers after them. `ScenarioError` for a run or an ``ask`` that cannot be.

    >>> predict = Predict("retry fences old attempt", ask=[5, 7])
    >>> predict.answer(False)
    Right: it answers False.
    refused: attempt 1 is stale, the current attempt of a is 2 (fence.exact)
    >>> predict.next()
    6. queue.retry("a", 1) -> False
    7. queue.ack("a", 2) -> ?
       (A) True
       (B) False
    >>> predict.score
    1 of 2 answers right
    """

    def __init__(self, of: object, ask: object = None) -> None:
        self._quiz = of if isinstance(of, Quiz) else Quiz(of, ask)
        self._heading, self._so_far, self._asked, self._verdict = (html() for _ in range(4))
        self._message = message()
        self._options = [self._option(index) for index in range(MOST)]
        self._chosen: Option | None = None
        self._go = button("", "", lambda: self._run(self._next_thing()[1]))
        self._extras = [self._extra("start again", self._quiz.restart)]
        if isinstance(self._quiz, Drill):
            self._extras.append(self._extra(ANOTHER, self._quiz.another))
        style = HTML(lab_html.STYLE + predict_html.STYLE, layout=Layout(display="none"))
        super().__init__([style, self._heading, self._so_far, self._asked,
                          VBox(self._options, layout=Layout(width="100%", align_items="flex-start")),
                          HBox([self._go, *self._extras], layout=Layout(flex_flow="row wrap", margin="4px 0 0 16px")), self._message,
                          self._verdict, html(predict_html.HELP)], layout=Layout(width="100%"))
        self._show()

    @classmethod
    def drill(cls, clause: str, seed: int = 0) -> Predict:
        """Fresh runs on one clause, without end, from easy to hard: the same for the same seed.

        ``ValueError`` where no clause has that name.

        >>> drill = Predict.drill("fence.exact", seed=1)
        >>> {question.step.clause for question in drill.questions}
        {'fence.exact'}
        """
        return cls(Drill(clause, seed))

    # ---- what can be read

    @property
    def question(self) -> Question | None:
        """The question that is asked now: its ``step``, its ``options``; ``None`` at the end."""
        return self._quiz.question

    @property
    def questions(self) -> tuple[Question, ...]:
        """All questions of the run."""
        return self._quiz.questions

    @property
    def score(self) -> Score:
        """How many questions there are, how many were right at the first try, and how many of the others later on."""
        return self._quiz.score

    @property
    def history(self) -> History:
        """The whole run."""
        return self._quiz.history

    @property
    def scenario(self) -> Scenario:
        """The run in the notation, with what the rules answer as what is expected."""
        return self._quiz.scenario

    def __str__(self) -> str:
        return self._quiz.text()

    __repr__ = __str__

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """The live controls; and for every page that has none, the questions with the answers after them, or folded."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**options)
        page = lab_html.STYLE + predict_html.STYLE + predict_html.static(self._quiz)
        return bundle | {"text/plain": str(self), "text/html": page}

    # ---- what can be done

    def answer(self, choice: object) -> Told:
        """Commit to an answer to the question that is asked now: its value, its letter or its words.

        ``ValueError`` where it is none of the options, or the question is answered already.
        """
        return self._call(lambda: self._quiz.answer(choice))

    def next(self) -> Told:
        """Go on to the next question; after the last, tell the score. A question that waits for its answer stays."""
        return self._call(self._quiz.next)

    def again(self) -> Told:
        """Ask those again whose last answer was wrong."""
        return self._call(self._quiz.again)

    def restart(self) -> Told:
        """Forget every answer and begin again."""
        return self._call(self._quiz.restart)

    def another(self) -> Told:
        """Go on to the next run of a drill, a harder one. ``ValueError`` where this is no drill."""
        return self._call(self._quiz.another)

    # ---- the view

    def _call(self, action: Callable[[], Told]) -> Told:
        told = action()
        self._chosen = None
        self._say("")
        self._show()
        return told

    def _run(self, action: Callable[[], object]) -> None:
        """What every control calls: nothing fails in silence."""
        words = ""
        try:
            action()
            self._chosen = None
        except ValueError as error:
            words = str(error)
        except Exception as error:
            words = f"This is a mistake of the quiz, not yours: {type(error).__name__}: {error}"
        self._say(words)
        self._show()

    def _say(self, words: str) -> None:
        self._message.value = lab_html.message(words)
        self._message.layout.display = None if words else "none"

    def _extra(self, words: str, action: Callable[[], object]) -> Button:
        """A button beside the main one, there when something was wrong at the end."""
        made = button(words, "", lambda: self._run(action))
        made.layout = Layout(width="auto", margin="2px", padding="0 6px")  # its own, for it is hidden by itself
        return made

    def _option(self, index: int) -> Button:
        """A button that chooses an option. Arrow keys, which radio buttons need, belong to JupyterLab."""
        made = Button(layout=Layout(width="auto", height="auto", margin="2px 2px 2px 18px", padding="0 8px"))
        made.add_class("rq-option")
        made.on_click(lambda _: self._choose(index))
        return made

    def _choose(self, index: int) -> None:
        question = self._quiz.question
        if question is not None and self._quiz.committed is None:
            self._chosen = question.options[index]
            self._say("")
            self._show()

    def _next_thing(self) -> tuple[str, Callable[[], object]]:
        """What the main button says and does now."""
        quiz = self._quiz
        if quiz.question is None:
            if quiz.wrong:
                return "try the wrong ones again", quiz.again
            return (ANOTHER, quiz.another) if isinstance(quiz, Drill) else ("start again", quiz.restart)
        return ("commit", self._commit) if quiz.committed is None else ("next", quiz.next)

    def _commit(self) -> Told:
        if self._chosen is None:
            raise ValueError("Choose an answer first.")
        return self._quiz.answer(self._chosen.value)

    def _show(self) -> None:
        """Show the quiz. No answer is sent to the browser before it is committed to."""
        quiz, question = self._quiz, self._quiz.question
        chosen = quiz.committed or self._chosen
        self._heading.value = predict_html.heading(quiz)
        self._so_far.value = predict_html.so_far(quiz)
        self._asked.value = predict_html.asked(question) if question else predict_html.ending(quiz)
        self._verdict.value = predict_html.verdict(question, quiz.committed) if question and quiz.committed else ""
        self._go.description = self._next_thing()[0]
        for extra in self._extras:
            extra.layout.display = None if not question and quiz.wrong else "none"
        for made, option in zip_longest(self._options, question.options if question else ()):
            made.layout.display = None if option else "none"
            made.disabled = quiz.committed is not None
            if option:
                made.description = option.words + (" (chosen)" if option == chosen else "")
                (made.add_class if option == chosen else made.remove_class)("rq-chosen")
