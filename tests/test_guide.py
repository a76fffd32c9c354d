"""The instructor's guide: its wrong answers are those of the zoo, its plans add up, its minutes are those of the map."""

from __future__ import annotations

import re

import nbformat
import pytest
import write_guide
from write_guide import GUIDE, ROOT

from retryq import zoo
from retryq.mystery import HOW_MANY, Mystery
from retryq.rules import LESSONS

TEXT = GUIDE.read_text("utf-8")


def section(heading: str) -> str:
    """What stands under a heading, as far as the next one of any level."""
    return re.split(r"^#+ ", TEXT.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def test_the_generated_parts_are_what_the_data_say() -> None:
    """Where this fails: python tests/write_guide.py, and read the difference."""
    assert write_guide.filled(TEXT) == TEXT
    parts = re.findall(r"^<!-- generated: (\S+) -->$", TEXT, re.MULTILINE)
    assert parts == [*LESSONS, "09-cost", "11-break-it"] and TEXT.count("<!-- end -->") == len(parts)


def test_a_changed_belief_is_noticed() -> None:
    assert write_guide.filled(TEXT.replace("“Counting starts at 0", "“Counting starts at 7")) == TEXT


def test_every_belief_of_the_zoo_is_told() -> None:
    assert [member.__name__ for member in zoo.ZOO if f"“{member.belief}”" not in TEXT] == []


def test_the_key_of_exercise_11_has_every_number_once() -> None:
    key = write_guide.part("11-break-it")
    assert sorted(map(int, re.findall(r"\b(\d+) [A-Z]\w+", key))) == list(range(1, HOW_MANY + 1))
    assert f"24 {Mystery(24).give_up().member.__name__}" in key


@pytest.mark.parametrize("minutes", [45, 90, 180])
def test_a_plan_adds_up(minutes: int) -> None:
    rows = re.findall(r"^\| (\d+) \|", section(f"{minutes} minutes"), re.MULTILINE)
    assert sum(map(int, rows)) == minutes


def test_minutes_are_those_of_the_map_and_each_lesson_says_what_to_ask_and_to_draw() -> None:
    cells = nbformat.read(ROOT / "notebooks" / "00-start-here.ipynb", as_version=4).cells
    table = "\n".join(cell.source for cell in cells)
    rows = re.findall(r"^\| \[(\d\d [^]]+)\]\([^)]*\) \| (\d+) \|", table, re.MULTILINE)
    assert len(rows) == 12
    for title, minutes in rows:
        told = section(title)
        assert f"{minutes} minutes" in told and "**Ask:**" in told, title
        if title < "10":
            assert "**Draw:**" in told, title
            parts = re.search(r"minutes: ([^.]*)\.", told)
            assert parts and sum(map(int, re.findall(r"\d+", parts[1]))) == int(minutes), title
