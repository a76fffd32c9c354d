"""A mystery hides its name, tells the truth about a scenario, and knows how short the shortest is."""

from __future__ import annotations

import pytest

from retryq import mystery, zoo
from retryq.lab import Lab
from retryq.mystery import HOW_MANY, Mystery
from retryq.scenario import Scenario, ScenarioError
from retryq.zoo import ZOO, AnswersTheLiveRecord, LastInFirstOut, SharedByAllQueues

A, B, TAKE = ["enqueue", "a", "A"], ["enqueue", "b", "B"], ["reserve"]

KNOWN = Mystery(1).give_up().report


def of(member: type) -> Mystery:
    return Mystery(mystery._MASKED.index(member) + 1)


def test_every_member_of_the_zoo_is_one_mystery() -> None:
    members = [Mystery(number)._member for number in range(1, HOW_MANY + 1)]
    assert sorted(members, key=ZOO.index) == list(ZOO)
    assert members != list(ZOO), "in the order of the clauses a number gives the clause away"


@pytest.mark.parametrize("number", range(1, HOW_MANY + 1))
def test_nothing_shows_the_name_before_it_is_given_up(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mystery, "_known", lambda _: KNOWN)  # to find the shortest run of each takes a minute
    masked = Mystery(number)
    name = masked._member.__name__
    seen = [repr(masked), masked.queue_class.__name__, masked.queue_class.__qualname__, repr(masked.queue_class(2)),
            masked.queue_class.__doc__, repr(masked.test([A, TAKE, ["retry", "a", 1], B, TAKE, ["ack", "a", 1]]))]
    assert name not in " ".join(map(str, seen))


def test_a_run_that_shows_nothing_is_told_so() -> None:
    verdict = of(LastInFirstOut).test([A, TAKE, ["ack", "a", 1]])
    assert not verdict.given_away and verdict.too_many is None
    assert "Not given away" in repr(verdict)


def test_the_shortest_run_is_praised() -> None:
    verdict = of(LastInFirstOut).test([A, B, TAKE])
    assert (verdict.index, verdict.length, verdict.shortest, verdict.too_many) == (2, 3, 3, 0)
    assert 'queue.reserve()          ("b", "B", 1)  <- the rules say ("a", "A", 1)' in repr(verdict)
    assert "no shorter scenario exists: well done" in repr(verdict)


def test_a_longer_run_is_told_by_how_much() -> None:
    verdict = of(LastInFirstOut).test([["enqueue", "x", "X"], ["cancel", "x"], A, B, TAKE])
    assert (verdict.length, verdict.too_many) == (5, 2)
    assert "2 too many" in repr(verdict) and "may go" not in repr(verdict)


def test_what_comes_after_the_fault_does_not_count() -> None:
    verdict = of(LastInFirstOut).test([A, B, TAKE, TAKE, TAKE])
    assert (verdict.length, verdict.too_many) == (3, 0)
    assert "What comes after that may go." in repr(verdict)


def test_an_answer_that_changes_later_gives_it_away() -> None:
    verdict = of(AnswersTheLiveRecord).test([A, TAKE, ["retry", "a", 1], TAKE, TAKE], capacity=1)
    assert (verdict.index, verdict.length, verdict.too_many, verdict.changed) == (1, 4, 0, True)
    assert "<- changed later" in repr(verdict)


def test_one_run_does_not_spoil_the_next() -> None:
    shared = of(SharedByAllQueues)
    assert [shared.test([A, TAKE]).given_away for _ in range(3)] == [False, False, False]


@pytest.mark.parametrize("empty", [[], Scenario(2, ())])
def test_no_operations_is_not_attempted(empty: object) -> None:
    assert "not attempted" in repr(Mystery(1).test(empty))


def test_a_lab_a_scenario_and_json_are_runs_as_well() -> None:
    masked = of(LastInFirstOut)
    lab = Lab(2, queue_class=masked.queue_class)
    for op in (A, B, TAKE):
        lab.do(op)
    scenario = Scenario(2, (tuple(A), tuple(B), tuple(TAKE)))
    assert {repr(masked.test(run)) for run in (lab, scenario, scenario.to_json(), list(scenario.ops))} == {
        repr(masked.test([A, B, TAKE]))}


def test_what_the_notation_does_not_allow_is_said_with_its_place() -> None:
    with pytest.raises(ScenarioError, match="ops"):
        Mystery(1).test([["enqueue", "a"]])


@pytest.mark.parametrize(("which", "error"), [(0, ValueError), (HOW_MANY + 1, ValueError), (1.5, TypeError),
                                              (True, TypeError)])
def test_there_are_only_so_many(which: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="myster"):
        Mystery(which)  # type: ignore[arg-type]


def test_a_word_picks_one_and_always_the_same() -> None:
    assert Mystery("Ada").number == Mystery("Ada").number
    assert len({Mystery(name).number for name in ("Ada", "Grace", "Edsger", "Barbara", "Tony")}) > 1


def test_hints_go_from_length_to_rule_and_stay_there() -> None:
    masked = of(LastInFirstOut)
    hints = [masked.hint() for _ in range(4)]
    assert "3 operations" in hints[0] and "01-first-in-first-out" in hints[1] and "fifo.head" in hints[2]
    assert hints[3] == hints[2] and "fifo" not in hints[0]


def test_giving_up_tells_name_story_belief_and_the_shortest_run() -> None:
    told = " ".join(repr(of(LastInFirstOut).give_up()).split())
    for part in ("LastInFirstOut", "fifo.head", LastInFirstOut.story, LastInFirstOut.belief, 'queue.enqueue("b", "B")'):
        assert part in told


@pytest.mark.parametrize("member", zoo.for_clause("isolation.queues"), ids=lambda each: each.__name__)
def test_what_an_attempt_has_left_in_the_class_is_not_taken_for_its_fault(member):
    masked = of(member)
    masked.test([["enqueue", "a", "A"], ["reserve"], ["new"], ["enqueue", "a", "A"], ["reserve"]])
    mystery._known.cache_clear()
    found = masked.give_up().report.counterexample
    assert ("new",) in found.ops
