"""check: every broken queue is caught, by the shortest scenario; no sound one is; hostile ones are survived."""

from __future__ import annotations

import itertools
import json
import re
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path

import notebook_rules
import pytest
from sound_queues import SOUND

from retryq import Queue, model, mystery, rules, zoo
from retryq.checking.fresh import Remembered
from retryq.conformance import OUTCOMES, check
from retryq.rules import CLAUSES
from retryq.scenario import Scenario, notation, parse, run, same

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"

# ------------------------------------------------------------------------------------------------- the zoo


@pytest.fixture(scope="module")
def reports():
    """A report on every broken queue of this file and of the zoo, two at a time."""
    classes = [*zoo.ZOO, *DEEP, *(queue_class for queue_class, *_ in HOSTILE)]
    with ProcessPoolExecutor(2) as pool:
        return dict(zip(classes, pool.map(check, classes), strict=True))


@pytest.fixture(params=zoo.ZOO, ids=lambda member: member.__name__)
def member(request):
    return request.param


@pytest.fixture
def report(member, reports):
    return reports[member]


def test_a_broken_queue_is_caught(report):
    assert not report.passed
    assert report.outcome in ("disagrees", "raised")


def test_what_is_broken_is_what_the_zoo_says(member, report):
    assert report.broken == member.broken
    assert report.clause == zoo.primary(member)
    assert {name for name, state in report.clauses.items() if state == "broken"} == member.broken
    assert set(report.clauses.values()) == {"kept", "broken"}


def test_what_exercise_11_says_of_its_mysteries_is_so(reports):
    """Here, where the reports are at hand: how many there are (four are met before), which are gentle, tricky, hard."""
    page = "\n".join(cell.source for cell in notebook_rules.load(NOTEBOOKS / "11-break-it.ipynb").text)
    count = mystery.HOW_MANY
    assert f"Here are {count} queues" in page and f"from 1 to {count}" in page and f"And {count - 4} more" in page
    lists = re.search(r"Gentle[^:]*: ([\d, ]+)\. Tricky[^:]*: ([\d, ]+)\. Hard[^:]*: ([\d, ]+)\.", page)
    assert lists
    for numbers, lengths in zip(lists.groups(), [range(1, 4), range(4, 6), range(6, 65)], strict=True):
        for number in map(int, numbers.split(", ")):
            known = reports[mystery.Mystery(number).queue_class.__base__].counterexample
            assert len(known.ops) in lengths, number


def test_the_counterexample_shows_the_fault_to_anybody(member, report):
    """Run by other means than the check's: same answers up to the operation where they part, and not there."""
    found = report.counterexample
    steps = model.run(found.capacity, found.ops)
    assert [step.result for step in steps] == report.expected
    member.forget()
    given = zoo.answers(member, found)
    for index, (right, answer, told) in enumerate(zip(report.expected, given, report.actual, strict=True)):
        if index < report.index:
            assert same(right, answer) and same(answer, told)
    if not report.changed:
        assert not same(report.expected[report.index], given[report.index])
        assert report.index == len(found.ops) - 1


def test_the_counterexample_is_a_scenario_of_the_notation(report):
    found = report.counterexample
    assert parse(found.to_json()) == Scenario(found.capacity, found.ops)


def test_the_symptom_is_a_clause_of_the_operation_where_they_part(report):
    assert report.symptom in (*report.step.clauses, "answer.kind", "attempt.snapshot")


SHORT_OPS = [
    ("enqueue", "a", "A"), ("enqueue", "b", "B"), ("reserve",), ("ack", "a", 0), ("ack", "a", 1), ("ack", "a", 2),
    ("ack", "b", 1), ("retry", "a", 0), ("retry", "a", 1), ("retry", "b", 1), ("cancel", "a"), ("cancel", "b"),
    ("new",), ("use", 0),
]  # fmt: skip


@cache
def right_runs(length: int, capacity: int) -> list[tuple[tuple, tuple]]:
    """Every run of this length with the rules' answers, without any cleverness but that `a` comes before `b`."""
    found = []
    for ops in itertools.product(SHORT_OPS, repeat=length):
        named = [op[1] for op in ops if len(op) > 1 and op[0] != "use"]
        if named[:1] != ["b"] and (("use", 0) not in ops or ("new",) in ops):
            found.append((ops, tuple(step.result for step in _steps(capacity, ops))))
    return found


