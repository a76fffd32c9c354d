"""python -m retryq check: many targets, in order, whatever they do; the exit status says how they did."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from in_this_process import command

ROOT = Path(__file__).parent.parent

FILES = {
    "good.py": """
        import helper
        class Mine(helper.Sound): pass
        number = 3
    """,
    "helper.py": "from retryq.zoo import SimpleQueue as Sound",
    "bad.py": """
        from retryq.zoo import SimpleQueue
        class LastInFirstOut(SimpleQueue):
            def next_id(self):
                return self.line.pop()
        class Leaves(SimpleQueue):
            def cancel(self, id):
                import os
                os._exit(0)
    """,
    "hangs.py": "while True: pass",
    "leaves.py": "import sys; sys.exit(0)",
    "wrong.py": "class Mine:\n    def enqueue(self, id payload): pass",
    "unfinished.py": """
        class Mine:
            def __init__(self, capacity): pass
            def enqueue(self, *arguments): raise NotImplementedError
            reserve = ack = retry = cancel = enqueue
    """,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("submissions")
    for name, text in FILES.items():
        lines = text.strip("\n").split("\n")
        indent = len(lines[0]) - len(lines[0].lstrip())
        (place / name).write_text("\n".join(line[indent:] for line in lines) + "\n")
    return place


def check(folder, *arguments):
    command = [sys.executable, "-m", "retryq", "check", *arguments]
    return subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )


def test_one_that_passes_is_told_in_words(folder):
    done = check(folder, "good.py:Mine")
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith("Mine keeps every rule, as far as it was tried.")
    assert {path.name for path in folder.iterdir()} == set(FILES)  # nothing is left behind


def test_a_module_is_a_target_too(folder):
    done = command("check", "retryq.zoo:LastInFirstOut", folder=folder)
    assert done.returncode == 1
    assert done.stdout.startswith("LastInFirstOut breaks fifo.head:")
    assert "here they part" in done.stdout


def test_a_row_for_each_in_order_whatever_they_do(folder):
    targets = ["bad.py:LastInFirstOut", "hangs.py:Mine", "good.py:Mine", "leaves.py:Mine", "bad.py:Leaves", "wrong.py:Mine",
               "good.py:number", "good.py:Nobody", "nowhere.py:Mine", "no target", "unfinished.py:Mine"]  # fmt: skip
    done = check(folder, *targets, "--csv", "--jobs", "2")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["target"] for row in rows] == targets
    assert [row["outcome"] for row in rows] == [
        "disagrees", "not loaded", "passes", "not loaded", "exited", "not loaded",
        "not loaded", "not loaded", "not loaded", "not loaded", "not attempted",
    ]  # fmt: skip
    assert [row["passed"] for row in rows].count("yes") == 1
    assert done.returncode == 2 and done.stderr == ""
    first = rows[0]
    assert first["clause"] == "fifo.head" and "fifo.head" in first["broken"].split()
    assert json.loads(first["counterexample"])["capacity"] == 2 and first["operations"] == "3"
    words = [row["sentence"] for row in rows]
    assert "still running" in words[1] and "exit code 0" in words[3] and "SyntaxError" in words[5]
    assert "number is no class" in words[6] and "no attribute 'Nobody'" in words[7]
    assert "there is no file nowhere.py" in words[8] and "MODULE:CLASS, FILE.py:CLASS" in words[9]


def test_a_line_of_json_for_each(folder):
    done = command("check", "good.py:Mine", "bad.py:LastInFirstOut", "nowhere.py:Mine", "--json", folder=folder)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["outcome"] for each in found] == ["passes", "disagrees", "not loaded"]
    assert found[1]["expected"][-1] == ["a", "A", 1] and found[1]["actual"][-1] == ["b", "B", 1]
    assert done.returncode == 2


def test_some_clauses_alone(folder):
    done = command("check", "bad.py:LastInFirstOut", "good.py:Mine", "--clauses", "capacity.full", "--clauses", "fence.z*", folder=folder)
    assert done.returncode == 0
    assert "LastInFirstOut keeps capacity.full and fence.zero, as far as they were tried." in done.stdout
    assert done.stdout.endswith("\n2 of 2 pass.\n")
    wrong = command("check", "good.py:Mine", "--clauses", "fifi.*", folder=folder)
    assert wrong.returncode == 2 and "no clause is named 'fifi.*'" in wrong.stderr


def test_what_could_not_be_loaded_is_told_beside_the_text(folder):
    done = command("check", "wrong.py:Mine", "good.py:Mine", folder=folder)
    assert done.returncode == 2
    assert "== wrong.py:Mine" in done.stdout and "1 of 2 pass." in done.stdout
    assert done.stderr.startswith("wrong.py:Mine: Mine could not be loaded: the code raised SyntaxError")


@pytest.mark.parametrize("arguments", [(), ("good.py:Mine", "--jobs", "0"), ("good.py:Mine", "--seconds", "soon"),
                                       ("good.py:Mine", "--json", "--csv")], ids=str)  # fmt: skip
def test_a_mistake_in_the_command_is_status_2(folder, arguments):
    done = command("check", *arguments, folder=folder)
    assert done.returncode == 2 and done.stdout == "" and "usage:" in done.stderr


def test_a_closed_pipe_ends_it_quietly(folder):
    command = [sys.executable, "-m", "retryq", "check", *["bad.py:LastInFirstOut"] * 6, "--jobs", "2", "--json"]
    with subprocess.Popen(
        command, cwd=folder, env={"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
