"""The exercises as a learner meets them: untouched, with the worked answer, and with wrong answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import execute_notebooks
import lesson_runner
import nbformat
import notebook_rules
import pytest

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
BUILD, BREAK, WHOLE = "10-build-your-own", "11-break-it", "12-whole-machine"
METHODS = ("enqueue", "reserve", "ack", "retry", "cancel")

Play = Callable[[str, dict[str, str]], list[str]]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Run a notebook with some cells written by a learner: for each cell that begins as a key does, its value.
    The answer is what each code cell shows, as text."""

    def run(name: str, written: dict[str, str]) -> list[str]:
        node = nbformat.v4.reads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))
        for start, source in written.items():
            (cell,) = [cell for cell in node.cells if cell.cell_type == "code" and cell.source.startswith(start)]
            cell.source = source
        copy = tmp_path / f"{name}.ipynb"
        copy.write_text(execute_notebooks.text(node), encoding="utf-8")
        return [" ".join(map(told, outputs)) for _, outputs in lesson_runner.run(copy)]

    return run


def told(output: dict) -> str:
    return output.get("text") or output.get("data", {}).get("text/plain") or output.get("evalue", "")


def cells(name: str) -> Iterator[str]:
    yield from (cell.source for cell in notebook_rules.load(NOTEBOOKS / f"{name}.ipynb").code)


def about(outputs: list[str], *parts: str) -> list[str]:
    """Those outputs in which all of these parts are to be found."""
    return [text for text in outputs if all(part in " ".join(text.split()) for part in parts)]


# --- 10: build your own ---------------------------------------------------------------------------------------------


def starts(name: str) -> str:
    return f"class MyQueue(MyQueue):\n    def {name}("


FRAME = "from retryq import Job\nfrom retryq.conformance import check\n\nclass MyQueue"


@pytest.fixture(scope="module")
def answer() -> dict[str, str]:
    """The worked answer, cell for cell, as a learner would write it into the exercise."""
    own = [source for source in cells(f"solutions/{BUILD}") if "class MyQueue" in source]
    written = {FRAME: own[0]}
    for name, source in zip(METHODS, own[1:], strict=True):
        assert f"def {name}(" in source
        written[starts(name)] = source
    return written


def test_the_untouched_frame_is_told_kindly_that_nothing_is_written(play: Play) -> None:
    outputs = play(BUILD, {})
    checks = [source for source in cells(BUILD) if re.search(r"\bcheck\(", source)]
    kind = about(outputs, "none of its five methods is written yet", "nothing to judge yet")
    assert len(kind) == len(checks) == 7
    assert about(outputs, "There is no counterexample to open")
    assert not about(outputs, "breaks") and not about(outputs, "Tried:")


def test_the_worked_answer_keeps_every_rule_after_each_method_and_in_the_end(play: Play, answer: dict) -> None:
    outputs = play(BUILD, answer)
    assert len(about(outputs, "MyQueue keeps", "as far as")) == 7
    assert about(outputs, "MyQueue keeps every rule")
    assert not about(outputs, "breaks")


@pytest.mark.parametrize("written", [1, 4])
def test_each_method_can_be_judged_before_the_next_is_written(play: Play, answer: dict, written: int) -> None:
    some = dict(list(answer.items())[: written + 1])
    outputs = play(BUILD, some)
    assert len(about(outputs, "MyQueue keeps")) == written
    assert not about(outputs, "breaks")


WRONG = {
    "capacity.active": ("enqueue", "self.active >= self.capacity", "len(self.line) >= self.capacity"),
    "retry.tail": ("retry", "self.line[id] = None", "self.line[id] = None\n        self.line.move_to_end(id, last=False)"),
    "fence.exact": ("ack", ' and job["attempt"] == attempt', " and attempt > 0"),
}


@pytest.mark.parametrize("clause", WRONG)
def test_a_wrong_answer_is_named_by_its_clause_and_opens_in_the_lab(play: Play, answer: dict, clause: str) -> None:
    method, right, wrong = WRONG[clause]
    assert right in answer[starts(method)]
    outputs = play(BUILD, answer | {starts(method): answer[starts(method)].replace(right, wrong)})
    assert len(about(outputs, f"MyQueue breaks {clause}", "here they part")) >= 2, "at the method, and in the end"
    assert about(outputs, "Opened the counterexample of MyQueue", "parts from the rules")


def test_the_answers_page_shows_two_wrong_ones_and_which_clause_they_break() -> None:
    shown = [" ".join(map(told, outputs)) for _, outputs in lesson_runner.run(NOTEBOOKS / "solutions" / f"{BUILD}.ipynb")]
    assert about(shown, "FullLine breaks capacity.active") and about(shown, "StraightBack breaks retry.tail")


# --- 11: break it ---------------------------------------------------------------------------------------------------

