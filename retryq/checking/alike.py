"""What small scopes cannot reach: refusals over and over, ids and payloads that look alike, several queues at
once.

As in ``scopes``, each function answers runs as ``(capacity, operations)``.
"""

from __future__ import annotations

from collections.abc import Iterator

from retryq.checking.scopes import IDS, Run, chain, put, take
from retryq.checking.walks import NAMES, PAYLOADS
from retryq.grammar import MAX_OPS

__all__ = ["ALIKE"]


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
    for style, names in NAMES.items():
        for first in range(0, 8 if style in ("plain", "backwards") else len(names) - 1, 8):
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
        for shape in ("{0}", "{0}x{0}", "x{0}{0}x", "x {0}{0} x"):  # alone, first and last, and doubled
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
        lines = put("abc") + ([("new",)] + put("abc")) * (count - 1)
        yield 3, lines + [op for number in range(count) for op in (("use", number), *take(3))]
        yield (
            3,
            put("abc")
            + take(1)
            + [("new",)] * (count - 1)
            + [("use", 0), ("retry", "a", 1)]
            + take(2)
            + [("cancel", "b"), ("ack", "c", 1)]
            + put("de")
            + take(3),
        )
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


ALIKE = (refused_often, alike, side_by_side)
