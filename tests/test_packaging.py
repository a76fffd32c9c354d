"""What an installed retryq is: a wheel that carries its data and needs nothing but Python."""
from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import hatchling.build
import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that pip would build, really built."""
    folder = tmp_path_factory.mktemp("wheel")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return folder / hatchling.build.build_wheel(str(folder))


def test_the_wheel_carries_every_file_of_the_package_and_nothing_else(wheel: Path) -> None:
    carried = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    ours = {path.relative_to(ROOT).as_posix() for path in (ROOT / "retryq").rglob("*")
            if path.is_file() and "__pycache__" not in path.parts}
    assert carried == ours
    assert {"retryq/py.typed", "retryq/data/field-reports.jsonl"} <= carried


def test_the_wheel_carries_the_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (licence,) = (name for name in archive.namelist() if name.endswith("/LICENSE"))
        assert archive.read(licence) == (ROOT / "LICENSE").read_bytes()
    assert PROJECT["license"] == "MIT"


def test_the_installed_package_needs_nothing_but_python(wheel: Path, tmp_path: Path) -> None:
    """Far from the source tree, without site-packages: the queue works, and so does the command."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = ("import sys; sys.path.insert(0, sys.argv.pop(1)); import retryq; q = retryq.Queue(1); "
            "assert q.enqueue('a', 'A') and q.reserve() == ('a', 'A', 1); "
            "import runpy; runpy.run_module('retryq', run_name='__main__')")
    examples = tmp_path / "retryq" / "data" / "examples.jsonl"
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code, str(tmp_path), "run", str(examples)],
                         cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(ran.stdout.splitlines()) == len(examples.read_text("utf-8").splitlines())


def test_the_core_asks_for_no_package() -> None:
    assert PROJECT["dependencies"] == []