@cache
def _steps(capacity: int, ops: tuple) -> tuple:
    before = _steps(capacity, ops[:-1]) if len(ops) > 1 else ()
    return (*before, model.step(before[-1].after if before else model.start(capacity), ops[-1]))


def test_no_shorter_counterexample_is_found_by_trying_them_all(member, report):
    """For every member whose counterexample has at most 5 operations: all that are one shorter, and so all shorter."""
    length = len(report.counterexample.ops)
    if length > 5:
        assert report.proof == "no operation can be left out"
        return
    assert report.proof == "no shorter scenario exists"
    if length == 1:
        return
    for capacity in (1, 2) if length == 5 else (0, 1, 2, 3):
        for ops, right in right_runs(length - 1, capacity):
            member.forget()
            queues = [member(capacity)]
            for op, expected in zip(ops, right, strict=True):
                if op[0] == "new":
                    queues.append(member(capacity))
                elif op[0] == "use":
                    queues.append(queues[0])
                else:
                    answer = getattr(queues[-1], op[0])(*op[1:])
                    assert answer is expected or same(expected, notation(answer)), (capacity, ops)


def test_no_operation_can_be_left_out(member, report):
    """Of any counterexample: without one of its operations, with the attempts as they are, nothing shows."""
    found = report.counterexample
    for place in range(len(found.ops)):
        ops = found.ops[:place] + found.ops[place + 1 :]
        if ("new",) in found.ops or report.changed:
            continue
        expected = [step.result for step in model.run(found.capacity, ops)]
        assert all(map(same, expected, zoo.answers(member, Scenario(found.capacity, ops)))), ops


def test_the_capacity_cannot_be_smaller(member, report):
    found = report.counterexample
    if not report.changed:
        for capacity in range(found.capacity):
            scenario = Scenario(capacity, found.ops)
            expected = [step.result for step in model.run(capacity, found.ops)]
            given = zoo.answers(member, scenario)
            assert same(expected[-1], given[-1]) or not all(map(same, expected[:-1], given[:-1]))


def test_the_kept_test_fails_on_the_broken_queue_and_passes_on_a_sound_one(member, report):
    text = report.as_test()
    assert fails_on(text, member.__name__, member)
    assert not fails_on(text, member.__name__, Queue)
    assert not fails_on(text, member.__name__, zoo.SimpleQueue)


def fails_on(text: str, name: str, queue_class: type) -> bool:
    """Whether a test fails, from a fresh start; what it leaves on the class is put back."""
    before = Remembered(queue_class)
    namespace = {name: queue_class}
    exec(compile(text, "<kept test>", "exec"), namespace)  # noqa: S102
    (test,) = [value for key, value in namespace.items() if key.startswith("test_")]
    try:
        test()
    except Exception:  # noqa: BLE001  an assertion, or whatever the broken queue raises
        return True
    finally:
        before.restore()
    return False


# ----------------------------------------------------------------------------------------------- sound ones


@pytest.mark.parametrize("queue_class", [Queue, zoo.SimpleQueue, *SOUND], ids=lambda each: each.__name__)
def test_a_sound_queue_passes(queue_class):
    report = check(queue_class)
    assert report.passed, str(report)
    assert report.outcome == "passes"
    assert report.counterexample is None and report.broken == frozenset() and report.clause is None
    assert set(report.clauses) == set(CLAUSES) and set(report.clauses.values()) == {"kept"}


class OwnJob:
    """Slots, properties, and no comparison with anything."""

    __slots__ = ("_parts",)
    __hash__ = None

    def __init__(self, *parts):
        self._parts = parts

    id = property(lambda self: self._parts[0])
    payload = property(lambda self: self._parts[1])
    attempt = property(lambda self: self._parts[2])

    def __eq__(self, other):
        raise RuntimeError("nobody has any business to compare this")

    def __bool__(self):
        raise RuntimeError("nor to ask whether it is true")


class Unusual(zoo.SimpleQueue):
    """Sound, in an unusual way: its methods change while it runs, it prints, and has a length of 0 when empty."""

    made = 0
    log: list[str] = []  # noqa: RUF012

    def __init__(self, room, /, *, name="queue", **options):
        super().__init__(room)
        Unusual.made += 1
        self.reserve = self._reserve

    def __len__(self):
        return len(self.line)

    def _reserve(self, timeout=None):
        job = zoo.SimpleQueue.reserve(self)
        self.log.append("reserve")
        print("reserved", job)
        return None if job is None else OwnJob(*job)


