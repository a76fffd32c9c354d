"""The four queues of lesson 09 answer alike, their steps follow the laws that the lesson states, and the
chart says what its table says. Nothing here looks at a clock."""

from __future__ import annotations

import sys
from collections import OrderedDict, deque
from itertools import pairwise

import pytest
from random_runs import random_run

from retryq import Queue, cost, rules, scenario
from retryq.cost_chart import Chart
from retryq.cost_lines import DequeLine, DictLine, Line, ListLine, OrderedDictLine

SIZES = (8, 64, 512)
LINEAR = [  # everything else is constant
    ("list", "reserve all"), ("list", "cancel all, oldest first"), ("list", "cancel all, newest first"),
    ("list", "cancel all, here and there"), ("list", "one in, one out"),
    ("deque", "cancel all, newest first"), ("deque", "cancel all, here and there"),
    ("dict", "reserve all"), ("dict", "one in, one out"),
]  # fmt: skip


class Seen(str):
    """An id that counts how often it is compared."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Seen.compared += 1
        return str.__eq__(self, other)


@pytest.mark.parametrize("queue_class", cost.QUEUES, ids=lambda each: each.name)
def test_each_of_the_four_keeps_every_rule(queue_class: type[cost.CountedQueue]) -> None:
    for clause in rules.CLAUSES.values():
        for witness in clause.witnesses:
            answers = scenario.run(scenario.Scenario(witness.capacity, witness.ops), queue_class)
            assert scenario.parts_at(witness.expected, tuple(answers)) is None, witness.name
    for run in map(random_run, range(20)):
        assert scenario.parts_at(run.expected, scenario.run(run, queue_class)) is None, run.name


@pytest.mark.parametrize("work", cost.WORKS)
def test_a_work_is_done_and_is_the_same_work_for_all(work: str) -> None:
    ops = list(cost.WORKS[work](30))
    for queue in [cost.filled(queue_class, 30) for queue_class in cost.QUEUES]:
        assert all(getattr(queue, name)(*arguments) not in (False, None) for name, *arguments in ops)
        assert queue.kept() == (60 if work == "one in, one out" else 30, 0)


@pytest.mark.parametrize("work", cost.WORKS)
@pytest.mark.parametrize("name", [each.name for each in cost.QUEUES])
def test_the_laws_of_growth(name: str, work: str) -> None:
    """Eight times the jobs: eight times the steps for each, give or take, or not one step more."""
    means = cost.grow(work, SIZES).mean[name]
    for small, large in pairwise(means):
        assert 4 < large / small < 12 if (name, work) in LINEAR else large == small <= 2


@pytest.mark.parametrize("line_class", [ListLine, DequeLine])
@pytest.mark.parametrize("place", [0, 1, 40, 98, 99])
def test_as_many_are_looked_at_as_python_looks_at(line_class: type[Line], place: int) -> None:
    line = line_class()
    for number in range(100):
        line.join(Seen(f"job-{number}"))
    Seen.compared = 0
    steps = line.leave(f"job-{place}")
    looked = Seen.compared
    moves = {ListLine: 99 - place, DequeLine: 2 * min(place, 100 - place)}[line_class]
    assert (looked, steps) == (place + 1, place + 1 + moves)
    assert list(line) == [f"job-{number}" for number in range(100) if number != place]


@pytest.mark.parametrize("every", [1, 2, 3, 10_000])
def test_a_dict_is_made_anew_when_python_makes_it_anew(every: int) -> None:
    """Mostly the new table is larger or smaller, and that can be seen."""
    line, changes = DictLine(), 0
    line.join("first")  # this makes the first table
    for number in range(3000):
        places, size = line.places, sys.getsizeof(line)
        line.join(f"job-{number}")
        assert (line.places != places) == (sys.getsizeof(line) != size), number
        changes += line.places != places
        if number % every == every - 1 and number > 1300:
            line.leave(f"job-{number // every}")
    assert changes > 8


def test_holes_are_walked_over_until_a_new_table() -> None:
    line = DictLine()
    for number in range(1000):
        line.join(f"job-{number}")
    for number in range(990):
        assert line.leave(f"job-{number}") == 1
    assert line.take() == ("job-990", 991)
    for number in range(1000, line.places):
        line.join(f"job-{number}")
    assert line.take() == ("job-991", 992)
    line.join("one too many")  # for the table, and so the holes are gone
    assert line.take() == ("job-992", 1)


@pytest.mark.parametrize(("line_class", "container"), [
    (ListLine, list), (DequeLine, deque), (DictLine, dict), (OrderedDictLine, OrderedDict),
])  # fmt: skip
def test_a_line_is_what_it_is_called(line_class: type, container: type) -> None:
    assert issubclass(line_class, container)
    assert {each.name: each.make_line for each in cost.QUEUES}[container.__name__] is line_class


def test_the_latest_operation_is_counted_by_itself() -> None:
    queue = cost.filled(cost.ListQueue, 10)
    assert (queue.steps, queue.last) == (10, 1)
    assert (queue.cancel("job-4"), queue.last, queue.steps) == (True, 10, 20)
    assert (queue.cancel("job-4"), queue.last, queue.steps) == (False, 0, 20)
    assert (queue.reserve(), queue.last, queue.steps) == (("job-0", "", 1), 9, 29)
    assert (queue.retry("job-0", 1), queue.last) == (True, 1)
    assert (queue.cancel("job-0"), queue.last) == (True, 9)


@pytest.mark.parametrize("queue_class", [Queue, *cost.QUEUES], ids=lambda each: each.__name__)
def test_a_tombstone_does_not_grow_with_the_payload(queue_class: type) -> None:
    small, large = (cost.tombstone_bytes(queue_class, "x" * length) for length in (0, 10_000))
    assert abs(large - small) < 16
    assert 0 < small < 400


def test_what_is_kept_of_a_finished_job_is_its_id() -> None:
    queue = cost.OrderedDictQueue(2)
    assert queue.enqueue("a", "twelve chars") and queue.enqueue("b", "five!")
    assert queue.kept() == (2, 17)
    assert queue.cancel("a") and queue.kept() == (2, 5)


def test_the_clock_measures_the_same_work() -> None:
    taken = cost.clock("reserve all", (2, 4), tries=1)
    assert (taken.unit, taken.sizes) == ("microseconds", (2, 4))
    assert list(taken.mean) == [each.name for each in cost.QUEUES]
    assert all(mean > 0 for means in taken.mean.values() for mean in means)


def test_an_unknown_work_is_named() -> None:
    with pytest.raises(ValueError, match="work must be one of 'reserve all', .* got 'sleep'"):
        cost.grow("sleep")


def test_compare_says_what_grow_says() -> None:
    head, *rows = cost.compare(100).splitlines()
    assert head.split() == ["100", "jobs", *(each.name for each in cost.QUEUES)]
    for row, work in zip(rows, cost.WORKS, strict=True):
        assert row.startswith(work)
        assert row[28:].split() == [f"{means[0]:,.1f}" for means in cost.grow(work, (100,)).mean.values()]


@pytest.fixture(scope="module")
def chart() -> Chart:
    return Chart(cost.grow("reserve all"))


def test_the_chart_draws_the_numbers(chart: Chart) -> None:
    axes = chart.figure().axes[0]
    drawn = {tuple(line.get_ydata()) for line in axes.lines}
    assert drawn == set(chart.growth.mean.values())
    assert all(tuple(line.get_xdata()) == chart.growth.sizes for line in axes.lines)
    assert {text.get_text() for text in axes.texts} == {"list, dict", "deque, OrderedDict"}
    looks = {(line.get_color(), line.get_linestyle(), line.get_marker()) for line in axes.lines}
    assert len({colour for colour, _, _ in looks}) == len({mark for _, _, mark in looks}) == 4


def test_the_chart_is_an_opaque_white_card_with_a_twin(chart: Chart) -> None:
    bundle = chart._repr_mimebundle_()
    assert bundle["text/plain"] == str(chart) == str(chart.growth)
    assert f'<img alt="{chart.alt}"' in bundle["text/html"]
    assert "list 5.5 with 10 jobs, 500.5 with 1,000;" in chart.alt
    assert chart.figure().get_facecolor() == chart.figure().axes[0].get_facecolor() == (1, 1, 1, 1)
