"""What one operation costs, in five mixes, and what a job costs in memory: `retryq.Queue` beside others."""

from __future__ import annotations

import gc
import random
import time
import tracemalloc
from collections.abc import Callable, Iterator

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
    """Half of the jobs are cancelled in a shuffled order; the others are then reserved."""
    ids = [f"job-{number}" for number in range(jobs)]
    random.Random(1).shuffle(ids)
    queue = _filled(make, jobs)
    queue.cancel  # noqa: B018  a queue that cannot cancel says so here
    yield
    for id in ids[: jobs // 2]:
        queue.cancel(id)
    for _ in range(jobs // 2):
        queue.reserve()
    return jobs


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


def nanoseconds(mix: Mix, make: type, jobs: int) -> float | None:
    """Nanoseconds of CPU for one operation, once; ``None`` where this queue cannot do what the mix asks."""
    run = mix(make, jobs)
    try:
        next(run)
    except AttributeError:
        return None
    gc.collect()
    begin = time.process_time_ns()
    try:
        next(run)
    except StopIteration as end:
        return (time.process_time_ns() - begin) / end.value
    raise AssertionError("a mix yields once")


def measure(small: int = 1_000, large: int = 1_000_000) -> list[dict]:
    """A row for each mix and queue: nanoseconds for one operation with few and with many jobs, and the growth.

    The contestants take turns, so that a busy moment of the machine hits them alike; the best turn counts.
    """
    rows = []
    for mix in MIXES:
        for sizes, makes in (((small, large), IN_MEMORY), ((100, 1_000), THROUGH_SQLITE)):
            best: dict[tuple[str, int], float] = {}
            for jobs in sizes:
                turns = 2 if makes is THROUGH_SQLITE or jobs == large else 60
                for _ in range(turns):
                    for name, make in makes.items():
                        cost = nanoseconds(mix, make, jobs)
                        if cost is not None:
                            best[name, jobs] = min(cost, best.get((name, jobs), cost))
            for name in makes:
                few, many = (best.get((name, jobs)) for jobs in sizes)
                rows.append({"mix": mix.__name__.replace("_", " "), "queue": name, "jobs": sizes,
                             "few_ns": few, "many_ns": many, "growth": many / few if few and many else None})
    for row in rows:
        floor = next(other for other in rows if (other["mix"], other["queue"]) == (row["mix"], "floor"))
        for size in ("few", "many"):
            row[f"{size}_to_floor"] = row[f"{size}_ns"] / floor[f"{size}_ns"] if row[f"{size}_ns"] else None
        row["growth_to_floor"] = row["growth"] / floor["growth"] if row["growth"] else None
    return rows


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
