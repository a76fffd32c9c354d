"""Makes a counterexample short and plain.

`minimise` takes operations away for as long as the fault still shows; `plain` then gives it the plainest
names. Both are told by a function whether a run still shows the fault, and so know nothing of how it is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from retryq import model
from retryq.checking.short import LONGEST
from retryq.checking.walks import NAMES, usual_payload
from retryq.grammar import MAX_ATTEMPT, MAX_QUEUES

__all__ = ["Run", "minimise", "plain"]

SOME = 16  # operations up to which it is tried to say them in another order
WITH_ID = ("enqueue", "ack", "retry", "cancel")
Run = tuple[int, tuple[tuple, ...]]  # a capacity and the operations
Shows = Callable[
    [Run], "int | None"
]  # how many operations of a run it takes until the fault shows; None: it does not


def minimise(run: Run, shows: Shows) -> Run:
    """Take away what can be taken away: first many operations at once, then each, then any two, then
    capacity."""
    changed = True
    while changed:
        changed = False
        for candidate in _shorter(run):
            end = shows(candidate)
            if end is not None:
                run, changed = (candidate[0], candidate[1][:end]), True
                break
    return run


def _shorter(run: Run) -> Iterator[Run]:
    capacity, ops = run
    length = len(ops)
    refused = {place for place, step in enumerate(model.run(capacity, ops[:-1])) if step.refused}
    if refused:
        yield from _without(run, refused)
    size = length // 2
    while size:
        for start in range(0, length, size):
            yield from _without(run, set(range(start, min(start + size, length))))
        size //= 2
    for word in dict.fromkeys(op[1] for op in ops if op[0] in WITH_ID):
        yield from _without(
            run, {place for place, op in enumerate(ops) if op[0] in WITH_ID and op[1] == word}
        )
    if length <= 24:
        for first in range(length):
            for second in range(first + 1, length):
                yield from _without(run, {first, second})
    yield from ((fewer, ops) for fewer in range(capacity))
    if LONGEST < length <= SOME:  # shorter ones are compared with everything there is
        yield from _rearranged(run)


def _rearranged(run: Run) -> Iterator[Run]:
    """The run with one operation said earlier or later, and another one left out."""
    capacity, ops = run
    distances = [_distance(step) for step in model.run(capacity, ops)]
    places = range(len(ops))
    for place, to in product(places, places):
        order = [other for other in places if other != place]
        order.insert(to, place)
        for out in places:
            kept = [other for other in order if other != out]
            said = [ops[each] for each in kept]
            if place not in (to, out) and ops[out][0] != "new" and _possible(said):
                yield capacity, tuple(_moved(capacity, said, [distances[each] for each in kept]))


def _without(run: Run, places: set[int]) -> Iterator[Run]:
    """The run without the operations at these places: with its attempts as they stand, then moved along.

    What was said to the current attempt, or to the one before it, is then said to the attempt that is current
    now.
    """
    capacity, ops = run
    kept = [op for place, op in enumerate(ops) if place not in places]
    if any(ops[place][0] == "new" for place in places):
        kept = _one_queue_less(ops, places)
    if not _possible(kept):
        return
    yield capacity, tuple(kept)
    if any(op[0] in ("ack", "retry") for op in kept):
        distances = [_distance(step) for step in model.run(capacity, ops)]
        left = [distance for place, distance in enumerate(distances) if place not in places]
        if len(left) == len(kept) and (moved := _moved(capacity, kept, left)) != kept:
            yield capacity, tuple(moved)


def _one_queue_less(ops: tuple[tuple, ...], places: set[int]) -> list[tuple]:
    """Without a queue, what was done in it is not done, and the queues behind it are counted anew."""
    numbers: dict[int, int] = {0: 0}
    made, selected, kept = 0, 0, []
    for place, op in enumerate(ops):
        if op[0] == "new":
            made += 1
            selected = made
            if place in places:
                continue
            numbers[made] = len(numbers)
        elif op[0] == "use":
            selected = op[1]
            op = ("use", numbers.get(op[1], 0))
        if place not in places and selected in numbers:
            kept.append(op)
    return kept


def _possible(ops: list[tuple]) -> bool:
    queues = 1
    for op in ops:
        if op[0] == "use" and op[1] >= queues:
            return False
        queues += op[0] == "new"
    return queues <= MAX_QUEUES


def _distance(step: model.Step) -> int | None:
    """How far the attempt of an `ack` or `retry` is from the job's current one; 0 and unknown jobs have
    none."""
    name, *arguments = step.op
    if name not in ("ack", "retry") or arguments[1] == 0:
        return None
    job = step.before.current.job(arguments[0])
    return None if job is None else arguments[1] - job.attempt


def _moved(capacity: int, ops: list[tuple], distances: list[int | None]) -> list[tuple]:
    state, moved = model.start(capacity), []
    for op, distance in zip(ops, distances, strict=True):
        if distance is not None and (job := state.current.job(op[1])) is not None:
            op = (op[0], op[1], max(0, min(MAX_ATTEMPT, job.attempt + distance)))
        moved.append(op)
        state = model.step(state, op).after
    return moved


def plain(run: Run, shows: Shows) -> Run:
    """The same run with the smallest capacity and attempts, ids `a`, `b`, `c` and payloads `A`, `B`, `C`,
    each as far as the fault still shows with the last operation."""
    plainer: Run | None = run
    while plainer is not None:
        run = plainer
        plainer = next((each for each in _plainer(run) if each != run and shows(each) == len(run[1])), None)
    return run


def _plainer(run: Run) -> Iterator[Run]:
    capacity, ops = run
    yield from ((fewer, ops) for fewer in range(capacity))
    words = list(dict.fromkeys(op[1] for op in ops if op[0] in WITH_ID))
    names = dict(zip(words, NAMES["plain"]))
    yield capacity, _renamed(ops, names)
    yield capacity, tuple((*op[:2], usual_payload(op[1])) if op[0] == "enqueue" else op for op in ops)
    for word, name in names.items():  # perhaps not all, but this one
        if word != name and name not in words:
            yield capacity, _renamed(ops, {word: name})
    for place, op in enumerate(ops):
        for other in _plainer_ops(op):
            yield capacity, (*ops[:place], other, *ops[place + 1 :])


def _renamed(ops: tuple[tuple, ...], names: dict[str, str]) -> tuple[tuple, ...]:
    return tuple((op[0], names.get(op[1], op[1]), *op[2:]) if op[0] in WITH_ID else op for op in ops)


def _plainer_ops(op: tuple) -> Iterator[tuple]:
    if op[0] == "enqueue" and op[2] != usual_payload(op[1]):
        payloads = (usual_payload(op[1]), "A", "B", "C", "")
        at = payloads.index(op[2]) if op[2] in payloads else len(payloads)
        yield from ((*op[:2], payload) for payload in payloads[:at])
    elif op[0] in ("ack", "retry"):
        yield from ((*op[:2], attempt) for attempt in range(op[2]))
