"""start.py and a learner's own copies of the lessons, in work/: none is lost, and git never meets them."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import start_kit
from start_kit import write

import start


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    return start_kit.make(tmp_path / "a class room")


def test_everything_is_copied_but_what_an_editor_hides(kit: Path) -> None:
    write(kit / "notebooks" / ".ipynb_checkpoints" / "01-one-checkpoint.ipynb", "old")
    start.copy(kit)
    work = kit / "work"
    copies = {path.relative_to(work).as_posix() for path in work.rglob("*") if path.is_file()}
    assert {name for name in copies if not name.startswith(".originals/")} == set(start_kit.LESSONS)


def test_an_edited_copy_is_never_overwritten_and_an_untouched_one_follows(
        kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert start.main(["copy"], kit) == 0
    write(kit / "work" / "01-one.ipynb", "mine")
    assert start.main(["copy"], kit) == 0
    assert capsys.readouterr().out == ""  # nothing new, nothing to say
    for name in ("01-one.ipynb", "00-start-here.ipynb"):
        write(kit / "notebooks" / name, f"second {name}")
    start.copy(kit)
    assert (kit / "work" / "01-one.ipynb").read_text("utf-8") == "mine"
    assert (kit / "work" / "00-start-here.ipynb").read_text("utf-8") == "second 00-start-here.ipynb"
    assert "python start.py fresh 01-one" in capsys.readouterr().out


def test_a_deleted_copy_comes_again(kit: Path) -> None:
    start.copy(kit)
    (kit / "work" / "01-one.ipynb").unlink()
    start.copy(kit)
    assert (kit / "work" / "01-one.ipynb").read_text("utf-8") == "first 01-one.ipynb"


@pytest.mark.parametrize("wanted", ["01-one", "01", "01-one.ipynb", "work/01-one.ipynb"])
def test_fresh_gives_the_lesson_again_and_keeps_every_old_one(
        wanted: str, kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start.copy(kit)
    for attempt in ("mine", "mine again"):
        write(kit / "work" / "01-one.ipynb", attempt)
        assert start.main(["fresh", wanted], kit) == 0
        assert (kit / "work" / "01-one.ipynb").read_text("utf-8") == "first 01-one.ipynb"
    assert (kit / "work" / "01-one-kept-1.ipynb").read_text("utf-8") == "mine"
    assert (kit / "work" / "01-one-kept-2.ipynb").read_text("utf-8") == "mine again"
    assert "kept as work/01-one-kept-2.ipynb" in capsys.readouterr().out


def test_fresh_works_in_a_folder_of_lessons_and_before_the_first_start(kit: Path) -> None:
    assert start.main(["fresh", "10-mend"], kit) == 0
    assert (kit / "work/solutions/10-mend.ipynb").read_text("utf-8") == "first solutions/10-mend.ipynb"


@pytest.mark.parametrize("wanted, which", [
    ("10-mend", "10-mend"), ("10", "10-mend"), ("solutions/10-mend", "solutions/10-mend"),
    ("work/solutions/10-mend.ipynb", "solutions/10-mend"),
])
def test_fresh_takes_an_exercise_before_its_solution(wanted: str, which: str, kit: Path) -> None:
    write(kit / "notebooks" / "10-mend.ipynb", "first 10-mend.ipynb")
    start.copy(kit)
    write(kit / "work" / f"{which}.ipynb", "mine")
    assert start.main(["fresh", wanted], kit) == 0
    assert (kit / "work" / f"{which}.ipynb").read_text("utf-8") == f"first {which}.ipynb"
    assert (kit / "work" / f"{which}-kept-1.ipynb").read_text("utf-8") == "mine"


def test_a_newer_page_can_be_had_by_the_very_words_that_tell_of_it(
        kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("guide.md", "solutions/10-mend.ipynb"):
        write(kit / "notebooks" / name, "first")
        start.copy(kit)
        write(kit / "work" / name, "mine")
        write(kit / "notebooks" / name, "second")
        start.copy(kit)
        words = capsys.readouterr().out.strip().rpartition("start.py ")[2].split()
        assert start.main(words, kit) == 0
        assert (kit / "work" / name).read_text("utf-8") == "second"
        capsys.readouterr()


@pytest.mark.parametrize("wanted", ["0", "99-none", "line.png"])
def test_fresh_lists_the_lessons_where_the_name_is_not_one(
        wanted: str, kit: Path) -> None:
    with pytest.raises(SystemExit) as end:
        start.main(["fresh", wanted], kit)
    said = str(end.value)
    assert said.startswith(f"'{wanted}' is not the name of one lesson") and "01-one" in said
    assert not (kit / "work").exists()


def test_git_never_meets_a_learners_edits(kit: Path) -> None:
    """A real clone into a path with spaces: the lesson is edited, the teacher's next version is pulled."""
    def git(folder: Path, *words: str) -> str:
        identity = ["-c", "user.name=t", "-c", "user.email=t@t.invalid", "-c", "init.defaultBranch=main"]
        command = ["git", *identity, *words]
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout

    git(kit, "init", "-q")
    git(kit, "add", ".")
    git(kit, "commit", "-q", "-m", "One")
    git(kit.parent, "clone", "-q", kit.name, "my own clone")
    clone = kit.parent / "my own clone"
    subprocess.run([sys.executable, "start.py", "fresh", "01"], cwd=clone, check=True, capture_output=True)
    write(clone / "work" / "01-one.ipynb", "mine")
    write(clone / ".venv" / "pyvenv.cfg", "")
    assert git(clone, "status", "--porcelain") == ""
    write(kit / "notebooks" / "01-one.ipynb", "second 01-one.ipynb")
    git(kit, "commit", "-q", "-a", "-m", "Two")
    git(clone, "pull", "-q")
    assert (clone / "notebooks" / "01-one.ipynb").read_text("utf-8") == "second 01-one.ipynb"
    assert (clone / "work" / "01-one.ipynb").read_text("utf-8") == "mine"
