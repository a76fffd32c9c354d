"""Runs to draw: a lesson's, the extremes, hostile labels, and whatever chance brings."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

from random_runs import random_run

from retryq.scenario import Scenario
from retryq.timeline import Timeline

LESSON = Scenario(
    2,
    (
        ("enqueue", "a", "A"),
        ("enqueue", "b", "B"),
        ("reserve",),
        ("enqueue", "c", "C"),
        ("retry", "a", 1),
        ("reserve",),
        ("reserve",),
        ("ack", "a", 1),
        ("ack", "a", 2),
        ("cancel", "b"),
        ("enqueue", "a", "A"),
        ("reserve",),
    ),
)
STALE = Scenario(1, (("enqueue", "a", "A"), ("reserve",), ("retry", "a", 1), ("reserve",), ("ack", "a", 1)))
LONG = Scenario(  # five rows
    3,
    (
        *(("enqueue", id, id.upper()) for id in "abc"),
        *(op for turn in range(29) for op in (("reserve",), ("retry", "abc"[turn % 3], 1 + turn // 3))),
    ),
)
LABELS = ["$x$", r"\frac{a}{b}", "<script>", "&amp;", "%s %d", "__a__", "'", '"', "{}^_~#", "  a  b ", ""]
IDS = ["W" * 16, "i" * 16, "a-very_long-id_1", "-", "__", "a"]


def report(scenario: Scenario, answers: list, **more: object) -> SimpleNamespace:
    """What a check hands over: where a queue and the rules part."""
    return SimpleNamespace(counterexample=scenario, actual=answers, **more)


def hostile() -> Scenario:
    """Long and odd labels, jobs that end in the last column, refusals right after an end."""
    ops = [("enqueue", id, payload) for id, payload in zip(IDS, [*LABELS[:5], "W" * 32], strict=True)]
    ops += [
        ("reserve",),
        ("ack", IDS[0], 1),
        ("ack", IDS[0], 1),
        ("cancel", IDS[0]),
        ("reserve",),
        ("cancel", IDS[1]),
    ]
    return Scenario(16, tuple(ops))


def crowded() -> Scenario:
    """Every job of a long line in narrow lanes, refused in every column; refusals at and soon after an
    end."""
    ops = [("enqueue", f"job-{number}", "") for number in range(16)] + [("cancel", "job-15")] * 2
    ops += [
        ("reserve",),
        ("ack", "job-0", 1),
        ("ack", "job-0", 1),
        ("cancel", "job-1"),
        ("reserve",),
        ("cancel", "job-1"),
    ]
    ops += [("ack", "job-14", 1), ("ack", "job-13", 2)] * 20
    return Scenario(16, tuple(ops))


def many(ops: int, jobs: int, queues: int) -> Scenario:
    """A run of so many operations on so many jobs and queues, as many as fit in."""
    run = [("new",)] * (queues - 1)
    run += [("enqueue", f"job-{number}", "p" * number) for number in range(jobs)]
    filled = ops - len(run)
    run += [("reserve",), ("retry", "job-0", 1), ("use", 0), ("ack", "job-1", 1)] * (filled // 4 + 1)
    return Scenario(16, tuple(run[:ops]))


SHAPES = [
    (1, 1, 1),
    (2, 1, 1),
    (6, 2, 1),
    (12, 4, 1),
    (13, 3, 1),
    (14, 12, 1),
    (15, 1, 1),
    (28, 20, 1),
    (29, 5, 3),
    (40, 10, 8),
    (64, 20, 1),
    (64, 10, 8),
    (64, 1, 1),
]
PICTURES = {
    "lesson": Timeline(LESSON),
    "cursor": Timeline(LESSON, 5),
    "before": Timeline(LESSON, 0),
    "after": Timeline(LESSON, 12),
    "empty": Timeline(Scenario(2, ())),
    "nought": Timeline(Scenario(0, LESSON.ops)),
    "titled": Timeline(replace(LESSON, name="a title of many words " * 12)),
    "parted": Timeline(report(STALE, [True, ["a", "A", 1], True, ["a", "A", 2], True])),
    "raised": Timeline(report(STALE, [True, "x" * 60])),
    "hostile": Timeline(hostile()),
    "crowded": Timeline(crowded()),
    "crowded cursor": Timeline(crowded(), 53),
    "hostile cursor": Timeline(hostile(), 8),
    **{
        f"{ops} operations, {jobs} jobs, {queues} queues": Timeline(many(ops, jobs, queues), cursor)
        for ops, jobs, queues in SHAPES
        for cursor in (None, ops // 2)
    },
    **{f"random {seed}": Timeline(random_run(seed, 64, 8), seed or None) for seed in range(6)},
}
