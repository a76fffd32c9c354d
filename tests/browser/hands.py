"""The two ways to use a page: with a mouse, or from the keyboard alone. What can be done with one can be done with both."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from browser.lesson import CELLS

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from browser.lesson import Lesson

FAR = 120  # presses of a key: nothing in a lesson is further away
# Where a control lies from the one that has the focus: there, before it, or after it.
WHERE = """control => control === document.activeElement ? 'here'
  : control.compareDocumentPosition(document.activeElement) & Node.DOCUMENT_POSITION_FOLLOWING ? 'before' : 'after'"""
SELECTED = "cells => [...document.querySelectorAll(cells)].findIndex(each => each.matches('.jp-mod-selected')) + 1"


class Mouse:
    """Clicks."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson, self.keyboard = lesson, lesson.page.keyboard

    def run_all(self) -> None:
        self.lesson.run_all()

    def press(self, button: Locator) -> None:
        button.click()

    def fill(self, field: Locator, text: str) -> None:
        field.fill(text)

    def rewrite(self, number: int, code: str) -> None:
        """Write something else into a cell, counted from 1, and run it."""
        self.lesson.editor(number).click()
        self._write_and_run(number, code)

    def insert(self, number: int, code: str) -> None:
        """Write a new cell below a cell, and run it."""
        self.lesson.editor(number).click()
        self.lesson.page.get_by_role("button", name="Insert a cell below").first.click()
        self.rewrite(number + 1, code)

    def _write_and_run(self, number: int, code: str) -> None:
        self.keyboard.press("ControlOrMeta+a")
        self.keyboard.insert_text(code)
        with self.lesson.running(number):
            self.keyboard.press("Control+Enter")


class Keyboard(Mouse):
    """Presses keys, and never touches the mouse."""

    def run_all(self) -> None:
        self.keyboard.press("ControlOrMeta+Shift+c")  # the command palette
        self.lesson.page.locator(".lm-CommandPalette-input:focus").wait_for()
        self.keyboard.insert_text("Run All Cells")
        self.lesson.page.locator(".lm-CommandPalette-item.lm-mod-active").get_by_text(
            re.compile("^Run All Cells$")).wait_for()
        self.keyboard.press("Enter")
        self.lesson.wait_until_run()

    def press(self, button: Locator) -> None:
        self._walk_to(button)
        self.keyboard.press("Enter")

    def fill(self, field: Locator, text: str) -> None:
        self._walk_to(field)
        self.keyboard.press("ControlOrMeta+a")
        self.keyboard.insert_text(text)
        self.keyboard.press("Tab")  # a field tells its value when it is left

    def rewrite(self, number: int, code: str) -> None:
        self._select(number)
        self.keyboard.press("Enter")
        self._write_and_run(number, code)
        self.keyboard.press("Escape")

    def insert(self, number: int, code: str) -> None:
        self._select(number)
        self.keyboard.press("b")
        self.rewrite(number + 1, code)

    def delete(self, number: int) -> None:
        """Delete a cell."""
        self._select(number)
        count = self.lesson.cells.count()
        self.keyboard.press("d")
        self.keyboard.press("d")
        self.lesson.page.wait_for_function("([cells, count]) => document.querySelectorAll(cells).length === count",
                                           arg=[CELLS, count - 1])

    def _walk_to(self, control: Locator) -> None:
        """Tab there, or back with Shift."""
        for _ in range(FAR):
            where = control.evaluate(WHERE)
            if where == "here":
                return
            self.keyboard.press("Tab" if where == "after" else "Shift+Tab")
        raise AssertionError(f"{control} cannot be reached with Tab")

    def _select(self, number: int) -> None:
        """Go from cell to cell with the arrow keys; from inside a lab's button too."""
        for _ in range(FAR):
            selected = self.lesson.page.evaluate(SELECTED, CELLS)
            if selected == number:
                return
            self.keyboard.press("ArrowDown" if selected < number else "ArrowUp")
        raise AssertionError(f"cell {number} cannot be reached with the arrow keys")