GENTLE = "mystery = Mystery(24)"
SHORTEST = '["enqueue", "a", "A"], ["enqueue", "b", "B"], ["reserve"]'


def tried(ops: str) -> dict[str, str]:
    return {GENTLE: f"{GENTLE}\nmystery.test([{ops}], capacity=2)"}


def test_untouched_mysteries_are_not_attempted(play: Play) -> None:
    outputs = play(BREAK, {})
    starters = [source for source in cells(BREAK) if "# [\"enqueue\"" in source or "test(lab)" in source]
    assert len(about(outputs, "not attempted")) == len(starters) == 4


def test_the_shortest_scenario_is_praised(play: Play) -> None:
    outputs = play(BREAK, tried(SHORTEST))
    assert about(outputs, "Mystery 24", "It took 3 operations, and no shorter scenario exists: well done.")


def test_a_longer_one_is_told_how_close_it_came(play: Play) -> None:
    outputs = play(BREAK, tried(f'["enqueue", "x", "X"], ["cancel", "x"], {SHORTEST}'))
    assert about(outputs, "Mystery 24", "It took 5 operations; the shortest known takes 3. 2 too many.")


def test_one_that_shows_nothing_is_told_so(play: Play) -> None:
    outputs = play(BREAK, tried('["enqueue", "a", "A"], ["reserve"], ["ack", "a", 1]'))
    assert about(outputs, "Mystery 24", "Not given away") and not about(outputs, "Mystery 24", "well done")


def test_the_lab_can_be_handed_in(play: Play) -> None:
    caught = "\n".join(f"lab.do({op})" for op in (
        ["enqueue", "a", "A"], ["reserve"], ["ack", "a", 0], ["enqueue", "b", "B"]))
    outputs = play(BREAK, {"tricky.test(lab)": f"{caught}\ntricky.test(lab)"})
    assert about(outputs, "Mystery 46", "It took 4 operations, and no shorter scenario exists")


def test_every_answer_on_the_answers_page_is_as_short_as_any_known() -> None:
    shown = [" ".join(map(told, outputs)) for _, outputs in lesson_runner.run(NOTEBOOKS / "solutions" / f"{BREAK}.ipynb")]
    numbers = {re.match(r"Mystery (\d+)", text)[1] for text in about(shown, "well done")}  # type: ignore[index]
    assert numbers == {"24", "46", "64", "36", "9", "3"}
    assert about(shown, "2 too many") and about(shown, "Mystery 24, capacity 1", "Not given away")


# --- 12: the whole machine ------------------------------------------------------------------------------------------

RUNS = "runs = ["
TWO = [["enqueue", "a", "A"], ["reserve"], ["retry", "a", 1], ["reserve"]]
CANCEL = ["cancel", "a"]
FIVE = [[TWO[0], CANCEL], [*TWO[:2], ["ack", "a", 1]], [*TWO[:2], CANCEL], [*TWO, ["ack", "a", 2]],
        [*TWO, ["retry", "a", 2], CANCEL]]


def walked(runs: list) -> dict[str, str]:
    return {RUNS: f"runs = {runs}\nmine = Tour(small, runs)\nmine"}


def test_an_untouched_tour_is_not_attempted(play: Play) -> None:
    assert len(about(play(WHOLE, {}), "Not attempted")) == 1


def test_seven_runs_walk_every_arrow(play: Play) -> None:
    outputs = play(WHOLE, walked([*FIVE, [*TWO[:3], CANCEL], [*TWO, CANCEL]]))
    assert about(outputs, "7 runs", "That is every state and every arrow.")


def test_every_state_is_not_yet_every_arrow(play: Play) -> None:
    outputs = play(WHOLE, walked(FIVE))
    assert about(outputs, "11 of 11 states and 10 of 12 arrows", "5 to 6 (cancel a), 7 to 10 (cancel a)")
    assert not about(outputs, "every state and every arrow")


def test_one_long_run_leaves_most_of_it_unseen(play: Play) -> None:
    outputs = play(WHOLE, walked([[*TWO, ["ack", "a", 1], ["retry", "a", 2], CANCEL]]))
    assert about(outputs, "1 run, 7 operations", "States not seen yet: 3, 4, 6, 8.")


def test_a_run_off_the_map_is_told_where(play: Play) -> None:
    assert about(play(WHOLE, walked([[TWO[0], ["cancel", "b"]]])), "run 1, operation 2: the map has no cancel b")


def test_hints_stay_folded_in_a_static_page() -> None:
    """A blank line inside makes nbconvert close the fold early, and the hint lies open."""
    for name in (BUILD, BREAK, WHOLE):
        for cell in notebook_rules.load(NOTEBOOKS / f"{name}.ipynb").text:
            for folded in re.findall(r"<details>.*?</details>", cell.source, flags=re.DOTALL):
                assert "\n\n" not in folded and "`" not in folded, folded
