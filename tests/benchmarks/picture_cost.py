"""What one timeline costs in a notebook: milliseconds, and bytes sent to the browser."""

from __future__ import annotations

from statistics import median
from time import process_time

from retryq import timeline
from retryq.history import run
from tests.benchmarks.lab_cost import SIZES, run_of


def timelines(turns: int = 15) -> list[dict]:
    """A row for a lesson's run and one for the longest: drawn afresh each time, as a cell does."""
    rows = []
    for jobs, operations in SIZES:
        history = run(run_of(jobs, operations))
        costs = []
        for _ in range(turns):
            timeline._kinds.cache_clear()  # the rows that were drawn: what comes in other pictures too stays
            begin = process_time()
            shown = timeline.Timeline(history)._repr_mimebundle_()
            costs.append(process_time() - begin)
        rows.append({"jobs": jobs, "operations": operations, "first_ms": 1000 * costs[0],
                     "ms": 1000 * median(costs), "kB": sum(map(len, shown.values())) / 1000})
    return rows
