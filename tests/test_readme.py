"""README.md kept true: its commands are understood, its code answers what it shows, its links lead on."""
from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import readme_blocks
from matplotlib.testing.compare import compare_images
from readme_blocks import ROOT, TEXT

import retryq

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ADDRESS = PROJECT["urls"]["Homepage"]
OWNER_AND_NAME = ADDRESS.removeprefix("https://github.com/")
FIRST, SECOND = readme_blocks.commands("sh")


def notebooks() -> list[Path]:
    return sorted(path for path in (ROOT / "notebooks").rglob("*.ipynb") if "." not in path.parent.name)


def texts() -> dict[str, str]:
    """Everything that people read or that a service reads, by its name."""
    plain = ("README.md", "environment.yml", "binder/postBuild")
    named = {name: (ROOT / name).read_text("utf-8") for name in plain}
    named |= {path.name: path.read_text("utf-8") for path in (ROOT / "notebooks").rglob("*.md")}
    for path in notebooks():
        cells = json.loads(path.read_text("utf-8"))["cells"]
        named[path.name] = "\n".join("".join(cell["source"]) for cell in cells)
    return named


# -- the two commands, and the other ways


def test_the_first_command_opens_the_notebooks_of_a_fresh_clone() -> None:
    assert FIRST == [f"git clone {ADDRESS}", f"cd {OWNER_AND_NAME.split('/')[1]}", "python start.py"]


def test_the_second_command_is_the_one_that_ci_runs() -> None:
    (command,) = SECOND
    assert command == "python start.py test"
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert command in script.splitlines()
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    assert f"run: {command}\n" in workflow and "run: bash .ci/readme\n" in workflow


def test_other_ways_name_what_there_is() -> None:
    """Extras, files, environments and notebooks by their names; nothing that shells read differently."""
    extras = PROJECT["optional-dependencies"]
    environment = (ROOT / "environment.yml").read_text("utf-8")
    lines = [line for block in readme_blocks.commands("shell") for line in block]
    lines += re.findall(r"`((?:python|pip) [^`]+)`", TEXT)  # and those in the middle of a sentence
    assert {shlex.split(line)[0] for line in lines} == {"uv", "conda", "python", "jupyter"}
    for line in lines:
        assert not re.search(r"[&|;$`'<>\\]", line), line
        for extra in re.findall(r"--extra (\S+)|\[(\S+)\]", line):
            assert "".join(extra) in extras, line
        for name in re.findall(r"conda activate (\S+)", line):
            assert f"\nname: {name}\n" in environment
        for name in re.findall(r"[\w/-]+\.(?:yml|py)", line):
            assert (ROOT / name).is_file(), line
        for name in re.findall(r"-m (tests[.]\S+)", line):
            assert (ROOT / name.replace(".", "/") / "__main__.py").is_file(), line
        for name in re.findall(r"work/(\S+)", line):
            assert (ROOT / "notebooks" / name).is_file(), line


def test_the_lesson_that_is_had_fresh_is_one() -> None:
    (name,) = re.findall(r"start.py fresh ([^`]+)", TEXT)
    assert (ROOT / "notebooks" / f"{name}.ipynb").is_file()


# -- the code


def session() -> dict[str, object]:
    """What a reader has after typing every Python example, in order; each must answer what it shows."""
    names: dict[str, object] = {"__name__": "__main__"}
    for block in readme_blocks.blocks():
        if block.language == "python":
            test = doctest.DocTestParser().get_doctest(block.text, names, "x", "README.md", block.line)
            assert test.examples, f"README.md, line {block.line}: no example in this block"
            told: list[str] = []
            doctest.DocTestRunner().run(test, out=told.append, clear_globs=False)
            assert not told, "".join(told)
            names |= test.globs
    return names


