"""A JupyterLab of our own on this machine: its own home, its own settings, a free port, copies of the notebooks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import matplotlib
from listening import until_it_listens

ROOT = Path(__file__).resolve().parent.parent.parent
# Cells out of sight are laid out like the others: else all moves when one is scrolled into sight.
ALL_LAID_OUT = {"@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"}}


class Server(NamedTuple):
    """Where JupyterLab answers, what it wants to be told first, and which folder it shows."""

    url: str
    token: str
    folder: Path


@contextmanager
def running(place: Path) -> Iterator[Server]:
    """A JupyterLab that keeps all that is its own in ``place``, until the block is left."""
    notebooks, runtime, log = place / "notebooks", place / "runtime", place / "server.log"
    for folder in (notebooks, runtime):
        folder.mkdir()
    write_settings(place / "settings")
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root",
               f"--ServerApp.root_dir={notebooks}"]
    with log.open("wb") as output, subprocess.Popen(
            command, cwd=place, env=environment(place), stdin=subprocess.DEVNULL, stdout=output, stderr=output) as server:
        try:
            told = until_it_listens(runtime, server, log)
            yield Server(told["url"], told["token"], notebooks)
        finally:
            server.terminate()


def environment(place: Path) -> dict[str, str]:
    """This process's environment, with a home and Jupyter folders of its own, and this tree to import from."""
    mine = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "IPYTHON"))}
    homes = {"HOME": "home", "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime",
             "JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces", "IPYTHONDIR": "ipython"}
    mine |= {name: str(place / folder) for name, folder in homes.items()}
    # A new home has no cache of the fonts, and whoever makes one says so in the middle of a lesson.
    return mine | {"PYTHONPATH": str(ROOT), "MPLCONFIGDIR": matplotlib.get_cachedir()}


def write_settings(folder: Path) -> None:
    """What the set-up tells JupyterLab: not to ask whether it may show news. And a wish of our own."""
    told = json.loads((ROOT / "binder" / "overrides.json").read_text("utf-8"))
    for plugin, values in {**told, **ALL_LAID_OUT}.items():
        package, name = plugin.split(":")
        file = folder / package / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(values), "utf-8")
