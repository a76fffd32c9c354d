"""The broken queues: each breaks what it says, no two are the same, and together they test the witnesses."""

from __future__ import annotations

import inspect
import re
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from random_runs import random_run

from retryq import rules, zoo
from retryq.data import field_reports
from retryq.rules import Clause, Witness
from retryq.scenario import Scenario, notation, parts_at

REPORTS = {report.source["url"]: report for report in field_reports() if report.source}
CLAUSES = [pytest.param(clause, id=clause.name) for clause in rules.CLAUSES.values()]
MEMBERS = [pytest.param(member, id=member.__name__) for member in zoo.ZOO]


class Kept:
    """Wraps a queue and keeps the very answers it gave, so that they can be looked at again in the end."""

    def __init__(self, member: type[zoo.SimpleQueue]) -> None:
        self.member = member
        self.answers: list[tuple[Any, Any]] = []  # an answer, and what it said when it was given
        self.forget = member.forget

    def __call__(self, capacity: int) -> Kept:
        queue = Kept(self.member)
        queue.answers, queue.inner = self.answers, self.member(capacity)
        return queue

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> Any:
            answer = getattr(self.inner, name)(*arguments)
            self.answers.append((answer, notation(answer)))
            return answer

        return call


@cache
def observed(member: type[zoo.SimpleQueue], scenario: Scenario | Witness) -> tuple[str, bool]:
    """All that can be seen of a member in a run: its answers, and whether one was changed afterwards."""
    kept = Kept(member)
    given = zoo.answers(kept, scenario)  # type: ignore[arg-type]
    return repr(given), any(notation(answer) != before for answer, before in kept.answers)


def fails(member: type[zoo.SimpleQueue], clause: Clause, witness: Witness) -> bool:
    """What was answered never changes afterwards: that part of `attempt.snapshot` is not in the outputs."""
    changed = clause.name == "attempt.snapshot" and observed(member, witness)[1]
    return changed or rules.fails(clause, witness, zoo.answers(member, witness))


@cache
def broken(member: type[zoo.SimpleQueue]) -> frozenset[str]:
    """The clauses whose witnesses a member fails."""
    clauses = rules.CLAUSES.values()
    return frozenset(each.name for each in clauses if any(fails(member, each, one) for one in each.witnesses))


# ------------------------------------------------------------------------------------ what they say is true


@pytest.mark.parametrize("member", MEMBERS)
def test_a_member_breaks_what_it_says(member):
    assert broken(member) == member.broken


def test_the_queue_that_they_are_made_from_breaks_nothing():
    assert broken(zoo.SimpleQueue) == frozenset()


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_has_a_broken_queue_and_its_witnesses_see_it(clause):
    first, *others = zoo.for_clause(clause.name)
    assert zoo.primary(first) == clause.name
    assert any(fails(first, clause, each) for each in clause.witnesses)
    assert not any(fails(zoo.SimpleQueue, clause, each) for each in clause.witnesses)
    assert {first, *others} == {member for member in zoo.ZOO if clause.name in member.broken}


@pytest.mark.parametrize("member", MEMBERS)
def test_a_member_says_how_it_came_about_and_why_it_is_wrong(member):
    for sentence in (member.__doc__, member.story, member.belief, member.correction):
        assert re.fullmatch(r"[A-Z`].*[.]", sentence), sentence
    assert not re.search(r"\. [A-Z]", member.belief), "a belief is one sentence"
    named = re.findall(r"`([a-z]+\.[a-z-]+)`", member.correction)
    assert zoo.primary(member) in named
    assert set(named) <= member.broken


@pytest.mark.parametrize("attribute", ["story", "belief", "correction", "__doc__", "__name__"])
def test_no_two_members_say_the_same(attribute):
    said = [getattr(member, attribute) for member in zoo.ZOO]
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("member", [pytest.param(each, id=each.__name__) for each in zoo.ZOO if each.report])
def test_the_scenario_of_its_field_report_gives_a_member_away(member):
    report = REPORTS[member.report]
    assert parts_at(report.expected, zoo.answers(member, report)) is not None


def test_the_zoo_is_large_enough_and_every_member_can_be_imported_from_it():
    assert len(zoo.ZOO) >= 40
    assert all(getattr(zoo, member.__name__) is member for member in zoo.ZOO)


@pytest.mark.parametrize("member", MEMBERS)
def test_a_member_is_a_small_change_of_the_simple_queue(member):
    """A learner reads the fault at a glance."""
    assert member.__bases__ == (zoo.SimpleQueue,)
    methods = [each for each in vars(member).values() if inspect.isfunction(each)]
    assert sum(len(inspect.getsource(each).splitlines()) for each in methods) <= 16


# ----------------------------------------------------------------------------------------------- no padding


WITNESSES = [witness for clause in rules.CLAUSES.values() for witness in clause.witnesses]


def tells_apart(one: type[zoo.SimpleQueue], other: type[zoo.SimpleQueue]) -> Scenario | Witness | None:
    """A run in which two members can be seen to differ. The witnesses are tried first, then random runs."""
    for witness in WITNESSES:
        if observed(one, witness) != observed(other, witness):
            return witness
    for seed in range(200):
        scenario = random_run(seed)
        if observed(one, scenario) != observed(other, scenario):
            return scenario
    return None


def test_for_any_two_members_some_scenario_tells_them_apart():
    alike = [(one, other) for one, other in combinations(zoo.ZOO, 2) if tells_apart(one, other) is None]
    assert alike == []


@pytest.mark.parametrize("member", MEMBERS)
def test_every_member_differs_from_the_rules(member):
    assert tells_apart(member, zoo.SimpleQueue) is not None


# ------------------------------------------------------------ the witnesses are complete against themselves


def slip_past(clauses: set[str]) -> list[str]:
    """The members in which no witness of these clauses sees anything wrong."""
    return [member.__name__ for member in zoo.ZOO if not broken(member) & clauses]


def test_the_witnesses_see_every_member():
    assert slip_past(set(rules.CLAUSES)) == []


@pytest.mark.parametrize("clause", CLAUSES)
def test_without_the_witnesses_of_a_clause_some_member_would_slip_past(clause):
    """Mutation testing of the rules: a clause's witnesses see a fault that no others see."""
    slipping = slip_past(set(rules.CLAUSES) - {clause.name})
    assert slipping, f"the witnesses of {clause.name} see nothing that the others would not see"
    assert all(zoo.primary(getattr(zoo, name)) == clause.name for name in slipping)


# -------------------------------------------------------------------------------------------- its functions


@pytest.mark.parametrize("member", zoo.for_clause("isolation.queues"), ids=lambda each: each.__name__)
def test_answers_begin_afresh_although_the_class_remembers(member):
    scenario = Scenario(1, (("enqueue", "a", "A"), ("reserve",), ("new",), ("enqueue", "a", "A")))
    first = zoo.answers(member, scenario)
    assert zoo.answers(member, scenario) == first


def test_for_clause_takes_patterns_and_refuses_unknown_names():
    assert set(zoo.for_clause("capacity.zero")) < set(zoo.for_clause("capacity.*"))
    assert zoo.primary(zoo.for_clause("fence.*")[0]).startswith("fence.")
    with pytest.raises(ValueError, match="no clause is named 'fifo'"):
        zoo.for_clause("fifo")


def test_the_zoo_stands_in_the_order_of_the_contract():
    names = list(rules.CLAUSES)
    order = [names.index(zoo.primary(member)) for member in zoo.ZOO]
    assert order == sorted(order)
