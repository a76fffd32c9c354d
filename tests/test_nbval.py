"""A run of pytest over notebooks turns red on what it must: real runs, in a copy of this project's set-up.

One notebook holds a cell for each damage that shows only in a run, so that one kernel serves them all.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import execute_notebooks
import nbval_guard
import pytest
import sample_notebooks as sample

TESTS = Path(__file__).parent
SET_UP = ("conftest.py", "pyproject.toml", "tests/nbval_guard.py", "tests/execute_notebooks.py",
          "tests/notebook_outputs.py", "tests/nbval_sanitize.cfg")  # fmt: skip
SHOW = "from IPython.display import Image, clear_output, display"

GOOD, OTHER = sample.png(60), sample.png(75)
TWIN = "a | waiting | in flight #1"


def draws(content: str) -> str:
    """Code that shows an object with a picture (a Python expression of its bytes) and its text twin."""
    return f'display({{"image/png": b64encode({content}).decode(), "text/plain": "{TWIN}"}}, raw=True)'


def html(picture: bytes, alt: str = "a") -> str:
    return f'display({{"text/html": {sample.img(picture, alt)!r}, "text/plain": "{TWIN}"}}, raw=True)'


def display_data(**data: str) -> dict:
    return sample.shown({kind.replace("_", "/"): value for kind, value in data.items()}, "display_data")


STORED_PNG = sample.base64_text(GOOD)
# What a cell does now, the outputs that are stored for it, and what the run must say (None: it passes).
CELLS: dict[str, tuple[str, list[dict], str | None]] = {
    "the source changed and nobody ran it again": ("1 + 2", [sample.shown("2")], "Cell outputs differ"),
    "the same picture": (draws(repr(GOOD)), [display_data(image_png=STORED_PNG, text_plain=TWIN)], None),
    "another picture": (
        draws(repr(OTHER)), [display_data(image_png=STORED_PNG, text_plain=TWIN)], "differs from the stored picture"),
    "garbage in place of a picture": (
        draws("b'garbage'"), [display_data(image_png=STORED_PNG, text_plain=TWIN)], "differs from the stored picture"),
    "a picture that is gone": (
        f'display({{"text/plain": "{TWIN}"}}, raw=True)', [display_data(image_png=STORED_PNG, text_plain=TWIN)],
        "the kinds or the order"),
    "a picture that was not there": (draws(repr(GOOD)), [display_data(text_plain=TWIN)], "the kinds or the order"),
    "the same picture in HTML, in other bytes": (
        html(sample.png(60, level=1)), [display_data(text_html=sample.img(GOOD, "a"), text_plain=TWIN)], None),
    "another picture in HTML": (
        html(OTHER), [display_data(text_html=sample.img(GOOD, "a"), text_plain=TWIN)], "a picture in the HTML differs"),
    "no picture in HTML": (
        html(b""), [display_data(text_html=sample.img(GOOD, "a"), text_plain=TWIN)], "Cell outputs differ"),
    "another alt": (
        html(GOOD, "b"), [display_data(text_html=sample.img(GOOD, "a"), text_plain=TWIN)], "Cell outputs differ"),
    "display before print": (
        'display("shown")\nprint("printed")', [sample.printed("printed\n"), sample.shown("'shown'", "display_data")],
        "the kinds or the order"),
    "an output that is cleared": (
        'print(1)\nclear_output()\nprint(2)', [sample.printed("1\n2\n")], "clears its output"),
    "an output that is updated": (
        'handle = display(1, display_id=True)\nhandle.update(2)', [sample.shown("1", "display_data")],
        "updates an output"),
    "text before a carriage return": ('print("50 %\\r100 %")', [sample.printed("100 %\n")], "the stream differs"),
    "a thread that is not done": (
        'import threading\nthreading.Timer(0.2, print, ["late"]).start()', [], None),
    "the cell after it": ("import time\ntime.sleep(0.6)", [], ""),  # the words are as the thread is timed
    "an error nobody expects": ("1 / 0", [sample.raised("ZeroDivisionError", "division by zero")], "exception"),
    "printed text that differs where nothing is compared": ("print(2)", [sample.printed("1\n")], None),
    "another kind of output where nothing is compared": ("2", [sample.printed("1\n")], "the kinds or the order"),
    "a widget, its own id aside": (
        f'display({{"{execute_notebooks.WIDGET_VIEW}": {{"model_id": "7"}}, "text/plain": "{TWIN}"}}, raw=True)',
        [display_data(text_plain=TWIN)], None),
    "all is well": ("1 + 1", [sample.shown("2")], None),
}  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this project's set-up, with damaged notebooks in place of the real ones."""
    root = set_up(tmp_path_factory.mktemp("project"))
    first = sample.code(f"{SHOW}\nfrom base64 import b64encode")
    cells = [
        sample.code(source, *stored, tags=["nbval-ignore-output"] if "nothing is compared" in called else None)
        for called, (source, stored, _) in CELLS.items()
    ]
    sample.write(root / "notebooks/01-cells.ipynb", sample.notebook(first, *cells))
    hung = sample.notebook(sample.code("while True: pass"), sample.code("1", sample.shown("1")))
    sample.write(root / "notebooks/02-hung.ipynb", hung)
    dead = sample.notebook(sample.code("import os\nos._exit(0)"), sample.code("1", sample.shown("1")))
    sample.write(root / "notebooks/03-dead.ipynb", dead)
    return root


