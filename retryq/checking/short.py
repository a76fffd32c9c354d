"""Every short run there is, the shortest and plainest first: what proves that no shorter counterexample
exists.

Names mean nothing to the rules, so ids are `a`, `b`, `c` in the order in which they are mentioned. Very short
runs are tried with odd payloads and an `A` beside an `a` as well. An attempt is tried from 0 to one beyond
the current one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from retryq import model
from retryq.checking.calls import Call, Node
from retryq.checking.walks import usual_payload

__all__ = ["CAPACITIES", "FULL", "WHOLE", "WIDE", "Short", "all_runs", "shorter_than"]

CAPACITIES = (1, 2, 3, 0)
LONGEST = 5  # operations up to which every run is tried
WIDE = 3  # operations up to which odd names and payloads are tried, and capacity 0
FULL = 2  # operations up to which every capacity is tried with every run, be it ever so few jobs
WHOLE = 4  # operations up to which it is every run, each of them by itself
FAR = 10  # operations beyond which a run will not turn out to be much longer than need be
IDS = ("a", "b", "c", "d", "e", "f")


class Short(NamedTuple):
    """One run, or where ``tails`` is not zero, a run whose last ``tails`` calls, all refused, each stand for
    a run."""

    capacity: int
    calls: tuple[Call, ...]
    tails: int = 0


@cache
def all_runs(length: int) -> tuple[Short, ...]:
    """Every run of exactly this many operations, up to names. Made once: the children of this process find it
    there.

    Beyond `WHOLE` operations it is not quite every one: before the last operation, no `ack` or `retry` is
    tried of an id that was not mentioned, and there are at most two queues.

    >>> all_runs(1)[0]
    Short(capacity=1, calls=(('enqueue', ('a', 'A'), True),), tails=0)
    """
    return tuple(
        run
        for capacity in CAPACITIES
        if capacity or length <= WIDE
        for run in _grow(length, capacity, _root(capacity), (), (), 0)
    )


def shorter_than(length: int) -> range:
    """The lengths at which every run is tried, where a counterexample of this length is known."""
    return range(1, min(length - 1, LONGEST if length <= FAR else WHOLE) + 1)


@cache
def _root(capacity: int) -> Node:
    return Node(model.start(capacity), {})


def _grow(
    length: int, capacity: int, at: Node, calls: tuple[Call, ...], ids: tuple[str, ...], peak: int
) -> Iterator[Short]:
    left = length - len(calls)
    peak = max(peak, at.state.current.active)
    if _roomy(length, capacity, max(peak, at.state.current.active + left)):
        return
    offers = _offers(at.state, ids, length)
    if left > 1 and length > WHOLE:
        offers = [op for op in offers if op[0] not in ("ack", "retry") or op[1] in ids]
    if left == 1:
        yield from _last(length, capacity, at, calls, offers, peak)
        return
    for op in offers:
        call, after = at.do(op)
        mentioned = ids if len(op) == 1 or op[0] == "use" or op[1] in ids else (*ids, op[1])
        yield from _grow(length, capacity, after, (*calls, call), mentioned, peak)


def _roomy(length: int, capacity: int, jobs: int) -> bool:
    """Whether a smaller capacity gives the same run, as there are never more active jobs than these."""
    return length > FULL and jobs < capacity > 1


def _last(
    length: int, capacity: int, at: Node, calls: tuple[Call, ...], offers: list[tuple], peak: int
) -> Iterator[Short]:
    """The runs that differ in their last operation alone. From some length on, those refused are tried in one
    batch."""
    refused = []
    for op in offers:
        call, after = at.do(op)
        if _roomy(length, capacity, max(peak, after.state.current.active)):
            continue
        if length > WHOLE and after is at:
            refused.append(call)
        else:
            yield Short(capacity, (*calls, call))
    if refused:
        yield Short(capacity, (*calls, *refused), len(refused))


def _offers(state: model.State, ids: tuple[str, ...], length: int) -> list[tuple]:
    wide = length <= WIDE
    queue = state.current
    fresh = IDS[len([id for id in ids if id.islower()])]
    known = [*ids, fresh]
    if wide and ids and ids[-1].upper() not in ids:
        known.append(ids[-1].upper())
    ops: list[tuple] = [("enqueue", id, usual_payload(id)) for id in known]
    if wide:
        ops += [
            ("enqueue", id, payload)
            for id in (fresh, *ids[:1])
            for payload in ("", "A", " A", "B")
            if payload != usual_payload(id)
        ]
    ops.append(("reserve",))
    for name in ("ack", "retry"):
        for id in known:
            job = queue.job(id)
            beyond = 1 if id not in ids else 2 if job is None or wide else max(1, job.attempt + 1)
            ops += [(name, id, attempt) for attempt in range(beyond + 1)]
    ops += [("cancel", id) for id in known]
    if len(state.queues) < (3 if length <= WHOLE else 2):
        ops.append(("new",))
    ops += [("use", index) for index in range(len(state.queues)) if index != state.selected]
    return ops
