"""A run as a quiz: which question is asked, what was answered, and how it is told. No controls: they are in `predict`.

A quiz tells everything in words (`Told`), and prints as questions with the answers after them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import fill

from retryq import history
from retryq.asking.questions import Option, Question, questions
from retryq.playing import sources
from retryq.playing.told import Told, answer, call, count, step_words
from retryq.scenario import Scenario

__all__ = ["Quiz", "Score", "belief_words"]

WIDTH = 100  # characters of a line of text


@dataclass(frozen=True)
class Score:
    """How many questions there are, how many were right at the first try, and how many of the others later on."""

    right: int
    mended: int
    questions: int

    def __repr__(self) -> str:
        mended = f", {self.mended} more on a later try" if self.mended else ""
        return f"{self.right} of {count(self.questions, 'answer')} right{mended}"


class Quiz:
    """The questions of a run, one by one.

    ``source`` is a scenario, or anything else that `sources.open_source` opens. ``ask`` says which operations are
    asked: see `questions.questions`. `ScenarioError` or ``ValueError`` with one sentence where that cannot be.

    >>> quiz = Quiz("in flight capacity", ask=[3])
    >>> print(quiz.answer(True))
    Not so: you said True, and it answers False.
    refused: the only slot is taken: 0 waiting, 1 in flight; the id b is not taken by this (capacity.full)
    The belief behind it: "A reserved job has left the queue, so its slot is free."
    Why it is not so: A job in flight may come back, so it keeps its slot: capacity counts waiting and in flight \