def set_up(root: Path) -> Path:
    for name in SET_UP:
        (root / name).parent.mkdir(exist_ok=True)
        shutil.copy(TESTS.parent / name, root / name)
    return root


def pytest_in(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "nbval.plugin", "-p", "no:cacheprovider", *arguments]
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # quicker, and only what the project asks for
    return subprocess.run(
        command, check=False, cwd=root, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=120
    )


@pytest.fixture(scope="module")
def outcomes(project: Path) -> dict[tuple[str, str], str | None]:
    """For each (notebook, cell): why it failed, None where it passed. Two runs at once: one only waits for the hung."""
    with ThreadPoolExecutor() as pool:
        runs = pool.map(lambda arguments: run_with_report(project, *arguments), (
            ("notebooks/01-cells.ipynb",),
            ("notebooks/02-hung.ipynb", "notebooks/03-dead.ipynb", "--nbval-cell-timeout=2"),
        ))  # fmt: skip
        return {case: why for run in runs for case, why in run.items()}


def run_with_report(root: Path, *arguments: str) -> dict[tuple[str, str], str | None]:
    report = root / f"{Path(arguments[0]).stem}.xml"
    done = pytest_in(root, *arguments, f"--junitxml={report}")
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr
    found: dict[tuple[str, str], str | None] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        wrong = [child for child in case if child.tag in ("failure", "error")]
        words = "".join(child.attrib.get("message", "") + (child.text or "") for child in wrong)
        found[case.attrib["classname"], case.attrib["name"]] = words if wrong else None
    return found


@pytest.mark.parametrize("called", CELLS)
def test_a_run_sees(called: str, outcomes: dict[tuple[str, str], str | None]) -> None:
    expected = CELLS[called][2]
    number = list(CELLS).index(called) + 1  # the first cell imports
    (found,) = [why for (file, cell), why in outcomes.items() if "01-cells" in file and cell == f"Cell {number}"]
    assert found is None if expected is None else found is not None and expected in found, found


def message(kind: str, cell: str, **content: object) -> dict:
    return {"msg_type": kind, "parent_header": {"msg_id": cell}, "content": content}


def test_output_of_an_earlier_cell_is_seen_in_a_later_one() -> None:
    done = message("status", "second", execution_state="idle")
    late = message("stream", "first", name="stdout", text="late")
    assert list(nbval_guard.unseen([], [done], compared=True)) == []
    (said,) = nbval_guard.unseen([], [late, done], compared=True)
    assert said.startswith("an earlier cell gave an output after its end")


@pytest.mark.parametrize("file", ["02-hung", "03-dead"])
def test_a_cell_that_does_not_come_back_is_red(file: str, outcomes: dict[tuple[str, str], str | None]) -> None:
    assert any(why is not None for (where, _), why in outcomes.items() if file in where), outcomes


@pytest.fixture(scope="module")
def healthy_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One good notebook, and a learner's changed copy of it in work/."""
    root = set_up(tmp_path_factory.mktemp("healthy"))
    cells = [sample.code("a = 1"), sample.code("a + 1", sample.shown("2")), sample.code("a + 2", sample.shown("3"))]
    sample.write(root / "notebooks/01-good.ipynb", sample.notebook(*cells))
    sample.write(root / "work/01-mine.ipynb", sample.notebook(sample.code("1 / 0")))
    return root


