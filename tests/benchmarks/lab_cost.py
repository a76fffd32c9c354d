"""What one step in the lab costs, from the click to the new picture ready in the kernel, and whether it grows."""

from __future__ import annotations

import gc
import tracemalloc
from statistics import median
from time import perf_counter, process_time

import ipywidgets
from ipywidgets.widgets import widget as all_widgets

from retryq import model
from retryq.lab import Lab
from retryq.scenario import Scenario

try:
    import resource
except ImportError:  # no such module on Windows: there the peak cannot be asked for
    resource = None  # type: ignore[assignment]

SIZES = ((3, 12), (10, 64))  # jobs and operations: a lesson's run, and the longest


def run_of(jobs: int, operations: int) -> Scenario:
    """A run in which every job moves: reserved, then retried three times of four and acknowledged once."""
    ops: list[tuple] = [("enqueue", f"job-{number}", f"payload {number}") for number in range(jobs)]
    while len(ops) < operations:
        ops.append(("reserve",))
        taken = model.run(jobs, ops)[-1].result
        if isinstance(taken, tuple):
            ops.append(("ack" if len(ops) % 8 == 0 else "retry", taken[0], taken[2]))
    return Scenario(jobs, tuple(ops[:operations]))


def press(lab: Lab, name: str) -> None:
    """Click a button of the lab, by what it says."""
    def buttons(box: ipywidgets.Widget):
        yield from (box,) if isinstance(box, ipywidgets.Button) else ()
        for child in getattr(box, "children", ()):
            yield from buttons(child)
    next(button for button in buttons(lab) if button.description == name).click()


def step_cost(jobs: int, operations: int, times: int = 40) -> dict[str, float]:
    """Milliseconds for the last operation of a run, by the clock and of CPU; kilobytes of the picture sent.

    The operation enqueues a job that no picture has shown yet: the lab keeps the rows it has drawn.
    """
    scenario = run_of(jobs - 1, operations - 1)
    lab = Lab(Scenario(jobs, scenario.ops))
    walls, cpus = [], []
    for number in range(times):
        lab._operate.id.value = f"new-{number + 10}"
        wall, cpu = perf_counter(), process_time()
        press(lab, "enqueue")
        walls.append(perf_counter() - wall)
        cpus.append(process_time() - cpu)
        assert (len(lab.history), lab.history.steps[-1].result) == (operations, True)
        press(lab, "undo")
    return {"jobs": jobs, "operations": operations, "ms": 1000 * median(walls), "ms CPU": 1000 * median(cpus),
            "kB": len(lab._picture.value) / 1000}


def growth(steps: int = 1000) -> dict[str, float]:
    """Over so many steps: how the time of a step, the memory and the number of widgets change."""
    lab = Lab(4)
    ops = [("enqueue", "a", "A"), ("enqueue", "b", "B"), ("reserve",), ("retry", "a", 1), ("cancel", "b"), ("reserve",)]

    def some(number: int) -> list[float]:
        times = []
        for index in range(number):
            if lab.cursor == 12:
                lab.goto(0)
            start = process_time()
            lab.do(ops[index % len(ops)])
            times.append(process_time() - start)
        return times

    def held() -> tuple[float, int, int]:
        gc.collect()
        return tracemalloc.get_traced_memory()[0] / 1000, _peak(), len(all_widgets._instances)

    early = some(250)  # past the number of changes that can be taken back
    tracemalloc.start()
    some(50)
    before = held()
    some(steps - 350)
    after = held()
    tracemalloc.stop()
    late = some(50)
    memory, process, widgets = (late_one - early_one for early_one, late_one in zip(before, after))
    return {"steps": steps, "ms CPU early": 1000 * median(early[-50:]), "ms CPU late": 1000 * median(late),
            "kB more in Python": memory, "kB more in the process": process, "widgets more": widgets}


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss if resource else 0