def test_an_unusual_sound_queue_passes():
    report = check(Unusual)
    assert report.passed, str(report)
    assert "It printed" in str(report)


def test_a_factory_and_a_partial_are_as_good_as_a_class():
    def factory(capacity):
        return Queue(capacity)

    assert check(factory).passed and check(factory).name == "factory"
    assert check(partial(Unusual, name="mine")).passed


def test_a_slow_sound_queue_passes_and_the_report_says_how_far_it_came():
    class Slow(zoo.SimpleQueue):
        def is_full(self):
            sum(range(15_000))
            return super().is_full()

    report = check(Slow)
    assert report.passed, str(report)
    assert "The queue is slow" in report.explored.words


def test_a_slow_broken_queue_gets_its_counterexample_all_the_same():
    class SlowAndWrong(zoo.SimpleQueue):
        def reserve(self):
            time.sleep(0.08)
            job = super().reserve()
            return job and job._replace(attempt=job.attempt - 1)

    report = check(SlowAndWrong)
    assert report.outcome == "disagrees" and report.clause == "attempt.first", str(report)
    assert report.counterexample.ops == (("enqueue", "a", "A"), ("reserve",))


# ------------------------------------------------------------------------------------- faults that lie deep

SimpleQueue = zoo.SimpleQueue


class StaysAt(SimpleQueue):
    """The attempt stops growing at 25."""

    def next_attempt(self, record):
        return min(record.attempt + 1, 25)


class ComparesAsText(SimpleQueue):
    """Attempts are compared as strings, so 9 is later than 10."""

    def holds(self, id, attempt):
        return self.is_out(id) and str(attempt) >= str(self.records[id].attempt) and attempt < 10


class ForgetsAfter(SimpleQueue):
    """Remembers only the last 30 finished ids."""

    def finish(self, id, state):
        super().finish(id, state)
        finished = [each for each, record in self.records.items() if record.state in ("acknowledged", "cancelled")]
        if len(finished) > 30:
            del self.records[finished[0]]


class MiddleOfFive(SimpleQueue):
    """A cancel from the middle of five or more puts the last into the gap."""

    def withdraw(self, id):
        if id in self.line[1:-1] and len(self.line) >= 5:
            self.line[self.line.index(id)] = self.line[-1]
            self.line.pop()
        else:
            super().withdraw(id)


class Sixteen(SimpleQueue):
    """Only a queue of 16 has one slot too many."""

    def is_full(self):
        return self.taken >= self.capacity + (self.capacity == 16)


class LockedOut(SimpleQueue):
    """After ten wrong attempts in a row, the job is gone."""

    wrong = 0

    def ack(self, id, attempt):
        done = super().ack(id, attempt)
        self.wrong = 0 if done else self.wrong + 1
        if self.wrong == 10 and self.is_out(id):
            self.finish(id, "cancelled")
        return done


class NumbersForIds(SimpleQueue):
    """Ids are numbers where they can be: 1, 01 and 1_0 are what int() makes of them."""

    def knows(self, id):
        def number(text):
            try:
                return int(text)
            except ValueError:
                return text

        return number(id) in map(number, self.records)


class FirstEightLetters(SimpleQueue):
    """Ids are cut to eight letters."""

    def knows(self, id):
        return id[:8] in {each[:8] for each in self.records}


class TrueForTrue(SimpleQueue):
    """The payload True becomes the value True."""

    def accept(self, id, payload):
        super().accept(id, True if payload == "True" else payload)


class Eighth(SimpleQueue):
    """The eighth queue that is made is of no use."""

    made: list[int] = []  # noqa: RUF012

    def __init__(self, capacity):
        self.made.append(1)
        super().__init__(capacity if len(self.made) < 8 else 0)


class ForgottenJobs(SimpleQueue):
    """A job in flight lives only as long as somebody keeps the answer."""

    def hand_out(self, id):
        import weakref

        job = OwnJob2(*super().hand_out(id))
        self.records[id].held = weakref.ref(job)
        return job

    def holds(self, id, attempt):
        return super().holds(id, attempt) and self.records[id].held() is not None


class OwnJob2:
    def __init__(self, id, payload, attempt):
        self.id, self.payload, self.attempt = id, payload, attempt


