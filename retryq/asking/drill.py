"""Runs on one clause, one after the other, from easy to hard: each is a quiz of its own."""

from __future__ import annotations

from dataclasses import replace

from retryq.asking import walks
from retryq.asking.beliefs import clause_names
from retryq.asking.quiz import Quiz, Score
from retryq.playing.told import Told

__all__ = ["Drill"]


class Drill(Quiz):
    """Fresh runs on one clause, without end; the score counts through all of them.

    The same clause and seed give the same runs. ``ValueError`` where no clause has that name, or several have, or the
    seed is no integer.

    >>> drill = Drill("fence.zero", seed=3)
    >>> {question.step.clause for question in drill.questions}
    {'fence.zero'}
    >>> drill.text() == Drill("fence.zero", seed=3).text(), drill.text() == Drill("fence.zero", seed=4).text()
    (True, False)
    """

    def __init__(self, clause: str, seed: int = 0) -> None:
        if type(clause) is not str:
            raise ValueError(f"clause: must be the name of a clause, got {clause!r}")
        names = clause_names(clause)
        if names != (clause,):
            raise ValueError(f"a drill is on one clause, and {clause!r} means {', '.join(names)}")
        if type(seed) is not int:
            raise ValueError(f"seed: must be an integer, got {seed!r}")
        self.clause, self.seed, self.number = clause, seed, 0
        self._earlier = Score(0, 0, 0)
        self._fresh()

    @property
    def score(self) -> Score:
        """The questions of this run, and those answered in the runs before it."""
        this, earlier = super().score, self._earlier
        return Score(earlier.right + this.right, earlier.mended + this.mended, earlier.questions + this.questions)

    def another(self) -> Told:
        """Go on to the next run, a harder one until the hardest. Questions that nobody answered do not count."""
        self._earlier = replace(self.score, questions=self._earlier.questions + len(self.tries))
        self.number += 1
        self._fresh()
        return self.tell()

    @property
    def title(self) -> str:
        """What this is."""
        return f"Drill on {self.clause}, run {self.number + 1}"

    def _fresh(self) -> None:
        exercise = walks.exercise(self.clause, self.seed, self.number)
        self._begin(exercise.scenario, self.clause)
        self.questions = self.round = tuple(each for each in self.questions if each.number in exercise.ask)
