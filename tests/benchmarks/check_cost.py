"""What `check` costs: of a queue that passes, of slow but sound ones, and of every broken queue in the zoo."""

from __future__ import annotations

import time
from statistics import median

import sound_queues

from retryq import Queue, zoo
from retryq.conformance import Report, check

try:
    import resource
except ImportError:  # no such module on Windows: there the CPU of the guarded process cannot be asked for
    resource = None  # type: ignore[assignment]


def cpu_seconds() -> float:
    """CPU seconds of this process, and of those it has waited for: check works in guarded ones."""
    own = time.process_time()
    if resource is None:
        return own
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own + children.ru_utime + children.ru_stime


def once(queue_class: type) -> tuple[Report, float]:
    """The report, and the CPU seconds that it took."""
    begin = cpu_seconds()
    report = check(queue_class)
    return report, cpu_seconds() - begin


def sound(turns: int = 5) -> list[dict]:
    """A row for each sound queue: the best of some turns. The first turn of all also builds the state graph."""
    rows = []
    for queue_class in (Queue, *sound_queues.SOUND):
        costs = []
        for _ in range(turns):
            report, cost = once(queue_class)
            assert report.passed, report
            costs.append(cost)
        rows.append({"queue": queue_class.__name__, "first_s": costs[0], "best_s": min(costs),
                     "operations": report.explored.operations,
                     "operations_per_s": report.explored.operations / min(costs)})
    return rows


def broken() -> dict:
    """The whole zoo: how long until a broken queue is found out and its shortest run is proven."""
    costs = {member.__name__: once(member)[1] for member in zoo.ZOO}
    slowest = max(costs, key=costs.__getitem__)
    return {"members": len(costs), "all_s": sum(costs.values()), "median_s": median(costs.values()),
            "slowest": slowest, "slowest_s": costs[slowest]}
