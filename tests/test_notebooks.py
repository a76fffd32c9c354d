"""Every notebook keeps the house rules, and each rule is seen to go red on a damaged copy.

The notebooks themselves are run by nbval; test_nbval.py shows what such a run turns red on.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import execute_notebooks
import notebook_lessons
import notebook_outputs
import notebook_rules
import pytest
import sample_notebooks as sample
from nbformat import NotebookNode

from retryq import rules

NOTEBOOKS = execute_notebooks.notebook_files()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_keeps_the_house_rules(path: Path) -> None:
    assert notebook_rules.faults(path) == []


def test_no_notebook_is_missing_and_none_is_unknown() -> None:
    lessons = sorted(path.stem for path in NOTEBOOKS if path.parent == execute_notebooks.NOTEBOOKS)
    assert lessons == list(notebook_lessons.NOTEBOOKS)
    assert {clause.lesson for clause in rules.CLAUSES.values()} <= set(notebook_lessons.NOTEBOOKS)


def test_links_in_the_pages_beside_the_notebooks_lead_somewhere() -> None:
    pages = execute_notebooks.NOTEBOOKS.rglob("*.md")
    dead = {page.name: list(notebook_lessons.dead_links(page.read_text("utf-8"), page)) for page in pages}
    assert {name: found for name, found in dead.items() if found} == {}


def test_a_healthy_notebook_has_no_fault(tmp_path: Path) -> None:
    assert notebook_rules.faults(sample.write(tmp_path / "20-small.ipynb", sample.healthy())) == []


# --- damaged copies: what is done to the healthy notebook, and what must be said ------------------------------------

DAMAGES: dict[str, tuple[Callable[[NotebookNode], object], str]] = {}
Damage = Callable[[NotebookNode], object]


def damage(sentence: str) -> Callable[[Damage], Damage]:
    def keep(function: Damage) -> Damage:
        DAMAGES[function.__name__] = (function, sentence)
        return function

    return keep


def source(number: int, text: str, sentence: str, called: str) -> None:
    """A damage that only changes the source of a cell."""
    DAMAGES[called] = (lambda notebook: notebook.cells[number - 1].update(source=text), f"cell {number}: {sentence}")


@damage("cell 4: was never run")
def stripped(notebook: NotebookNode) -> None:
    notebook.cells[3].update(execution_count=None, outputs=[])


@damage("cell 4: shows something when it is run, and no output is stored")
def output_stripped_and_count_kept(notebook: NotebookNode) -> None:
    notebook.cells[3].outputs = []


@damage("cell 4: has execution count 7, run from the top it is 2")
def run_out_of_order(notebook: NotebookNode) -> None:
    notebook.cells[3].execution_count = 7


@damage("has no output that is compared")
def text_only(notebook: NotebookNode) -> None:
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "markdown"]


@damage("has no kernelspec called python3")
def other_kernel(notebook: NotebookNode) -> None:
    notebook.metadata["kernelspec"] = {"name": "conda-env-py", "display_name": "Python [conda]"}


@damage("has no language_info called python")
def no_language(notebook: NotebookNode) -> None:
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"]}


@damage("stores the state of widgets")
def widget_state(notebook: NotebookNode) -> None:
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {}}


@damage("is not in the house form from line")
def timings_of_a_run(notebook: NotebookNode) -> None:
    notebook.cells[3].metadata["execution"] = {"iopub.execute_input": "2026-12-01T03:00:00Z"}


@damage("cell 1: must be text that begins with a title")
def no_title(notebook: NotebookNode) -> None:
    notebook.cells[0].source = sample.FILLER


@damage("cell 6: is empty")
def empty_cell(notebook: NotebookNode) -> None:
    notebook.cells[5].source = " "


@damage("cell 4: has 15 lines, the most is 14")
def long_cell(notebook: NotebookNode) -> None:
    notebook.cells[3].source = "\n".join(["queue = Queue(1)"] * 14 + ["print(1)"])


@damage("has more than 5 lines in most code cells")
def long_cells(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = "queue = Queue(1)\n" * 6 + cell.source


@damage("text cells of 15 to 50 words")
def wordy(notebook: NotebookNode) -> None:
    for cell in notebook.cells[2:]:
        if cell.cell_type == "markdown":
            cell.source = f"{sample.FILLER} " * 3


@damage("about as many of one as of the other")
def more_code_than_text(notebook: NotebookNode) -> None:
    notebook.cells[10:] = [notebook.cells[9].copy() for _ in range(5)]


@damage("cell 8: is the fourth text cell in a row")
def a_wall_of_text(notebook: NotebookNode) -> None:
    notebook.cells[5:5] = [sample.markdown(sample.FILLER) for _ in range(3)]


source(4, "!echo hello", "is not plain Python", "shell_command")
source(4, "%time print(1)", "is not plain Python", "magic")
source(4, "print?", "is not plain Python", "question_mark")
source(4, "queue.reserve();", "ends in a semicolon", "semicolon")
source(4, "queue.reserve();  # quiet", "ends in a semicolon", "semicolon_before_a_comment")
source(4, "import subprocess\nprint(subprocess.run(['false']))", "imports subprocess", "command_by_a_module")
source(4, "from threading import Thread\nprint(1)", "imports threading", "late_output_from_a_thread")
source(4, "import time\nprint(1)", "imports time", "clock")
source(4, "import random\nprint(1)", "imports random", "chance")
source(4, "from IPython.display import clear_output\nprint(1)", "imports IPython.display", "clearing")
source(4, "handle = display(1, display_id=True)", "uses display_id", "updating")
source(4, "get_ipython().system('false')", "uses get_ipython", "shell_command_by_name")
source(4, "print(__import__('os').getpid())", "uses __import__", "import_by_name")
source(4, "print(Out[1])", "uses Out", "output_by_number")
source(4, "print(_)", "uses _", "last_output")
source(4, "from retryq.lab import interact\nprint(1)", "uses interact", "interact")
source(4, "widgets.Output()", "uses Output", "output_widget")
source(4, "print('50 %\\r100 %')", "writes a carriage return", "carriage_return_written")
source(4, "from retryq.queue import Queue\nprint(1)", "takes Queue from retryq.queue", "queue_from_its_own_module")
source(4, "def helper():\n    return 1\n\nprint(helper())", "holds a function", "helper_function")
source(4, "print((lambda: 1)())", "holds a function", "helper_lambda")
source(4, "class Mine:\n    pass\n\nprint(Mine)", "holds a class", "helper_class")
source(4, "# NBVAL_IGNORE_OUTPUT\nprint(1)", "holds a marker of nbval", "marker")
source(4, '"""\n# NBVAL_SKIP\n"""', "holds a marker of nbval", "marker_in_a_string")
source(4, "# PYTEST_VALIDATE_IGNORE_OUTPUT\nprint(1)", "holds a marker of nbval", "old_marker")
source(4, "# Not compared: the time is this machine's.\nprint(1)", "says that it is not compared, and is", "false_reason")
source(10, "print(measure(Queue))", "is not compared and does not say why", "no_reason")
source(10, "# Not compared: because\nprint(1)", "is not compared and does not say why", "no_real_reason")
source(5, "See [the next](21-gone.ipynb).", "links to 21-gone.ipynb, which is not there", "dead_link")
source(5, '<a href="gone.html">there</a>', "links to gone.html, which is not there", "dead_html_link")
source(5, "See [above](#Nothing-like-it).", "links to #Nothing-like-it, and no heading", "dead_anchor")
source(5, "`fifo.haed` decides.", "names the clause fifo.haed", "misspelt_clause")
source(5, "[Home](https://github.com/somebody/retryq)", "links to https://github.com/somebody/retryq", "other_address")