class TwentiethReserve(SimpleQueue):
    """The twentieth reservation of the whole program, over all queues, finds nothing."""

    count = 0

    def reserve(self):
        TwentiethReserve.count += 1
        return None if TwentiethReserve.count == 20 else super().reserve()


class OldSlot(SimpleQueue):
    """A finished job's slot is reused, and what is said to the finished job is heard by the new one."""

    def __init__(self, capacity):
        super().__init__(capacity)
        self.slots = [None] * capacity
        self.place = {}

    def accept(self, id, payload):
        self.place[id] = self.slots.index(None)
        self.slots[self.place[id]] = id
        super().accept(id, payload)

    def finish(self, id, state):
        self.slots[self.place[id]] = None
        super().finish(id, state)

    def cancel(self, id):
        there = self.slots[self.place[id]] if id in self.place and self.capacity >= 3 else None
        return super().cancel(there or id)


class HalvesWhatIsDoubled(SimpleQueue):
    """Undoes an escape that nobody has made."""

    def accept(self, id, payload):
        super().accept(id, payload.replace("%%", "%"))


class NoLongNumbers(SimpleQueue):
    """Takes an id of four digits for somebody's PIN."""

    def enqueue(self, id, payload):
        return not (id.isdigit() and len(id) >= 4) and super().enqueue(id, payload)


class FinishedInAnyCase(SimpleQueue):
    """Keeps the ids of finished jobs in lower case."""

    def __init__(self, capacity):
        super().__init__(capacity)
        self.finished = set()

    def ack(self, id, attempt):
        done = super().ack(id, attempt)
        self.finished |= {id.lower()} if done else set()
        return done

    def enqueue(self, id, payload):
        return id.lower() not in self.finished and super().enqueue(id, payload)


class FourthQueueTurnsTheFirst(SimpleQueue):
    """When a fourth queue is made, the first one's line is turned round."""

    made: list["FourthQueueTurnsTheFirst"] = []  # noqa: RUF012

    def __init__(self, capacity):
        super().__init__(capacity)
        self.made.append(self)
        if len(self.made) == 4:
            self.made[0].line.reverse()


class FourthRetryJumps(SimpleQueue):
    """Whoever is given back a fourth time goes to the head of the line."""

    def put_back(self, id):
        super().put_back(id)
        if self.records[id].attempt == 4:
            self.line.insert(0, self.line.pop())


class LosesTheLastOfFour(SimpleQueue):
    """Whoever is cancelled at the end of a line of four may come again."""

    def cancel(self, id):
        last_of_four = self.line[3:] == [id]
        done = super().cancel(id)
        if last_of_four:
            del self.records[id]
        return done


class LosesWhoIsDoneBeforeSix(SimpleQueue):
    """Whoever is acknowledged while six wait may come again."""

    def ack(self, id, attempt):
        done = super().ack(id, attempt)
        if done and len(self.line) == 6:
            del self.records[id]
        return done


DEEP = [StaysAt, ComparesAsText, ForgetsAfter, MiddleOfFive, Sixteen, LockedOut, NumbersForIds, FirstEightLetters,
        TrueForTrue, Eighth, ForgottenJobs, TwentiethReserve, OldSlot, HalvesWhatIsDoubled, NoLongNumbers, FinishedInAnyCase,
        FourthQueueTurnsTheFirst, FourthRetryJumps, LosesTheLastOfFour, LosesWhoIsDoneBeforeSix]  # fmt: skip


@pytest.mark.parametrize("queue_class", DEEP, ids=lambda each: each.__name__)
def test_a_fault_that_lies_deep_is_found_and_told(queue_class, reports):
    report = reports[queue_class]
    assert report.outcome == "disagrees", str(report)
    assert report.clauses[report.clause] == "broken"
    assert fails_on(report.as_test(), queue_class.__name__, queue_class)
    assert not fails_on(report.as_test(), queue_class.__name__, Queue)
    assert report.proof in ("no shorter scenario exists", "no operation can be left out")


