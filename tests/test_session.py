"""The lab without its controls: what it does, what it says, and what it never loses."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from retryq import Queue, data, rules
from retryq.conformance import check
from retryq.history import History
from retryq.playing.session import Session
from retryq.playing.told import as_test
from retryq.scenario import Scenario, ScenarioError


def played(capacity: int = 2, *ops: tuple, **options: object) -> Session:
    session = Session(capacity, **options)
    for op in ops:
        session.do(op)
    return session


STALE = (("enqueue", "a", "A"), ("reserve",), ("retry", "a", 1), ("reserve",), ("ack", "a", 1))


class Stubborn:
    """Accepts everything, hands out the newest, never finishes a thing."""

    def __init__(self, capacity):
        self.jobs = []

    def enqueue(self, id, payload):
        self.jobs.append((id, payload))
        return True

    def reserve(self):
        return (*self.jobs[-1], 1) if self.jobs else None

    def ack(self, id, attempt):
        while True:
            try:
                while True:
                    pass
            except BaseException:  # noqa: S110
                pass

    def retry(self, id, attempt):
        raise KeyError(id)

    def cancel(self, id):
        return object()


def test_an_operation_tells_its_call_its_answer_the_clause_and_the_why():
    told = played(1, *STALE[:-1]).do(["ack", "a", 1])
    assert str(told) == ('5. queue.ack("a", 1) -> False\n'
                         "   refused: attempt 1 is stale, the current attempt of a is 2 (fence.exact)")
    assert (told.result, told.clause, told.why) == (
        False, "fence.exact", "refused: attempt 1 is stale, the current attempt of a is 2")


def test_acting_in_the_past_drops_the_future_says_so_and_gives_it_back():
    session = played(1, *STALE)
    session.goto(2)
    told = session.do(["cancel", "a"])
    assert "You acted in the past: the 3 operations that came later were dropped. Undo brings them back." in str(told)
    assert session.history.ops == (*STALE[:2], ("cancel", "a"))
    assert "Later operations are there again: 3." in str(session.undo())
    assert session.history.ops == STALE
    assert session.cursor == 2
    session.redo()
    assert session.history.ops == (*STALE[:2], ("cancel", "a"))
    session.undo()
    session.do(["reserve"])
    assert str(session.redo()).startswith("There is nothing to do again.")


def test_every_kind_of_change_can_be_taken_back_down_to_the_start():
    session = Session(2)
    session.do(["enqueue", "a", "A"])
    session.restart(3)
    session.load("fifo")
    session.goto(2)
    session.do(["new"])
    seen = []
    while session.can_undo:
        session.undo()
        seen.append((session.history.capacity, len(session.history), session.cursor))
    assert seen == [(2, 7, 2), (3, 0, 0), (2, 1, 1), (2, 0, 0)]
    assert str(session.undo()).startswith("There is nothing to take back.")
    for _ in seen:
        session.redo()
    assert session.history.ops[-1] == ("new",)


def test_going_somewhere_changes_nothing_and_cannot_be_undone():
    session = played(1, *STALE)
    before = session.history
    for index in (0, 5, 3):
        session.goto(index)
        assert session.state == before.at(index)
    assert session.history is before
    assert session.can_undo == 'queue.ack("a", 1)'


@pytest.mark.parametrize("wrong", [-1, 6, True, "2", None, 1.0])
def test_a_step_that_is_not_there_is_answered_with_a_sentence(wrong):
    session = played(1, *STALE)
    with pytest.raises(ScenarioError, match="step: must be an integer 0-5, got"):
        session.goto(wrong)
    assert session.cursor == 5


@pytest.mark.parametrize("op, words", [
    (["ack", "a"], "ack takes id, attempt"),
    (["ack", "a", True], "attempt must be an integer 0-64, got true"),
    (["enqueue", "a b", ""], "id must be 1-16 characters"),
    (["enqueue", "a", "é"], "payload must be 0-32 printable ASCII"),
    (["use", 1], "index must be a queue made so far"),
    (["finish", "a"], "must start with one of"),
    ("reserve", "must be a list"),
    (None, "must be a list"),
])
def test_a_bad_operation_is_answered_with_a_sentence_and_nothing_is_lost(op, words):
    session = played(1, *STALE)
    session.goto(2)
    with pytest.raises(ScenarioError, match=words):
        session.do(op)
    assert (session.history.ops, session.cursor) == (STALE, 2)


def test_the_bounds_of_the_notation_are_told_and_cost_nothing():
    session = Session(1)
    for _ in range(64):
        session.do(["reserve"])
    with pytest.raises(ScenarioError, match="at most 64 operations; step back and act from there, or restart"):
        session.do(["reserve"])
    assert len(session.history) == 64
    session.goto(10)
    session.do(["enqueue", "a", "A"])
    assert len(session.history) == 11
    for _ in range(7):
        session.do(["new"])
    with pytest.raises(ScenarioError, match="at most 8"):
        session.do(["new"])
    assert len(session.state.queues) == 8


def test_capacity_restarts_and_says_so():
    session = played(2, ("enqueue", "a", "A"))
    assert str(session.restart(16)).startswith("Started again with an empty queue of 16 slots.")
    assert session.history == History.start(16)
    for wrong in (17, -1, True, "2"):
        with pytest.raises(ScenarioError, match="capacity: must be an integer 0-16"):
            session.restart(wrong)
    assert session.restart().step is None
    assert session.history.capacity == 16


def test_everything_that_has_a_name_can_be_opened():
    session = Session()
    for example in data.examples():
        session.load(example.name)
        assert session.history.results == example.expected
        assert session.cursor == len(example.ops)
    for clause in rules.CLAUSES.values():
        session.load(clause.name)
        for witness in clause.witnesses:
            session.load(f"{clause.name}: {witness.name}")
            assert session.history.ops == witness.ops
            session.load(witness)
            assert session.history.results == witness.expected


def test_a_scenario_opens_in_every_form():
    scenario = Scenario(1, STALE)
    for source in (scenario, scenario.to_json(), scenario.to_json().encode(), {"capacity": 1, "ops": list(STALE)},
                   played(1, *STALE).history):
        assert Session(source).history.ops == STALE
    assert Session().load(scenario, cursor=2).step.op == ("reserve",)
    with pytest.raises(ScenarioError, match="cursor: must be an integer 0-5, got 6"):
        Session().load(scenario, cursor=6)


@pytest.mark.parametrize("text, words", [
    ("{", "is not JSON.* column 2"),
    ('{"capacity": 2, "ops": [["ack", "a", true]]}', r"ops\[0\]: attempt must be an integer 0-64, got true"),
    ("fifth", "no run is named \"fifth\"; a name is a published example"),
    ("fence.zero: no such", "no run is named"),
    ("", "is empty"),
    (7.5, "must be a JSON object"),
    (None, "must be a JSON object"),
    ('{"capacity":1,"ops":[],"source":{"lab":{"cursor":1}}}', "source.lab.cursor: must be an integer 0-0, got 1"),
    ('{"capacity":1,"ops":[],"source":{"lab":{"cursor":0,"reached":["x"]}}}', "source.lab.reached: must be a list"),
])
def test_what_cannot_be_opened_is_told_and_nothing_is_lost(text, words):
    session = played(1, *STALE)
    with pytest.raises(ScenarioError, match=words):
        session.load(text)
    assert session.history.ops == STALE


def test_outputs_that_are_not_the_rules_are_told_when_they_are_opened():
    told = Session().load('{"capacity": 1, "ops": [["reserve"], ["ack", "a", 1]], "expected": [null, true]}')
    assert "The outputs that came with it differ from the rules at operation 2." in str(told)


def test_a_lab_goes_into_a_short_text_and_comes_back():
    session = played(1, *STALE, missions="05-fencing")
    session.goto(3)
    text = session.state_text()
    assert "\n" not in text
    assert len(text) < 250
    back = Session(text, missions="05-fencing")
    assert (back.history, back.cursor, back.reached) == (session.history, 3, session.reached)
    assert back.reached
    assert Session(text).reached == frozenset(), "a lab without missions has none to tick"


def test_a_run_is_a_scenario_and_a_test_that_passes():
    session = played(1, *STALE, ("ack", "a", 2), ("new",), ("enqueue", "b", 'say "hi" \\ $'), ("use", 0), ("reserve",))
    assert session.scenario.expected == session.history.results
    assert json.loads(session.scenario.to_json())["ops"][-1] == ["reserve"]
    namespace: dict = {}
    source = as_test(session.scenario)
    exec(source, namespace)
    namespace["test_run"]()
    broken = source.replace("is False", "is True")
    assert broken != source
    exec(broken, namespace)
    with pytest.raises(AssertionError):
        namespace["test_run"]()


def test_a_sound_queue_beside_the_rules_is_not_mentioned():
    session = played(2, *STALE, queue_class=Queue)
    assert session.history.answers == (True, ["a", "A", 1], True, ["a", "A", 2], False)
    assert session.beside == ""


def test_the_first_answer_in_which_a_queue_parts_is_shown_and_the_lab_goes_on():
    session = played(3, ("enqueue", "a", "A"), ("enqueue", "b", "B"), queue_class=Stubborn)
    told = session.do(["reserve"])
    assert ('Here Stubborn parts from the rules: it answers ("b", "B", 1); the rules say ("a", "A", 1) (fifo.head).'
            in str(told))
    told = session.do(["retry", "a", 1])
    assert "Stubborn raised KeyError: 'a'. It parted from the rules at operation 3 already." in str(told)
    assert "Stubborn answers as the rules do. It parted" in str(session.do(["enqueue", "c", "C"]))
    told = session.do(["cancel", "b"])
    assert re.search(r"Stubborn answers .*object", str(told))
    assert "0x" not in str(told), "an address is another one in every run"
    session.goto(2)
    assert session.beside == ""


def test_a_queue_that_never_returns_is_told_and_waited_for_once():
    session = played(1, ("enqueue", "a", "A"), ("reserve",), queue_class=Stubborn)
    told = session.do(["ack", "a", 1])
    assert "Here Stubborn parts from the rules: it was stopped, stuck in one place" in str(told)
    stuck = session.history.answers[2]
    told = session.do(["reserve"])
    assert session.history.answers[2] is stuck, "it was run again"
    assert "Stubborn was not asked: an earlier operation was its last." in str(told)
    session.undo()
    session.undo()
    assert session.do(["reserve"]).step.op == ("reserve",)
    assert session.history.answers[2] == ["a", "A", 1]


def test_a_queue_that_cannot_be_made_or_ends_the_program_is_told():
    class Unborn:
        def __init__(self):
            pass

    class Leaver(Stubborn):
        def reserve(self):
            raise SystemExit(3)

    told = played(1, queue_class=Unborn).do(["reserve"])
    assert "it could not be made: it raised TypeError" in str(told)
    told = played(1, queue_class=Leaver).do(["reserve"])
    assert "it ended the whole program" in str(told)


def test_a_queue_is_run_on_what_is_opened_as_well():
    session = Session("fifo", queue_class=Stubborn)
    assert session.history.parts_at == 2
    assert len(session.history.answers) == 7


def test_a_thousand_steps_keep_a_bounded_past():
    session = Session(1)
    for _ in range(1000):
        session.do(["reserve"])
        session.goto(0)
    taken_back = 0
    while session.can_undo:
        session.undo()
        taken_back += 1
    assert taken_back == 200


def test_the_session_needs_the_standard_library_alone():
    code = ("import sys, retryq.playing.session\n"
            "print([name for name in ('IPython', 'ipywidgets', 'matplotlib', 'numpy') if name in sys.modules])")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


class ForgetsTheFence(Queue):
    """Takes attempt 0 for the attempt that holds the job."""

    __slots__ = ()

    def retry(self, id, attempt):
        return super().retry(id, attempt or 1)


def test_a_report_opens_at_the_operation_where_the_class_and_the_rules_part():
    report = check(ForgetsTheFence)
    session = Session(report)
    assert session.history.ops == report.counterexample.ops
    assert session.cursor == report.index + 1
    assert session.history.parts_at == report.index
    assert report.sentence in str(session.tell())
    assert "it answers True; the rules say False (fence.zero)." in session.beside
    session.goto(1)
    assert session.beside == ""


def test_a_report_opens_with_the_mended_class_beside_it():
    session = Session(check(ForgetsTheFence), queue_class=Queue)
    assert session.history.parts_at is None
    assert "Queue answers every operation of it as the rules do." in str(session.tell())
    assert "Queue keeps every rule" in str(Session(check(Queue)).tell())
    assert "There is no counterexample to open." in str(Session(check(Queue)).tell())


def test_the_class_of_a_report_goes_on_beside_the_rules():
    session = Session(check(ForgetsTheFence))
    assert session.name == "ForgetsTheFence"
    assert "It parted from the rules at operation 3 already." in str(session.do(["reserve"]))
    other = Session(1)
    other.load(check(ForgetsTheFence))
    assert other.queue_class is ForgetsTheFence
    other.undo()
    assert other.queue_class is None