@damage("cell 4: has the tag nbval-skip")
def skipped_by_tag(notebook: NotebookNode) -> None:
    notebook.cells[3].metadata["tags"] = ["nbval-skip"]


@damage("cell 2: is tagged your-own-queue and does not hold one class")
def tag_without_a_queue(notebook: NotebookNode) -> None:
    notebook.cells[1].metadata["tags"] = ["your-own-queue"]


@damage("cell 8: has the tag raises-exception and stores no error")
def expected_error_that_is_not_raised(notebook: NotebookNode) -> None:
    notebook.cells[7].update(source="1", outputs=[dict(sample.shown("1"), execution_count=4)])


@damage("cell 8: stores an error and has no tag raises-exception")
def error_nobody_expects(notebook: NotebookNode) -> None:
    notebook.cells[7].metadata = {}


def stores(*outputs: dict, number: int = 6) -> Damage:
    counted = [dict(o, execution_count=3) if o["output_type"] == "execute_result" else o for o in outputs]
    return lambda notebook: notebook.cells[number - 1].update(outputs=counted)


PNG, TWIN = sample.png(), "a | waiting | in flight #1"
OUTPUTS: dict[str, tuple[Damage, str]] = {
    "picture without its twin": (stores(sample.shown({"text/html": sample.img(PNG)})), "without its text twin"),
    "picture with an empty twin": (
        stores(sample.shown({"text/html": sample.img(PNG), "text/plain": " "})), "without its text twin"),
    "twin that is a repr": (
        stores(sample.shown({"image/png": sample.base64_text(PNG), "text/plain": "<Figure size 640x480 with 1 Axes>"})),
        "the text twin of image/png is only a name"),
    "twin that is a call": (
        stores(sample.shown({"text/html": "<b>x</b>", "text/plain": "VBox(children=(Button(), HTML(value='')))"})),
        "the text twin of text/html is only a name"),
    "garbage": (stores(sample.shown({"image/png": "Z2FyYmFnZQ==", "text/plain": TWIN})), "cannot be decoded"),
    "truncated": (
        stores(sample.shown({"image/png": sample.base64_text(PNG[:80]), "text/plain": TWIN})), "cannot be decoded"),
    "not base64": (stores(sample.shown({"image/jpeg": "%%%", "text/plain": TWIN})), "cannot be decoded"),
    "blank": (
        stores(sample.shown({"image/png": sample.base64_text(sample.png(blank=True)), "text/plain": TWIN})), "is blank"),
    "tiny": (
        stores(sample.shown({"text/html": sample.img(sample.png(size=(4, 4))), "text/plain": TWIN})), "4 x 4 pixels"),
    "picture missing in its HTML": (
        stores(sample.shown({"text/html": '<img alt="a" src="data:image/png;base64,">', "text/plain": TWIN})),
        "cannot be decoded"),
    "picture from elsewhere": (
        stores(sample.shown({"text/html": '<img alt="a" src="picture.png">', "text/plain": TWIN})), "not stored with it"),
    "no alt": (
        stores(sample.shown({"text/html": sample.img(PNG, alt=""), "text/plain": TWIN})), "<img> without alt text"),
    "widget id": (
        stores(sample.shown({execute_notebooks.WIDGET_VIEW: {"model_id": "0"}, "text/plain": TWIN})), "a widget's id"),
    "order of print and display": (
        stores(sample.printed("first\n"), sample.shown(TWIN)), "mixes printed and shown outputs"),
    "stderr": (stores(sample.printed("careful\n", name="stderr")), "stores text on stderr"),
    "carriage return": (stores(sample.printed("50 %\r100 %\n")), "stores a carriage return"),
    "address": (stores(sample.shown("<retryq.Queue at 0x7f3c2a1b>")), "stores an address in memory"),
    "path": (stores(sample.printed("saved to /home/ann/retryq/a.png\n")), "stores a path"),
    "Windows path": (stores(sample.printed("C:\\Users\\ann\n")), "stores a path"),
    "path in a traceback": (
        stores(dict(sample.raised("TypeError", "no"), traceback=["File /opt/x/site-packages/y.py"]), number=8),
        "stores a path"),
    "timing": (stores(sample.printed("it took 3.2 ms\n")), "stores a timing"),
    "timing in seconds": (stores(sample.printed("0.31 s\n")), "stores a timing"),
    "time of day": (stores(sample.printed("2026-12-01 03:00\n")), "stores a time of day"),
    "timing after a link": (
        stores(sample.shown({"text/html": '<a href="https://a.b/c">x</a> <p style="top:1.5 s">3.2 ms</p>', "text/plain": TWIN})),
        "stores a timing: 3.2 ms"),
    "flood": (stores(sample.printed("queue\n" * 5000)), "more than 20,000 characters"),
}  # fmt: skip