def test_a_cell_that_is_asked_for_brings_its_whole_notebook(healthy_project: Path) -> None:
    done = pytest_in(healthy_project, "--collect-only", "-q", "-k", "Cell and 2", ".")  # so do --lf and ::Cell 2
    cells = [line for line in done.stdout.splitlines() if "::Cell" in line]
    assert cells == [f"notebooks/01-good.ipynb::Cell {number}" for number in range(3)], done.stdout + done.stderr


@pytest.mark.parametrize("arguments", [["-o", "addopts=", "."], ["--ignore=notebooks", "."]])
def test_a_run_that_leaves_out_a_notebook_is_refused(healthy_project: Path, arguments: list[str]) -> None:
    done = pytest_in(healthy_project, *arguments)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "01-good.ipynb was not collected" in done.stdout + done.stderr


def test_a_notebook_of_text_alone_is_refused(project: Path, healthy_project: Path) -> None:
    sample.write(healthy_project / "notebooks/02-text.ipynb", sample.notebook(sample.markdown("# Only text")))
    done = pytest_in(healthy_project, "notebooks/02-text.ipynb")
    (healthy_project / "notebooks/02-text.ipynb").unlink()
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "02-text.ipynb was not collected" in done.stdout + done.stderr


STRICT = {
    "nbval": True, "nbval_lax": False, "nbval_current_env": True, "nbval_cell_timeout": 60.0, "dist": "no",
    "nbval_sanitize_with": str(TESTS / "nbval_sanitize.cfg"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("weaker", "sentence"),
    [
        ({"nbval_lax": True}, "--nbval-lax compares nothing"),
        ({"nbval_current_env": False}, "without --nbval-current-env"),
        ({"nbval_cell_timeout": 2000.0}, "--nbval-cell-timeout must be at most"),
        ({"nbval_sanitize_with": "pyproject.toml"}, "--nbval-sanitize-with must be tests/nbval_sanitize.cfg"),
        ({"dist": "load"}, "--dist must be"),
    ],
)
def test_weak_options_are_seen(weaker: dict, sentence: str) -> None:
    assert list(nbval_guard.weak_options(SimpleNamespace(**STRICT))) == []
    (said,) = nbval_guard.weak_options(SimpleNamespace(**STRICT | weaker))
    assert sentence in said


def test_weak_options_stop_a_run(healthy_project: Path) -> None:
    done = pytest_in(healthy_project, "--nbval-lax", "notebooks")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--nbval-lax compares nothing" in done.stdout + done.stderr


# --- storing outputs ------------------------------------------------------------------------------------------------


def test_executing_stores_the_house_form_or_nothing(tmp_path: Path) -> None:
    messy = sample.notebook(
        sample.markdown("# Small"),
        sample.code("print(1, flush=True)\nprint(2)", sample.printed("old\n")),
        sample.code("import ipywidgets\nipywidgets.IntText(3)"),
        sample.code("1 / 0", tags=["raises-exception"]),
    )
    messy.metadata["widgets"] = {"state": {}}
    messy.metadata["language_info"]["version"] = "3.11.0"
    messy.cells[1]["metadata"] = {"execution": {"iopub.status.busy": "2026-12-01T03:00:00Z"}, "collapsed": False}
    path = sample.write(tmp_path / "20-small.ipynb", messy)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    failing = sample.write(tmp_path / "21-failing.ipynb", sample.notebook(sample.code("1 / 0")))
    before = failing.read_bytes()

    done = execute(path, failing, path)

    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.splitlines() == ["20-small.ipynb: stored", "20-small.ipynb: unchanged"]
    expected = sample.notebook(
        sample.markdown("# Small"),
        sample.code("print(1, flush=True)\nprint(2)", sample.printed("1\n2\n")),
        sample.code("import ipywidgets\nipywidgets.IntText(3)", sample.shown("IntText(value=3)")),
        sample.code("1 / 0", sample.raised("ZeroDivisionError", "division by zero"), tags=["raises-exception"]),
    )
    assert path.read_bytes().decode("utf-8") == execute_notebooks.text(expected)
    assert "21-failing.ipynb: not stored" in done.stderr
    assert failing.read_bytes() == before


def execute(*paths: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TESTS / "execute_notebooks.py"), *map(str, paths)]
    return subprocess.run(command, check=False, capture_output=True, text=True, encoding="utf-8", timeout=120)


def test_an_unknown_name_is_answered_in_words() -> None:
    with pytest.raises(SystemExit, match="no notebook called 99-nowhere"):
        execute_notebooks.main(["99-nowhere"])
