"""The house as the package's own first lines tell it: the rooms in order, imports that run downward only, and what
else each room may import."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import retryq

PACKAGE = Path(retryq.__file__).parent
MAP = re.findall(r"^    (\w+) +\S", retryq.__doc__ or "", flags=re.MULTILINE)
LONGEST = 300  # lines: a file that grows past that is two rooms
# What is imported from elsewhere, and where.
GUESTS = {
    "matplotlib": {"timeline", "drawing.ink", "cost_chart", "stategraph"},
    "numpy": {"drawing.ink", "drawing.png"},  # comes with matplotlib
    "ipywidgets": {"lab", "predict", "playing.lab_parts"},
    "nbconvert": {"handouts"},
    "nbformat": {"handouts"},
    "pygments": {"handouts"},  # comes with nbconvert, as nbformat does
}


def room(path: Path) -> str:
    """The name of a file's module below ``retryq``: "queue", "checking.plan"; of the package itself, ""."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {room(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def imports(name: str) -> tuple[str, ...]:
    """The full name of everything that a room imports, inside its functions too."""
    return tuple(_imports(name))


def _imports(name: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(FILES[name].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{name}: an import says where from"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def neighbours(name: str) -> set[str]:
    """The rooms that a room imports from."""
    found = set()
    for full in imports(name):
        top, _, rest = full.partition(".")
        if top == "retryq":
            found.add(rest if rest in FILES else rest.rpartition(".")[0])
    return found - {name}


def test_the_map_names_every_room_once():
    assert sorted(MAP) == sorted({name.split(".")[0] for name in FILES} - {""})


@pytest.mark.parametrize("name", [name for name in FILES if name])
def test_imports_run_downward_only(name):
    here = name.split(".")[0]
    above = set(MAP[: MAP.index(here)])
    for other in neighbours(name):
        there = other.split(".")[0]
        assert there in {*above, here} or other == "", f"{name} imports {other}, which stands below it in the map"


@pytest.mark.parametrize("folder", sorted({name.split(".")[0] for name in FILES if "." in name}))
def test_the_rooms_of_a_folder_have_an_order_too(folder):
    inside = {name: neighbours(name) & FILES.keys() for name in FILES if name.startswith(f"{folder}.")}
    try:
        TopologicalSorter(inside).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' -> '.join(error.args[1])}")


@pytest.mark.parametrize("name", FILES)
def test_a_room_imports_nothing_from_elsewhere_but_its_guests(name):
    for full in imports(name):
        top = full.split(".")[0]
        if top != "retryq" and top not in sys.stdlib_module_names:
            assert name in GUESTS.get(top, ()), f"{name} imports {top}"


def test_every_guest_is_where_the_house_says():
    for guest, rooms in GUESTS.items():
        for name in rooms:
            assert guest in {full.split(".")[0] for full in imports(name)}, f"{name} does not import {guest} any more"


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_one_room(name):
    text = FILES[name].read_text("utf-8")
    assert text.startswith('"""') or name == "__main__", f"{name} does not say what it is for"
    assert text.count("\n") <= LONGEST, f"{name} is longer than {LONGEST} lines"
