"""Predict as its user meets it: an option is chosen, committed to, and what is shown is read."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from html import unescape

import ipywidgets
import pytest
from notebook_outputs import twin_fault

from retryq import Job, Queue, data, zoo
from retryq.asking.questions import questions
from retryq.history import run
from retryq.model import step as by_the_rules
from retryq.predict import Predict
from retryq.rules import CLAUSES
from retryq.scenario import Scenario, ScenarioError, parts_at

HOSTILE = ("$x$", r"\frac", "<script>", "&amp;", "%s", "__", "'", '"', "</p>", "`")
FENCES = data.examples()[1]
IN_FLIGHT = data.examples()[2]
SOME_RUNS = (*data.examples(), *data.field_reports()[::4], *(data.witnesses(clause)[-1] for clause in CLAUSES))
EVERY_RUN = (*data.examples(), *data.field_reports(), *(run for clause in CLAUSES for run in data.witnesses(clause)))


def widgets(box: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    """Everything that can be seen, in the order of the Tab key."""
    if getattr(box, "layout", None) is not None and box.layout.display == "none":
        return []
    return [box, *(inner for child in getattr(box, "children", ()) for inner in widgets(child))]


def names(predict: Predict) -> list[str]:
    return [each.description for each in widgets(predict) if isinstance(each, ipywidgets.Button) and not each.disabled]


def press(predict: Predict, name: str) -> None:
    [button] = [each for each in widgets(predict) if isinstance(each, ipywidgets.Button) and each.description == name]
    assert not button.disabled
    button.click()


def page(predict: Predict, role: str = "") -> str:
    """The words that can be seen; or only those that a screen reader is told as this role."""
    texts = [each.value for each in widgets(predict) if isinstance(each, ipywidgets.HTML)
             and (f'role="{role}"' in each.value or not role)]
    return unescape(" ".join(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text)).strip() for text in texts))


def right(predict: Predict) -> str:
    """What the rules answer to the question that is asked, in the words of its button."""
    return predict.question.right.words


def wrong(predict: Predict) -> str:
    return next(option.words for option in predict.question.options if option != predict.question.right)


def play(predict: Predict, *mistakes: int) -> None:
    """Answer every question of a round with the buttons; those of these operations wrongly."""
    while predict.question is not None:
        press(predict, wrong(predict) if predict.question.number in mistakes else right(predict))
        press(predict, "commit")
        press(predict, "next")


# ---- one question


def test_a_question_is_answered_by_choosing_and_committing():
    predict = Predict(FENCES)
    assert '1. queue.enqueue("a", "A") → True' in page(predict)
    assert "2. queue.reserve() → ? What will it answer?" in page(predict, "status")
    press(predict, "Job(id='a', payload='A', attempt=1)")
    assert "Job(id='a', payload='A', attempt=1) (chosen)" in names(predict)
    press(predict, "commit")
    assert "✓ Right: it answers Job(id='a', payload='A', attempt=1) ." in page(predict, "status")
    assert "fifo.head reserve takes the job that has waited longest" in page(predict, "status")
    assert names(predict) == ["next"], "an answer that is committed to cannot be changed"
    press(predict, "next")
    assert "4. queue.reserve() → ?" in page(predict, "status")
    assert '3. queue.retry("a", 1) → True' in page(predict)


def test_a_choice_can_be_changed_until_it_is_committed_to():
    predict = Predict(FENCES, ask=[5])
    press(predict, "True")
    press(predict, "False")
    assert names(predict) == ["True", "False (chosen)", "commit"]
    press(predict, "commit")
    assert "✓ Right" in page(predict, "status")


def test_nothing_chosen_is_said_beside_the_button_and_nothing_is_lost():
    predict = Predict(FENCES)
    before = names(predict)
    press(predict, "commit")
    assert page(predict, "alert") == "Choose an answer first."
    assert names(predict) == before and predict.score.right == 0 and "Right" not in page(predict)
    press(predict, right(predict))
    assert page(predict, "alert") == ""


def test_a_wrong_answer_is_told_the_belief_behind_it_and_why_it_is_not_so():
    predict = Predict(IN_FLIGHT, ask=[3])
    press(predict, "True")
    press(predict, "commit")
    told = page(predict, "status")
    assert "✗ Not so: you said True , and it answers False ." in told
    assert "the only slot is taken: 0 waiting, 1 in flight" in told
    assert f"The belief behind it: “{zoo.CountsTheLineOnly.belief}”" in told
    assert zoo.CountsTheLineOnly.correction.replace("`", "").split(":")[0] in told
    assert "capacity.full A full queue rejects enqueue with false." in told


@pytest.mark.parametrize("scenario", SOME_RUNS, ids=lambda scenario: scenario.name)
def test_no_answer_is_shown_before_it_is_committed_to(scenario):
    predict = Predict(scenario, ask="all")
    for question in predict.questions:
        assert predict.question == question
        shown = page(predict)
        assert question.step.why not in shown and "it answers" not in shown
        later = [f"{number}. " for number in range(question.number + 1, len(scenario.ops) + 1)]
        assert not any(f" {mark}queue" in shown for mark in later), "what comes later would give it away"
        press(predict, right(predict))
        assert question.step.why not in page(predict)
        press(predict, "commit")
        assert question.step.why in page(predict, "status")
        press(predict, "next")


# ---- the whole of it


def test_a_score_at_the_end_and_the_wrong_ones_again():
    predict = Predict(FENCES)
    play(predict, 4, 7)
    assert "Your score: 2 of 4 answers right. To try again: operations 4, 7." in page(predict, "status")
    assert "✗ you said True" not in page(predict) and "✗ you said False" in page(predict)
    assert names(predict) == ["try the wrong ones again", "start again"]
    press(predict, "try the wrong ones again")
    assert "4. queue.reserve() → ?" in page(predict, "status") and "question 1 of 2" in page(predict)
    play(predict, 7)
    assert "2 of 4 answers right, 1 more on a later try. To try again: operation 7." in page(predict, "status")
    press(predict, "try the wrong ones again")
    play(predict)
    assert page(predict, "status") == "Your score: 2 of 4 answers right, 2 more on a later try."
    assert names(predict) == ["start again"]
    press(predict, "start again")
    assert (predict.score.right, predict.score.mended) == (0, 0) and "question 1 of 4" in page(predict)


def test_buttons_and_code_have_the_same_effect_and_the_same_words():
    pressed, called = Predict(FENCES), Predict(FENCES)
    play(pressed, 4)
    while called.question is not None:
        mistake = called.question.number == 4
        choice = next(option for option in called.question.options if (option == called.question.right) != mistake)
        called.answer(choice.value)
        called.next()
    press(pressed, "try the wrong ones again")
    called.again()

    def markup(predict):
        return [each.value for each in widgets(predict) if isinstance(each, ipywidgets.HTML)], names(predict)

    assert markup(pressed) == markup(called)
    assert str(pressed) == str(called) and pressed.score == called.score


def test_in_code_an_answer_is_a_value_a_letter_or_its_words():
    job = ("a", "A", 1)
    for choice in (job, list(job), Job(*job), "B", "Job(id='a', payload='A', attempt=1)"):
        told = Predict(FENCES).answer(choice)
        assert repr(told).startswith("Right: it answers Job(id='a', payload='A', attempt=1).\n")
    predict = Predict(FENCES, ask=[5, 7])
    assert predict.answer(False).clause == "fence.exact"
    assert 'queue.ack("a", 2) -> ?' in repr(predict.next())
    predict.answer("B")
    assert repr(predict.next()) == "Your score: 1 of 2 answers right. To try again: operation 7."


def test_in_code_a_mistake_gets_one_clear_sentence_and_changes_nothing():
    predict = Predict(FENCES, ask=[5])
    with pytest.raises(ValueError, match=r"^choose one of A: True, B: False; got 0$"):
        predict.answer(0)
    predict.answer(True)
    with pytest.raises(ValueError, match="operation 5 is answered already"):
        predict.answer(False)
    assert predict.score.right == 0
    predict.next()
    with pytest.raises(ValueError, match="every question is answered"):
        predict.answer(False)
    with pytest.raises(ValueError, match="only a drill has another run"):
        predict.another()
    assert repr(predict.next()) == repr(predict.next()), "at the end there is no further question"


def test_a_question_that_waits_for_its_answer_is_not_passed_over():
    predict = Predict(FENCES)
    assert repr(predict.next()) == repr(predict.next())
    assert predict.question.number == 2


# ---- which questions, which options


@pytest.mark.parametrize("scenario", SOME_RUNS, ids=lambda scenario: scenario.name)
def test_every_question_has_two_to_four_options_and_one_of_them_is_right(scenario):
    state = run(scenario).at(0)
    answers = []
    for op in scenario.ops:
        answers.append(by_the_rules(state, op))
        state = answers[-1].after
    for question in questions(run(scenario), "all"):
        assert question.step == answers[question.number - 1]
        words = [option.words for option in question.options]
        assert 2 <= len(set(words)) == len(words) <= 4
        assert [option.value for option in question.options].count(question.step.result) == 1
        if question.step.op[0] != "reserve":
            assert words == ["True", "False"]


@pytest.mark.parametrize("scenario", SOME_RUNS, ids=lambda scenario: scenario.name)
def test_what_the_zoo_answers_is_offered_and_its_belief_is_told(scenario):
    answers = {member: zoo.answers(member, scenario) for member in zoo.ZOO}
    for question in questions(run(scenario), "all"):
        here = question.number - 1
        for option in question.options:
            for member in option.members:
                given = answers[member][here]
                assert option.words in (repr(given), repr(Job(*given)) if isinstance(given, list) else "",
                                        f"raises {type(given).__name__}")
        parting = [member for member in zoo.ZOO if zoo.primary(member) != "answer.kind"
                   and parts_at(run(scenario).results, answers[member]) == here]
        offered = [member for option in question.options for member in option.members]
        if parting and len(question.options) < 4:
            assert set(parting) <= set(offered)
        for option in question.options:
            if set(parting) & set(option.members):
                assert question.belief(option) in [(member.belief, member.correction) for member in option.members]


def test_the_order_of_the_options_does_not_give_the_right_one_away():
    asked = {(scenario.capacity, scenario.ops[:question.number]): question
             for scenario in EVERY_RUN for question in questions(run(scenario), "all")}
    places = Counter(question.options.index(question.right) for question in asked.values()
                     if question.step.op[0] == "reserve" and len(question.options) == 3)
    assert set(places) == {0, 1, 2}
    assert max(places.values()) < 2 * min(places.values()), places


def test_right_answers_come_from_the_rules_and_not_from_the_queue(monkeypatch):
    expected = [str(Predict(scenario)) for scenario in data.examples()]
    for name in ("enqueue", "reserve", "ack", "retry", "cancel"):
        monkeypatch.setattr(Queue, name, lambda *arguments: pytest.fail("the queue was asked"))
    assert [str(Predict(scenario)) for scenario in data.examples()] == expected


def test_outputs_that_came_with_a_scenario_are_not_believed():
    lying = Scenario(1, (("enqueue", "a", "A"), ("reserve",)), expected=(False, None))
    assert Predict(lying, ask="all").scenario.expected == (True, ("a", "A", 1))


@pytest.mark.parametrize("scenario", [*data.examples(), *data.field_reports()], ids=lambda scenario: scenario.name)
def test_what_nobody_gets_wrong_is_given(scenario):
    asked = Predict(scenario).questions
    assert 1 <= len(asked) < len(scenario.ops)
    if scenario.ops[0][0] == "enqueue" and scenario.capacity:
        assert asked[0].number > 1, "there is nothing to ask yet"
    assert all(any(option.members for option in question.options) for question in asked)


def test_ask_takes_everything_numbers_and_clauses():
    def asked(ask):
        return [question.number for question in Predict(FENCES, ask).questions]

    assert asked("all") == [1, 2, 3, 4, 5, 6, 7]
    assert asked([7, 3]) == [3, 7] and asked(3) == [3]
    assert asked("fence.*") == asked(["fence.exact"]) == [5, 6]
    assert asked(["attempt.next", 1]) == [1, 4]
    [question] = Predict(FENCES, "attempt.next").questions
    assert question.rules == ("fifo.head", "attempt.next")


def test_answers_of_the_wrong_kind_are_offered_where_the_kind_is_the_question():
    words = [option.words for option in Predict("answer.kind", "answer.kind").questions[0].options]
    assert words[:2] == ["True", "False"] and len(words) == 4 and not {"True", "False"} & set(words[2:])


@pytest.mark.parametrize(("ask", "sentence"), [
    ([9], r"ask: must be \"all\", clauses, or numbers of operations that answer something \(1, 2, 3, 4, 5, 6, 7\), got 9"),
    ([True], r"got true$"),
    (1.5, r"got 1.5$"),
    ("identity.case", r"ask: no operation of this run is decided by \"identity.case\""),
    ("fense.exact", r"no clause is named 'fense.exact'; did you mean fence.exact\? The clauses are fifo.tail, "),
    ("xyz", r"no clause is named 'xyz'; the clauses are fifo.tail, "),
])
def test_what_cannot_be_asked_is_told_in_one_sentence(ask, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        Predict(FENCES, ask)
    assert "\n" not in str(caught.value)


def test_a_run_without_anything_to_predict_is_told_in_one_sentence():
    for ops in ((), (("new",), ("use", 0))):
        with pytest.raises(ScenarioError, match="^ops: there is nothing to predict in this run$"):
            Predict(Scenario(1, ops))
    with pytest.raises(ScenarioError, match="ask: .* \\(none here\\), got 1"):
        Predict(Scenario(1, (("new",),)), ask=[1])
    with pytest.raises(ScenarioError, match="^no run is named"):
        Predict("nonsense")


def test_a_scenario_comes_in_any_form():
    texts = {str(Predict(source)) for source in (FENCES, FENCES.to_json(), FENCES.name, run(FENCES),
                                                 json.loads(FENCES.to_json()))}
    assert len(texts) == 1


# ---- without controls


def test_it_prints_as_questions_with_the_answers_after_them():
    text = str(Predict(FENCES))
    asked, _, answers = text.partition("\nAnswers\n")
    assert asked.startswith("Predict: capacity 1, 4 questions.\n")
    assert "4. queue.reserve() -> ?\n   (A) Job(id='a', payload='A', attempt=2)\n   (B) " in asked
    assert "3. queue.retry(\"a\", 1)\n" in asked, "what follows a question must not give it away"
    assert "1. queue.enqueue(\"a\", \"A\") -> True\n" in asked
    for question in Predict(FENCES).questions:
        assert question.step.why not in " ".join(asked.split())
        assert question.step.why in " ".join(answers.split())
        assert f"({question.right.letter})" in answers
    assert zoo.OldAttemptsStillCount.belief in " ".join(answers.split())
    assert '3. queue.retry("a", 1) -> True\n' in answers
    assert max(map(len, text.splitlines())) <= 110


def test_it_prints_the_same_in_every_run():
    code = "from retryq.predict import Predict; print(Predict('fifo'), Predict.drill('fifo.head', 5))"
    texts = {subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}).stdout
             for seed in ("1", "2")}
    assert len(texts) == 1


def test_a_page_without_controls_has_the_answers_folded():
    bundle = Predict(FENCES)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == str(Predict(FENCES)) and twin_fault(bundle) is None
    html = bundle["text/html"]
    assert "<details open" not in html
    open_to_all = unescape(re.sub(r"<details>.*?</details>|<[^>]*>", " ", html))
    folded = unescape(re.sub(r"<[^>]*>", "", " ".join(re.findall(r"<details>(.*?)</details>", html))))
    for question in Predict(FENCES).questions:
        assert question.step.why not in open_to_all and question.step.why in folded
        assert f"Answer to {question.number}" in folded
    assert "The whole run with its answers" in folded


@pytest.mark.parametrize("payload", HOSTILE)
def test_ids_and_payloads_are_shown_as_they_are(payload):
    predict = Predict(Scenario(2, (("enqueue", "__a__", payload), ("enqueue", "b", ""), ("reserve",))), ask=[3])
    choice = repr(Job("__a__", payload, 1))
    assert choice in names(predict), "what is on a button is no markup"
    press(predict, choice)
    press(predict, "commit")
    assert choice in page(predict, "status") and f"__a__, {json.dumps(payload)}" in page(predict).replace('"__a__"', "__a__")
    handout = predict._repr_mimebundle_()["text/html"].partition("</style>")[2]
    assert choice in unescape(re.sub(r"<[^>]*>", "", handout))
    for markup in (handout, *(each.value for each in widgets(predict) if isinstance(each, ipywidgets.HTML))):
        assert "<script" not in markup and "</p>'" not in markup


def test_every_control_is_a_button_without_an_icon_that_says_what_it_does():
    predict = Predict(FENCES)
    for _ in range(3):
        for each in widgets(predict):
            assert isinstance(each, (ipywidgets.HTML, ipywidgets.Button, ipywidgets.Box)), "arrow keys are JupyterLab's"
            if isinstance(each, ipywidgets.Button):
                assert each.description and not each.icon
        press(predict, names(predict)[0])
        press(predict, "commit")
        press(predict, "next")
    assert "JupyterLab's own single keys" in page(predict)


def test_the_quiz_itself_needs_no_ipywidgets():
    code = ("import sys; import retryq.asking.drill; retryq.asking.drill.Drill('fifo.head').text(); "
            "assert not {'ipywidgets', 'matplotlib', 'IPython'} & set(sys.modules)")
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


def test_a_page_that_drops_the_style_numbers_the_operations_once():
    handout = Predict(FENCES)._repr_mimebundle_()["text/html"].partition("</style>")[2]
    numbered = re.findall(r"<ol>(.*?)</ol>", handout)
    assert numbered and all(each.count("<li><") == len(FENCES.ops) for each in numbered)
