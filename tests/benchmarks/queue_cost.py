"""What one operation costs, in five mixes, and what a job costs in memory: `retryq.Queue` beside others."""

from __future__ import annotations

import gc
import random
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Callable, Iterator
from operator import truediv
from statistics import median
from typing import NamedTuple

from retryq import Queue
from tests.benchmarks.contestants import IN_MEMORY, THROUGH_SQLITE, Floor, StandardQueue

# A mix is a generator: it prepares its queue and yields it, and what it does after that is measured. It returns
# the number of operations that it did.
Mix = Callable[[type, int], Iterator[None]]


def straight_through(make, jobs):
    """Every job in, every job out, every job acknowledged."""
    ids = [f"job-{number}" for number in range(jobs)]
    queue = make(jobs)
    yield
    for id in ids:
        queue.enqueue(id, "payload")
    for _ in range(jobs):
        id, _payload, attempt = queue.reserve()
        queue.ack(id, attempt)
    return 3 * jobs


def retry_heavy(make, jobs):
    """Every job is retried three times before it is acknowledged."""
    queue = _filled(make, jobs)
    yield
    for _ in range(3 * jobs):
        id, _payload, attempt = queue.reserve()
        queue.retry(id, attempt)
    for _ in range(jobs):
        id, _payload, attempt = queue.reserve()
        queue.ack(id, attempt)
    return 8 * jobs


def cancel_from_the_middle(make, jobs):
    """Every job in; half of them cancelled in a shuffled order; the others out and acknowledged."""
    ids = [f"job-{number}" for number in range(jobs)]
    shuffled = random.Random(1).sample(ids, jobs)
    queue = make(jobs)
    queue.cancel  # noqa: B018  a queue that cannot cancel says so here
    yield
    for id in ids:
        queue.enqueue(id, "payload")
    for id in shuffled[: jobs // 2]:
        queue.cancel(id)
    for _ in range(jobs // 2):
        id, _payload, attempt = queue.reserve()
        queue.ack(id, attempt)
    return jobs + jobs // 2 + 2 * (jobs // 2)


def full_queue_rejections(make, jobs):
    """As many jobs as fit, then as many again: all of those are turned away."""
    late = [f"late-{number}" for number in range(jobs)]
    queue = _filled(make, jobs)
    if queue.enqueue("one too many", "payload"):
        raise AttributeError("this queue has no capacity")
    yield
    for id in late:
        queue.enqueue(id, "payload")
    return jobs


def many_finished_ids(make, jobs):
    """One job at a time, start to end, until that many ids have finished."""
    ids = [f"job-{number}" for number in range(jobs)]
    queue = make(16)
    yield
    for id in ids:
        queue.enqueue(id, "payload")
        id, _payload, attempt = queue.reserve()
        queue.ack(id, attempt)
    return 3 * jobs


MIXES = (straight_through, retry_heavy, cancel_from_the_middle, full_queue_rejections, many_finished_ids)


def _filled(make, jobs):
    queue = make(jobs)
    for number in range(jobs):
        queue.enqueue(f"job-{number}", "payload")
    return queue


def nanoseconds(mix: Mix, make: type, jobs: int, queues: int = 1) -> float | None:
    """Nanoseconds of CPU for one operation, over so many queues one after the other; ``None`` where this queue cannot
    do what the mix asks."""
    spent = operations = 0
    gc.collect()
    for _ in range(queues):
        run = mix(make, jobs)
        try:
            next(run)
        except AttributeError:
            return None
        begin = time.process_time_ns()
        try:
            next(run)
        except StopIteration as end:
            spent += time.process_time_ns() - begin
            operations += end.value
        else:
            raise AssertionError("a mix yields once")
    return spent / operations


class Size(NamedTuple):
    """How many jobs a queue holds, and how many such queues make one turn: a short run alone is all noise."""

    jobs: int
    queues: int


IN_MEMORY_SIZES = Size(1_000, 100), Size(1_000_000, 1)
SQLITE_SIZES = Size(100, 5), Size(1_000, 1)  # each operation takes a hundred times as long


def measure() -> list[dict]:
    """A row for each mix and queue: nanoseconds for one operation with few and with many jobs, and the growth, each
    beside the floor's with as many jobs."""
    rows: list[dict] = []
    for mix in MIXES:
        rows += _beside_floor(mix, IN_MEMORY, IN_MEMORY_SIZES, turns=5)
        rows += _beside_floor(mix, THROUGH_SQLITE, SQLITE_SIZES, turns=2)
    return rows


def _beside_floor(mix: Mix, makes: dict[str, type], sizes: tuple[Size, Size], turns: int) -> Iterator[dict]:
    """The contestants and the sizes take turns, so that a slow minute of the machine hits them alike. Of the times the
    best counts; of the ratios, which compare neighbours within one turn, the median."""
    few, many = (size.jobs for size in sizes)
    costs: dict[tuple[str, int], list[float | None]] = defaultdict(list)
    for _ in range(turns):
        for jobs, queues in sizes:
            for name, make in {"floor": Floor, **makes}.items():
                costs[name, jobs].append(nanoseconds(mix, make, jobs, queues))

    def to_floor(name: str, jobs: int) -> float:
        return median(map(truediv, costs[name, jobs], costs["floor", jobs]))

    for name in makes:
        row: dict = {"mix": mix.__name__.replace("_", " "), "queue": name, "jobs": (few, many)}
        if None in costs[name, few]:
            yield row | dict.fromkeys(("few_ns", "many_ns", "growth", "few_to_floor", "many_to_floor", "growth_to_floor"))
        else:
            few_ns, many_ns = min(costs[name, few]), min(costs[name, many])
            few_to_floor, many_to_floor = to_floor(name, few), to_floor(name, many)
            yield row | {"few_ns": few_ns, "many_ns": many_ns, "growth": many_ns / few_ns,
                         "few_to_floor": few_to_floor, "many_to_floor": many_to_floor,
                         "growth_to_floor": many_to_floor / few_to_floor}


def memory(jobs: int = 100_000) -> list[dict]:
    """Bytes for one waiting job and for one finished job, beyond the id and the payload themselves."""
    rows = []
    for name, make in {"retryq.Queue": Queue, "floor": Floor, "queue.Queue": StandardQueue}.items():
        ids = [f"job-{number}" for number in range(jobs)]
        gc.collect()
        tracemalloc.start()
        queue = make(jobs)
        for id in ids:
            queue.enqueue(id, "payload")
        waiting = tracemalloc.get_traced_memory()[0]
        for _ in range(jobs):
            id, _payload, attempt = queue.reserve()
            queue.ack(id, attempt)
        gc.collect()
        finished = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        rows.append({"queue": name, "waiting_bytes": waiting / jobs, "finished_bytes": finished / jobs})
    return rows
