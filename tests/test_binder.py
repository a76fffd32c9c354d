"""What Binder would build from this repository, asked of repo2docker's own build packs, without Docker."""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("Binder builds on Linux, and repo2docker is not for Windows", allow_module_level=True)

import jsonschema
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parent.parent
BINDER = ROOT / "binder"
ENVIRONMENT = YAML(typ="safe").load(BINDER / "environment.yml")
CONDA_NAMES = {"matplotlib": "matplotlib-base"}  # without the desktop toolkits, which make a large image


ASK = """
import json
from repo2docker.app import Repo2Docker
app = Repo2Docker()
packs = (kind(app.base_image) for kind in app.buildpacks)
pack = next(pack for pack in packs if pack.detect())
pack.platform = "linux/amd64"
print(json.dumps({"pack": type(pack).__name__, "python": pack.python_version,
                  "environment": pack.environment_yaml_path, "recipe": pack.render({})}))
"""


@pytest.fixture(scope="module")
def build() -> dict[str, str]:
    """What repo2docker chooses in this folder; asked in a process of its own, as it warns on import."""
    ran = subprocess.run([sys.executable, "-c", ASK], cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def test_binder_reads_our_environment_with_our_python(build: dict[str, str]) -> None:
    assert (build["pack"], build["python"]) == ("CondaBuildPack", "3.12")
    assert Path(build["environment"]) == Path("binder/environment.yml")


def test_binders_environment_is_a_copy_of_the_one_for_conda() -> None:
    assert (BINDER / "environment.yml").read_bytes() == (ROOT / "environment.yml").read_bytes()


def test_conda_gets_what_pip_gets() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = set()
    for requirement in project["optional-dependencies"]["notebooks"]:
        name, bounds = re.fullmatch(r"([\w-]+)(.*)", requirement).groups()
        wanted.add(CONDA_NAMES.get(name, name) + bounds)
    assert set(ENVIRONMENT["dependencies"]) == wanted | {"python=3.12", "pip"}
    assert ENVIRONMENT["channels"] == ["conda-forge"]


def test_the_image_runs_our_post_build_after_the_environment(build: dict[str, str]) -> None:
    recipe = build["recipe"]
    steps = ("env update", " src/ ${REPO_DIR}/", "RUN ./binder/postBuild")
    made, copied, ran = (recipe.index(step) for step in steps)
    assert made < copied < ran  # so that Binder does not solve the environment again when a notebook changes


def test_nothing_in_binder_has_carriage_returns() -> None:
    """A shell does not run a script that has them."""
    assert [path.name for path in BINDER.iterdir() if b"\r" in path.read_bytes()] == []


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """A pretended image: pip and python write down how they were called, python knows its prefix."""
    programs = {"pip": "", "python": f'case "$*" in *sys.prefix*) echo "{tmp_path}/prefix";; esac\n'}
    for name, more in programs.items():
        program = tmp_path / "programs" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f'#!/bin/sh\necho "{name} $*" >>"{tmp_path}/called"\n{more}')
        program.chmod(0o755)
    return tmp_path


def post_build(image: Path) -> int:
    path = f"{image / 'programs'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(["bash", str(BINDER / "postBuild")], cwd=ROOT, env={**os.environ, "PATH": path},
                          check=False).returncode


def test_post_build_installs_the_package_warms_the_fonts_and_silences_the_news(image: Path) -> None:
    assert post_build(image) == 0
    called = (image / "called").read_text().splitlines()
    assert called[0] == "pip install --no-deps -e ."
    assert called[-1] == "python -c import matplotlib.font_manager"
    settings = image / "prefix" / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    assert settings.read_bytes() == (BINDER / "overrides.json").read_bytes()


@pytest.mark.parametrize("program", ["pip", "python"])
def test_a_failure_in_post_build_fails_the_build(program: str, image: Path) -> None:
    (image / "programs" / program).write_text("#!/bin/sh\nexit 1\n")
    assert post_build(image) != 0


def test_the_settings_are_ones_that_jupyterlab_knows() -> None:
    settings = json.loads((BINDER / "overrides.json").read_text("utf-8"))
    assert settings["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"
    for plugin, values in settings.items():
        folder, name = plugin.split(":")
        schemas = Path(sys.prefix) / "share" / "jupyter" / "lab" / "schemas"
        schema = json.loads((schemas / folder / f"{name}.json").read_text("utf-8"))
        jsonschema.validate(values, schema)
        assert set(values) <= set(schema["properties"])
