"""The page on autograding, run as it is printed: its commands, its cells for nbgrader and its files for Otter."""

from __future__ import annotations

import ast
import csv
import doctest
import inspect
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import in_this_process
import pytest
import readme_blocks

from retryq.commands.check import COLUMNS
from retryq.conformance import OUTCOMES, check, examine
from retryq.rules import CLAUSES
from retryq.zoo import AckTwiceIsFine, LastInFirstOut, SimpleQueue

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "notebooks" / "autograding.md").read_text("utf-8")
CODE = [block.text for block in readme_blocks.blocks(TEXT) if block.language == "python"]
POINTS, CELL, TESTS, PARTIAL, OTTER, OLDER = CODE
COMMANDS = [line.removeprefix("$ ") for block in readme_blocks.blocks(TEXT) if block.language == "console"
            for line in block.text.splitlines()]
HANDED_IN = {
    "ada.py": "from retryq.zoo import SimpleQueue\nclass MyQueue(SimpleQueue):\n    pass\n",
    "ben.py": "from retryq.zoo import LastInFirstOut\nclass MyQueue(LastInFirstOut):\n    pass\n",
    "cem.py": "from retryq.zoo import SimpleQueue\nclass MyQueue(SimpleQueue):\n    def reserve(self):\n        while True: pass\n",
    "dua.py": "raise SystemExit\n",
    "eve.py": "class MyQueue:\n    def __init__(self, capacity): pass\n",
}  # fmt: skip
OUTCOME = {
    "ada.py": "passes", "ben.py": "disagrees", "cem.py": "ran too long", "dua.py": "not loaded", "eve.py": "not attempted",
}  # fmt: skip


def column(heading: str) -> list[str]:
    """What stands in the first column of the table with this heading."""
    rows = re.search(rf"^\| {heading} \|.*\n\|[-|]+\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    assert rows, heading
    return [name for row in rows[1].splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1])]


# -- a folder of submissions


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A desk with a folder of submissions, and what the page's first command writes beside it."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "submissions").mkdir()
    for name, text in HANDED_IN.items():
        (folder / "submissions" / name).write_text(text, "utf-8")
    command, _, target = COMMANDS[0].partition(" > ")
    (folder / target).write_text(told(command, folder, 2), "utf-8")
    return folder


def told(command: str, folder: Path, status: int) -> str:
    words = shlex.split(command)
    assert words[:4] == ["python", "-m", "retryq", "check"]
    ran = in_this_process.command(*words[3:], folder=folder)
    assert (ran.returncode, ran.stderr) == (status, ""), command
    return ran.stdout


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_submission_has_its_row(desk: Path) -> None:
    found = rows(desk / "grades.csv")
    assert [row["target"] for row in found] == [f"{Path('submissions', name)}:MyQueue" for name in OUTCOME]
    assert [row["outcome"] for row in found] == list(OUTCOME.values())


def test_the_tables_on_the_page_name_what_there_is() -> None:
    assert column("column") == list(COLUMNS)
    assert column("outcome") == [*OUTCOMES, "not loaded"]


def test_points_come_out_of_the_rows(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk)
    exec(POINTS, {})  # noqa: S102 (the page's own code)
    found = {Path(row["target"].partition(":")[0]).name: row for row in rows(desk / "points.csv")}
    points = {name: int(row["points"]) for name, row in found.items()}
    assert points["ada.py"] == len(CLAUSES)
    assert 0 < points["ben.py"] < len(CLAUSES)
    assert points["dua.py"] == points["eve.py"] == 0 and points["cem.py"] < points["ben.py"]
    assert [row["sentence"] for row in found.values()] == [row["sentence"] for row in rows(desk / "grades.csv")]


def test_the_other_commands_show_one_student_and_some_rules(tmp_path: Path) -> None:
    (tmp_path / "submissions").mkdir()
    for name in ("ada.py", "ben.py"):
        (tmp_path / "submissions" / name).write_text(HANDED_IN[name], "utf-8")
    one, some = COMMANDS[1:]
    assert told(one, tmp_path, 0).startswith("MyQueue keeps every rule")
    table = list(csv.DictReader(told(some, tmp_path, 1).splitlines()))
    wanted = sum(name.startswith(("fifo.", "capacity.")) for name in CLAUSES)
    assert [(row["passed"], row["clauses"]) for row in table] == [("yes", str(wanted)), ("no", str(wanted))]