@pytest.mark.parametrize(("queue_class", "known"), [
    (FourthQueueTurnsTheFirst, Scenario(2, (("enqueue", "a", "A"), ("enqueue", "b", "B"), *[("new",)] * 3, ("use", 0), ("reserve",)))),
    (FourthRetryJumps, Scenario(2, (("enqueue", "a", "A"), ("reserve",),
                                    *[op for at in (1, 2, 3) for op in (("retry", "a", at), ("reserve",))],
                                    ("enqueue", "b", "B"), ("retry", "a", 4), ("reserve",)))),
], ids=lambda each: getattr(each, "__name__", "known"))  # fmt: skip
def test_a_long_counterexample_is_no_longer_than_one_found_by_hand(queue_class, known, reports):
    """Some operations must be said earlier or later before others can be left out."""
    before = Remembered(queue_class)
    right = [step.result for step in model.run(known.capacity, known.ops)]
    assert not same(right[-1], zoo.answers(queue_class, known)[-1]), "what was found by hand shows the fault"
    before.restore()
    assert len(reports[queue_class].counterexample.ops) <= len(known.ops)


class Shared(SimpleQueue):
    """Ids are taken in all queues at once."""

    ids: set[str] = set()  # noqa: RUF012

    def knows(self, id):
        return id in self.ids

    def accept(self, id, payload):
        self.ids.add(id)
        super().accept(id, payload)


class SharedInACache(Shared):
    """The same, where a function that remembers hands them out."""

    ids_of_all = staticmethod(cache(set))

    @property
    def ids(self):
        return self.ids_of_all()


class SharedOutOfReach(Shared):
    """The same, where nothing can put it back: hung upon a module of Python's own."""

    @property
    def ids(self):
        import sys

        return vars(sys).setdefault("_ids_of_a_broken_queue", set())


@pytest.mark.parametrize("queue_class", [Shared, SharedInACache, SharedOutOfReach])
def test_state_that_queues_share_spoils_no_other_run(queue_class):
    report = check(queue_class)
    assert report.outcome == "disagrees"
    assert report.clause == "isolation.queues" and report.broken == {"isolation.queues"}
    assert [op[0] for op in report.counterexample.ops] == ["enqueue", "new", "enqueue"]
    assert Shared.ids == set()


def test_two_queues_that_are_needed_are_both_in_the_counterexample(reports):
    report = reports[Eighth]
    assert [op[0] for op in report.counterexample.ops].count("new") == 7
    assert report.symptom == report.clause == "isolation.queues"


# ----------------------------------------------------------------------------------------- odd answers


def answering(**methods):
    return type("Odd", (SimpleQueue,), methods)


@pytest.mark.parametrize(
    ("queue_class", "said"),
    [
        (answering(ack=lambda self, id, attempt: int(SimpleQueue.ack(self, id, attempt))), "0"),
        (answering(cancel=lambda self, id: SimpleQueue.cancel(self, id) or None), "None"),
        (answering(reserve=lambda self: SimpleQueue.reserve(self) or ()), "()"),
        (answering(reserve=lambda self: (job := SimpleQueue.reserve(self)) and list(job)), "['a', 'A', 1]"),
        (answering(reserve=lambda self: (job := SimpleQueue.reserve(self)) and (*job, "more")), "('a', 'A', 1, 'more')"),
        (answering(reserve=lambda self: (job := SimpleQueue.reserve(self)) and (job.id, job.payload, True)), "True"),
        (answering(reserve=lambda self: (yield SimpleQueue.reserve(self))), "generator"),
        (answering(enqueue=lambda self, id, payload: "x" * 10**6), "'xxx"),
    ],
    ids=str,
)
def test_an_answer_of_the_wrong_kind_is_told_as_such(queue_class, said):
    report = check(queue_class)
    assert report.outcome == "disagrees"
    assert report.symptom == "answer.kind" and "answer.kind" in report.broken
    assert said in report.sentence and "0x" not in report.sentence
    assert len(report.sentence) < 600


# -------------------------------------------------------------------------------------- one method at a time


class Begun(SimpleQueue):
    """Two methods are written, one is not there, the others are not written."""

    ack = property()  # as if it were not there

    def retry(self, id, attempt):
        raise NotImplementedError

    def cancel(self, id):
        raise NotImplementedError("cancel: chapter 6")


def test_what_is_not_written_hides_nothing():
    report = check(Begun)
    assert report.outcome == "not attempted" and not report.passed
    assert set(report.unwritten) == {"ack", "retry", "cancel"}
    assert all(name in report.sentence for name in ("ack", "retry", "cancel"))
    assert report.clauses["fifo.tail"] == report.clauses["capacity.full"] == "kept"
    assert report.clauses["retry.tail"] == report.clauses["cancel.order"] == "not reached"
    assert "broken" not in report.clauses.values()