def test_python_examples_answer_what_they_show() -> None:
    assert session()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A desk with pictures and the reader's own queue on it, after the console commands were run on it.

    Each must print what is shown; where nothing is shown it must go well, or find a queue broken.
    """
    folder = tmp_path_factory.mktemp("desk")
    shutil.copytree(ROOT / "notebooks" / "images", folder / "notebooks" / "images")
    own = "from retryq import Queue\nclass MyQueue(Queue):\n    def ack(self, id, attempt): return False\n"
    (folder / "my_queue.py").write_text(own, encoding="utf-8")
    where = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    for command, shown in readme_blocks.console():
        words = shlex.split(command)
        assert words[:3] == ["python", "-m", "retryq"], command
        ran = subprocess.run([sys.executable, *words[1:]], cwd=folder, env=where, capture_output=True,
                             encoding="utf-8", check=False)
        assert ran.returncode in (0, 1) and ran.stderr == "", f"{command}\n{ran.stderr}"
        assert shown in ("", ran.stdout), command
    return folder


def test_console_examples_print_what_they_show(desk: Path) -> None:
    assert {shlex.split(command)[3] for command, _ in readme_blocks.console()} == {"run", "draw", "check"}


def test_the_picture_is_the_run_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[list[object]] = []

    def listen(name: str, method: Callable[..., object]) -> Callable[..., object]:
        return lambda queue, *words: told.append([name, *words]) or method(queue, *words)

    for name in ("enqueue", "reserve", "ack", "retry", "cancel"):
        monkeypatch.setattr(retryq.Queue, name, listen(name, getattr(retryq.Queue, name)))
    session()
    scenario = json.loads((ROOT / "notebooks" / "images" / "timeline.json").read_text("utf-8"))
    assert told[:len(scenario["ops"])] == scenario["ops"]


def test_the_picture_is_what_the_command_draws(desk: Path) -> None:
    """Not to the bit: matplotlib 3.10 and 3.11 are 0.6 apart here, and one other letter in a label is 2.4."""
    kept = str(ROOT / "notebooks" / "images" / "timeline.png")
    assert compare_images(kept, str(desk / "timeline.png"), tol=1.2) is None


# -- the links


def test_every_link_to_the_project_has_its_one_address() -> None:
    """The address is settled in pyproject.toml alone: where it changes, this names each link to change."""
    binder = re.compile(rf"https://mybinder\.org/v2/gh/{OWNER_AND_NAME}/HEAD\?labpath=(notebooks%2F\S+)")
    wrong = []
    for name, text in texts().items():
        for url in re.findall(r"https?://[^\s)\"'<>\\]+", text):
            if "mybinder.org/v2" in url:
                launch = binder.fullmatch(url)
                good = launch and (ROOT / launch[1].replace("%2F", "/")).is_file()
            else:
                good = "retryq" not in url.lower() or url == ADDRESS or url.startswith(ADDRESS + "/")
            if not good:
                wrong.append(f"{name}: {url}")
    assert wrong == []


def test_the_address_stands_nowhere_in_the_code() -> None:
    code = [*(ROOT / "retryq").rglob("*.py"), *(ROOT / "tests").rglob("*.py"), *ROOT.glob("*.py")]
    assert [path.name for path in code if OWNER_AND_NAME in path.read_text("utf-8")] == []


def test_links_inside_the_repository_lead_somewhere() -> None:
    local = [link for link in readme_blocks.links() if "://" not in link]
    assert local and [link for link in local if not (ROOT / link.partition("#")[0]).exists()] == []


def test_the_badge_opens_the_start_notebook() -> None:
    badge = r"\[!\[[^\]]+\]\(https://mybinder\.org/badge_logo\.svg\)\]\((\S+)\)"
    assert re.search(badge, TEXT)[1].endswith("?labpath=notebooks%2F00-start-here.ipynb")


def test_every_lesson_is_listed_by_its_title_with_a_badge_that_opens_it() -> None:
    service = "https://mybinder.org"
    badge = f"[![Binder]({service}/badge_logo.svg)]({service}/v2/gh/{OWNER_AND_NAME}/HEAD?labpath="
    rows = []
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        first = "".join(json.loads(path.read_text("utf-8"))["cells"][0]["source"])
        title = first.splitlines()[0].removeprefix("# ")
        link, launch = f"[{title}](notebooks/{path.name})", f"{badge}notebooks%2F{path.name})"
        rows.append(f"| {path.name[:2]} | {link} | {launch} |")
    assert [line for line in TEXT.splitlines() if re.match(r"\| \d\d ", line)] == rows


# -- the page


def test_a_newcomer_sees_picture_sentence_badge_and_commands_in_this_order() -> None:
    sentence = PROJECT["description"].rstrip(".")
    marks = ["](notebooks/images/timeline.png)", sentence, "mybinder.org", FIRST[-1], SECOND[0]]
    places = [TEXT.index(mark) for mark in marks]
    assert places == sorted(places) and TEXT[:places[-1]].count("\n") < 40
    assert len(TEXT.splitlines()) < 150
