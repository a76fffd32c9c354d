"""One JupyterLab and one browser for all tests of this folder."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import start

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

    from browser.lesson import Lesson
    from browser.server import Server

NOTEBOOKS = start.ROOT / "notebooks"
LONGEST = 120_000  # milliseconds for any one thing to happen, on a machine that does much else
# Nothing but our own server is asked for anything.
QUIET = ["--disable-background-networking", "--disable-component-update", "--no-first-run",
         "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
MISSING = {
    "jupyterlab": "JupyterLab is not installed: pip install -e '.[test]' brings it.",
    "playwright": "Playwright is not installed: pip install -e '.[test]' brings it.",
    "axe_playwright_python": "axe-core is not installed: pip install -e '.[test]' brings it.",
}


def must_have() -> str:
    """The path of a browser, when all is there that these tests need. Without it they are skipped, but never in CI."""
    for module, sentence in MISSING.items():
        if importlib.util.find_spec(module) is None:
            do_without(sentence)
    return start.chromium() or do_without(start.NO_BROWSER)


def do_without(sentence: str) -> str:
    """Skip with a sentence; in CI, fail with it."""
    if os.environ.get("CI", "").lower() in ("", "0", "false"):
        pytest.skip(sentence)
    pytest.fail(sentence, pytrace=False)


@pytest.fixture(scope="package")
def browser_path() -> str:
    return must_have()


@pytest.fixture(scope="package")
def jupyter(browser_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    from browser.server import running

    with running(tmp_path_factory.mktemp("jupyter")) as server:
        yield server


@pytest.fixture(scope="package")
def browser(browser_path: str) -> Iterator[BrowserContext]:
    from playwright.sync_api import sync_playwright

    flags = [*QUIET, "--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else QUIET
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser_path, args=flags)
        context = chromium.new_context()
        context.set_default_timeout(LONGEST)
        yield context
        chromium.close()


Opener = Callable[..., AbstractContextManager["Lesson"]]


@pytest.fixture(scope="package")
def open_notebook(jupyter: Server, browser: BrowserContext) -> Opener:
    """Opens a fresh copy of a notebook, in a window of the size that is asked for; its kernel ends with the block."""
    from browser.lesson import Lesson

    @contextmanager
    def opened(name: str, width: int = 1280, height: int = 800) -> Iterator[Lesson]:
        copy_of(name, jupyter.folder)
        page = browser.new_page()
        try:
            page.set_viewport_size({"width": width, "height": height})
            lesson = Lesson(page, NOTEBOOKS / name, name.removesuffix(".ipynb"))
            page.goto(f"{jupyter.url}lab/tree/{name}?reset&token={jupyter.token}")
            lesson.wait_until_idle()
            yield lesson
        finally:
            page.close()
            end_kernels(browser, jupyter)

    return opened


def copy_of(name: str, folder: Path) -> None:
    """Hand out a notebook as it is stored, but with no numbers at its cells: a number means that it was run here."""
    notebook = json.loads((NOTEBOOKS / name).read_text("utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["execution_count"] = None
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(notebook), "utf-8")
    shutil.copytree(NOTEBOOKS / "images", folder / "images", dirs_exist_ok=True)


def end_kernels(browser: BrowserContext, jupyter: Server) -> None:
    """End every kernel: one lesson at a time is enough for a small machine."""
    who = {"Authorization": f"token {jupyter.token}"}
    for session in browser.request.get(f"{jupyter.url}api/sessions", headers=who).json():
        browser.request.delete(f"{jupyter.url}api/sessions/{session['id']}", headers=who)
