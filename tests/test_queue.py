"""The queue: every published example, report and witness; misuse; and runs that nobody chose, against the model."""

import subprocess
import sys

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from retryq import Job, Queue, model, rules, statespace
from retryq.data import examples, field_reports, witnesses
from retryq.scenario import parts_at, run

KNOWN = [*examples(), *field_reports(), *(each for clause in rules.CLAUSES for each in witnesses(clause))]


@pytest.mark.parametrize("scenario", KNOWN, ids=lambda each: each.name)
def test_known_scenario(scenario):
    outputs = run(scenario, Queue)
    assert parts_at(scenario.expected, outputs) is None, outputs


def test_every_file_of_scenarios_was_read():
    assert len(examples()) == 4
    assert len(field_reports()) == 40
    assert all(witnesses(clause) for clause in rules.CLAUSES)


class QueueAgainstModel(RuleBasedStateMachine):
    """Any order of operations, on several queues at once: the same answers as the model gives."""

    ids = st.sampled_from(["a", "A", "b", "c", "", "no-such", "\N{SNOWMAN}"])
    attempts = st.one_of(st.integers(0, 4), st.integers(-2, 70), st.just(10**30))
    which = st.integers(0, 2)

    @initialize(capacities=st.lists(st.integers(0, 4), min_size=3, max_size=3))
    def begin(self, capacities):
        self.queues = [Queue(capacity) for capacity in capacities]
        self.states = [model.start(capacity) for capacity in capacities]
        self.answered = []

    def both(self, which, *op):
        step = model.step(self.states[which], op)
        self.states[which] = step.after
        answer = getattr(self.queues[which], op[0])(*op[1:])
        assert answer == step.result, step.why
        assert type(answer) is (Job if isinstance(step.result, tuple) else type(step.result))
        if isinstance(answer, Job):
            self.answered.append((answer, step.result))

    @rule(which=which, id=ids, payload=st.text(max_size=3))
    def enqueue(self, which, id, payload):
        self.both(which, "enqueue", id, payload)

    @rule(which=which)
    def reserve(self, which):
        self.both(which, "reserve")

    @rule(which=which, name=st.sampled_from(["ack", "retry"]), id=ids, attempt=attempts)
    def finish_or_give_back(self, which, name, id, attempt):
        self.both(which, name, id, attempt)

    @rule(which=which, name=st.sampled_from(["ack", "retry"]), pick=st.integers(0, 3))
    def with_the_current_attempt(self, which, name, pick):
        in_flight = self.states[which].current.in_flight
        if in_flight:
            job = in_flight[pick % len(in_flight)]
            self.both(which, name, job.id, job.attempt)

    @rule(which=which, id=ids)
    def cancel(self, which, id):
        self.both(which, "cancel", id)

    @invariant()
    def slots_and_snapshots_agree(self):
        for queue, state in zip(self.queues, self.states):
            assert (queue.capacity, queue.active) == (state.current.capacity, state.current.active)
        for answer, given in self.answered:
            assert answer == given, "an answer changed after it was given"


QueueAgainstModel.TestCase.settings = settings(max_examples=150, stateful_step_count=60, deadline=None)
test_queue_against_model = QueueAgainstModel.TestCase


IDS = ("a", "b", "c")
# Ask for everything that a state can be told by: who is in line, who is in flight with which attempt, which ids
# are taken, how many slots are free. Finishing comes last, for it changes the most.
DRAIN = [("reserve",), ("reserve",), ("reserve",),
         *(("retry", id, attempt) for id in IDS for attempt in range(5)), ("reserve",), ("reserve",), ("reserve",),
         *(("ack", id, attempt) for id in IDS for attempt in range(6)), *(("cancel", id) for id in IDS),
         *(("enqueue", id, "again") for id in (*IDS, "d", "e", "f")), ("reserve",), ("reserve",), ("reserve",)]


