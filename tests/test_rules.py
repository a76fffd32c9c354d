"""The rules as data: complete, ordered, and agreed with by the model."""

import pytest

from retryq import model, rules, scenario
from retryq.data import field_reports, witnesses

# SPEC.md's table, by name and in its order.
SPEC = """
fifo.tail fifo.head fifo.missing attempt.first attempt.snapshot attempt.next capacity.room capacity.full
capacity.active capacity.freed capacity.zero ack.completes retry.tail retry.slot fence.exact fence.zero
fence.in-flight cancel.waiting cancel.in-flight cancel.order cancel.finished identity.duplicate identity.forever
identity.rejected identity.case refusal.unchanged isolation.queues answer.kind
""".split()
CLAUSES = [pytest.param(clause, id=clause.name) for clause in rules.CLAUSES.values()]


def test_every_clause_of_the_contract_is_there_in_its_order():
    assert list(rules.CLAUSES) == SPEC


def test_every_clause_has_its_place_in_the_order_of_generality():
    assert sorted(rules.GENERALITY) == sorted(SPEC)


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_clause_is_stated_taught_and_nested_where_it_says(clause):
    assert clause.title and clause.sentence.endswith(".")
    assert clause.lesson in rules.LESSONS
    if clause.inside is not None:
        assert clause.inside in rules.CLAUSES
        before, after = rules.GENERALITY.index(clause.inside), rules.GENERALITY.index(clause.name)
        assert before < after, "a special case stands behind the clause it nests in"


@pytest.mark.parametrize("clause", CLAUSES)
def test_witnesses_are_valid_scenarios_and_the_model_agrees(clause):
    assert witnesses(clause.name)
    for each in witnesses(clause.name):
        scenario.parse(each.to_json())
        assert tuple(step.result for step in model.run(each.capacity, each.ops)) == each.expected, each.name


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_witness_shows_its_clause(clause):
    """Some operation of some witness is decided by the clause, or shows it beside the one that decides."""
    steps = [step for each in clause.witnesses for step in model.run(each.capacity, each.ops)]
    if clause.name != "answer.kind":  # every answer shows it, so no step names it
        assert clause.name in {name for step in steps for name in step.clauses}


def test_a_field_report_shows_the_clause_it_is_filed_under():
    for report in field_reports():
        if report.source["clause"] != "cost":
            shown = {name for step in model.run(report.capacity, report.ops) for name in step.clauses}
            assert report.source["clause"] in shown, report.name


def test_most_general():
    assert rules.most_general(["fence.zero", "fence.exact", "fence.in-flight"]) == "fence.exact"
    assert rules.most_general([]) is None


@pytest.mark.parametrize("wrong", [3, ["fifo.*", 3], None])
def test_expand_wants_names(wrong):
    with pytest.raises(ValueError, match=r"picked by its name or a pattern such as 'fifo\.\*', got"):
        rules.expand(wrong)


def test_expand_names_what_there_is_when_nothing_matches():
    assert rules.expand("cancel.*") == ("cancel.waiting", "cancel.in-flight", "cancel.order", "cancel.finished")
    assert rules.expand("*") == tuple(SPEC)
    with pytest.raises(ValueError, match="no clause is named 'fifo'; the clauses are fifo.tail, fifo.head"):
        rules.expand("fifo")


@pytest.mark.parametrize("name, wrong, fails", [
    ("fence.zero", [True, ["a", "A", 1], True], True),
    ("fence.zero", [True, ["a", "other", 7], False], False),  # payload and count are other clauses' business
    ("fence.zero", [True, ["a", "A", 1], None], False),  # and so is the kind of a refusal
    ("attempt.first", [True, ["a", "other", 1]], False),
    ("attempt.first", [True, ["a", "A", 0]], True),
    ("attempt.first", [True, ["a", "A", True]], True),
    ("attempt.first", [True, None], True),
])
def test_a_witness_judges_the_part_that_its_clause_speaks_about(name, wrong, fails):
    clause = rules.CLAUSES[name]
    assert rules.fails(clause, clause.witnesses[0], wrong) is fails


@pytest.mark.parametrize("output, allowed", [
    (True, True), (1, False), (None, False), ("False", False), ([], False), (["a", "A", 1], False),
])
def test_answer_kind_of_a_mutation(output, allowed):
    clause = rules.CLAUSES["answer.kind"]
    witness = rules.Witness("", 1, (("cancel", "a"),), (False,))
    assert rules.fails(clause, witness, [output]) is not allowed


@pytest.mark.parametrize("output, allowed", [
    (None, True), (["a", "", 2], True), (False, False), ((), False), ("a", False), (["a", "A"], False),
    (["a", "A", "1"], False), (["a", None, 1], False), (["a", "A", True], False),
])
def test_answer_kind_of_a_reservation(output, allowed):
    clause = rules.CLAUSES["answer.kind"]
    witness = rules.Witness("", 1, (("reserve",),), (None,))
    assert rules.fails(clause, witness, [output]) is not allowed


def test_the_witnesses_of_isolation_tell_every_queue_the_same():
    """Else a queue that errs all by itself would look as if it shared something."""
    for witness in rules.CLAUSES["isolation.queues"].witnesses:
        told, selected = [[]], 0
        for name, *arguments in witness.ops:
            if name == "new":
                selected = len(told)
                told.append([])
            elif name == "use":
                selected = arguments[0]
            else:
                told[selected].append(name)
        assert len(told) > 1 and all(each == told[0] for each in told), witness.name


@pytest.mark.parametrize("outputs, fails", [
    ([True, None, True, ("a", "two", 1), None, ("a", "one", 1)], False),
    ([True, None, True, ("a", "", 0), None, ("a", "", 0)], False),  # wrong, and just as wrong in both
    ([True, None, False, None, None, ("a", "one", 1)], True),
    ([True, None, True, ("a", "two", 1), None, ("a", "two", 1)], True),
])
def test_isolation_is_judged_by_the_difference_between_the_queues(outputs, fails):
    clause = rules.CLAUSES["isolation.queues"]
    witness = next(each for each in clause.witnesses if each.name == "the same id in two queues is two jobs")
    assert rules.fails(clause, witness, outputs) is fails


def test_room_is_judged_by_what_enqueue_answers():
    clause = rules.CLAUSES["capacity.active"]
    assert not rules.fails(clause, clause.witnesses[0], [True, None, False])  # the reservation is another clause's
    assert rules.fails(clause, clause.witnesses[0], [True, ("a", "A", 1), True])