@pytest.mark.parametrize("called", [*DAMAGES, *OUTPUTS])
def test_damage_is_seen(called: str, tmp_path: Path) -> None:
    damage_it, sentence = (DAMAGES | OUTPUTS)[called]
    notebook = sample.healthy()
    damage_it(notebook)
    found = notebook_rules.faults(sample.write(tmp_path / "20-small.ipynb", notebook))
    assert any(sentence in fault for fault in found), found


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda text: text.replace("\n", "\r\n"), "is not in the house form from line 1"),
        (lambda text: text.rstrip("\n"), "is not in the house form"),
        (lambda text: text.replace("\n ", "\n  "), "is not in the house form from line 2"),
        (lambda text: text[: len(text) // 2], "is no notebook of format 4"),
        (lambda text: text.replace('"sample-02"', '"sample-01"'), "is n"),
        (lambda text: text.replace('"execute_result"', '"something"'), "is no notebook of format 4"),
        (lambda text: "[]", "is no notebook of format 4"),
    ],
    ids=["CRLF", "no last newline", "indentation", "cut", "id twice", "unknown output", "a list"],
)
def test_damaged_file_is_seen(change: Callable[[str], str], sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "20-small.ipynb"
    path.write_bytes(change(execute_notebooks.text(sample.healthy())).encode("utf-8"))
    assert any(sentence in fault for fault in notebook_rules.faults(path)), notebook_rules.faults(path)


def test_file_name_is_seen(tmp_path: Path) -> None:
    for name in ("small", "2-small", "20-Small", "20_small", "20-small copy"):
        found = notebook_rules.faults(sample.write(tmp_path / f"{name}.ipynb", sample.healthy()))
        assert any("is not named NN-topic.ipynb" in fault for fault in found), name
        (tmp_path / f"{name}.ipynb").unlink()


def test_a_class_may_stand_where_a_learner_writes_a_queue(tmp_path: Path) -> None:
    notebook = sample.healthy()
    notebook.cells[3].update(source="class Mine:\n    def enqueue(self, id, payload):\n        return True", outputs=[])
    for name in ("10-mine", "11-mine"):
        assert notebook_rules.faults(sample.write(tmp_path / name / f"{name}.ipynb", notebook)) == []
    assert notebook_rules.faults(sample.write(tmp_path / "solutions" / "20-mine.ipynb", notebook)) == []
    notebook.cells[3].metadata["tags"] = ["your-own-queue"]
    assert notebook_rules.faults(sample.write(tmp_path / "20-small.ipynb", notebook)) == []


# --- what a lesson must hold ----------------------------------------------------------------------------------------

STEM = "04-retry"


@pytest.fixture
def lesson(tmp_path: Path) -> tuple[Path, NotebookNode]:
    """A small lesson with every section and clause, between two others."""
    for name in ("03-capacity", "05-fencing"):
        sample.write(tmp_path / f"{name}.ipynb", sample.healthy())
    notebook = sample.healthy()
    named = ", ".join(f"`{clause.name}`" for clause in rules.CLAUSES.values() if clause.lesson == STEM)
    notebook.cells[4].source = f"These are the clauses of this small lesson, and it keeps them all, every one: {named}"
    for section in notebook_lessons.SECTIONS:
        cells = [sample.markdown(f"## {section}: what now?\n\n{sample.FILLER}"), sample.code("print(1)", sample.printed("1\n"))]
        notebook.cells += sample.notebook(*cells).cells
    around = "[Previous: Capacity](03-capacity.ipynb) · [Next: Fencing](05-fencing.ipynb)"
    notebook.cells += [sample.markdown(f"{sample.FILLER}\n\n{around}")]
    return tmp_path / f"{STEM}.ipynb", sample.notebook(*({**cell, "id": f"l-{n}"} for n, cell in enumerate(notebook.cells)))


def test_a_healthy_lesson_has_no_fault(lesson: tuple[Path, NotebookNode]) -> None:
    path, notebook = lesson
    assert notebook_rules.faults(sample.write(path, notebook)) == []


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("## Break:", "## Brake:", "has the sections Predict, Run, See, Try, In the field, Recap"),
        ("## Run:", "## See:", "has the sections Predict, See, See, Try"),
        ("`retry.slot`", "a slot", "teaches the clause retry.slot and does not name it"),
        ("[Previous: Capacity](03-capacity.ipynb)", "", "must link [Previous: ...](03-capacity.ipynb), and has no such link"),
        ("(05-fencing.ipynb)", "(03-capacity.ipynb)", "must link [Next: ...](05-fencing.ipynb), and has 03-capacity.ipynb"),
    ],
)  # fmt: skip
def test_damaged_lesson_is_seen(lesson: tuple[Path, NotebookNode], old: str, new: str, sentence: str) -> None:
    path, notebook = lesson
    assert any(old in cell.source for cell in notebook.cells)
    for cell in notebook.cells:
        cell.source = cell.source.replace(old, new)
    found = notebook_rules.faults(sample.write(path, notebook))
    assert any(sentence in fault for fault in found), found


