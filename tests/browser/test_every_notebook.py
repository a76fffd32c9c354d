"""Every notebook as a person meets it in a browser: it opens, runs, and can be read, in each of the ways that people look.

Each notebook is opened and run once; the tests then look at it one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from browser.conftest import LAPTOP, NOTEBOOKS, Opener
from browser.lesson import TROUBLE, Lesson
from browser.seeing import barriers, clipped, is_a_white_card, screenshot, share_of_ink, shrunk

CONTRAST = ["color-contrast"]  # what a theme can do to a page
LARGE = (1600, 1600)  # so that the window shows each output as a whole

NAMES = sorted(path.relative_to(NOTEBOOKS).as_posix() for path in NOTEBOOKS.rglob("*.ipynb")
               if not any(part.startswith(".") for part in path.relative_to(NOTEBOOKS).parts))
# Between them these hold all that the kit draws, writes or has controls for.
MIXED = ["00-start-here.ipynb", "05-fencing.ipynb", "09-cost.ipynb", "12-whole-machine.ipynb",
         "solutions/10-build-your-own.ipynb"]


@pytest.fixture(scope="module", params=NAMES, ids=lambda name: name.removesuffix(".ipynb"))
def lesson(request: pytest.FixtureRequest, open_notebook: Opener) -> Iterator[Lesson]:
    with open_notebook(request.param) as opened:
        opened.run_all()
        yield opened


def test_runs_to_its_end_without_an_error(lesson: Lesson) -> None:
    assert lesson.mistakes == []
    assert lesson.page.locator(TROUBLE).all_inner_texts() == []
    assert lesson.cells.count() == len(lesson.stored["cells"])
    for number, cell in enumerate(lesson.stored["cells"], 1):
        stored = [output["output_type"] for output in cell.get("outputs", [])]
        assert lesson.outputs(number).count() == len(stored), f"cell {number} gives other outputs than are stored"


def test_every_output_can_be_seen(lesson: Lesson) -> None:
    lesson.resize(*LARGE)
    everything_is_seen(lesson, "light")


@pytest.mark.parametrize("lesson", MIXED, indirect=True, ids=lambda name: name.removesuffix(".ipynb"))
def test_every_output_can_be_seen_in_the_dark_theme(lesson: Lesson) -> None:
    lesson.resize(*LARGE)
    with lesson.wearing("Dark"):
        everything_is_seen(lesson, "dark")
        assert barriers(lesson.page, CONTRAST) == []


def test_whoever_cannot_see_or_use_a_mouse_meets_no_barrier(lesson: Lesson) -> None:
    assert barriers(lesson.page) == []


@pytest.mark.parametrize(("width", "height", "zoom"), [(*LAPTOP, 1), (1024, 768, 1), (*LAPTOP, 2)],
                         ids=["laptop", "projector", "200-percent"])
def test_no_words_are_cut_off(lesson: Lesson, width: int, height: int, zoom: int) -> None:
    lesson.resize(width, height, zoom)
    lesson.keep(f"{width}x{height}-{zoom}00-percent")
    assert clipped(lesson.page) == []
    assert shrunk(lesson.page) == []


def everything_is_seen(lesson: Lesson, what: str) -> None:
    """Everything that is more than text is there as a box of some size that is not blank, and its words are read."""
    lesson.keep(what)
    for number, cell in enumerate(lesson.stored["cells"], 1):
        for stored, output in zip(cell.get("outputs", []), lesson.outputs(number).all()):
            data = stored.get("data", {})
            if "text/html" not in data:
                continue
            where = f"cell {number}, {what}"
            seen = screenshot(output)  # and now it is scrolled into sight
            assert share_of_ink(seen) > 0.01, f"{where} is blank"
            words = " ".join(output.inner_text().split())
            for word in words_of("".join(data["text/html"]), "".join(data["text/plain"])):
                assert word in words, f"{where}: {word!r} cannot be read"
            box = output.bounding_box()
            assert box and box["width"] >= 300 and box["height"] >= 100, f"{where}: {box} is too small"
            for picture in output.locator("img").all():
                assert is_a_white_card(seen, box, picture.bounding_box()), f"{where}: a picture without its white card"


def words_of(page: str, twin: str) -> list[str]:
    """What must be read in a lab, a prediction, a report or a picture, told apart by what is stored of them."""
    if "the lab's controls appear here" in page:
        return ["Lab", "In flight", "Waiting", "Slots", *(["Missions"] if "Missions" in twin else [])]
    if "rq-handout" in page:
        return [" ".join(twin.split(":")[0].split()), "question 1 of", "What will it answer?", "commit"]
    if 'aria-label="Report on' in page:
        return [" ".join(twin.split("\n\n")[0].replace("`", "").split())]
    return []
