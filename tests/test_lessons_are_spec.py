"""The lessons are the specification: with a broken queue in place of ``retryq.Queue``, the lesson of the broken clause
turns red, in a cell that shows the operation; with a sound one, none does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import execute_notebooks
import lesson_runner
import pytest
import queue_mutants
import sample_notebooks as sample
from sound_queues import SOUND

import retryq
from retryq import rules, scenario, zoo

LESSONS = {path.stem: path for path in execute_notebooks.notebook_files() if path.stem in rules.LESSONS}


class BeginsAtTwo(retryq.Queue):
    """Breaks ``attempt.first``."""

    def reserve(self) -> retryq.Job | None:
        job = super().reserve()
        return job and job._replace(attempt=job.attempt + 1)


@pytest.fixture
def small_lesson(tmp_path: Path) -> Path:
    taken = "Job(id='a', payload='A', attempt=1)"
    cells = [
        sample.code("from retryq import Queue\n\nqueue = Queue(2)"),
        sample.code('print(queue.enqueue("a", "A"), queue.enqueue("b", "B"))', sample.printed("True True\n")),
        sample.code("queue.reserve()", sample.shown(taken)),
        sample.code("seen = check(queue.reserve())\nseen", sample.shown("None")),
        sample.code("queue.missing()", sample.raised("AttributeError", "'Queue' object has no attribute 'missing'")),
    ]
    return sample.write(tmp_path / "20-small.ipynb", sample.notebook(*cells))


def test_a_broken_queue_is_given_away_by_the_cell_that_shows_it(small_lesson: Path) -> None:
    found = lesson_runner.gives_away(small_lesson, BeginsAtTwo)
    assert found is not None
    assert (found.cell, found.source) == (3, "queue.reserve()")
    assert "attempt=2" in found.sentence


def test_a_check_alone_gives_nothing_away(small_lesson: Path) -> None:
    text = small_lesson.read_text("utf-8").replace("queue.reserve()", "check(queue.reserve())")
    small_lesson.write_text(text, encoding="utf-8")
    shows = [one.cell for one in lesson_runner.differences(small_lesson, BeginsAtTwo) if one.shows]
    assert shows == [5]  # which names the class; nothing else is seen


def test_another_error_and_a_missing_one_are_differences(small_lesson: Path) -> None:
    found = {one.cell: one.sentence for one in lesson_runner.differences(small_lesson)}
    assert set(found) == {4}  # check is not defined here
    assert "now error (NameError)" in found[4]


@pytest.mark.parametrize("name", LESSONS)
def test_our_own_queue_changes_nothing(name: str) -> None:
    assert [str(one) for one in lesson_runner.differences(LESSONS[name])] == []


def answering_jobs(queue_class: type) -> type:
    """The class with each reservation as a ``Job``, whatever it answers itself: so a lesson prints it."""

    def reserve(self: Any) -> retryq.Job | None:
        answer = scenario.notation(queue_class.reserve(self))
        return answer and retryq.Job(*answer)

    return type(queue_class.__name__, (queue_class,), {"reserve": reserve})


@pytest.mark.parametrize("queue_class", [zoo.SimpleQueue, *SOUND], ids=lambda queue_class: queue_class.__name__)
def test_a_sound_queue_written_otherwise_changes_nothing(queue_class: type) -> None:
    otherwise = {
        name: [str(one) for one in lesson_runner.differences(path, answering_jobs(queue_class)) if one.shows]
        for name, path in LESSONS.items()
    }
    assert {name: cells for name, cells in otherwise.items() if cells} == {}


@pytest.mark.parametrize("member", zoo.ZOO, ids=lambda member: member.__name__)
def test_the_lesson_of_the_broken_clause_turns_red(member: type) -> None:
    taught = {rules.CLAUSES[name].lesson for name in member.broken} & set(LESSONS)
    assert [name for name in sorted(taught) if lesson_runner.gives_away(LESSONS[name], member) is None] == []


@pytest.fixture(scope="module")
def mutants() -> list[queue_mutants.Mutant]:
    return queue_mutants.mutants()


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_sees_mistakes_that_nobody_thought_of(name: str, mutants: list[queue_mutants.Mutant]) -> None:
    taught = {clause.name for clause in rules.CLAUSES.values() if clause.lesson == name}
    # A queue that breaks half of all clauses at once is seen at a glance, and costs time.
    subtle = [mutant for mutant in mutants if len(mutant.broken) <= len(rules.CLAUSES) // 2]
    slips = {
        mutant.mistake: sorted(mutant.broken & taught)
        for mutant in subtle
        if mutant.broken & taught and lesson_runner.gives_away(LESSONS[name], mutant.queue_class) is None
    }
    assert slips == {}


def test_every_clause_is_broken_by_some_mutant(mutants: list[queue_mutants.Mutant]) -> None:
    assert set(rules.CLAUSES) - set().union(*(mutant.broken for mutant in mutants)) == set()