def test_some_clauses_alone():
    report = check(Begun, clauses="fifo.*")
    assert report.passed
    assert report.clauses == {"fifo.tail": "kept", "fifo.head": "kept", "fifo.missing": "kept"}
    assert "fifo.tail, fifo.head and fifo.missing" in report.sentence
    assert check(Begun, clauses=["retry.*"]).outcome == "not attempted"


def test_a_fault_in_what_is_written_is_found_among_what_is_not():
    class Wrong(Begun):
        def next_id(self):
            return self.line.pop()

    report = check(Wrong)
    assert report.outcome == "disagrees" and report.clause == "fifo.head"
    assert check(Wrong, clauses=["capacity.full", "capacity.active"]).passed
    assert check(Wrong, clauses="capacity.*").outcome == "not attempted"  # freed: by ack or by cancel
    assert check(Wrong, clauses="fifo.head").outcome == "disagrees"


def test_a_fault_that_lies_elsewhere_does_not_count_where_some_clauses_are_picked():
    assert check(zoo.OneCountForAll, clauses="fifo.*").passed
    report = check(zoo.OneCountForAll, clauses="attempt.first")
    assert report.outcome == "disagrees" and set(report.clauses) == {"attempt.first"}


def test_a_starter_that_nobody_has_touched_is_not_attempted():
    class Starter:
        def __init__(self, capacity):
            pass

        def enqueue(self, id, payload): ...

        def reserve(self):
            """Take the job that has waited longest."""

        def ack(self, id, attempt):
            pass

        def retry(self, id, attempt):
            return None

        def cancel(self, id): ...

    report = check(Starter)
    assert report.outcome == "not attempted"
    assert set(report.clauses.values()) == {"not reached"}
    assert report.sentence == "Starter is not finished: none of its five methods is written yet."


def test_a_pattern_that_matches_nothing_is_an_error():
    with pytest.raises(ValueError, match=r"no clause is named 'fifi\.\*'"):
        check(Queue, clauses="fifi.*")


# ------------------------------------------------------------------------------------------- what is no class


def test_an_object_instead_of_a_class_is_a_type_error():
    with pytest.raises(TypeError, match=r"check wants the class itself, as in check\(MyQueue\)"):
        check(Queue(2))


def test_something_that_makes_no_queue_gets_a_report():
    assert check(int).outcome == "not attempted"
    assert check(len).outcome == "raised"
    assert "NoneType" in str(check(lambda capacity: None)) or check(lambda capacity: None).outcome == "not attempted"


def test_an_abstract_class_and_a_wrong_signature_are_told():
    import abc

    class Abstract(abc.ABC):
        def __init__(self, capacity):
            self.capacity = capacity

        @abc.abstractmethod
        def enqueue(self, id, payload): ...

    class NoCapacity(SimpleQueue):
        def __init__(self):
            super().__init__(2)

    class ForgotSelf(SimpleQueue):
        def cancel(id):
            return True

    for queue_class, word in ((Abstract, "abstract"), (NoCapacity, "argument"), (ForgotSelf, "cancel")):
        report = check(queue_class)
        assert report.outcome == "raised" and word in report.sentence, report.sentence
        assert report.counterexample is not None and report.symptom == "answer.kind"


# ------------------------------------------------------------------------------------------------ not sane


class LoopsInCancel(SimpleQueue):
    def cancel(self, id):
        while True:
            pass


class LoopsAtAttemptSix(SimpleQueue):
    def next_attempt(self, record):
        while record.attempt == 5:
            try:
                while True:
                    pass
            except BaseException:  # noqa: BLE001, S112
                continue
        return record.attempt + 1


class LeavesInRetry(SimpleQueue):
    def retry(self, id, attempt):
        raise SystemExit(3)


class LeavesForGood(SimpleQueue):
    def retry(self, id, attempt):
        import os

        os._exit(0)


class CallsItself(SimpleQueue):
    def ack(self, id, attempt):
        return self.ack(id, attempt)


class TooMuchMemory(SimpleQueue):
    def ack(self, id, attempt):
        return bool(bytearray(10**13))


class Floods(SimpleQueue):
    def ack(self, id, attempt):
        while True:
            print("x" * 1000)


class Asks(SimpleQueue):
    def ack(self, id, attempt):
        return input("Really? ") == "yes"


class RaisesWhenMade(SimpleQueue):
    def __init__(self, capacity):
        if capacity == 0:
            raise ValueError("capacity must be positive")
        super().__init__(capacity)