def test_every_operation_in_every_state_of_a_small_queue_and_then_a_drain():
    """Each state by its shortest way, one operation, then the drain: a corrupted state cannot hide."""
    graph = statespace.explore(2, IDS, 2)
    assert len(graph) > 1000
    drained_by_the_rules = [[step.result for step in steps_from(state, DRAIN)] for state in graph.states]
    asked = 0
    for place, offers in enumerate(graph.transitions):
        for transition in offers:
            queue = Queue(2)
            for op in graph.ways[place]:
                getattr(queue, op[0])(*op[1:])
            answer = getattr(queue, transition.op[0])(*transition.op[1:])
            assert answer == transition.result, (graph.ways[place], transition)
            asked += 1
            if transition.target is not None:
                drained = [getattr(queue, op[0])(*op[1:]) for op in DRAIN]
                assert drained == drained_by_the_rules[transition.target], (graph.ways[place], transition.op)
    assert asked == sum(map(len, graph.transitions))


def steps_from(state, ops):
    for op in ops:
        step = model.step(state, op)
        yield step
        state = step.after


@pytest.mark.parametrize("call, error, words", [
    (lambda queue: Queue(-1), ValueError, "capacity must be 0 or more, got -1"),
    (lambda queue: Queue(True), TypeError, "capacity must be an int, got True"),
    (lambda queue: Queue(1.0), TypeError, "capacity must be an int, got 1.0"),
    (lambda queue: queue.enqueue(7, "A"), TypeError, "id must be a str, got 7"),
    (lambda queue: queue.enqueue("x", None), TypeError, "payload must be a str, got None"),
    (lambda queue: queue.ack("a", True), TypeError, "attempt must be an int, got True"),
    (lambda queue: queue.ack("a", "1"), TypeError, "attempt must be an int, got '1'"),
    (lambda queue: queue.retry(b"a", 1), TypeError, "id must be a str, got b'a'"),
    (lambda queue: queue.retry("a", 1.0), TypeError, "attempt must be an int, got 1.0"),
    (lambda queue: queue.cancel(None), TypeError, "id must be a str, got None"),
])
def test_misuse_names_the_argument_and_changes_nothing(call, error, words):
    queue = Queue(3)
    queue.enqueue("a", "A")
    queue.enqueue("b", "B")
    queue.reserve()
    with pytest.raises(error) as caught:
        call(queue)
    assert str(caught.value) == words
    assert repr(queue) == "<Queue capacity=3 active=2: 1 waiting, 1 in flight>"
    assert (queue.enqueue("x", ""), queue.ack("a", 1), queue.reserve()) == (True, True, Job("b", "B", 1))


def test_attempts_outside_the_notation_are_refused_like_any_wrong_one():
    queue = Queue(1)
    queue.enqueue("a", "A")
    queue.reserve()
    assert [queue.ack("a", -1), queue.retry("a", 10**40), queue.ack("a", 1)] == [False, False, True]


def test_a_job_is_immutable_and_unpacks():
    job = Job("a", "A", 1)
    with pytest.raises(AttributeError):
        job.attempt = 2
    assert tuple(job) == ("a", "A", 1)


def test_a_finished_job_lets_go_of_its_payload():
    class Payload(str):
        """A plain str cannot be watched by a weak reference; this one can count its own end."""

        ended = 0

        def __del__(self):
            Payload.ended += 1

    queue = Queue(2)
    queue.enqueue("acknowledged", Payload("x"))
    queue.enqueue("cancelled", Payload("y"))
    queue.ack(queue.reserve().id, 1)
    queue.cancel("cancelled")
    assert Payload.ended == 2
    assert queue.enqueue("acknowledged", "again") is False


def test_capacity_cannot_be_changed_from_outside():
    queue = Queue(1)
    with pytest.raises(AttributeError):
        queue.capacity = 5
    with pytest.raises(AttributeError):
        queue.active = 0


def test_importing_retryq_imports_the_standard_library_only():
    code = ("import sys; before = set(sys.modules); import retryq; "
            "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))")
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "retryq" in loaded
    assert set(loaded) - {"retryq"} <= sys.stdlib_module_names
