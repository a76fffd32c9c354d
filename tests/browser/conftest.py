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
import real_browser

import start

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.lesson import Lesson
    from browser.server import Server

LAPTOP = (1280, 800)
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
            real_browser.do_without(sentence)
    return real_browser.path()


@pytest.fixture(scope="package")
def browser_path() -> str:
    return must_have()


@pytest.fixture(scope="package")
def jupyter(browser_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    from browser.server import running

    with running(tmp_path_factory.mktemp("jupyter")) as server:
        yield server


@pytest.fixture(scope="package")
def page(browser_path: str, jupyter: Server) -> Iterator[Page]:
    """JupyterLab in a browser, as it is when it is opened for the first time."""
    from playwright.sync_api import sync_playwright

    flags = [*QUIET, "--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else QUIET
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser_path, args=flags)
        page = chromium.new_page()
        page.set_default_timeout(LONGEST)
        afresh(page, jupyter)
        yield page
        chromium.close()


def afresh(page: Page, jupyter: Server) -> None:
    """Begin with nothing open and no kernel running."""
    who = {"Authorization": f"token {jupyter.token}"}
    for session in page.request.get(f"{jupyter.url}api/sessions", headers=who).json():
        page.request.delete(f"{jupyter.url}api/sessions/{session['id']}", headers=who)
    page.goto(f"{jupyter.url}lab?reset&token={jupyter.token}")
    page.locator(".jp-Launcher").wait_for()


Opener = Callable[[str], AbstractContextManager["Lesson"]]


@pytest.fixture(scope="package")
def open_notebook(jupyter: Server, page: Page) -> Opener:
    """Opens a fresh copy of a notebook; it is closed, and its kernel ended, when the block is left."""
    from playwright.sync_api import Error

    from browser.lesson import Lesson

    @contextmanager
    def opened(name: str) -> Iterator[Lesson]:
        copy_of(name, jupyter.folder)
        lesson = Lesson(page, NOTEBOOKS / name, name)
        lesson.resize(*LAPTOP)
        lesson.open()
        try:
            yield lesson
        finally:
            try:
                lesson.close()
            except Error:  # where a test has failed, a dialog may stand in the way
                afresh(page, jupyter)

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

