"""Random runs for tests: the same for the same seed, inside the bounds of the notation, not too random.

Most operations are chosen so that they do something: they name a job that is there, with an attempt near its
own.
"""

from __future__ import annotations

import random

from retryq import model
from retryq.scenario import Scenario

IDS = ("a", "b", "c", "d", "A", "B")
PAYLOADS = ("", "P", "Q", " padded ", "0")
CAPACITIES = (0, 1, 2, 2, 3, 3, 4, 5, 16)


def random_run(seed: int, length: int = 64, queues: int = 3) -> Scenario:
    """A scenario of ``length`` operations with the right outputs, on up to ``queues`` queues."""
    rng = random.Random(seed)
    ids = [*IDS, *(f"job-{number}" for number in range(20))] if seed % 4 == 0 else list(IDS)
    state = model.start(rng.choice(CAPACITIES))
    capacity, ops, outputs = state.current.capacity, [], []
    for _ in range(length):
        op = _op(rng, state, ids, queues)
        step = model.step(state, op)
        ops.append(op)
        outputs.append(step.result)
        state = step.after
    return Scenario(capacity, tuple(ops), f"random run {seed}", tuple(outputs))


def _op(rng: random.Random, state: model.State, ids: list[str], queues: int) -> tuple:
    kind = rng.choices(
        ("enqueue", "reserve", "ack", "retry", "cancel", "new", "use"), (30, 24, 14, 20, 8, 1, 2)
    )[0]
    if kind == "new" and len(state.queues) < queues:
        return ("new",)
    if kind == "use":
        return ("use", rng.randrange(len(state.queues)))
    if kind == "enqueue":
        return ("enqueue", rng.choice(ids), rng.choice(PAYLOADS))
    jobs = state.current.jobs
    id = rng.choice(jobs).id if jobs and rng.random() < 0.9 else rng.choice(ids)
    if kind == "cancel":
        return ("cancel", id)
    if kind in ("ack", "retry"):
        out = state.current.in_flight
        job = rng.choice(out) if out and rng.random() < 0.8 else state.current.job(id)
        near = job.attempt if job else 1
        attempt = near if rng.random() < 0.7 else rng.choice((0, 1, near - 1, near + 1, near + 2))
        return (kind, job.id if job else id, max(attempt, 0))
    return ("reserve",)