together (`capacity.active`).
    """

    def __init__(self, source: object, ask: object = None) -> None:
        self._given: Option | None = None
        self._tries: dict[int, tuple[Option, ...]] = {}
        self._begin(sources.open_source(source).scenario, ask)

    def _begin(self, scenario: Scenario, ask: object) -> None:
        self.history = history.run(Scenario(scenario.capacity, scenario.ops))  # its name may give the point away
        self.questions = questions(self.history, ask)
        self.round, self.place = self.questions, 0  # what is asked now, and where we are in it
        self._given, self._tries = None, {}

    # ---- what can be read

    @property
    def title(self) -> str:
        """What this is."""
        return "Predict"

    @property
    def scenario(self) -> Scenario:
        """The run, with what the rules answer as what is expected."""
        return self.history.scenario

    @property
    def question(self) -> Question | None:
        """The question that is asked now; ``None`` at the end."""
        return self.round[self.place] if self.place < len(self.round) else None

    @property
    def committed(self) -> Option | None:
        """What was answered to the question that is asked now, if anything was."""
        return self._given

    @property
    def tries(self) -> dict[int, tuple[Option, ...]]:
        """Every answer given, by the number of the operation."""
        return dict(self._tries)

    @property
    def wrong(self) -> tuple[Question, ...]:
        """The questions whose last answer was wrong."""
        return tuple(each for each in self.questions if each.number in self._tries
                     and self._tries[each.number][-1] != each.right)

    @property
    def score(self) -> Score:
        """How many questions there are, how many were right at the first try, and how many of the others later on."""
        tried = [(self._tries[each.number], each.right) for each in self.questions if each.number in self._tries]
        right = sum(tries[0] == right for tries, right in tried)
        return Score(right, sum(tries[-1] == right for tries, right in tried) - right, len(self.questions))

    # ---- what can be done

    def answer(self, choice: object) -> Told:
        """Commit to an answer: its value, its letter or its words. ``ValueError`` where it is none of the options."""
        question = self.question
        if question is None:
            raise ValueError("every question is answered; ask the wrong ones again, or start again")
        if self._given is not None:
            raise ValueError(f"operation {question.number} is answered already; go on to the next question")
        given = self._given = question.find(choice)
        self._tries[question.number] = (*self._tries.get(question.number, ()), given)
        return Told("\n".join(verdict_words(question, given)), question.step)

    def next(self) -> Told:
        """Go on to the next question; at the end, tell the score. A question that waits for its answer stays."""
        if self.question is not None and self._given is not None:
            self.place, self._given = self.place + 1, None
        return self.tell()

    def again(self) -> Told:
        """Ask those again whose last answer was wrong."""
        if not self.wrong:
            return Told("There is no wrong answer to ask again.")
        self.round, self.place, self._given = self.wrong, 0, None
        return self.tell()

    def restart(self) -> Told:
        """Forget every answer and begin again."""
        self.round, self.place = self.questions, 0
        self._given, self._tries = None, {}
        return self.tell()

    def another(self) -> Told:
        """Go on to another run: only a drill has one."""
        raise ValueError("only a drill has another run; Predict.drill(clause) begins one")

    # ---- telling

    def tell(self) -> Told:
        """The question that is asked now, after what happened since the last one; or the score."""
        if self.question is None:
            return Told(self.ending())
        since = self.round[self.place - 1].number if self.place else 0
        known = [step_words(number, step)[0] for number, step in enumerate(self.history.steps, 1)
                 if since < number < self.question.number]
        return Told("\n".join([*known, *_asked(self.question, self.history.capacity)]))

    def ending(self) -> str:
        """What there is to say when every question is answered."""
        numbers = ", ".join(str(each.number) for each in self.wrong)
        again = f" To try again: operation{'s' * (len(self.wrong) > 1)} {numbers}." if numbers else ""
        return f"Your score: {self.score}.{again}"

    def heading(self) -> str:
        """What this is, and how large."""
        return f"{self.title}: capacity {self.history.capacity}, {count(len(self.questions), 'question')}."

    def text(self) -> str:
        """The questions, and after them the answers."""
        asked = {each.number: each for each in self.questions}
        first = min(asked)
        lines = [self.heading(), "What will each operation with a question mark answer? Write it down, then read on."]
        for number, step in enumerate(self.history.steps, 1):
            if number in asked:
                lines += ["", *_asked(asked[number], self.history.capacity)]
            elif number < first:
                lines += [""] * (number == 1) + [step_words(number, step)[0]]
            else:
                lines += ["", f"{number}. {call(step.op, self.history.capacity)}"]
        lines += ["", "Answers", "-------"]
        for number, step in enumerate(self.history.steps, 1):
            if number in asked:
                lines += _answered(asked[number])
            elif number > first:
                lines += step_words(number, step)[:1]
        if self._tries:
            lines += ["", f"Your score: {self.score}."]
        return "\n".join(lines)


def belief_words(question: Question, option: Option) -> tuple[str, ...]:
    """What somebody who chose a wrong option may believe, and why it is not so; nothing where nobody knows."""
    belief = question.belief(option)
    return (f'The belief behind it: "{belief[0]}"', f"Why it is not so: {belief[1]}") if belief else ()


def verdict_words(question: Question, option: Option) -> tuple[str, ...]:
    """What is said to an answer: whether it is right, why, and the belief behind a wrong one."""
    right = answer(question.step.result)
    first = f"Right: it answers {right}."
    if option != question.right:
        first = f"Not so: you said {option.words}, and it answers {right}."
    return (first, f"{question.step.why} ({', '.join(question.rules)})", *belief_words(question, option))


def _asked(question: Question, capacity: int) -> list[str]:
    options = (f"   ({option.letter}) {option.words}" for option in question.options)
    return [f"{question.number}. {call(question.step.op, capacity)} -> ?", *options]


def _answered(question: Question) -> list[str]:
    called, _ = step_words(question.number, question.step)
    lines = [f"{called} ({question.right.letter})", f"{question.step.why} ({', '.join(question.rules)})"]
    for option in question.options:
        if belief := question.belief(option):
            lines.append(f'Not ({option.letter}): "{belief[0]}" {belief[1]}')
    return [lines[0], *_indented(lines[1:])]


def _indented(lines: Iterable[str]) -> list[str]:
    return [fill(line, WIDTH, initial_indent="   ", subsequent_indent="   ", break_on_hyphens=False,
                 break_long_words=False) for line in lines]
