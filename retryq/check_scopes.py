"""What small scopes cannot reach: long retry chains, many finished ids, long lines, full queues of every
size, ids and payloads that look alike, refusals over and over, and several queues at once. Each function
answers runs as ``(capacity, operations)``, inside the bounds of the notation; what is beyond 64 operations is
cut off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from retryq.check_walks import NAMES, PAYLOADS
from retryq.grammar import MAX_ATTEMPT, MAX_CAPACITY, MAX_OPS

__all__ = ["SCOPES"]

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
        near = [
            attempt - 1,
            attempt + 1,
            1,
            0,
            2 * attempt,
            attempt + 10,
            attempt - 10,
            10 * attempt,
            attempt + 8,
            attempt % 10,
            attempt + 16,
            attempt + 32,
            attempt - 8,
            64,
            attempt // 10,
            attempt - 2,
            attempt - 5,
        ]
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


def out_of_line() -> Iterator[Run]:
    """Long lines from which one, two or many are cancelled, and everybody else is served in order."""
    for size in (3, 4, 5, 6, 7, 8, 12, 16):
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


def refused_often() -> Iterator[Run]:
    """One refusal, again and again, in many situations: then everything that must not have changed."""
    situations: list[Run] = [
        (1, put("a")),
        (1, put("a") + take(1)),
        (2, put("ab") + take(1)),
        (1, put("a") + chain("a", 2)),
        (2, put("a")),
        (2, put("a") + chain("a", 2) + [("retry", "a", 2)] + put("b")),
        (1, put("a") + take(1) + [("ack", "a", 1)]),
        (2, put("ab") + [("cancel", "a")]),
        (2, put("a") + take(1) + [("cancel", "a")] + put("b")),
        (1, []),
        (2, put("ab") + take(2)),
        (3, put("abc") + take(1) + [("retry", "a", 1)]),
    ]
    refusals = [
        ("enqueue", "a", "again"),
        ("enqueue", "z", "Z"),
        ("reserve",),
        ("cancel", "a"),
        ("cancel", "q"),
        ("ack", "a", 0),
        ("ack", "a", 1),
        ("ack", "a", 3),
        ("retry", "a", 0),
        ("retry", "a", 1),
        ("retry", "a", 3),
        ("ack", "q", 1),
        ("retry", "q", 1),
        ("ack", "b", 2),
        ("retry", "b", 1),
    ]
    after = [
        ("reserve",),
        ("retry", "a", 1),
        ("ack", "a", 2),
        *put("zyx"),
        ("reserve",),
        ("reserve",),
        ("ack", "b", 1),
        ("cancel", "a"),
        ("enqueue", "q", "Q"),
        ("cancel", "z"),
        ("enqueue", "a", "last"),
        ("reserve",),
    ]
    for capacity, start in situations:
        for refusal in refusals:
            for times in (1, 2, 3, 6, 40):
                yield capacity, start + [refusal] * min(times, MAX_OPS - len(start) - len(after)) + after
            yield capacity + 1, start + [refusal] * (MAX_OPS - 2 - len(start)) + [*put("z"), ("reserve",)]


def alike() -> Iterator[Run]:
    """Ids that careless code takes for each other, and payloads that it loses."""
    for names in NAMES.values():
        for first in range(0, len(names) - 1, 8):
            ids = list(names[first : first + 10])
            size = len(ids)
            yield size, put(ids) + put(ids) + take(size + 1) + [("ack", id, 1) for id in ids[::2]] + put(ids)
            yield (
                size,
                put(ids)
                + [("cancel", id) for id in ids[1::2]]
                + take(size)
                + [("retry", id, 1) for id in ids[::2]]
                + take(size),
            )
            yield (
                16,
                [op for id in ids for op in (("cancel", id), ("ack", id, 1), *put([id]))] + take(size + 1),
            )
            yield (
                size,
                put(ids)
                + take(size)
                + [("retry", id, 1) for id in ids[::-1]]
                + take(size)
                + [("ack", id, 2) for id in ids],
            )
            yield (
                1,
                [
                    op
                    for id in ids
                    for op in (*put([id]), ("reserve",), ("ack", id, 1), ("enqueue", id, "again"))
                ],
            )
            yield 1, put(ids[:1]) + put(ids[1:]) + [("cancel", id) for id in ids] + put(ids[1:]) + take(2)
    for shift in range(0, len(PAYLOADS), 7):
        row = (PAYLOADS + PAYLOADS)[shift : shift + 8]
        jobs = [("enqueue", id, payload) for id, payload in zip(IDS, row)]
        ids = list(IDS[:8])
        again = [("enqueue", id, "again") for id in ids]
        yield (
            8,
            jobs
            + again
            + take(9)
            + [("retry", id, 1) for id in ids]
            + take(8)
            + [("ack", id, 2) for id in ids],
        )
        yield 8, jobs + take(4) + [("ack", "a", 1), ("cancel", "e"), ("retry", "b", 1)] + again + take(6)
        yield (
            1,
            [
                op
                for job in jobs
                for op in (job, ("reserve",), ("retry", job[1], 1), ("reserve",), ("ack", job[1], 2))
            ],
        )
    printable = "".join(map(chr, range(32, 127)))
    for at in range(0, 95, 16):
        for shape in ("{0}", "{0}x{0}"):  # one character alone, and one that is first and last
            yield (
                16,
                [("enqueue", id, shape.format(letter)) for id, letter in zip(IDS, printable[at : at + 16])]
                + take(17),
            )
    letters = [letter for letter in printable if letter.isalnum() or letter in "-_"]
    for at in range(0, 64, 16):
        yield (
            16,
            put(letters[at : at + 16])
            + take(16)
            + [("ack", id, 1) for id in letters[at : at + 16]]
            + put(letters[at : at + 16]),
        )
    pieces = [printable[at : at + 32] for at in range(0, 95, 32)]
    yield (
        3,
        [("enqueue", id, piece) for id, piece in zip(IDS, pieces)]
        + take(3)
        + [("retry", "a", 1), ("reserve",)],
    )
    for payload in ("", "same", "b"):
        jobs = [("enqueue", id, payload) for id in "abc"]
        yield (
            3,
            jobs
            + take(3)
            + [("retry", "b", 1), ("retry", "a", 1), ("ack", "c", 1)]
            + take(2)
            + [("ack", "a", 2), ("ack", "b", 2)],
        )
        yield 3, jobs + [("cancel", "b")] + take(3) + [("retry", "a", 1), ("cancel", "c")] + take(2)
        yield 2, jobs + [("cancel", "a"), jobs[2], jobs[0]] + take(3) + [("ack", "b", 1), ("ack", "c", 1)]


def side_by_side() -> Iterator[Run]:
    """Two to eight queues at once, with the same ids in each: what happens in one must not be seen in
    another."""
    before: list[list[tuple]] = [
        [],
        put("a"),
        put("ab"),
        put("a") + take(1),
        put("a") + chain("a", 2),
        put("a") + chain("a", 2)[:2],
        put("a") + take(1) + [("ack", "a", 1)],
        put("ab") + [("cancel", "a")],
        put("ab") + take(1) + [("cancel", "a")],
    ]
    between: list[list[tuple]] = [
        [],
        put("a"),
        put("b"),
        put("ab") + take(1),
        [("enqueue", "a", "other"), ("reserve",), ("retry", "a", 1)],
        [("enqueue", "a", "other"), ("reserve",), ("ack", "a", 1)],
        put("a") + [("cancel", "a")],
        take(1),
        [("ack", "a", 1)],
        [("retry", "a", 1)],
        [("cancel", "a")],
        [("ack", "a", 2)],
    ]
    look = [
        ("reserve",),
        ("ack", "a", 1),
        ("retry", "a", 2),
        *put("abc"),
        ("reserve",),
        ("reserve",),
        ("cancel", "a"),
        *put("d"),
    ]
    for start in before:
        for other in between:
            yield 2, start + [("new",)] + other + [("use", 0)] + look + [("use", 1)] + look
            yield 1, [("new",), ("use", 0)] + start + [("use", 1)] + other + look + [("use", 0)] + look
    for count in range(2, 9):
        for capacity in (1, 3):
            ops = [
                op
                for number in range(count)
                for op in [*([("new",)] if number else []), ("enqueue", "a", f"from {number}")]
            ]
            visit = [
                op
                for number in range(count)
                for op in (("use", number), ("reserve",), ("ack", "a", 1), ("enqueue", "b", f"b{number}"))
            ]
            yield (
                capacity,
                ops
                + visit
                + [
                    op
                    for number in range(count)
                    for op in (("use", number), ("reserve",), ("enqueue", "a", "again"))
                ],
            )
            yield (
                capacity,
                ops
                + [
                    op
                    for number in reversed(range(count))
                    for op in (("use", number), ("reserve",), ("retry", "a", 1), ("cancel", "a"))
                ],
            )
            yield (
                capacity,
                [("new",)] * (count - 1)
                + [
                    op
                    for number in range(count)
                    for op in (
                        ("use", number),
                        ("enqueue", f"j{number}", f"p{number}"),
                        ("reserve",),
                        ("reserve",),
                    )
                ]
                + visit,
            )


SCOPES = {
    "long retry chains": long_chains,
    "many finished ids": many_finished,
    "cancelling out of long lines": out_of_line,
    "retries into long lines": back_in_line,
    "every capacity, full": filled,
    "refusals over and over": refused_often,
    "ids and payloads that look alike": alike,
    "several queues": side_by_side,
}
