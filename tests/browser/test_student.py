"""A whole lesson as a student goes through it: with the mouse, and from the keyboard alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from browser.conftest import LONGEST, Opener
from browser.hands import Keyboard, Mouse
from browser.seeing import barriers, clipped

if TYPE_CHECKING:
    from playwright.sync_api import Locator

WRONG = """from retryq.zoo import SimpleQueue

class MyQueue(SimpleQueue):
    def holds(self, id, attempt):
        return self.is_out(id)

report = check(MyQueue)
report"""
MENDED = WRONG.replace("is_out(id)", "is_out(id) and attempt == self.records[id].attempt")
BAD_JSON = '{"capacity": 1, "ops": [["enqueue", "a", "A"], ["reserve"]'
GOOD_JSON = BAD_JSON + "]}"
CHECK = 44  # the cell of the lesson that checks a broken queue


@pytest.mark.parametrize("hands", [Mouse, Keyboard])
def test_a_student_plays_a_whole_lesson(hands: type[Mouse], open_notebook: Opener) -> None:
    with open_notebook("05-fencing.ipynb") as lesson:
        hand = hands(lesson)
        hand.run_all()
        Student(hand).predict()
        Student(hand).play()
        Student(hand).check_and_mend()
        lesson.keep(f"played-{hands.__name__.lower()}")
        assert lesson.mistakes == []
        assert barriers(lesson.page) == []  # now that fields are filled, panels open and sentences said
        assert clipped(lesson.page) == []
        if isinstance(hand, Keyboard):
            for number in (CHECK + 2, CHECK + 1):
                hand.delete(number)
            assert lesson.cells.count() == len(lesson.stored["cells"])  # no key was taken for one of JupyterLab's


class Student:
    """What is done in the lesson, with one hand or the other."""

    def __init__(self, hand: Mouse) -> None:
        self.hand, self.lesson = hand, hand.lesson

    def predict(self) -> None:
        """Answer without thinking, read what is said, and do better the second time."""
        quiz = self.lesson.live("Predict")
        told: dict[str, str] = {}
        self.predict_one_round(quiz, 5, told)
        score = quiz.get_by_text("Your score:").inner_text()
        right = int(re.findall(r"\d+", score)[0])
        assert right < 5, score  # else there is nothing to do better
        self.press(quiz, "try the wrong ones again")
        self.predict_one_round(quiz, 5 - right, told)
        quiz.get_by_text(f"Your score: {right} of 5 answers right, {5 - right} more on a later try.").wait_for()
        assert quiz.get_by_role("button", name="try the wrong ones again").count() == 0

    def predict_one_round(self, quiz: Locator, count: int, told: dict[str, str]) -> None:
        """Answer each question as was told before, or with the first option; remember what is told."""
        chosen = quiz.get_by_role("button", name="(chosen)")
        for place in range(1, count + 1):
            quiz.locator(".rq-heading").get_by_text(f"question {place} of {count}").wait_for()
            quiz.get_by_role("button", name="commit", exact=True).wait_for()
            chosen.wait_for(state="detached")  # all that belongs to the last question is gone
            question = quiz.locator(".rq-call").inner_text()
            options = quiz.locator(".rq-option:visible")
            known = question in told
            self.hand.press(options.get_by_text(told[question], exact=True) if known else options.first)
            chosen.wait_for()
            self.press(quiz, "commit")
            verdict = quiz.locator(".rq-verdict")
            words = verdict.inner_text()
            assert words.startswith("✓ Right" if known else ("✓ Right", "✗ Not so")), words
            told[question] = verdict.locator("p").first.locator("code").last.inner_text()
            self.press(quiz, "next")
        quiz.get_by_text("Your score:").wait_for()

    def play(self) -> None:
        """Reach a mission, be refused, look back, fork, take that back, and paste something wrong."""
        from playwright.sync_api import expect

        lab = self.lesson.live("Lab")
        self.do(lab, "enqueue", 'queue.enqueue("a", "A")', "step 1 of 1")
        self.do(lab, "reserve", "attempt 1: its first reservation", "step 2 of 2")
        self.do(lab, "retry a", 'queue.retry("a", 1)', "step 3 of 3")
        assert lab.get_by_text("Missions: 0 of 4").is_visible()
        self.do(lab, "reserve", "Mission reached: Make attempt 1 stale.", "step 4 of 4")
        done = lab.get_by_role("listitem").filter(has_text="✓ done")
        done.get_by_text("Make attempt 1 stale.").wait_for()

        attempt = lab.get_by_label("attempt", exact=True).last  # the one beside the job
        expect(attempt).to_have_value("2", timeout=LONGEST)
        self.hand.fill(attempt, "1")
        self.do(lab, "ack a", "refused: attempt 1 is stale, the current attempt of a is 2", "step 5 of 5")
        self.do(lab, "back", "queue.reserve()", "step 4 of 5")
        self.do(lab, "back", 'queue.retry("a", 1)', "step 3 of 5")
        self.do(lab, "cancel a", "You acted in the past: the 2 operations that came later were dropped.", "step 4 of 4")
        self.do(lab, "undo", "Taken back: queue.cancel", "step 3 of 5")
        self.do(lab, "last", "refused: attempt 1 is stale", "step 5 of 5")
        lab.get_by_role("img", name=re.compile(r"^Timeline\. Capacity 2, 5 operations\.")).wait_for()

        self.press(lab, "show open and save")
        text = lab.get_by_label("text", exact=True)
        self.hand.fill(text, BAD_JSON)
        self.press(lab, "open the text")
        lab.get_by_role("alert").get_by_text("is not JSON at column").wait_for()
        assert lab.get_by_text("step 5 of 5").is_visible()  # nothing is lost
        assert text.input_value() == BAD_JSON  # and it can be mended
        self.hand.fill(text, GOOD_JSON)
        self.do(lab, "open the text", "Opened the scenario: 2 operations, capacity 1.", "step 2 of 2")
        lab.get_by_role("alert").wait_for(state="detached")

    def check_and_mend(self) -> None:
        """Write a queue, be shown where it is wrong, play that through, mend it, and be told that it is right."""
        queue, lab = CHECK + 1, CHECK + 2
        self.hand.insert(CHECK, WRONG)
        report = self.lesson.outputs(queue)
        report.get_by_text("MyQueue breaks fence.exact").wait_for()
        report.get_by_text("here they part").wait_for()

        self.hand.insert(queue, "Lab(report)")
        opened = self.lesson.live("Lab", lab)
        opened.get_by_text("Here MyQueue parts from the rules").wait_for()
        self.do(opened, "back", "queue.reserve()", "step 2 of 3")

        self.hand.rewrite(queue, MENDED)
        report.get_by_text("MyQueue keeps").wait_for()
        self.hand.rewrite(lab, "Lab(report)")
        opened.get_by_text("There is no counterexample to open.").wait_for()

    def press(self, place: Locator, name: str) -> None:
        self.hand.press(place.get_by_role("button", name=name, exact=True))

    def do(self, lab: Locator, name: str, said: str, step: str) -> None:
        """Press a button of the lab, and wait until it says what has happened, and where it stands."""
        self.press(lab, name)
        lab.get_by_role("status").get_by_text(said).first.wait_for()
        lab.locator(".rq-heading").get_by_text(step).wait_for()
