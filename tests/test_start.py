"""start.py, met as a newcomer meets it: what it sets up, what it leaves alone, what it says when it is stuck.

No test here installs anything. What only a whole set-up can show, .ci/run shows.
"""
from __future__ import annotations

import ast
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import start_kit
from listening import until_it_listens
from start_kit import write

import start

ROOT = Path(__file__).resolve().parent.parent
LAUNCHER = ROOT / "start.py"


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    return start_kit.make(tmp_path / "a class room")


class Calls:
    """Stands in for subprocess.call: writes down each command, and makes what the real one would make."""

    def __init__(self, fails: str = "") -> None:
        self.commands: list[list[str]] = []
        self.fails = fails

    def __call__(self, command: list[str], **_options: object) -> int:
        self.commands.append(command)
        if self.fails and self.fails in command:
            return 1
        if "venv" in command:
            for name in ("bin/python", "Scripts/python.exe"):
                write(Path(command[-1]) / name, "")
        return 0

    def of(self, word: str) -> list[list[str]]:
        return [command for command in self.commands if word in command]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    stand_in = Calls()
    monkeypatch.setattr(start.subprocess, "call", stand_in)
    monkeypatch.setattr(start.shutil, "which", lambda name: None)
    return stand_in


# -- setting up

def test_first_start_makes_the_environment_and_installs(kit: Path, calls: Calls) -> None:
    python = start.set_up(kit, "notebooks")
    assert calls.of("venv") == [[sys.executable, "-m", "venv", "--clear", str(kit / ".venv")]]
    (install,) = calls.of("install")
    assert install[0] == str(python) and install[-2:] == ["--editable", ".[notebooks]"]
    assert kit / ".venv" in python.parents


def test_uv_is_used_where_it_is_found(kit: Path, calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start.shutil, "which", lambda name: "/tools/uv" if name == "uv" else None)
    monkeypatch.setattr(start.importlib.util, "find_spec", lambda name: None)  # and venv is not needed
    python = start.set_up(kit, "test")
    assert [command[0] for command in calls.commands] == ["/tools/uv", "/tools/uv"]
    assert calls.of("install")[0][-4:] == ["--python", str(python), "--editable", ".[test]"]


@pytest.mark.parametrize("extra", ["notebooks", "test"])
def test_second_start_runs_nothing(extra: str, kit: Path, calls: Calls) -> None:
    first = start.set_up(kit, extra)
    calls.commands.clear()
    assert start.set_up(kit, extra) == first
    assert calls.commands == []


def test_having_run_the_tests_is_enough_for_the_notebooks_not_the_other_way(kit: Path, calls: Calls) -> None:
    start.set_up(kit, "test")
    calls.commands.clear()
    start.set_up(kit, "notebooks")
    assert calls.commands == []
    shutil.rmtree(kit / ".venv")
    start.set_up(kit, "notebooks")
    calls.commands.clear()
    start.set_up(kit, "test")
    assert calls.of("install") and not calls.of("venv")


def test_changed_wants_are_installed_into_the_same_environment(kit: Path, calls: Calls) -> None:
    start.set_up(kit, "notebooks")
    calls.commands.clear()
    with (kit / "pyproject.toml").open("a", encoding="utf-8") as wants:
        wants.write("\n# one more\n")
    start.set_up(kit, "notebooks")
    assert calls.of("install") and not calls.of("venv")


def test_another_python_installs_again(kit: Path, calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    start.set_up(kit, "notebooks")
    calls.commands.clear()
    monkeypatch.setattr(start.sys, "version", "4.0.0")
    start.set_up(kit, "notebooks")
    assert calls.of("install")


def test_a_moved_folder_is_installed_again(kit: Path, calls: Calls) -> None:
    start.set_up(kit, "notebooks")
    calls.commands.clear()
    moved = kit.rename(kit.with_name("next term"))
    start.set_up(moved, "notebooks")
    assert calls.of("install")


def test_a_half_made_or_foreign_environment_is_made_anew(kit: Path, calls: Calls) -> None:
    start.set_up(kit, "notebooks")
    (kit / ".venv" / "has-notebooks").unlink()
    calls.commands.clear()
    calls.fails = "-c"  # its Python does not run, has no pip, or is another version than ours
    start.set_up(kit, "notebooks")
    assert calls.of("--clear")


def test_the_news_prompt_is_silenced_in_the_environment(kit: Path, calls: Calls) -> None:
    start.set_up(kit, "notebooks")
    (found,) = (kit / ".venv").rglob("overrides.json")
    assert found.relative_to(kit / ".venv").as_posix() == "share/jupyter/lab/settings/overrides.json"
    assert found.read_bytes() == (ROOT / "binder" / "overrides.json").read_bytes()


# -- what a newcomer may meet: one sentence, with the cure

def sentence(words: list[str], root: Path) -> str:
    """What start.py ends with; it must be one line and no traceback."""
    try:
        answer = start.main(words, root)
    except SystemExit as end:
        answer = end.code
    assert isinstance(answer, str) and "\n" not in answer and "Traceback" not in answer
    return answer


def test_an_old_python_is_told_what_to_do() -> None:
    pretend = f"import sys; sys.version_info = (3, 9, 6); exec(open({str(LAUNCHER)!r}).read())"
    ran = subprocess.run([sys.executable, "-c", pretend], capture_output=True, text=True, check=False)
    assert ran.returncode == 1 and ran.stdout == ""
    assert "needs Python 3.11 or newer and this is 3.9: install a newer one" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_an_old_python_can_read_the_file_so_far() -> None:
    """Python 2.7 reads a whole file before it runs any of it: so nothing in it may be newer than that."""
    nodes = list(ast.walk(ast.parse(LAUNCHER.read_text("ascii"))))
    handed_on = [word for node in nodes if isinstance(node, ast.Call) for word in node.args]  # f(*all) is old
    too_new = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.AsyncFunctionDef, ast.Await, ast.Match,
               ast.YieldFrom, ast.Nonlocal, ast.Starred)
    for node in nodes:
        assert node in handed_on or not isinstance(node, too_new), f"line {node.lineno}: {node}"
        if isinstance(node, ast.arguments):
            assert not node.kwonlyargs and not node.posonlyargs
        assert getattr(node, "returns", None) is None and getattr(node, "annotation", None) is None
        assert not (isinstance(node, ast.Raise) and node.cause)


