"""A folder of submissions, as a class hands them in: some are right, some wrong, some hostile, some are notebooks."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from retryq import Queue
from retryq.commands.check import loader
from retryq.commands.submissions import definition, expand
from retryq.conformance import LoadError

ROOT = Path(__file__).resolve().parent.parent
SOUND = "from retryq import Queue\nclass MyQueue(Queue):\n    pass\n"
SUBMITTED = {
    "ann/queue.py": SOUND,
    "ben.py": "from retryq.zoo import RetryJumpsTheLine\nclass MyQueue(RetryJumpsTheLine):\n    pass\n",
    "cem.py": SOUND + "    def reserve(self):\n        while True:\n            pass\n",
    "dua.py": "while True:\n    pass\n",
    "eve.py": "import os\nos._exit(0)\n",
    "fay.py": "import os\n" + SOUND + "    def ack(self, id, attempt):\n        os._exit(0)\n",
    "gus.py": "import os\n" + SOUND + "    def enqueue(self, id, payload):\n        os.fork()\n        return True\n",
    "hal.py": SOUND + "    def cancel(self, id):\n        while True:\n            print('spam')\n",
    "ida.py": "class MyQueue:\n    def reserve(self\n",
    "jan.py": "class Other:\n    pass\n",
    ".hidden.py": SOUND,
    "__pycache__/old.py": SOUND,
    "notes.txt": "this is no submission",
}
OUTCOMES = {
    "ann/queue.py": "passes", "ben.py": "disagrees", "cem.py": "ran too long", "dua.py": "not loaded",
    "eve.py": "not loaded", "fay.py": "exited", "gus.py": "raised", "hal.py": "ran too long", "ida.py": "not loaded",
    "jan.py": "not loaded", "kim.ipynb": "passes",
}  # fmt: skip


def notebook(*cells: str) -> str:
    text = {"cell_type": "markdown", "source": "class MyQueue: is only named here"}
    return json.dumps({"cells": [text, *({"cell_type": "code", "source": cell} for cell in cells)]})


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write(tmp_path_factory.mktemp("class"), {f"all of them/{name}": text for name, text in SUBMITTED.items()})
    solved = (ROOT / "notebooks" / "solutions" / "10-build-your-own.ipynb").read_text("utf-8")
    (folder / "all of them" / "kim.ipynb").write_text(solved, "utf-8")
    return folder / "all of them"


def test_a_folder_is_graded_row_by_row_whatever_is_in_it(submissions: Path) -> None:
    command = [sys.executable, "-m", "retryq", "check", "--csv", "--jobs", "3", f"{submissions.name}:MyQueue"]
    ran = subprocess.run(command, cwd=submissions.parent, env={**os.environ, "PYTHONPATH": str(ROOT)},
                         capture_output=True, encoding="utf-8", check=False)
    assert (ran.returncode, ran.stderr) == (2, "")
    rows = list(csv.DictReader(io.StringIO(ran.stdout)))
    assert [row["target"] for row in rows] == [f"{submissions.name}{os.sep}{Path(name)}:MyQueue" for name in OUTCOMES]
    assert [row["outcome"] for row in rows] == list(OUTCOMES.values())
    assert all(row["sentence"] for row in rows)
    assert "'(' was never closed" in rows[list(OUTCOMES).index("ida.py")]["sentence"]


def test_expand_leaves_what_is_no_folder_of_submissions(submissions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    others = ["retryq:Queue", "retryq.queue:Queue", f"{submissions}/ben.py:MyQueue", "nowhere/:MyQueue", "nothing", ":Q"]
    assert expand(others) == others  # retryq is a folder too, and a package


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"there is no \.py or \.ipynb file in "):
        loader(f"{tmp_path}:MyQueue")


# -- notebooks

FRAME = "class MyQueue:\n    def __init__(self, capacity): self.line = []"


def made(*cells: str) -> dict[str, object]:
    names: dict[str, object] = {}
    exec(definition(notebook(*cells), "MyQueue"), names)  # noqa: S102 (our own cells)
    return names


def test_a_class_goes_on_from_cell_to_cell() -> None:
    names = made(FRAME, "MyQueue(3).line.append('!')", "class MyQueue(MyQueue):\n    def reserve(self): return self.line")
    assert names["MyQueue"](2).reserve() == []  # type: ignore[operator]


def test_only_what_the_class_needs_is_run() -> None:
    """Not what plays with it; a name that is only local in a method asks for nothing from outside."""
    names = made(
        "import collections, nowhere_to_be_found", "from collections import deque as line_of", "FREE = 'free'",
        FRAME, "def helper(): return FREE", "job = 1 / 0", "report = nothing.check(MyQueue)", "print(undefined)",
        "class MyQueue(MyQueue):\n    def reserve(self):\n        job = line_of([helper()])\n        return job.pop()",
        "queue = MyQueue(2)\nqueue.broken()",
    )  # fmt: skip
    assert names["MyQueue"](2).reserve() == "free"  # type: ignore[operator]
    assert {"job", "report", "queue", "collections"} & set(names) == set()


def test_methods_that_are_put_on_later_count() -> None:
    names = made(FRAME, "def reserve(self): return 7", "MyQueue.reserve = reserve",
                 "try:\n    import faster_than_any as base\nexcept ImportError:\n    base = 8",
                 "MyQueue.extra = base")
    assert names["MyQueue"](1).reserve() == 7  # type: ignore[operator]
    assert names["MyQueue"].extra == 8  # type: ignore[attr-defined]


def test_magics_and_unreadable_cells_are_passed_over() -> None:
    names = made("%matplotlib inline\n!pip list", "this is no Python", "from math import *", FRAME,
                 "class MyQueue(MyQueue):\n    root = floor(2.5)")
    assert names["MyQueue"].root == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(("text", "error", "said"), [
    ("{}", ValueError, "it is no notebook"),
    ("no json", ValueError, "it is no notebook"),
    (notebook("class Other: pass"), NameError, "no cell makes MyQueue"),
    (notebook(FRAME, "class MyQueue(MyQueue):\n    def ack(self"), SyntaxError, "never closed"),
])
def test_a_notebook_without_the_class_says_why(text: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        definition(text, "MyQueue")


def test_the_starter_and_its_answer_are_found_in_the_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))  # a loader leaves its mark on the process, here ours
    monkeypatch.setattr(sys, "dont_write_bytecode", sys.dont_write_bytecode)
    monkeypatch.setitem(sys.modules, "submission", None)
    for folder, written in (("notebooks", False), ("notebooks/solutions", True)):
        load, _ = loader(f"{ROOT / folder / '10-build-your-own.ipynb'}:MyQueue")
        queue = load()(1)
        if written:
            assert queue.enqueue("a", "A") is Queue(1).enqueue("a", "A")
        else:
            with pytest.raises(NotImplementedError):
                queue.enqueue("a", "A")
