"""The drill: fresh runs on one clause, each question decided by it, from easy to hard."""

from __future__ import annotations

import ipywidgets
import pytest

from retryq import history, zoo
from retryq.asking import walks
from retryq.asking.beliefs import DECIDING, believers
from retryq.asking.drill import Drill
from retryq.predict import Predict
from retryq.rules import CLAUSES
from retryq.scenario import parts_at, validate

SEEDS = range(200)


@pytest.mark.parametrize("clause", CLAUSES)
def test_two_hundred_seeds_give_fresh_runs_and_the_clause_decides_every_question(clause):
    runs = set()
    for seed in SEEDS:
        scenario, ask = walks.exercise(clause, seed)
        runs.add((scenario.capacity, scenario.ops))
        check(clause, scenario, ask)
        if len(runs) == 150:
            return
    pytest.fail(f"only {len(runs)} different runs")


@pytest.mark.parametrize("clause", CLAUSES)
def test_it_goes_from_easy_to_hard_and_never_ends(clause):
    drill = Drill(clause, seed=7)
    lengths, runs = [], set()
    for _ in range(9):
        lengths.append(len(drill.scenario.ops))
        runs.add(drill.scenario)
        check(clause, drill.scenario, [question.number for question in drill.questions])
        drill.another()
    assert len(runs) == 9
    assert max(lengths[:2]) < min(lengths[5:]) and lengths[0] <= 10


def check(clause, scenario, ask):
    """Each operation that is asked is decided by this clause, told apart from the code under test: the rules name the
    clause, or a queue whose one fault is this clause goes wrong right here, where the clause has been in play."""
    assert validate({"capacity": scenario.capacity, "ops": scenario.ops}).ops == scenario.ops
    steps = history.run(scenario).steps
    results = [step.result for step in steps]
    assert ask and ask[-1] == len(steps), "nothing follows the last question"
    parting = {parts_at(results, zoo.answers(member, scenario)) for member in zoo.for_clause(clause)
               if zoo.primary(member) == clause}
    for number in ask:
        step = steps[number - 1]
        in_play = clause == "answer.kind" or any(clause in each.clauses for each in steps[:number])
        assert step.clause == clause or (number - 1 in parting and in_play), (scenario, number)
        assert step.op[0] not in ("new", "use")


def test_the_clauses_that_decide_are_those_that_the_rules_name():
    named = set()
    for clause in CLAUSES:
        for seed in range(5):
            scenario, _ = walks.exercise(clause, seed, 5)
            named |= {step.clause for step in history.run(scenario).steps if step.op[0] not in ("new", "use")}
    assert named == DECIDING


def test_the_same_seed_gives_the_same_runs_and_another_seed_others():
    one, same, other = (Predict.drill("cancel.order", seed) for seed in (3, 3, 4))
    for _ in range(3):
        assert str(one) == str(same) != str(other)
        for drill in (one, same, other):
            drill.another()
    assert Predict.drill("cancel.order").scenario == Predict.drill("cancel.order", seed=0).scenario


def test_somebody_errs_in_every_run():
    for clause in CLAUSES:
        for seed in range(3):
            drill = Drill(clause, seed)
            for question in drill.questions:
                beliefs = [question.belief(option) for option in question.options if option != question.right]
                assert any(beliefs), (clause, seed)
                if clause not in DECIDING:
                    own = {(member.belief, member.correction) for member in zoo.for_clause(clause)
                           if zoo.primary(member) == clause}
                    assert own & set(beliefs), "the mistake that the clause is about can be made"


def test_the_practised_clause_is_told_with_the_one_that_decided():
    drill = Predict.drill("fifo.tail", seed=1)
    assert drill.question.rules == ("fifo.head", "fifo.tail")
    told = drill.answer(drill.question.right.value)
    assert "(fifo.head, fifo.tail)" in repr(told)
    assert "fifo.tail" in drill._verdict.value and "joins the tail of the waiting line" in drill._verdict.value


def buttons(box):
    if box.layout.display == "none":
        return {}
    found = {box.description: box} if isinstance(box, ipywidgets.Button) and not box.disabled else {}
    for child in getattr(box, "children", ()):
        found |= buttons(child)
    return found


def play(drill, mistake=False):
    while drill.question is not None:
        options = drill.question.options
        choice = next(each for each in options if (each != drill.question.right) == mistake)
        for name in (choice.words, "commit", "next"):
            buttons(drill)[name].click()


def test_a_learner_goes_on_with_buttons_and_the_score_goes_on_with_them():
    drill = Predict.drill("fence.in-flight", seed=2)
    first, asked = drill.scenario, len(drill.questions)
    assert "Drill on fence.in-flight, run 1" in drill._heading.value
    play(drill)
    assert list(buttons(drill)) == ["another run"]
    buttons(drill)["another run"].click()
    assert drill.scenario != first and "run 2" in drill._heading.value and drill.question is not None
    again = len(drill.questions)
    play(drill, mistake=True)
    assert list(buttons(drill)) == ["try the wrong ones again", "start again", "another run"]
    assert (drill.score.right, drill.score.questions) == (asked, asked + again)
    buttons(drill)["another run"].click()
    assert "run 3" in drill._heading.value
    assert drill.score.right == asked


def test_questions_that_nobody_answered_do_not_count():
    drill = Predict.drill("fifo.head", seed=1)
    drill.another()
    drill.another()
    assert drill.score.questions == len(drill.questions)


@pytest.mark.parametrize(("clause", "seed", "sentence"), [
    ("fence.exat", 0, r"^no clause is named 'fence.exat'; did you mean fence.exact\? The clauses are fifo.tail, .*answer.kind$"),
    ("Capacity.Full", 0, r"did you mean capacity.full\?"),
    ("", 0, r"^no clause is named ''; the clauses are fifo.tail, "),
    ("fence.*", 0, r"^a drill is on one clause, and 'fence.\*' means fence.exact, fence.zero, fence.in-flight$"),
    (None, 0, r"^clause: must be the name of a clause, got None$"),
    ("fifo.head", "1", r"^seed: must be an integer, got '1'$"),
    ("fifo.head", True, r"^seed: must be an integer, got True$"),
])
def test_bad_input_gets_one_clear_sentence(clause, seed, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        Predict.drill(clause, seed)
    assert "\n" not in str(caught.value)


def test_the_believers_of_a_run_are_those_who_part_from_the_rules():
    scenario, _ = walks.exercise("retry.slot", 1)
    found = {each.member: each.parts for each in believers(history.run(scenario))}
    expected = {member: parts_at(history.run(scenario).results, zoo.answers(member, scenario)) for member in zoo.ZOO}
    assert found == {member: parts for member, parts in expected.items() if parts is not None}
