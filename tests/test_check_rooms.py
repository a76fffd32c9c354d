"""The rooms behind check: a fresh start, everything that is short, what is planned, and making a run plain."""

import collections
import itertools
import random

from retryq import Queue, model
from retryq.checking.calls import calls_of, ops_of
from retryq.checking.fresh import Remembered
from retryq.checking.plan import plan
from retryq.checking.short import FULL, WIDE, all_runs
from retryq.checking.shrink import minimise, plain
from retryq.scenario import validate

TOTAL = 0
TABLE = {"a": 1}


class Store:
    def __init__(self):
        self.jobs = []


class Inner:
    __slots__ = ("line",)

    def __init__(self):
        self.line = ["first"]


def _closure():
    seen = []
    count = 0

    def method(self):
        nonlocal count
        count += 1
        seen.append(count)
        return count, len(seen)

    return method


class Everywhere:
    """Keeps something in every place there is."""

    line = collections.deque(["x"])  # noqa: RUF012
    by_id = {"a": [1]}  # noqa: RUF012
    made = 0
    numbers = itertools.count(1)
    dice = random.Random(5)
    store = Store()
    inner = Inner()
    closure = _closure()

    def default(self, seen=[]):  # noqa: B006
        seen.append(1)
        return len(seen)

    def touch(self):
        global TOTAL
        TOTAL += 1
        TABLE["b"] = 2
        type(self).made += 1
        self.line.append("y")
        self.by_id["a"].append(2)
        self.store.jobs.append(3)
        self.inner.line.append("second")
        return (TOTAL, len(TABLE), self.made, len(self.line), len(self.by_id["a"]), next(self.numbers), self.dice.random(),
                len(self.store.jobs), len(self.inner.line), self.default(), self.closure())  # fmt: skip


def test_a_fresh_start_is_fresh_wherever_something_was_kept():
    before = Remembered(Everywhere)
    first = Everywhere().touch()
    assert Everywhere().touch() != first
    before.restore()
    assert Everywhere().touch() == first
    before.restore()
    assert (TOTAL, TABLE, Everywhere.made) == (0, {"a": 1}, 0)


def test_what_belongs_to_python_is_left_alone():
    before = Remembered(collections.OrderedDict)
    before.restore()
    assert collections.OrderedDict(a=1) == {"a": 1}


def named(ops):
    """The operations with ids renamed in the order in which they are mentioned, and without payloads."""
    names = {}
    return tuple(
        (op[0], names.setdefault(op[1], len(names)), *op[2 if op[0] != "enqueue" else 3 :])
        if op[0] in ("enqueue", "ack", "retry", "cancel")
        else op
        for op in ops
    )


def test_every_short_run_is_among_all_runs():
    """Against plain enumeration: two ids, attempts to 2, two queues."""
    ops = [("enqueue", "a", "A"), ("enqueue", "b", "B"), ("reserve",), ("cancel", "a"), ("cancel", "b"), ("new",), ("use", 0)]
    ops += [(name, id, attempt) for name in ("ack", "retry") for id in "ab" for attempt in (0, 1, 2)]
    for length in (1, 2, 3):
        known = {(short.capacity, named(ops_of(short.calls))) for short in all_runs(length)}
        for run in itertools.product(ops, repeat=length):
            if not possible(run):
                continue
            for capacity in (0, 1, 2, 3):
                if worth_trying(capacity, run) and (length <= FULL or is_filled(capacity, run)):
                    assert (capacity, named(run)) in known, (capacity, run)


def is_filled(capacity, run):
    """Where it is never full, not even almost, a smaller capacity gives the same run."""
    return capacity < 2 or capacity <= max(step.after.current.active for step in model.run(capacity, run))


def possible(run):
    queues, selected = 1, 0
    for op in run:
        if op[0] == "use" and (selected == 0 or queues == 1):
            return False  # there is no such queue, or it is selected already
        queues += op[0] == "new"
        selected = queues - 1 if op[0] == "new" else 0 if op[0] == "use" else selected
    return queues <= 3