HOSTILE = [
    (LoopsInCancel, "ran too long", "did not come back", 1),
    (LoopsAtAttemptSix, "ran too long", "did not come back", 12),
    (LeavesInRetry, "exited", "ended the program", 1),
    (LeavesForGood, "exited", "ended the whole program", 1),
    (CallsItself, "raised", "RecursionError", 1),
    (TooMuchMemory, "raised", "memory", 1),
    (Floods, "ran too long", "printed without end", 1),
    (Asks, "raised", "asked for input", 1),
    (RaisesWhenMade, "raised", "capacity must be positive", 1),
]


@pytest.mark.parametrize(("queue_class", "outcome", "words", "length"), HOSTILE, ids=lambda each: getattr(each, "__name__", ""))
def test_a_class_that_is_not_sane_gets_a_report_that_names_it(queue_class, outcome, words, length, reports):
    report = reports[queue_class]
    assert report.outcome == outcome, str(report)
    assert words in report.sentence
    assert len(report.counterexample.ops) == length
    assert "answer.kind" in report.broken or length > 1


class Dice(SimpleQueue):
    def reserve(self):
        import random

        return super().reserve() if random.random() < 0.7 else None


def test_what_does_not_show_again_is_no_counterexample():
    report = check(Dice)
    assert report.outcome == "not repeatable" and not report.passed
    assert report.counterexample is None
    assert "does not answer the same twice" in report.sentence


# ------------------------------------------------------------------------------------------- the report itself


def test_the_report_tells_what_was_tried_and_what_was_not():
    explored = check(Queue).explored
    assert explored.runs > 5_000 and explored.operations > 100_000 and explored.states > 1_000
    assert f"{explored.operations:,} operations" in explored.words
    assert "Not covered" in explored.words and "threads" in explored.words


def test_the_text_has_the_sentence_first_then_the_table_and_the_twin():
    text = str(check(zoo.OldAttemptsStillCount))
    assert text.startswith("OldAttemptsStillCount breaks fence.exact:")
    assert "your queue answered True where the rules say False (fence.exact: refused: attempt 1 is stale, the" in " ".join(text.split())
    assert text.index("no shorter scenario exists") < text.index("rules say      yours said")
    assert ' 5  queue.ack("a", 1)        False          True  <- here they part' in text
    assert text.index("here they part") < text.index("in flight #2") < text.index("Kept: ")
    assert max(map(len, text.splitlines())) <= 110


def test_the_json_form_is_plain():
    data = json.loads(check(zoo.EmptyReserveRaises).to_json())
    assert data["outcome"] == "raised" and data["counterexample"] == {"capacity": 0, "ops": [["reserve"]]}
    assert data["expected"] == [None]
    assert data["actual"] == [{"raised": "IndexError: pop from empty list"}]
    assert list(data["clauses"]) == list(CLAUSES)


def test_the_page_form_is_escaped_and_says_how_to_go_on():
    class Html(SimpleQueue):
        def accept(self, id, payload):
            super().accept(id, payload.replace("&", "<script>alert(1)</script>"))

    report = check(Html)
    page = report._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page
    assert "Lab(report)" in page and '<th scope="col"' in page and "<caption" in page and 'scope="row"' in page
    assert "color:#" not in page and "background:#" not in page  # both themes can be read
    assert report._repr_mimebundle_()["text/plain"] == str(report)


@pytest.mark.parametrize("queue_class", [zoo.AckTwiceIsFine, zoo.SharedByAllQueues, LoopsInCancel, CallsItself],
                         ids=lambda each: each.__name__)  # fmt: skip
def test_the_text_is_the_same_every_time(queue_class, reports):
    """The other report comes from another process."""
    assert str(check(queue_class)) == str(reports[queue_class])


def test_the_run_beside_the_rules_can_be_drawn():
    report = check(zoo.RetryJumpsTheLine)
    assert report.history.parts_at == report.index
    assert report.history.scenario.ops == report.counterexample.ops
    assert same(report.history.answers[report.index], run(report.counterexample, zoo.RetryJumpsTheLine)[report.index])


def test_there_is_no_test_to_keep_of_a_queue_that_passes():
    with pytest.raises(ValueError, match="no counterexample"):
        check(Queue).as_test()


def test_outcomes_and_clauses_are_known_words(reports):
    assert {report.outcome for report in reports.values()} <= set(OUTCOMES)
    assert all(report.clause in rules.CLAUSES for report in reports.values())
