"""Everything that is tried on a class, in order: the same runs each time, made once and kept."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

from retryq.checking.alike import ALIKE
from retryq.checking.calls import calls_of
from retryq.checking.findings import Explored
from retryq.checking.graph import Script, Walked
from retryq.checking.scopes import LONG
from retryq.checking.short import all_runs
from retryq.checking.walks import walks
from retryq.grammar import MAX_OPS, MAX_QUEUES

__all__ = ["Plan", "explored", "plan", "plan_for"]

SMALL = ((0, "abc", 2), (1, "abc", 2), (2, "abc", 2))  # capacity, ids, attempts: walked through completely
FURTHER = ((2, "ab", 3), (3, "abc", 1))  # of these, the operations that change something
SHORT, STATES, SCOPE, WALK, AGAIN = "short", "states", "scopes", "walks", "states again"
WALKS = ((60, 1), (30, 2), (20, MAX_QUEUES))  # how many walks, over up to how many queues


class Plan(NamedTuple):
    """The runs in order, and how many there are of each sort, in the same order."""

    scripts: tuple[Script, ...]
    groups: tuple[tuple[str, int], ...]
    states: int  # in the small scopes


@cache
def plan() -> Plan:
    """The runs for a whole class. What finds most comes first, in case a slow class uses up the time."""
    collecting = gc.isenabled()
    gc.disable()  # all of these tuples are kept: to look for garbage among them costs a third more
    try:
        return _plan()
    finally:
        if collecting:
            gc.enable()


def _plan() -> Plan:
    small = [Walked(*scope) for scope in SMALL]
    further = [Walked(*scope) for scope in FURTHER]
    groups: dict[str, list[Script]] = {
        SHORT: [run[:2] for length in (1, 2) for run in all_runs(length)],
        STATES: list(chain(*(each.moves(0) for each in small), *(each.refusals(0, False) for each in small))),
        SCOPE: list(dict.fromkeys(_deep())),
        WALK: [script for count, queues in WALKS for script in walks(count, queues)],
        AGAIN: list(
            chain(
                *(each.moves(3) for each in further),
                *(each.refusals(2, True) for each in small),
                *(each.moves(2) for each in small),
            )
        ),
    }
    return Plan(
        tuple(chain(*groups.values())),
        tuple((name, len(scripts)) for name, scripts in groups.items()),
        sum(len(each.graph) for each in small),
    )


def _deep() -> Iterator[Script]:
    for scope in (*LONG, *ALIKE):
        for capacity, ops in scope():
            yield capacity, calls_of(capacity, ops[:MAX_OPS])


@cache
def plan_for(methods: tuple[str, ...]) -> Plan:
    """The same, and walks that use these methods alone: for a class in which the others are not written
    yet."""
    everything = plan()
    more = [script for count, queues in WALKS for script in walks(count, queues, seed=1, methods=methods)]
    return everything._replace(
        scripts=(*more, *everything.scripts), groups=((WALK, len(more)), *everything.groups)
    )


def explored(runs: int, operations: int, done: int, partly: bool, ended_by: str = "") -> Explored:
    """What was tried, in numbers and words. ``done`` is how many runs of the plan it came to, and
    ``ended_by`` is what ended the search before its time."""
    numbers = f"Tried: {runs:,} runs, {operations:,} operations"
    if ended_by:
        then = ", each a short run that shows one clause"
        if done:
            then = f", then {done:,} of {len(plan().scripts):,} runs that go further"
        words = f"{numbers}: the witnesses of the rules{then}. {ended_by} ended the search."
        return Explored(runs, operations, 0, words)
    everything = plan()  # only here: to make it takes longer than to find a fault that a witness shows
    count, total = dict(everything.groups), len(everything.scripts)
    lines = [f"{numbers}."]
    if done < total:
        lines.append(f"The queue is slow, so the time was up after {done:,} of {total:,} runs.")
    if partly:
        lines.append("What needs a method that is not written yet was left out.")
    lines += [
        "These are the witnesses of the rules and every run of 1 or 2 operations;",
        f"every operation in each of the {everything.states:,} states of queues with capacity 0 to 2, 3 ids",
        "and attempts to 2, with enough operations after it to tell the state it led to from others;",
        f"{count[SCOPE]:,} runs for what lies deeper (31 attempts, 31 finished ids, every capacity to 16,",
        "8 queues at once, ids and payloads that look alike, refusals over and over);",
        f"and {count[WALK]} walks of 64 operations.",
        "Not covered: more than 64 operations, capacities over 16, attempts below 0 and over 64, other",
        "characters than printable ASCII, arguments of a wrong type, threads, speed and memory.",
    ]
    return Explored(runs, operations, everything.states, " ".join(lines))