def test_the_python_it_asks_for_is_the_one_the_package_needs() -> None:
    needs = ">={}.{}".format(*start.NEEDS)
    assert f'requires-python = "{needs}"' in (ROOT / "pyproject.toml").read_text("utf-8")


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_venv_names_the_package_to_install(
        missing: str, kit: Path, calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start.importlib.util, "find_spec", lambda name: None if name == missing else name)
    version = "{}.{}".format(*sys.version_info[:2])
    assert f"sudo apt install python{version}-venv" in sentence([], kit)
    assert calls.commands == []  # and no half-made folder was left


def test_an_environment_that_cannot_be_made_is_named(
        kit: Path, calls: Calls) -> None:
    calls.fails = "venv"
    assert sentence([], kit).startswith(f"{kit / '.venv'} could not be made")


@pytest.mark.parametrize("words", [[], ["test"]])
def test_without_a_network_the_cure_is_said_and_the_next_start_tries_again(
        words: list[str], kit: Path, calls: Calls) -> None:
    calls.fails = "install"
    assert "without a network, connect" in sentence(words, kit)
    calls.commands.clear()
    sentence(words, kit)
    assert calls.of("install")


@pytest.fixture
def read_only(kit: Path) -> Iterator[Path]:
    """The kit in a folder that is not ours to write in. Root may write anywhere: be someone else."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    modes = {folder: folder.stat().st_mode for folder in [kit, *kit.parents][:4 if root else 1]}
    for folder in modes:
        folder.chmod(0o555)
    if root:
        os.seteuid(65534)
    yield kit
    if root:
        os.seteuid(0)
    for folder, mode in modes.items():
        folder.chmod(mode)


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no read-only folders of this kind")
def test_a_read_only_folder_gets_the_cure(read_only: Path, calls: Calls) -> None:
    said = sentence([], read_only)
    assert str(read_only) in said and "copy it to your home folder and start there" in said
    assert calls.commands == []


def test_ctrl_c_while_setting_up_ends_in_a_sentence(
        kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_words: object, **_options: object) -> int:
        raise KeyboardInterrupt
    monkeypatch.setattr(start.subprocess, "call", stopped)
    assert sentence([], kit) == "Stopped. To go on, say the same again."


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to a console, not to a process group")
def test_ctrl_c_is_answered_by_the_program_that_runs(kit: Path) -> None:
    """JupyterLab asks whether to stop, pytest prints a summary: start.py waits and hands on their status."""
    child = ("import signal, sys, time\nsignal.signal(signal.SIGINT, lambda *_: sys.exit(7))\n"
             "print('ready', flush=True)\nwhile True: time.sleep(0.05)")
    parent = f"import sys, start; sys.exit(start.run([sys.executable, '-c', {child!r}], '.'))"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", parent], cwd=kit, stdout=pipe, stderr=pipe, text=True,
                          start_new_session=True) as ran:
        assert ran.stdout is not None and ran.stdout.readline() == "ready\n"
        os.killpg(ran.pid, signal.SIGINT)
        _, errors = ran.communicate(timeout=30)
    assert (ran.returncode, errors) == (7, "")


# -- what is run in the end

@pytest.fixture
def ready(kit: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[object], Path]]:
    """As if all were installed; what would be run is written down. It ends with status 3."""
    ran: list[tuple[list[object], Path]] = []
    monkeypatch.setattr(start, "set_up", lambda root, extra: Path(extra))
    monkeypatch.setattr(start, "run", lambda command, folder: ran.append((command, folder)) or 3)
    monkeypatch.setattr(start.shutil, "which", lambda name: None)
    return ran


def test_the_notebooks_are_opened_on_the_learners_copies(
        kit: Path, ready: list, capsys: pytest.CaptureFixture[str]) -> None:
    assert start.main(["--no-browser", "--port=9000"], kit) == 3
    ((command, folder),) = ready
    assert command[:4] == [Path("notebooks"), "-m", "jupyterlab", "00-start-here.ipynb"]
    assert command[-2:] == ["--no-browser", "--port=9000"]
    assert (folder / "00-start-here.ipynb").exists() and folder == kit / "work"
    assert capsys.readouterr().out.splitlines()[-1] == start.STARTS


def test_the_tests_are_run_and_their_status_is_handed_on(
        kit: Path, ready: list, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "find_browser", lambda: ready.append("a browser"))
    assert start.main(["test", "-x"], kit) == 3
    assert ready.pop(0) == "a browser"
    assert ready == [([Path("test"), "-m", "pytest", "-x"], kit)]
    assert not (kit / "work").exists()


def test_all_tests_are_shared_among_the_cores_and_cells_of_a_notebook_stay_together(
        kit: Path, ready: list, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "find_browser", lambda: None)
    start.main(["test"], kit)
    ((command, _),) = ready
    assert command[:4] == [Path("test"), "-m", "pytest", "-n"] and command[3:] == start.EVERY_CORE


@pytest.mark.parametrize("words, status", [(["--help"], 0), (["tests"], 2), (["fresh"], 2)])
def test_a_word_it_does_not_know_is_answered_with_what_it_can_do(
        words: list[str], status: int, kit: Path, ready: list, capsys: pytest.CaptureFixture[str]) -> None:
    assert start.main(words, kit) == status
    assert "python start.py fresh LESSON" in capsys.readouterr().out
    assert ready == []


def test_a_port_in_use_is_no_obstacle_and_the_start_notebook_is_served(kit: Path) -> None:
    """A real JupyterLab, started by start.py on a port that another program holds."""
    folders = {name: str(kit.parent / name) for name in (
        "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code = ("import sys, start; start.set_up = lambda root, extra: sys.executable; "
                f"sys.exit(start.main(['--no-browser', '--port={port}']))")
        with (kit.parent / "log").open("w") as log:
            ran = subprocess.Popen([sys.executable, "-c", code], cwd=kit, env={**os.environ, **folders},
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            server = until_it_listens(Path(folders["JUPYTER_RUNTIME_DIR"]), ran, kit.parent / "log")
            assert server["port"] != port
            ask = f"{server['url']}api/contents?token={server['token']}"
            with urllib.request.urlopen(ask, timeout=30) as answer:
                names = {entry["name"] for entry in json.load(answer)["content"]}
            assert names == {"00-start-here.ipynb", "01-one.ipynb", "images", "solutions"}
            stop = f"{server['url']}api/shutdown?token={server['token']}"
            urllib.request.urlopen(urllib.request.Request(stop, method="POST"), timeout=30).close()
            assert ran.wait(timeout=30) == 0
        finally:
            ran.kill()
            ran.wait()


# -- the browser for the browser tests

class Machine:
    """A pretended machine: which programs it has, and whose account this is."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, programs: set[str], user: int = 0,
                 offers: bool = True) -> None:
        self.programs, self.offers, self.commands = programs, offers, []
        monkeypatch.setattr(start.shutil, "which", lambda name: name if name in self.programs else None)
        monkeypatch.setattr(start.os, "geteuid", lambda: user, raising=False)
        monkeypatch.setattr(start.subprocess, "call", self.call)

    def call(self, command: list[str], **_options: object) -> int:
        self.commands.append(command)
        if command[1] == "install" and command[-1] == "chromium" and self.offers:
            self.programs.add("chromium")
        return 0


def test_a_browser_that_is_there_is_enough(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    machine = Machine(monkeypatch, {"apt-get", "google-chrome"})
    start.find_browser()
    assert (machine.commands, capsys.readouterr().out) == ([], "")
    assert start.chromium() == "google-chrome"


def test_root_of_a_debian_gets_chromium(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    machine = Machine(monkeypatch, {"apt-get"})
    start.find_browser()
    assert [command[1] for command in machine.commands] == ["update", "install"]
    assert start.chromium() == "chromium"
    assert start.NO_BROWSER not in capsys.readouterr().out


@pytest.mark.parametrize("programs, user, offers", [
    ({"apt-get"}, 1000, True), (set(), 0, True), ({"apt-get"}, 0, False)])
def test_elsewhere_one_sentence_says_how_to_get_it(
        programs: set[str], user: int, offers: bool, monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str]) -> None:
    Machine(monkeypatch, programs, user, offers)
    start.find_browser()
    assert "sudo apt install chromium" in capsys.readouterr().out.splitlines()[-1]


def test_a_start_reads_no_grammar() -> None:
    """jsonschema brings one for addresses from 4.25 on, and reads it at once: two seconds before JupyterLab does anything."""
    code = "import sys, nbformat; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