def worth_trying(capacity, run):
    """An attempt that is two or more beyond the next one is not: nothing sets it apart from one beyond."""
    state = model.start(capacity)
    for op in run:
        job = state.current.job(op[1]) if op[0] in ("ack", "retry") else None
        if op[0] in ("ack", "retry") and op[2] > (job.attempt + 1 if job else 1):
            return False
        state = model.step(state, op).after
    return True


def test_all_runs_come_shortest_and_with_the_rules_answers():
    for length in (1, WIDE):
        for short in itertools.islice(all_runs(length), 2_000):
            assert len(short.calls) == length
            assert short.calls == calls_of(short.capacity, ops_of(short.calls))


def test_everything_that_is_planned_stays_inside_the_notation():
    for capacity, calls in plan().scripts[::7]:
        scenario = validate({"capacity": capacity, "ops": [list(op) for op in ops_of(calls)]})
        right = [step.result for step in model.run(capacity, scenario.ops)]
        assert [call[2] for call in calls] == right


def test_the_plan_reaches_what_it_says():
    calls = [(capacity, call) for capacity, calls in plan().scripts for call in calls]
    assert {capacity for capacity, _ in calls} == set(range(17))
    assert max(right[2] for _, (_, _, right) in calls if isinstance(right, tuple)) == 32
    assert max(sum(call[0] == "new" for call in calls) for _, calls in plan().scripts) == 7
    assert max(len(calls) for _, calls in plan().scripts) == 64


def test_every_clause_decides_somewhere_in_the_plan():
    shown = set()
    for capacity, calls in plan().scripts[::25]:
        shown |= {name for step in model.run(capacity, ops_of(calls)) for name in step.clauses}
    assert len(shown) >= 26


LONG = (
    5,
    (("enqueue", "zz", "first"), ("enqueue", "job-2", "other"), ("reserve",), ("reserve",), ("cancel", "job-2"),
     ("retry", "zz", 1), ("reserve",), ("retry", "zz", 2), ("reserve",), ("cancel", "nobody"), ("ack", "zz", 1)),
)  # fmt: skip


def accepts_stale(run):
    """Shows its fault where an ``ack`` names an attempt that is stale."""
    for place, step in enumerate(model.run(*run)):
        job = step.before.current.job(step.op[1]) if step.op[0] == "ack" else None
        if job is not None and job.status == "in flight" and 0 < step.op[2] < job.attempt:
            return place + 1
    return None


def test_a_run_is_made_short_and_plain():
    short = minimise(LONG, accepts_stale)
    assert plain(short, accepts_stale) == (
        1, (("enqueue", "a", "A"), ("reserve",), ("retry", "a", 1), ("reserve",), ("ack", "a", 1)),
    )  # fmt: skip


def two_queues_differ(run):
    """Shows its fault where the third queue reserves a job."""
    for place, step in enumerate(model.run(*run)):
        if step.before.selected == 2 and isinstance(step.result, tuple):
            return place + 1
    return None


def test_a_queue_less_leaves_the_others_as_they_were():
    ops = (("enqueue", "a", "A"), ("new",), ("enqueue", "b", "B"), ("new",), ("use", 1), ("reserve",), ("new",), ("use", 2),
           ("enqueue", "c", "C"), ("use", 0), ("reserve",), ("use", 2), ("reserve",))  # fmt: skip
    short = minimise((2, ops), two_queues_differ)
    assert short == (1, (("new",), ("new",), ("enqueue", "c", "C"), ("reserve",)))


def test_a_name_that_matters_is_kept():
    def shows(run):
        return next((place + 1 for place, op in enumerate(run[1]) if op[:2] == ("enqueue", "1_0")), None)

    run = (3, (("enqueue", "x", "X"), ("enqueue", "1_0", "payload"), ("reserve",)))
    assert plain(minimise(run, shows), shows) == (0, (("enqueue", "1_0", "1_0"),))


def test_our_own_queue_keeps_nothing_outside_of_itself():
    before = Remembered(Queue)
    queue = Queue(1)
    queue.enqueue("a", "A")
    before.restore()
    assert tuple(queue.reserve()) == ("a", "A", 1)
