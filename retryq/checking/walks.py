"""Long walks, always the same ones: 64 operations chosen by chance from a fixed seed, leaning now to one
side, now to another. They find what no short run shows: faults of long lines, of many finished jobs, of
several queues at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random
from typing import NamedTuple

from retryq import model
from retryq.checking.calls import Call, call_of
from retryq.grammar import MAX_ATTEMPT, MAX_OPS, MAX_QUEUES
from retryq.model import JobState, QueueState

__all__ = ["NAMES", "PAYLOADS", "Lean", "usual_payload", "walk", "walks"]

# Ids that careless code takes for each other: as numbers, without their case, by their beginning or their
# end, or because they look like nothing. Each row is used from its left end.
NAMES: dict[str, tuple[str, ...]] = {
    "plain": tuple("abcdefghijklmnopqrstuvwxyz") + tuple(f"a{number}" for number in range(1, 40)),
    "backwards": tuple("zyxwvutsrqponmlkjihgfedcba") + tuple(f"Z{number}" for number in range(40, 0, -1)),
    "case": tuple("aAbBcCdDeEfFgGhHiIjJ")
    + ("job", "Job", "JOB", "jOb", "aa", "aA", "Aa", "AA", "None", "NONE", "none"),
    "numbers": (
        "1",
        "01",
        "10",
        "1_0",
        "0",
        "00",
        "-1",
        "2",
        "02",
        "-0",
        "100",
        "1e1",
        "9",
        "09",
        "0x1",
        "1-0",
        "11",
        "001",
        "_1",
        "1_",
        "0b1",
        "-",
        "20",
        "3",
        "30",
        "12",
        "21",
        "--1",
        "1-",
        "000",
        "99",
        "5",
        "6",
        "7",
        "8",
    ),
    "nothings": (
        "-",
        "_",
        "0",
        "--",
        "__",
        "-_",
        "_-",
        "None",
        "False",
        "True",
        "null",
        "nan",
        "id",
        "self",
        "a-b",
        "a_b",
        "a",
        "a-",
        "a_",
        "-a",
        "_a",
        "ab",
        "none",
        "false",
        "0-0",
        "NULL",
        "NaN",
        "inf",
        "undefined",
        "missing",
    ),
    "longer": ("1234", "2026", "0000", "01234", "123456", "1000", "10000", "__a__", "__init__", "_private", "a__b", "A--B",
               "id-1234", "job_2026", "deadbeef", "1e10", "0x10", "a" * 15, "9" * 16, "Z" * 16),  # fmt: skip
    "beginnings": tuple("x" * size for size in range(1, 17)) + tuple("y" * size for size in range(16, 0, -1)),
    "endings": tuple(f"job-000000000{number:03d}" for number in range(1, 20))
    + tuple(f"{number:03d}-same-ending" for number in range(20)),
}

# Payloads that careless code loses: empty, padded, falsy words, one that is another job's id, one that many
# share.
PAYLOADS: tuple[str, ...] = (
    "",
    " ",
    "A",
    "  padded  ",
    "0",
    "None",
    "False",
    "same",
    "same",
    "a",
    "A",
    "",
    "x" * 32,
    '{"a": 1}',
    "%s {0} \\n",
    "tab\\t",
    "'quoted'",
    "a,b;c|d",
    "null",
    "1.0",
    "UPPER",
    "upper",
    "~" * 31,
    "$HOME `ls` <b>&amp;",
    "[]",
    "true",
    "True",
    '"quoted"',
    "-1",
    "1e5",
    "nan",
    "()",
    "''",
    '""',
    "a=b&c=d",
    "%20+",
    "../up",
    "C:\\",
    "#x",
    "//x",
    "\\u0041",
    "1_000",
    "0x1F",
    "yes",
    "off",
    "trail.",
    "a\\",
    "{}",
    "None ",
    "1 ",
    "a  b",
    "a-b_c",
    "$x$",
    "&lt;",
    "undefined",
    "^",
    'say \\"hi\\"',
    "a\\\\b",
    "{{ x }}",
    "100%%",
    "12345",
)


def usual_payload(id: str) -> str:
    """What a job of this id carries where nothing depends on it: `A` for `a`.

    >>> usual_payload("a"), usual_payload("A")
    ('A', 'AA')
    """
    return id.upper() if id != id.upper() or not id.isalpha() else (id + id)[:32]


class Lean(NamedTuple):
    """To which side a walk leans: how often each operation is chosen, and how often its arguments are
    wrong."""

    enqueue: int = 6
    reserve: int = 5
    ack: int = 3
    retry: int = 3
    cancel: int = 2
    wrong: float = 0.2


LEANS: tuple[Lean, ...] = (
    Lean(),
    Lean(enqueue=9, reserve=3),
    Lean(retry=9, reserve=9, ack=1),
    Lean(cancel=7, enqueue=8),
    Lean(wrong=0.6),
    Lean(ack=8, reserve=8, cancel=0),
    Lean(enqueue=8, reserve=3, cancel=4, retry=1, ack=1, wrong=0.05),
    Lean(retry=8, reserve=7, cancel=1, wrong=0.4),
    Lean(cancel=9, retry=5, reserve=7, enqueue=7, wrong=0.1),
)
CAPACITIES = (1, 2, 3, 2, 4, 5, 3, 8, 16, 6, 2, 7, 1, 12, 10)


def walks(
    count: int,
    queues: int = 1,
    seed: int = 0,
    methods: Collection[str] = ("enqueue", "reserve", "ack", "retry", "cancel"),
) -> Iterator[tuple[int, tuple[Call, ...]]]:
    """That many walks, each a capacity and its calls, over up to ``queues`` queues, using these methods
    alone."""
    names = tuple(NAMES.values())
    for number in range(count):
        lean = LEANS[number % len(LEANS)]
        lean = lean._replace(**{name: 0 for name in Lean._fields[:5] if name not in methods})
        if any(lean[:5]):
            capacity = CAPACITIES[number % len(CAPACITIES)]
            ids = names[0] if number % 3 else names[number // 3 % len(names)]
            yield (
                capacity,
                walk(Random(f"{seed}/{queues}/{number}"), capacity, lean, ids, min(queues, MAX_QUEUES)),
            )


def walk(chance: Random, capacity: int, lean: Lean, ids: tuple[str, ...], queues: int) -> tuple[Call, ...]:
    """One walk of 64 operations; what is left in the queue is reserved at the end."""
    state = model.start(capacity)
    calls: list[Call] = []
    odd = chance.random() < 0.3  # payloads of this walk are odd ones
    for number in range(MAX_OPS):
        left = MAX_OPS - number
        op = _choose(chance, state, lean, ids, queues, odd)
        if lean.reserve and left <= 1 + state.current.waiting:
            op = ("reserve",)
        step = model.step(state, op)
        state = step.after
        calls.append(call_of(op, step.result))
    return tuple(calls)


def _choose(
    chance: Random, state: model.State, lean: Lean, ids: tuple[str, ...], queues: int, odd: bool
) -> tuple:
    if queues > 1 and chance.random() < 0.25:
        if len(state.queues) < queues and chance.random() < 0.3:
            return ("new",)
        return ("use", chance.randrange(len(state.queues)))
    queue = state.current
    (name,) = chance.choices(Lean._fields[:5], lean[:5])
    wrong = chance.random() < lean.wrong
    if name == "reserve":
        return ("reserve",)
    if name == "enqueue":
        id = _any_id(chance, queue, ids) if wrong else _new_id(queue, ids)
        return ("enqueue", id, chance.choice(PAYLOADS) if odd else f"{id}{chance.randrange(10)}")
    if name == "cancel":
        active = [job for job in queue.jobs if job.status in (model.WAITING, model.IN_FLIGHT)]
        return ("cancel", _any_id(chance, queue, ids) if wrong or not active else chance.choice(active).id)
    flying = queue.in_flight
    if not flying and queue.line and not wrong and lean.reserve:
        return ("reserve",)
    if wrong or not flying:
        id = _any_id(chance, queue, ids)
        return (name, id, _some_attempt(chance, queue.job(id)))
    job = chance.choice(flying)
    return (name, job.id, min(job.attempt, MAX_ATTEMPT))


def _new_id(queue: QueueState, ids: tuple[str, ...]) -> str:
    return next((id for id in ids if queue.job(id) is None), ids[-1])


def _any_id(chance: Random, queue: QueueState, ids: tuple[str, ...]) -> str:
    return chance.choice([job.id for job in queue.jobs] + [_new_id(queue, ids)])


def _some_attempt(chance: Random, job: JobState | None) -> int:
    near = job.attempt if job else 0
    return max(
        0,
        min(
            MAX_ATTEMPT,
            chance.choice((near - 1, near - 1, near, near, near + 1, 0, near + 10, chance.randrange(9))),
        ),
    )
