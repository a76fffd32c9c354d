"""What small scopes cannot reach: long retry chains, many finished ids, long lines, full queues of every
size.

Each function answers runs as ``(capacity, operations)``. They stay inside the bounds of the notation, but for
their length: what is beyond 64 operations is cut off. More of the kind stand in ``alike``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from retryq.checking.walks import NAMES
from retryq.grammar import MAX_ATTEMPT, MAX_CAPACITY, MAX_OPS

__all__ = ["IDS", "LONG", "Run", "chain", "put", "take"]

Run = tuple[int, list[tuple]]
IDS = NAMES["plain"]


def put(ids: Iterable[str]) -> list[tuple]:
    return [("enqueue", id, id.upper()) for id in ids]


def take(count: int) -> list[tuple]:
    return [("reserve",)] * count


def chain(id: str, attempt: int) -> list[tuple]:
    """From waiting to in flight with this attempt, by retries."""
    return take(1) + [op for past in range(1, attempt) for op in (("retry", id, past), ("reserve",))]


def long_chains() -> Iterator[Run]:
    """One job, retried up to 30 times; at each length, wrong attempts of many kinds, then the right one."""
    for attempt in (*range(1, 17), 20, 21, 24, 28, 31):
        start = put("a") + chain("a", attempt)
        near = [attempt + step for step in (-1, 1, 10, -10, 8, 16, 32, -8, -2, -5)]
        near += [0, 1, 2 * attempt, 10 * attempt, attempt % 10, attempt // 10, MAX_ATTEMPT]
        wrong = [
            each
            for each in dict.fromkeys([*near, *range(MAX_ATTEMPT + 1)])
            if 0 <= each <= MAX_ATTEMPT and each != attempt
        ]
        room = MAX_OPS - len(start) - 5
        end = [
            ("retry", "a", attempt),
            ("reserve",),
            ("ack", "a", attempt),
            ("ack", "a", attempt + 1),
            ("reserve",),
        ]
        yield (
            1,
            start
            + [(("ack", "retry")[place % 2], "a", each) for place, each in enumerate(wrong[:room])]
            + end,
        )
        yield (
            1,
            start
            + [(("retry", "ack")[place % 2], "a", each) for place, each in enumerate(wrong[:room])]
            + end,
        )
        if attempt < 4:
            for name in ("ack", "retry"):
                yield 1, start + [(name, "a", each) for each in wrong[-room:]] + end
        yield (
            2,
            put("ab")
            + take(2)
            + [("retry", "a", 1)]
            + chain("a", attempt)[1:]
            + [("ack", "b", attempt)]
            + end,
        )
        yield (
            1,
            start
            + [
                ("ack", "a", attempt),
                ("ack", "a", attempt),
                ("enqueue", "b", "B"),
                ("reserve",),
                ("ack", "b", 1),
            ],
        )
        yield (
            1,
            start
            + [
                ("cancel", "a"),
                ("retry", "a", attempt),
                ("enqueue", "b", "B"),
                ("reserve",),
                ("ack", "b", 1),
            ],
        )
        yield (
            3,
            put("abc")
            + chain("a", 1)
            + [
                op
                for past in range(1, attempt)
                for op in [("retry", "abc"[(past - 1) % 3], 1 + (past - 1) // 3), ("reserve",)]
            ],
        )
    yield (
        2,
        put("ab")
        + [
            op
            for past in range(1, 16)
            for op in (
                ("reserve",),
                ("reserve",),
                ("retry", "b", past),
                ("retry", "a", past),
                ("reserve",),
                ("reserve",),
                ("retry", "a", past + 1),
                ("retry", "b", past + 1),
            )
        ],
    )


def many_finished() -> Iterator[Run]:
    """Up to 31 finished ids; then all are tried again, oldest first or newest first."""
    for count in (1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 15, 16, 17, 20, 21, 25, 30, 31):
        ids = IDS[:count]
        ways = [
            [op for id in ids for op in (*put([id]), ("cancel", id))],
            [op for id in ids for op in (*put([id]), ("reserve",), ("ack", id, 1))],
            [op for id in ids for op in (*put([id]), ("reserve",), ("cancel", id))],
            [op for id in ids for op in (*put([id]), ("cancel", id), ("reserve",))],
        ]
        for number, way in enumerate(ways):
            for again in (ids, ids[::-1]):
                after = [
                    op for id in again for op in (("enqueue", id, "again"), ("cancel", id), ("ack", id, 1))
                ]
                yield (1, 2, 16, 5)[number], way + put(again) + after + take(1)
            yield (1, 16, 3, 2)[number], way + put(["z", "z0", "z1", "z2"]) + put(ids[:1]) + take(3)
            yield 2, put(["z"]) + way + put(["z", *ids[:2], "y", "x"]) + take(3) + [("retry", ids[0], 1)]
    for end in ([("cancel", id) for id in IDS[:16]], take(16) + [("ack", id, 1) for id in IDS[:16]]):
        yield 16, put(IDS[:16]) + end + put(IDS[16:32])
        yield 16, put(IDS[:16]) + end + put(IDS[:16])


def gone_for_good() -> Iterator[Run]:
    """One job after the other ends, out of a line that grows shorter, and its id is tried again at once."""
    for size in range(3, 17):
        ids = IDS[:size]
        middle_first = sorted(ids, key=lambda id: abs(ids.index(id) - size // 2))
        for order in (ids, ids[::-1], middle_first):
            yield size, put(ids) + [op for id in order for op in (("cancel", id), *put([id]))]
        for end, attempt in (("ack", (1,)), ("cancel", ())):
            yield size, put(ids) + [op for id in ids for op in (("reserve",), (end, id, *attempt), *put([id]))]


def out_of_line() -> Iterator[Run]:
    """Long lines from which one, two or many are cancelled, and everybody else is served in order."""
    for size in (3, 4, 5, 6, 8, 16):
        ids = IDS[:size]
        for place in range(size):
            yield (
                size,
                put(ids) + [("cancel", ids[place])] + put(["z"]) + take(size + 1) + [("ack", ids[place], 1)],
            )
            yield (
                size,
                put(ids)
                + take(2)
                + [("retry", ids[0], 1), ("cancel", ids[place])]
                + put(["z"])
                + take(size + 1),
            )
        for step in (2, 3, 4):
            gone = ids[::step]
            left = [id for id in ids if id not in gone]
            for each in (gone, gone[::-1], left, left[::-1], ids[:-1], ids[1:][::-1], ids):
                yield size, put(ids) + [("cancel", id) for id in each] + put(("z", "y", "x")) + take(size + 1)
        if size <= 6:
            for first in range(size):
                for second in range(size):
                    yield (
                        size,
                        (
                            put(ids)
                            + [("cancel", ids[first]), ("cancel", ids[second])]
                            + put("zy")
                            + [("cancel", "z")]
                            + take(size + 1)
                        ),
                    )


def back_in_line() -> Iterator[Run]:
    """Jobs given back behind lines of every length, one or several, in several orders."""
    for size in (2, 3, 4, 5, 6, 8, 11, 16):
        ids = IDS[:size]
        yield size, put(ids) + take(1) + [("retry", ids[0], 1)] + take(size + 1)
        yield size, put(ids) + [op for id in ids for op in (("reserve",), ("retry", id, 1))] + take(size)
        for order in (ids, ids[::-1], ids[1::2] + ids[::2], ids[size // 2 :] + ids[: size // 2]):
            yield size, put(ids) + take(size) + [("retry", id, 1) for id in order] + take(size + 1)
            half = order[: size // 2]
            yield (
                size,
                (
                    put(ids)
                    + take(size)
                    + [("ack", id, 1) for id in half]
                    + put(IDS[size : size + 2])
                    + [("retry", id, 1) for id in order[size // 2 :]]
                    + put(IDS[size + 2 : size + 4])
                    + take(size + 1)
                ),
            )
        if size < 8:
            for attempt in (2, 3, 4):
                rounds = [
                    op
                    for past in range(1, attempt)
                    for op in (*take(size), *[("retry", id, past) for id in ids])
                ]
                yield (
                    size + 1,
                    put(ids) + rounds + put("z") + take(1) + [("retry", ids[0], attempt)] + take(size + 1),
                )
    for attempt in range(2, 14):
        yield (
            3,
            put("a")
            + chain("a", attempt)
            + put("bc")
            + [("retry", "a", attempt), ("cancel", "b")]
            + put("d")
            + take(4),
        )


def filled() -> Iterator[Run]:
    """Queues of every capacity, full, and with a slot freed in each way."""
    for size in range(MAX_CAPACITY + 1):
        ids, more = IDS[:size], IDS[size : size + 6]
        for flying in dict.fromkeys((0, 1, size // 2, size)):
            full = put(ids) + take(flying) + put(more[:2])
            yield size, full + take(size - flying + 1) + put(more[:1])
            for free in (("ack", ids[0], 1), ("cancel", ids[0]), ("cancel", ids[-1])) if size else ():
                yield (
                    size,
                    full
                    + [free, free]
                    + put(more[:2])
                    + [("cancel", more[0])]
                    + put(more[1:4])
                    + take(size + 1),
                )
            if flying:
                yield size, full + [("retry", id, 1) for id in ids[:flying]] + put(more[:1]) + take(size + 1)
    for size in (1, 2, 3, 4, 7):  # around and around: what is kept in a ring goes past its end
        for waiting in dict.fromkeys((1, size)):
            for end in ("ack", "cancel", "retry"):
                ids = IDS[:waiting]
                line, ops, fresh, counts = list(ids), put(ids), iter(IDS[waiting:]), dict.fromkeys(IDS, 0)
                while len(ops) < MAX_OPS:
                    head = line.pop(0)
                    counts[head] += 1
                    ops += [("reserve",), (end, head) if end == "cancel" else (end, head, counts[head])]
                    line.append(head if end == "retry" else next(fresh))
                    ops += [] if end == "retry" else put(line[-1:])
                yield size, ops


LONG = (long_chains, many_finished, gone_for_good, out_of_line, back_in_line, filled)
