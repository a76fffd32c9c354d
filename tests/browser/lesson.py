"""A notebook that is open in JupyterLab, and what a person does to it there."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

CELLS = ".jp-Notebook .jp-Cell"
OUTPUTS = ".jp-Notebook .jp-OutputArea-output"
# What a cell writes to stderr, and the error that ends it.
TROUBLE = '.jp-Notebook [data-mime-type="application/vnd.jupyter.stderr"]'
# All cells are run; or one has failed, and nothing is waiting to be run.
ALL_RUN = """trouble => {
  const prompts = [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')].map(each => each.textContent);
  return prompts.every(each => /^\\[\\d+\\]:$/.test(each))
    || !prompts.includes('[*]:') && document.querySelector(trouble);
}"""
RUN_AGAIN = "([prompt, before]) => /^\\[\\d+\\]:$/.test(prompt.textContent) && prompt.textContent !== before"
TALL = 2000  # pixels: no output is taller
SETTLED = """() => document.querySelector('.jp-Notebook') && !/Loading widget/.test(document.body.innerText)
  && [...document.querySelectorAll('.jp-OutputArea-output img')].every(each => each.complete)"""


class Lesson:
    """One notebook on one page of the browser. ``stored`` is what the repository keeps of it."""

    def __init__(self, page: Page, path: Path, name: str) -> None:
        self.page, self.file, self.name = page, name, name.removesuffix(".ipynb").replace("/", "-")
        self.stored = json.loads(path.read_text("utf-8"))
        self.mistakes: list[str] = []  # of the page's own scripts
        page.on("pageerror", self._note)

    def _note(self, error: Exception) -> None:
        self.mistakes.append(str(error))

    def open(self) -> None:
        """Open the notebook, and wait for its kernel."""
        self.menu("File", "Open from Path…")
        self.page.locator(".jp-Dialog input").fill(self.file)
        self.page.keyboard.press("Enter")
        # JupyterLab shows the first cells at once, and the others by and by.
        self.page.wait_for_function("([cells, count]) => document.querySelectorAll(cells).length === count",
                                    arg=[CELLS, len(self.stored["cells"])])
        self.wait_until_idle()

    def close(self) -> None:
        """Close the notebook and end its kernel; nothing is saved."""
        self.page.remove_listener("pageerror", self._note)
        self.menu("File", "Close and Shut Down Notebook…")
        self.page.locator(".jp-Dialog button").get_by_text("Ok").click()
        self.page.locator(".jp-Notebook").wait_for(state="detached")

    @property
    def cells(self) -> Locator:
        return self.page.locator(CELLS)

    def cell(self, number: int) -> Locator:
        """A cell, counted from 1."""
        return self.cells.nth(number - 1)

    def outputs(self, number: int) -> Locator:
        """All that a cell has given."""
        return self.cell(number).locator(".jp-OutputArea-output")

    def resize(self, width: int, height: int, zoom: int = 1) -> None:
        """Give the page another window. Zoomed in, a page is laid out as in a window that is so much smaller."""
        self.page.set_viewport_size({"width": width // zoom, "height": height // zoom})
        self.page.wait_for_function("width => innerWidth === width", arg=width // zoom)

    def menu(self, bar: str, *items: str) -> None:
        """Choose from JupyterLab's menu bar, level by level."""
        self.page.get_by_role("menuitem", name=bar, exact=True).click()
        for item in items:
            self.page.locator(".lm-Menu-itemLabel").get_by_text(item, exact=True).click()

    @contextmanager
    def wearing(self, theme: str) -> Iterator[None]:
        """In one of JupyterLab's themes, Dark, until the block is left."""
        self._wear(theme)
        try:
            yield
        finally:
            self._wear("Light")

    def _wear(self, theme: str) -> None:
        self.menu("Settings", "Theme", f"JupyterLab {theme}")
        light = str(theme == "Light").lower()
        self.page.locator(f'body[data-jp-theme-light="{light}"]').wait_for(state="attached")

    def wait_until_idle(self) -> None:
        """Until a kernel is there and does nothing."""
        self.page.get_by_role("button", name=re.compile(r"\| Idle")).wait_for()

    def run_all(self) -> None:
        """*Run All Cells*, and wait until all is there."""
        self.menu("Run", "Run All Cells")
        self.wait_until_run()

    def wait_until_run(self) -> None:
        self.page.wait_for_function(ALL_RUN, arg=TROUBLE)
        self.page.wait_for_function(SETTLED)
        self.wait_until_idle()

    def live(self, title: str, number: int | None = None) -> Locator:
        """The Lab or the Predict that can be played with: in a cell, or the only one there is."""
        place = self.page.locator(OUTPUTS) if number is None else self.outputs(number)
        return place.filter(has=self.page.locator(".rq-heading b").get_by_text(title))

    def editor(self, number: int) -> Locator:
        """Where a cell is written."""
        return self.cell(number).locator(".jp-InputArea-editor .cm-content")

    @contextmanager
    def running(self, number: int) -> Iterator[None]:
        """Whatever is done in the block runs this cell; wait until all that it gives is there."""
        prompt = self.cell(number).locator(".jp-InputPrompt")
        before = prompt.inner_text()
        yield
        self.page.wait_for_function(RUN_AGAIN, arg=[prompt.element_handle(), before])
        self.page.wait_for_function(SETTLED)

    def keep(self, what: str) -> None:
        """Keep a picture of each output that is more than text, if somebody has asked for it."""
        folder = os.environ.get("RETRYQ_SCREENSHOTS")
        if not folder:
            return
        window = self.page.viewport_size
        self.page.set_viewport_size({"width": window["width"], "height": TALL})  # else the window cuts what is taller
        rich = self.page.locator(OUTPUTS).filter(has=self.page.locator("img, .jupyter-widgets, [role=group]"))
        for number, output in enumerate(rich.all(), 1):
            output.screenshot(path=Path(folder) / f"{self.name}-{number}-{what}.png")
        self.page.set_viewport_size(window)