def test_a_check_takes_as_long_as_the_page_says() -> None:
    most = inspect.signature(examine).parameters["seconds"].default
    assert f"within {most:g} seconds" in TEXT


# -- nbgrader


def made(source: str, **names: object) -> dict[str, object]:
    """The names after a cell was run."""
    exec(source, names)  # noqa: S102 (the page's own code)
    return names


def without(mark: str, source: str, instead: str = "") -> str:
    """A cell with what stands between nbgrader's marks taken out, as in the students' version."""
    return re.sub(rf"^( *)### BEGIN {mark}\n.*?### END {mark}\n", rf"\1{instead}\n", source, flags=re.DOTALL | re.MULTILINE)


def fails(cell: str, queue: type) -> str:
    with pytest.raises(AssertionError) as caught:
        made(cell, MyQueue=queue)
    return str(caught.value)


def test_the_answer_passes_and_the_students_version_is_not_attempted() -> None:
    answer = made(CELL)["MyQueue"]
    assert check(answer).passed
    made(TESTS, MyQueue=answer)
    students = without("SOLUTION", CELL, "raise NotImplementedError()")
    assert "SOLUTION" not in students
    assert check(made(students)["MyQueue"]).outcome == "not attempted"


def test_a_wrong_answer_fails_with_the_sentence_of_its_report() -> None:
    assert fails(TESTS, LastInFirstOut).startswith("LastInFirstOut breaks fifo.head")
    assert fails(TESTS, AckTwiceIsFine).startswith("AckTwiceIsFine breaks fence.in-flight")


def test_what_is_hidden_is_not_in_what_students_see() -> None:
    made(without("HIDDEN TESTS", TESTS), MyQueue=AckTwiceIsFine)  # breaks none of the rules that are asked for there


def test_part_of_the_points_is_the_number_in_the_last_line() -> None:
    *before, last = ast.parse(PARTIAL).body
    assert isinstance(last, ast.Expr)

    def points(queue: type) -> float:
        names: dict[str, object] = {"MyQueue": queue}
        exec(compile(ast.Module(before, []), "cell", "exec"), names)  # noqa: S102
        return eval(compile(ast.Expression(last.value), "cell", "eval"), names)

    assert points(SimpleQueue) == 10
    assert 0 < points(LastInFirstOut) < points(AckTwiceIsFine) < 10
    assert points(made(without("SOLUTION", CELL, "raise NotImplementedError()"))["MyQueue"]) == 0


# -- Otter


@pytest.fixture
def cases(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[type], None]]:
    """The functions of the test file, with a stand-in for Otter's mark, which is no part of this project."""
    marked: list[dict] = []
    stand_in = ModuleType("otter.test_files")
    stand_in.test_case = lambda **about: marked.append(about) or (lambda function: function)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "otter", ModuleType("otter"))
    monkeypatch.setitem(sys.modules, "otter.test_files", stand_in)
    names = made(OTTER)
    assert names["OK_FORMAT"] is False and names["name"] == "queue"
    assert marked == [{"points": 4}, {"points": 6, "hidden": True}]
    return {name: names[name] for name in ("first_in_first_out", "every_rule")}  # type: ignore[misc]


def test_otter_calls_each_case_with_the_students_class(cases: dict[str, Callable[[type], None]]) -> None:
    for case in cases.values():
        case(SimpleQueue)
        with pytest.raises(AssertionError, match="^LastInFirstOut breaks fifo.head"):
            case(LastInFirstOut)
    cases["first_in_first_out"](AckTwiceIsFine)
    with pytest.raises(AssertionError, match="^AckTwiceIsFine breaks fence.in-flight"):
        cases["every_rule"](AckTwiceIsFine)


def test_the_older_format_shows_the_sentence_where_true_should_stand() -> None:
    names = made(OLDER)
    (suite,) = names["test"]["suites"]  # type: ignore[index]
    (case,) = suite["cases"]
    for queue, failed in ((SimpleQueue, 0), (LastInFirstOut, 1)):
        said: list[str] = []
        test = doctest.DocTestParser().get_doctest(case["code"], {"MyQueue": queue}, "queue", None, 0)
        assert doctest.DocTestRunner().run(test, out=said.append).failed == failed
        assert not failed or "LastInFirstOut breaks fifo.head" in "".join(said)