def test_next_must_go_when_the_next_lesson_goes(lesson: tuple[Path, NotebookNode]) -> None:
    path, notebook = lesson
    sample.write(path, notebook)
    path.with_name("05-fencing.ipynb").unlink()
    assert any("there is no such notebook in this order" in fault for fault in notebook_rules.faults(path))


def test_anchors_in_other_files(tmp_path: Path) -> None:
    sample.write(tmp_path / "21-other.ipynb", sample.healthy())
    (tmp_path / "page.md").write_text("## What it *looks* like, then\n", encoding="utf-8")
    notebook = sample.healthy()
    good = "[a](21-other.ipynb#What-it-looks-like) [b](page.md#what-it-looks-like-then) [Next](21-other.ipynb)"
    notebook.cells[8].source = f"{sample.FILLER} {good}"
    path = sample.write(tmp_path / "20-small.ipynb", notebook)
    assert notebook_rules.faults(path) == []
    shutil.copy(path, tmp_path / "21-other.ipynb")
    (tmp_path / "page.md").write_text("## Something else\n", encoding="utf-8")
    assert any("page.md#what-it-looks-like-then" in fault for fault in notebook_rules.faults(path))


# --- the one thing that is not compared as text ---------------------------------------------------------------------


def test_sanitizing_replaces_the_bytes_of_a_picture_and_nothing_else() -> None:
    assert len(notebook_outputs.SANITIZING) == 1
    html = f"<p>before {sample.img(sample.png(), alt='a &amp; b')} after</p>"
    expected = '<p>before <img alt="a &amp; b" src="data:image/png;base64,PICTURE"> after</p>'
    assert notebook_outputs.sanitized(html) == expected


@pytest.mark.parametrize(
    "text",
    [
        *(clause.sentence for clause in rules.CLAUSES.values()),
        '<img alt="a" src="data:image/png;base64,">',
        '<img alt="a" src="data:image/png;base64,iVBORw0KGgo=">',
        f'<img alt="a" src="data:image/png;base64,{sample.base64_text(b"garbage" * 99)}">',
        f"iVBORw0KGgo{'A' * 400}",
        f"data:image/png;base64,{sample.base64_text(sample.png())}",
    ],
)
def test_sanitizing_leaves_text_and_broken_pictures_alone(text: str) -> None:
    assert notebook_outputs.sanitized(text) == text


def test_pictures_are_alike_when_only_their_bytes_differ() -> None:
    one, smaller = sample.base64_text(sample.png(level=9)), sample.base64_text(sample.png(level=1))
    assert one != smaller
    assert notebook_outputs.alike(one, smaller)
    assert not notebook_outputs.alike(one, sample.base64_text(sample.png(70)))
    assert not notebook_outputs.alike(one, sample.base64_text(sample.png(size=(240, 240))))
