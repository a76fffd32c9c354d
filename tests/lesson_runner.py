"""Runs a notebook's code cells in this process, with another class in the place of ``retryq.Queue``, and says which
cells then answer otherwise than what is stored. Quick, because no kernel is started and no picture is drawn.

A cell is compared by what it prints, by the text of what it shows, and by its error. (Every picture has a text twin.)
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple
from unittest import mock

import notebook_outputs
import notebook_rules
from IPython.core.formatters import DisplayFormatter

import retryq
from retryq.conformance import Report, check


class Difference(NamedTuple):
    """A cell that no longer says what is stored."""

    cell: int  # counted from 1, text cells included
    source: str
    sentence: str
    shows: bool  # False for a cell that only asks ``check`` for its opinion

    def __str__(self) -> str:
        return f"cell {self.cell}: {self.sentence}"


class _Printed(io.TextIOBase):
    """Standard output that keeps its place among the things that a cell shows."""

    def __init__(self, outputs: list[dict]) -> None:
        self.outputs = outputs

    def write(self, text: str) -> int:
        self.outputs.append({"output_type": "stream", "name": "stdout", "text": text})
        return len(text)


def run(path: Path, queue_class: type | None = None) -> Iterator[tuple[notebook_rules.Cell, list[dict]]]:
    """Each code cell of a notebook, in order, with the outputs that it gives now."""
    formatter = DisplayFormatter(active_types=["text/plain"])
    outputs: list[dict] = []

    def show(value: object, kind: str) -> None:
        data, _ = formatter.format(value)
        outputs.append({"output_type": kind, "data": {"text/plain": data.get("text/plain", "")}})

    def display(*values: object) -> None:
        for value in values:
            show(value, "display_data")

    namespace = {"__name__": "__main__", "display": display}
    for cell in notebook_rules.load(path).code:
        outputs.clear()
        swapped = mock.patch.object(retryq, "Queue", queue_class or retryq.Queue)
        with swapped, quickly(), contextlib.chdir(path.parent), contextlib.redirect_stdout(_Printed(outputs)):
            try:
                value = execute(cell, namespace)
                if value is not None:
                    show(value, "execute_result")
            except Exception as error:  # noqa: BLE001 what a learner would meet there
                outputs.append({"output_type": "error", "ename": type(error).__name__, "evalue": str(error)})
        yield cell, list(outputs)


@contextlib.contextmanager
def quickly() -> Iterator[None]:
    """Without what costs time and says nothing that is compared: pictures, and telling a page of its controls."""
    with contextlib.ExitStack() as stack:
        for picture in ("timeline.Timeline", "stategraph.StateGraph", "cost_chart.Chart"):
            stack.enter_context(mock.patch(f"retryq.{picture}.html", lambda *_, **__: ""))
        stack.enter_context(mock.patch("ipywidgets.Widget.open", lambda self: None))
        stack.enter_context(mock.patch("retryq.conformance.check", remembered))
        yield


OF_EVERY_CLASS = {"__module__", "__dict__", "__weakref__", "__doc__", "__firstlineno__", "__static_attributes__"}
_reports: dict[tuple, Report] = {}


def remembered(queue_class: type, clauses: str | Iterable[str] | None = None) -> Report:
    """``check``, which takes a second, asked once for what is written the same: its answer is the same every time."""
    asked = clauses if clauses is None or isinstance(clauses, str) else tuple(clauses)
    key = (queue_class.__name__, *map(written, queue_class.__mro__), asked)
    if key not in _reports:
        _reports[key] = check(queue_class, asked)
    return replace(_reports[key], queue_class=queue_class)


def written(owner: type) -> object:
    """What is written in a class, where that is methods alone; else the class itself."""
    inside = {name: value for name, value in vars(owner).items() if name not in OF_EVERY_CLASS}
    if owner.__module__ != "__main__" or not all(type(value) is FunctionType for value in inside.values()):
        return owner
    return tuple((name, method.__code__, repr(method.__defaults__)) for name, method in sorted(inside.items()))


def execute(cell: notebook_rules.Cell, namespace: dict) -> object:
    """Run one cell; its value is that of the expression it ends in, or None."""
    name = f"<cell {cell.number}>"
    linecache.cache[name] = (len(cell.source), None, cell.source.splitlines(keepends=True), name)
    before, last = compiled(cell.source, name)
    exec(before, namespace)  # noqa: S102 to run it is what we are here for
    return eval(last, namespace) if last else None


@cache
def compiled(source: str, name: str) -> tuple[CodeType, CodeType | None]:
    """A cell up to its last expression, and that expression. Each lesson is run for many queues."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    return compile(tree, name, "exec"), last and compile(ast.Expression(last.value), name, "eval")


def differences(path: Path, queue_class: type | None = None) -> Iterator[Difference]:
    """The cells whose outputs are not the stored ones, one by one as they are run."""
    for cell, fresh in run(path, queue_class):
        stored = [text_of(output) for output in cell.outputs]
        compared = "nbval-ignore-output" not in cell.tags
        if sentence := notebook_outputs.difference(stored, fresh, compared):
            yield Difference(cell.number, cell.source, sentence, shows=not re.search(r"\bcheck\(", cell.source))


def text_of(output: dict) -> dict:
    return output | {"data": {"text/plain": output["data"].get("text/plain", "")}} if "data" in output else output


def gives_away(path: Path, queue_class: type) -> Difference | None:
    """The first cell that shows, by an operation, that this class is not the queue of the lesson; None if none does."""
    return next((one for one in differences(path, queue_class) if one.shows), None)
